internal import Foundation
internal import GRDB
public import Ink

/// Training samples (D-003, F-003).
extension Workspace {
  /// A model's samples, newest first.
  ///
  /// - Parameters:
  ///   - model: The model's id.
  ///   - label: Return only samples of this label; nil for all.
  ///   - last: Return only samples older than this one, for paging; it may be deleted by now.
  ///   - limit: The maximum number of samples.
  /// - Returns: The samples of the page; empty if there are no more.
  /// - Throws: `WorkspaceError` for an unknown model.
  public func samples(
    of model: String, label: String? = nil, olderThan last: WorkspaceSample? = nil,
    limit: Int = 100
  ) async throws -> [WorkspaceSample] {
    try await read(.read) { db in
      let place = last.map { ($0.created.milliseconds, $0.id) }
      return try Self.page(of: model, label, olderThan: place, limit, bytes: .max, db).samples
    }
  }

  /// A page of a model's samples, newest first, with a bounded amount of ink.
  ///
  /// - Parameters:
  ///   - model: The model's id.
  ///   - label: Return only samples of this label; nil for all.
  ///   - before: Return only samples older than the one with this id.
  ///   - limit: The maximum number of samples.
  ///   - bytes: The maximum size of their drawings as JSON; the first one may exceed it.
  /// - Returns: The samples, and whether there are older ones.
  /// - Throws: `WorkspaceError` for an unknown model, and for a sample `before` that is unknown.
  public func samplePage(
    of model: String, label: String? = nil, before: String? = nil, limit: Int,
    bytes: Int = WorkspaceLimits.pageBytes
  ) async throws -> (samples: [WorkspaceSample], hasMore: Bool) {
    try await read(.read) { db in
      let place = try before.map { before in
        guard let created = try Self.created(of: before, in: model, db) else {
          try Self.requireModel(model, in: db)
          throw WorkspaceError.Reason.unknownSample(before)
        }
        return (created, before)
      }
      let page = try Self.page(of: model, label, olderThan: place, limit, bytes: bytes, db)
      return (page.samples, page.hasMore)
    }
  }

  /// The samples, whether there are older ones, and how many bytes of drawings were read.
  static func page(
    of model: String, _ label: String?, olderThan place: (created: Int64, id: String)? = nil,
    _ limit: Int, bytes: Int, _ db: Database
  ) throws -> (samples: [WorkspaceSample], hasMore: Bool, bytes: Int) {
    try requireModel(model, in: db)
    var (conditions, arguments): ([String], StatementArguments) = (["sample.model = ?"], [model])
    if let label {
      conditions.append("sample.label = ?")
      arguments += [try spelling(of: label, in: model, db)]
    }
    if let place {
      conditions.append("(sample.created, sample.id) < (?, ?)")
      arguments += [place.created, place.id]
    }
    var (samples, size, hasMore): ([WorkspaceSample], Int, Bool) = ([], 0, false)
    let condition = conditions.joined(separator: " AND ")
    try forEachSample(in: db, where: condition, arguments, atMost: max(limit, 0) + 1) { row in
      size += row.bytes
      hasMore = samples.count >= limit || size > bytes && !samples.isEmpty
      if !hasMore { samples.append(try row.sample()) }
      return !hasMore
    }
    return (samples, hasMore, size)
  }

  /// The samples with the given ids, in the order of `ids`; unknown ids are skipped.
  ///
  /// - Throws: `WorkspaceError` for an unknown model.
  public func samples(of model: String, ids: [String]) async throws -> [WorkspaceSample] {
    try await read(.read) { db in
      try Self.requireModel(model, in: db)
      return try ids.flatMap { try Self.samples(in: db, model, id: $0) }
    }
  }

  /// The sample with the given id.
  ///
  /// - Throws: `WorkspaceError` for an unknown model or sample.
  public func sample(_ id: String, of model: String) async throws -> WorkspaceSample {
    try await read(.read) { db in
      try Self.requireModel(model, in: db)
      guard let sample = try Self.samples(in: db, model, id: id).first else {
        throw WorkspaceError.Reason.unknownSample(id)
      }
      return sample
    }
  }

  /// Adds a sample. When this returns, the sample is on the disk.
  ///
  /// Adding the same sample again with the same id changes nothing and is not an error, so a client
  /// that got no response can retry.
  ///
  /// - Parameters:
  ///   - drawing: The strokes and the canvas; its own id and label are ignored.
  ///   - label: The label. Surrounding white space is trimmed.
  ///   - id: The sample's id, unique within its model; nil for a new one.
  ///   - template: The id of the template that it was traced over; nil if it was drawn freely.
  ///   - model: The model's id.
  /// - Returns: The sample as stored.
  /// - Throws: `WorkspaceError` “Couldn’t save sample.” with the reason.
  @discardableResult
  public func addSample(
    _ drawing: Drawing, label: String, id: String? = nil, over template: String? = nil,
    to model: String
  ) async throws -> AddedSample {
    let added = try await addSamples(
      [SampleAddition(id: id, label: label, drawing: drawing, template: template)], to: model)
    return added[0]
  }

  /// Whether a text can be the id of a sample or a playground: 1 to 128 visible characters of
  /// ASCII.
  public static func isID(_ text: String) -> Bool {
    (try? Checked.id(text)) != nil
  }

  /// Throws if `addSamples` would reject the sample regardless of the workspace's contents.
  ///
  /// - Throws: `WorkspaceError` “Couldn’t save sample.” with the reason.
  public static func check(_ addition: SampleAddition) throws(WorkspaceError) {
    do throws(WorkspaceError.Reason) {
      if let id = addition.id { _ = try Checked.id(id) }
      _ = try Checked.label(addition.label)
      _ = try Checked.sample(addition.drawing)
      if let template = addition.template { _ = try Checked.template(template) }
    } catch { throw WorkspaceError(.saveSample, error) }
  }

  /// Adds samples atomically. When this returns, they are on the disk.
  ///
  /// - Throws: `WorkspaceError` “Couldn’t save sample.” with the reason.
  @discardableResult
  public func addSamples(
    _ additions: [SampleAddition], to model: String
  ) async throws -> [AddedSample] {
    let created = now().milliseconds
    // Checked and encoded before the write lock is taken.
    let rows = try await mappingErrors(of: .saveSample) {
      try additions.map { addition in
        let ink = try Checked.sample(addition.drawing)
        let id = try addition.id.map { try Checked.id($0) } ?? newID()
        let row = try SampleRow(
          id: id, label: addition.label, ink: ink, created: created, template: addition.template)
        return (row, ink)
      }
    }
    return try await write(.saveSample) { db in
      try Self.requireModel(model, in: db)
      var spellings: [String: String] = [:]
      return try rows.map { row, ink in
        var row = row
        let spelling = try spellings[row.label] ?? Self.spelling(of: row.label, in: model, db)
        spellings[row.label] = spelling
        row.label = spelling
        try row.makeLabel(of: model, db)
        let isNew = try row.insert(into: model, db)
        let kept = try row.kept(in: model, db)
        guard kept.isSame else { throw WorkspaceError.Reason.idTaken(row.id) }
        let drawing = Drawing(
          id: row.id, label: row.label, strokes: ink.strokes, canvas: ink.canvas)
        return AddedSample(
          sample: WorkspaceSample(
            id: row.id, label: row.label, drawing: drawing,
            created: Date(milliseconds: kept.created), isTaught: kept.isTaught,
            template: row.template),
          isNew: isNew)
      }
    }
  }

  /// Changes a sample's label.
  ///
  /// - Throws: `WorkspaceError` for an unknown model or sample, and an invalid label.
  @discardableResult
  public func relabelSample(
    _ id: String, to label: String, of model: String
  ) async throws -> WorkspaceSample {
    try await write(.changeSample) { db in
      try Self.requireModel(model, in: db)
      let label = try Self.spelling(of: Checked.label(label), in: model, db)
      guard let old = try Self.samples(in: db, model, id: id).first else {
        throw WorkspaceError.Reason.unknownSample(id)
      }
      try Self.makeLabel(label, of: model, db)
      try db.execute(
        sql: "UPDATE sample SET label = ? WHERE model = ? AND id = ?",
        arguments: [label, model, id])
      try Self.dropEmptyLabels([old.label], of: model, db)
      guard let sample = try Self.samples(in: db, model, id: id).first else {
        throw WorkspaceError.Reason.unknownSample(id)
      }
      return sample
    }
  }

  /// Deletes samples atomically. A label is deleted with its last sample, unless it has a name.
  ///
  /// - Returns: The samples that were deleted, newest first.
  /// - Throws: `WorkspaceError` for an unknown model or sample.
  @discardableResult
  public func deleteSamples(
    _ ids: [String], of model: String
  ) async throws -> [WorkspaceSample] {
    try await write(.deleteSample) { db in
      try Self.requireModel(model, in: db)
      var gone: [WorkspaceSample] = []
      for id in Set(ids).sorted() {
        guard let sample = try Self.samples(in: db, model, id: id).first else {
          throw WorkspaceError.Reason.unknownSample(id)
        }
        try db.execute(
          sql: "DELETE FROM sample WHERE model = ? AND id = ?", arguments: [model, id])
        gone.append(sample)
      }
      try Self.dropEmptyLabels(gone.map(\.label), of: model, db)
      return gone.sorted { ($1.created, $1.id) < ($0.created, $0.id) }
    }
  }
}

// MARK: Rows

/// A row of the table `sample`.
struct SampleRow: Decodable, Hashable, Sendable, FetchableRecord {
  let id: String
  var label: String
  let created: Int64
  let digest: String
  /// Stroke JSON without id and label.
  let drawing: String
  /// The template that it was traced over. Databases before version 4 have no such column.
  let template: String?

  /// The row for checked ink.
  init(
    id: String, label: String, ink: Drawing, created: Int64, template: String?
  ) throws(WorkspaceError.Reason) {
    self.id = id
    self.label = try Checked.label(label)
    self.created = created
    digest = ink.digest
    drawing = Self.text(of: ink)
    self.template = try template.map { text throws(WorkspaceError.Reason) in
      try Checked.template(text)
    }
  }

  /// Throws if the row is not one that this program would write.
  func check() throws {
    let ink = try Workspace.drawing(drawing, id: id, label: nil)
    let sound = try SampleRow(
      id: Checked.id(id), label: label, ink: Checked.sample(ink), created: created, template: nil)
    guard sound.digest == digest, sound.drawing == drawing, Checked.isLabel(label),
      WorkspaceLimits.times.contains(created), template.map(Checked.isName) ?? true
    else {
      throw WorkspaceError.Reason.damaged("the sample \(id) is invalid")
    }
  }

  /// The text of a drawing's strokes and canvas.
  static func text(of drawing: Drawing) -> String {
    String(
      decoding: StrokeJSON.encode(Drawing(strokes: drawing.strokes, canvas: drawing.canvas)),
      as: UTF8.self)
  }

  /// Inserts the row of the sample's label if it is missing.
  func makeLabel(of model: String, _ db: Database) throws {
    try Workspace.makeLabel(label, of: model, db)
  }

  /// Inserts the row unless its id is taken; returns whether it did.
  @discardableResult
  func insert(into model: String, _ db: Database) throws -> Bool {
    try db.cachedStatement(
      sql: """
        INSERT INTO sample (model, id, label, created, digest, drawing, template)
        VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (model, id) DO NOTHING
        """
    ).execute(arguments: [model, id, label, created, digest, drawing, template])
    return db.changesCount > 0
  }

  /// The stored row with the same id: whether its label, drawing and template are the same, when it
  /// was created, and whether the trained model knows it.
  func kept(
    in model: String, _ db: Database
  ) throws -> (isSame: Bool, created: Int64, isTaught: Bool) {
    let statement = try db.cachedStatement(
      sql: """
        SELECT label = :label AND drawing = :drawing AND template IS :template AS isSame, created,
          EXISTS (SELECT 1 FROM taught WHERE taught.model = sample.model AND taught.id = sample.id
            AND taught.label = sample.label AND taught.digest = sample.digest) AS isTaught
        FROM sample WHERE model = :model AND id = :id
        """)
    let row = try Row.fetchOne(
      statement,
      arguments: [
        "label": label, "drawing": drawing, "template": template, "model": model, "id": id,
      ])
    guard let row else { throw WorkspaceError.Reason.unknownSample(id) }
    return (
      try row.decode(forColumn: "isSame"), try row.decode(forColumn: "created"),
      try row.decode(forColumn: "isTaught")
    )
  }
}

extension Workspace {
  static func samples(
    in db: Database, where condition: String, _ arguments: StatementArguments
  ) throws -> [WorkspaceSample] {
    var samples: [WorkspaceSample] = []
    try forEachSample(in: db, where: condition, arguments) { row in
      samples.append(try row.sample())
      return true
    }
    return samples
  }

  /// Calls `body` with the size of each sample's drawing as JSON and the sample, newest first, as
  /// long as it returns true.
  private static func forEachSample(
    in db: Database, where condition: String, _ arguments: StatementArguments,
    atMost limit: Int = -1,
    _ body: ((bytes: Int, sample: () throws -> WorkspaceSample)) throws -> Bool
  ) throws {
    let rows = try Row.fetchCursor(
      db,
      sql: """
        SELECT sample.*, taught.id IS NOT NULL AS isTaught
        FROM sample LEFT JOIN taught ON taught.model = sample.model AND taught.id = sample.id
          AND taught.label = sample.label AND taught.digest = sample.digest
        WHERE \(condition) ORDER BY sample.created DESC, sample.id DESC LIMIT ?
        """, arguments: arguments + [limit])
    while let row = try rows.next() {
      let kept = try SampleRow(row: row)
      let goesOn = try body(
        (
          kept.drawing.utf8.count,
          {
            WorkspaceSample(
              id: kept.id, label: kept.label,
              drawing: try drawing(kept.drawing, id: kept.id, label: kept.label),
              created: Date(milliseconds: kept.created),
              isTaught: try row.decode(forColumn: "isTaught"), template: kept.template)
          }
        ))
      if !goesOn { return }
    }
  }

  static func samples(in db: Database, _ model: String, id: String) throws -> [WorkspaceSample] {
    try samples(in: db, where: "sample.model = ? AND sample.id = ?", [model, id])
  }

  /// A drawing from its text in the database.
  static func drawing(_ text: String, id: String, label: String?) throws -> Drawing {
    do throws(InkError) {
      var drawing = try StrokeJSON.parse(Array(text.utf8))
      drawing.id = id
      drawing.label = label
      return drawing
    } catch {
      throw WorkspaceError.Reason.damaged("the drawing \(id) cannot be read: \(error)")
    }
  }

  private static func created(
    of sample: String, in model: String, _ db: Database
  ) throws -> Int64? {
    try Int64.fetchOne(
      db, sql: "SELECT created FROM sample WHERE model = ? AND id = ?", arguments: [model, sample])
  }
}
