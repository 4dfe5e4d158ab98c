internal import Foundation
internal import GRDB
internal import Ink

/// A deleted label with its samples, or deleted samples of a label.
public struct DeletedLabel: Hashable, Sendable {
  /// The label.
  public var label: String
  /// What the user called it; nil if only samples were deleted.
  public var name: String?
  /// The samples, newest first.
  public var samples: [WorkspaceSample]

  /// What was deleted.
  public init(label: String, name: String? = nil, samples: [WorkspaceSample]) {
    (self.label, self.name, self.samples) = (label, name, samples)
  }
}

/// Labels (D-002, F-007).
extension Workspace {
  /// A model's labels, in ascending order: those with samples, and those that the trained model
  /// still knows.
  ///
  /// - Throws: `WorkspaceError` for an unknown model.
  public func labels(of model: String) async throws -> [WorkspaceLabel] {
    try await read(.read) { db in
      try Self.requireModel(model, in: db)
      return try Self.labels(of: model, db)
    }
  }

  /// Changes a label, its name, or both, atomically.
  ///
  /// - Parameters:
  ///   - label: The label.
  ///   - new: The new label; nil to keep it. The label's name goes along, unless the samples merge
  ///     into a label that has one.
  ///   - name: The label's new name; empty to remove it, nil to keep it.
  ///   - merging: Whether the samples may merge into an existing label.
  ///   - model: The model's id.
  /// - Returns: The label as it is now.
  /// - Throws: `WorkspaceError` for an unknown model or label, an invalid or taken label, and a
  ///   name that is too long.
  @discardableResult
  public func changeLabel(
    _ label: String, to new: String? = nil, name: String? = nil, merging: Bool = false,
    of model: String
  ) async throws -> WorkspaceLabel {
    try await write(.changeLabel) { db in
      try Self.requireModel(model, in: db)
      var label = try Self.existing(label, of: model, db)
      if let new = try new.map({ try Self.spelling(of: Checked.label($0), in: model, db) }),
        new != label
      {
        try Self.rename(label, to: new, merging: merging, of: model, db)
        label = new
      }
      if let name {
        try db.execute(
          sql: "UPDATE label SET name = ? WHERE model = ? AND label = ?",
          arguments: [
            name.allSatisfy(\.isWhitespace) ? nil : try Checked.name(name), model, label,
          ])
      }
      guard let changed = try Self.labels(of: model, only: label, db).first else {
        throw WorkspaceError.Reason.unknownLabel(label)
      }
      return changed
    }
  }

  /// Deletes a label with its samples.
  ///
  /// - Returns: What was deleted, for `restore`.
  /// - Throws: `WorkspaceError` for an unknown model or label.
  @discardableResult
  public func deleteLabel(_ label: String, of model: String) async throws -> DeletedLabel {
    try await write(.deleteLabel) { db in
      try Self.requireModel(model, in: db)
      let label = try Self.existing(label, of: model, db)
      let samples = try Self.samples(
        in: db, where: "sample.model = ? AND sample.label = ?", [model, label])
      let name = try String.fetchOne(
        db, sql: "SELECT name FROM label WHERE model = ? AND label = ?", arguments: [model, label])
      // Deletes the samples too (ON DELETE CASCADE).
      try db.execute(
        sql: "DELETE FROM label WHERE model = ? AND label = ?", arguments: [model, label])
      return DeletedLabel(label: label, name: name, samples: samples)
    }
  }

  /// Restores what was deleted: samples with their ids, dates and templates, and the label's name
  /// unless it has a new one. Samples added under it since are kept.
  ///
  /// - Returns: The label as it is now.
  /// - Throws: `WorkspaceError` for an unknown model, or if another sample has taken an id; nothing
  ///   has changed then.
  @discardableResult
  public func restore(
    _ deleted: DeletedLabel, of model: String
  ) async throws -> WorkspaceLabel {
    try await write(.restore) { db in
      try Self.requireModel(model, in: db)
      let label = try Self.spelling(of: Checked.label(deleted.label), in: model, db)
      for sample in deleted.samples {
        var row = try SampleRow(
          id: try Checked.id(sample.id), label: label,
          ink: try Checked.sample(sample.drawing), created: sample.created.milliseconds,
          template: sample.template)
        row.label = label
        try row.makeLabel(of: model, db)
        try row.insert(into: model, db)
        guard try row.kept(in: model, db).isSame else {
          throw WorkspaceError.Reason.idTaken(row.id)
        }
      }
      try db.execute(
        sql: "UPDATE label SET name = ? WHERE model = ? AND label = ? AND name IS NULL",
        arguments: [try deleted.name.map { try Checked.name($0) }, model, label])
      guard let restored = try Self.labels(of: model, only: label, db).first else {
        throw WorkspaceError.Reason.unknownLabel(label)
      }
      return restored
    }
  }
}

// MARK: Rows

extension Workspace {
  /// A model's labels in ascending order, or the given one.
  ///
  /// - Complexity: Linear in the model's samples and taught samples.
  static func labels(
    of model: String, only label: String? = nil, _ db: Database
  ) throws -> [WorkspaceLabel] {
    let filter = label == nil ? "" : "AND label = :label"
    let rows = try Row.fetchCursor(
      db,
      sql: """
        WITH list AS (
          SELECT label, SUM(samples) AS samples, SUM(taught) AS taught
          FROM (
            SELECT label, COUNT(*) AS samples, 0 AS taught FROM sample
            WHERE model = :model \(filter) GROUP BY label
            UNION ALL
            SELECT label, 0, COUNT(*) FROM taught WHERE model = :model \(filter) GROUP BY label)
          GROUP BY label)
        SELECT list.*, label.name, sample.id AS example, sample.drawing
        FROM list
        LEFT JOIN label ON label.model = :model AND label.label = list.label
        LEFT JOIN sample ON sample.model = :model AND sample.id = (
          SELECT id FROM sample AS newest WHERE model = :model AND newest.label = list.label
          ORDER BY created DESC, id DESC LIMIT 1)
        """, arguments: label.map { ["model": model, "label": $0] } ?? ["model": model])
    var (labels, left): ([WorkspaceLabel], Int) = ([], WorkspaceLimits.pageBytes)
    while let row = try rows.next() {
      let label: String = try row.decode(forColumn: "label")
      let name: String? = try row.decode(forColumn: "name")
      try StoredValues.check(bytes: label.utf8.count, of: "label", in: "label")
      try StoredValues.check(bytes: name?.utf8.count, of: "name", in: "label")
      var found = WorkspaceLabel(
        label: label, name: name, sampleCount: try row.decode(forColumn: "samples"),
        taughtCount: try row.decode(forColumn: "taught"))
      if let id: String = try row.decode(forColumn: "example") {
        let text: String = try row.decode(forColumn: "drawing")
        if text.utf8.count <= left {
          left -= text.utf8.count
          found.example = try drawing(text, id: id, label: label)
        }
      }
      labels.append(found)
    }
    return labels.sorted { $0.label < $1.label }
  }

  /// Whether drawings of a model have that label, in any spelling.
  ///
  /// - Throws: `WorkspaceError` for an unknown model.
  public func hasLabel(_ label: String, of model: String) async throws -> Bool {
    try await read(.read) { db in
      try Self.requireModel(model, in: db)
      return try Self.hasSamples(Self.spelling(of: label, in: model, db), of: model, db)
    }
  }

  private static func rename(
    _ old: String, to new: String, merging: Bool, of model: String, _ db: Database
  ) throws {
    guard try hasSamples(new, of: model, db) else {
      // A label that has only a name left is replaced.
      try db.execute(
        sql: "DELETE FROM label WHERE model = ? AND label = ?", arguments: [model, new])
      return try db.execute(
        sql: "UPDATE label SET label = ? WHERE model = ? AND label = ?",
        arguments: [new, model, old])
    }
    guard merging else { throw WorkspaceError.Reason.labelTaken(new) }
    try db.execute(
      sql: "UPDATE sample SET label = ? WHERE model = ? AND label = ?",
      arguments: [new, model, old])
    try db.execute(
      sql: """
        UPDATE label SET name = (SELECT name FROM label WHERE model = :model AND label = :old)
        WHERE model = :model AND label = :new AND name IS NULL
        """, arguments: ["model": model, "old": old, "new": new])
    try db.execute(sql: "DELETE FROM label WHERE model = ? AND label = ?", arguments: [model, old])
  }

  private static func hasSamples(
    _ label: String, of model: String, _ db: Database
  ) throws -> Bool {
    try Bool.fetchOne(
      db, sql: "SELECT EXISTS (SELECT 1 FROM sample WHERE model = ? AND label = ?)",
      arguments: [model, label]) ?? false
  }

  /// The model's existing spelling of a label.
  static func spelling(
    of label: String, in model: String, _ db: Database
  ) throws -> String {
    try LabelRule.spelling(
      of: label,
      among: try String.fetchAll(
        db, sql: "SELECT label FROM label WHERE model = ?", arguments: [model]))
  }

  /// The label as it is stored; throws if it has no samples.
  private static func existing(
    _ label: String, of model: String, _ db: Database
  ) throws -> String {
    let label = try spelling(of: label, in: model, db)
    guard try hasSamples(label, of: model, db) else {
      throw WorkspaceError.Reason.unknownLabel(label)
    }
    return label
  }

  /// Inserts the label's row, which its samples refer to, if it is missing.
  static func makeLabel(_ label: String, of model: String, _ db: Database) throws {
    try db.cachedStatement(
      sql: "INSERT INTO label (model, label) VALUES (?, ?) ON CONFLICT DO NOTHING"
    ).execute(arguments: [model, label])
  }

  /// Removes the given labels that have neither samples nor a name.
  static func dropEmptyLabels(_ labels: [String], of model: String, _ db: Database) throws {
    for label in Set(labels).sorted() {
      try db.execute(
        sql: """
          DELETE FROM label WHERE model = ? AND label = ? AND name IS NULL AND NOT EXISTS (
            SELECT 1 FROM sample WHERE sample.model = label.model AND sample.label = label.label)
          """, arguments: [model, label])
    }
  }
}
