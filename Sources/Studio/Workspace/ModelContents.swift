internal import Foundation
internal import GRDB
internal import Ink
internal import Recognition

/// All rows of one model, from a workspace or an exported file, which has the same tables.
struct ModelContents: Sendable {
  /// The model's own row, labels, samples and taught samples, which decide whether two models are
  /// the same.
  @dynamicMemberLookup
  struct Core: Hashable, Sendable {
    var row: ModelRow
    /// Each label's name, ascending.
    var labels: [Label]
    /// Sorted by id.
    var samples: [SampleRow]
    /// Ascending.
    var taught: [TaughtSample]

    /// Members of `row`.
    subscript<Value>(dynamicMember path: WritableKeyPath<ModelRow, Value>) -> Value {
      get { row[keyPath: path] }
      set { row[keyPath: path] = newValue }
    }
  }

  struct Label: Decodable, Hashable, Sendable, FetchableRecord {
    var label: String
    var name: String?
  }

  var id: String { core.id }
  var core: Core
  /// Oldest first.
  var predictions: [Prediction]
  var playgrounds: [Playground]
  /// The findings of the last training; nil if none are stored.
  var report: TrainingReport.Findings?

  /// Reads a model's rows and validates them: values that this program would not write are
  /// rejected.
  ///
  /// - Parameters:
  ///   - id: The model.
  ///   - db: The database.
  ///   - isChecked: Whether the model's core was validated before.
  /// - Throws: `WorkspaceError.Reason.damaged`, or the reason for the invalid value.
  init(of id: String, in db: Database, isChecked: Bool = false) throws {
    guard Checked.isModelID(id) else {
      throw WorkspaceError.Reason.damaged("the model id \(id.shown) is not a UUID in lower case")
    }
    guard let row = try ModelRow.fetchOne(db, key: id) else {
      throw WorkspaceError.Reason.unknownModel(id)
    }
    core = try Core(row, in: db)
    if !isChecked { try core.check() }
    predictions = try Workspace.history(of: id, limit: WorkspaceLimits.predictions, db).reversed()
    for prediction in predictions {
      _ = try Checked.ink(prediction.drawing)
      guard Workspace.isID(prediction.id), prediction.label.map(Checked.isLabel) ?? true else {
        throw WorkspaceError.Reason.damaged("the prediction \(prediction.id) is invalid")
      }
    }
    playgrounds = try Workspace.playgrounds(of: id, db)
    report = try TrainingReport.Findings(of: id, generation: core.generation, in: db)
    try report?.check(for: core.taught)
  }

  /// Inserts the rows; the model must not exist.
  func insert(into db: Database) throws {
    try core.row.insert(db)
    for label in core.labels {
      try db.execute(
        sql: "INSERT INTO label (model, label, name) VALUES (?, ?, ?)",
        arguments: [id, label.label, label.name])
    }
    for sample in core.samples {
      try sample.makeLabel(of: id, db)
      try sample.insert(into: id, db)
    }
    try Workspace.replaceTaught(core.taught, of: id, db)
    for prediction in predictions {
      var prediction = prediction
      prediction.model = id
      try Workspace.insert(prediction, in: db)
    }
    for playground in playgrounds {
      var playground = playground
      playground.model = id
      try PlaygroundRows(playground).save(in: db)
    }
    try report?.save(of: id, generation: core.generation, in: db)
  }
}

extension ModelContents.Core {
  /// A copy without id, name, activity, training time and generation: models with the same samples
  /// and base have byte-identical files. A new property counts as contents unless it is reset here.
  var anonymous: Self {
    var copy = self
    (copy.id, copy.isActive, copy.name) = ("", false, "")
    (copy.lastTrained, copy.generation) = (nil, 0)
    return copy
  }

  /// Reads the rows without validating them.
  init(_ row: ModelRow, in db: Database) throws {
    self.row = row
    labels = try ModelContents.Label.fetchAll(
      db, sql: "SELECT label, name FROM label WHERE model = ? ORDER BY label", arguments: [row.id])
    samples = try SampleRow.fetchAll(
      db, sql: "SELECT * FROM sample WHERE model = ? ORDER BY id", arguments: [row.id])
    taught = try Row.fetchAll(
      db, sql: "SELECT id, label, digest FROM taught WHERE model = ?", arguments: [row.id]
    ).map { try TaughtSample($0) }.sorted()
  }

  /// Throws if a value is not one that this program would write.
  fileprivate func check() throws {
    func require(_ condition: Bool, _ what: String) throws {
      guard condition else { throw WorkspaceError.Reason.damaged("\(what) is invalid") }
    }
    let times = WorkspaceLimits.times
    let (generation, lastTrained, base) = (row.generation, row.lastTrained, row.base)
    try require(Checked.isName(row.name), "a model's name")
    try require(times.contains(row.created) && times.contains(lastTrained ?? 0), "a model's time")
    try require(DecisionPolicy.rates.contains(row.refusalRate), "a model's refusal rate")
    try require(WorkspaceLimits.generations.contains(generation), "a model's generation")
    try require(
      (generation == 0) == (lastTrained == nil) && (generation == 0) == (base == nil),
      "a model's training")
    try require(
      base?.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) } ?? true
        && base?.utf8.count ?? 64 == 64, "a model's base")
    for label in labels {
      try require(
        Checked.isLabel(label.label) && label.name.map(Checked.isName) ?? true, "a label")
    }
    for sample in samples { try sample.check() }
    for sample in taught {
      try require(
        Workspace.isID(sample.id) && Checked.isLabel(sample.label), "a taught sample")
    }
  }
}

extension TaughtSample {
  /// Reads a row of the database without validating it.
  init(_ row: Row) throws {
    self.init(
      id: try row.decode(forColumn: "id"), label: try row.decode(forColumn: "label"),
      digest: try row.decode(forColumn: "digest"))
  }
}
