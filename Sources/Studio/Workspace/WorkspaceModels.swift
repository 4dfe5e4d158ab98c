internal import Foundation
internal import GRDB
internal import Recognition

/// Models (D-001, F-009).
extension Workspace {
  /// All models, oldest first.
  public func models() async throws -> [WorkspaceModel] {
    try await read(.read) { db in try Self.models(in: db) }
  }

  /// The model with the given id.
  ///
  /// - Throws: `WorkspaceError` of `unknownModel`.
  public func model(_ id: String) async throws -> WorkspaceModel {
    try await read(.read) { db in try Self.model(id, in: db) }
  }

  /// What a model's predictions depend on. Does not count samples, so it is cheap enough to call
  /// for each stroke.
  ///
  /// - Throws: `WorkspaceError` of `unknownModel`.
  public func version(of id: String) async throws -> ModelVersion {
    try await read(.read) { db in
      guard let row = try ModelRow.fetchOne(db, key: id) else {
        throw try Self.unknownModel(id, in: db)
      }
      return try row.version
    }
  }

  /// The model with the given id or, failing that, name.
  ///
  /// - Throws: `WorkspaceError` of `unknownModel`.
  public func model(named nameOrID: String) async throws -> WorkspaceModel {
    try await read(.read) { db in
      let name = try? Checked.name(nameOrID)
      let models = try Self.models(in: db)
      guard
        let model = models.first(where: { $0.id == nameOrID.lowercased() })
          ?? models.first(where: { $0.name == name })
      else { throw try Self.unknownModel(nameOrID, in: db) }
      return model
    }
  }

  /// The active model.
  public func activeModel() async throws -> WorkspaceModel {
    try await read(.read) { db in
      guard let model = try Self.models(in: db, where: "isActive = 1").first else {
        throw WorkspaceError.Reason.damaged("no model is active")
      }
      return model
    }
  }

  /// The untrained starting point of models.
  func base(everyday isEveryday: Bool) -> BaseModel { isEveryday ? everyday : base }

  /// Creates an untrained model.
  ///
  /// - Parameters:
  ///   - name: The name. Surrounding white space is trimmed.
  ///   - isEveryday: Whether it knows everyday things from the beginning.
  ///   - activating: Whether it becomes the active model.
  /// - Returns: The model.
  /// - Throws: `WorkspaceError` for a name that is empty, too long or taken.
  @discardableResult
  public func createModel(
    named name: String, everyday isEveryday: Bool = false, activating: Bool = false
  ) async throws -> WorkspaceModel {
    let (id, created) = (newID(), now())
    // The refusal rate starts at the one with which the released rates were measured.
    var refusalRate: Double?
    if isEveryday {
      do { refusalRate = try everyday.recognizer().policy.refusalRate } catch {
        throw WorkspaceError(.createModel, .model("\(error)"))
      }
    }
    return try await write(.createModel) { [refusalRate] db in
      try Self.insertModel(
        id: id, name: name, created: created, isActive: false, isEveryday: isEveryday,
        refusalRate: refusalRate, in: db)
      if activating { try Self.activate(id, in: db) }
      return try Self.model(id, in: db)
    }
  }

  /// Changes a model's name, refusal rate or activity atomically. Needs no training.
  ///
  /// - Parameters:
  ///   - id: The model.
  ///   - name: Its new name; nil to keep it.
  ///   - refusalRate: The share of drawings of known labels that it may reject, in
  ///     `DecisionPolicy.rates`; nil to keep it.
  ///   - activating: Whether it becomes the active model.
  /// - Returns: The model as it is now.
  /// - Throws: `WorkspaceError` of `unknownModel`, for a name that is empty, too long or taken, and
  ///   for a rate out of range.
  @discardableResult
  public func changeModel(
    _ id: String, name: String? = nil, refusalRate: Double? = nil, activating: Bool = false
  ) async throws -> WorkspaceModel {
    let isNameOnly = name != nil && refusalRate == nil && !activating
    return try await write(isNameOnly ? .renameModel : .changeModel) { db in
      try Self.requireModel(id, in: db)
      if let name {
        let name = try Checked.name(name)
        try Self.requireFree(name, except: id, in: db)
        try db.execute(sql: "UPDATE model SET name = ? WHERE id = ?", arguments: [name, id])
      }
      if let refusalRate {
        try db.execute(
          sql: "UPDATE model SET refusalRate = ? WHERE id = ?",
          arguments: [try Checked.refusalRate(refusalRate), id])
      }
      if activating { try Self.activate(id, in: db) }
      return try Self.model(id, in: db)
    }
  }

  /// Deletes a model with its labels, samples, history and playgrounds.
  ///
  /// If it was the active model, the one last trained, or else last created, becomes active; if it
  /// was the only model, a new one is created.
  ///
  /// - Returns: The model that is active now.
  /// - Throws: `WorkspaceError` of `unknownModel`.
  @discardableResult
  public func deleteModel(_ id: String) async throws -> WorkspaceModel {
    let (newID, created) = (newID(), now())
    let active = try await write(.deleteModel) { db in
      try Self.requireModel(id, in: db)
      try db.execute(sql: "DELETE FROM model WHERE id = ?", arguments: [id])
      return try Self.activateOne(db, orMake: newID, created: created)
    }
    // The row is deleted. The file stays if another program is importing the same model; otherwise
    // this or the next opening removes it.
    files.sweep(keeping: database)
    return active
  }
}

// MARK: Rows

/// A row of the table `model`. The defaults are those of a new model: creation, `untouchedModel`
/// and the reset by a rescue depend on them.
struct ModelRow: Encodable, Hashable, Sendable, FetchableRecord, PersistableRecord {
  static let databaseTableName = "model"

  var id: String
  var name: String
  var created: Int64
  var lastTrained: Int64?
  var isActive: Bool
  var refusalRate = DecisionPolicy.standard.refusalRate
  var generation = 0
  /// The digest of the base model's file.
  var base: String?
  /// Whether it knows everyday things from the beginning.
  var isEveryday = false

  /// The model's last training and its refusal rate.
  var version: ModelVersion {
    get throws {
      guard DecisionPolicy.rates.contains(refusalRate),
        WorkspaceLimits.generations.contains(generation)
      else { throw WorkspaceError.Reason.damaged("the model \(id) has invalid numbers") }
      return ModelVersion(
        generation: generation, lastTrained: lastTrained.map { Date(milliseconds: $0) },
        refusalRate: refusalRate)
    }
  }
}

extension ModelRow {
  /// Reads a row of any version; missing columns get a new model's defaults.
  init(row: Row) throws {
    id = try row.decode(forColumn: "id")
    name = try row.decode(forColumn: "name")
    created = try row.decode(forColumn: "created")
    lastTrained = try row.decode(forColumn: "lastTrained")
    isActive = try row.decode(forColumn: "isActive")
    refusalRate = try row.decode(forColumn: "refusalRate")
    generation = try row.decode(forColumn: "generation")
    base = try row.decode(forColumn: "base")
    if row.hasColumn("isEveryday") { isEveryday = try row.decode(forColumn: "isEveryday") }
  }
}

extension Workspace {
  static func models(
    in db: Database, where condition: String = "TRUE", _ arguments: StatementArguments = []
  ) throws -> [WorkspaceModel] {
    try Row.fetchAll(
      db,
      sql: """
        SELECT model.*,
          (SELECT COUNT(DISTINCT label) FROM sample WHERE sample.model = model.id) AS labels,
          (SELECT COUNT(*) FROM sample WHERE sample.model = model.id) AS samples,
          (SELECT COUNT(*) FROM sample LEFT JOIN taught USING (model, id)
            WHERE sample.model = model.id
              AND (taught.label IS NOT sample.label OR taught.digest IS NOT sample.digest))
          + (SELECT COUNT(*) FROM taught LEFT JOIN sample USING (model, id)
            WHERE taught.model = model.id AND sample.label IS NULL) AS untrained
        FROM model WHERE \(condition) ORDER BY created, id
        """, arguments: arguments
    ).map { row in
      let model = try ModelRow(row: row)
      guard Checked.isModelID(model.id) else {
        throw WorkspaceError.Reason.damaged("a model has an invalid id: \(model.id)")
      }
      try StoredValues.check(bytes: model.name.utf8.count, of: "name", in: "model")
      let version = try model.version
      return WorkspaceModel(
        id: model.id, name: model.name, created: Date(milliseconds: model.created),
        lastTrained: version.lastTrained, isActive: model.isActive,
        labelCount: try row.decode(forColumn: "labels"),
        sampleCount: try row.decode(forColumn: "samples"),
        untrainedCount: try row.decode(forColumn: "untrained"), refusalRate: version.refusalRate,
        generation: version.generation, isEveryday: model.isEveryday)
    }
  }

  static func model(_ id: String, in db: Database) throws -> WorkspaceModel {
    guard let model = try models(in: db, where: "id = ?", [id]).first else {
      throw try unknownModel(id, in: db)
    }
    return model
  }

  /// Throws unless there is a model with the given id.
  static func requireModel(_ id: String, in db: Database) throws {
    let exists = try Bool.fetchOne(
      db, sql: "SELECT EXISTS (SELECT 1 FROM model WHERE id = ?)", arguments: [id])
    guard exists == true else { throw try unknownModel(id, in: db) }
  }

  /// The reason why a model's row was not found: a damaged page may hide existing rows.
  static func unknownModel(_ id: String, in db: Database) throws -> WorkspaceError.Reason {
    try fault(of: "model", in: db).map { .damaged($0) } ?? .unknownModel(id)
  }

  /// The faults in the pages of a table and its indices; nil if these are sound.
  static func fault(of table: String, in db: Database) throws -> String? {
    let found = try String.fetchAll(db, sql: "PRAGMA integrity_check(\(table))")
    return found == ["ok"] ? nil : IntegrityErrors(found).summary
  }

  static func insertModel(
    id: String, name: String, created: Date, isActive: Bool, isEveryday: Bool = false,
    refusalRate: Double? = nil, in db: Database
  ) throws {
    let name = try Checked.name(name)
    try requireFree(name, except: id, in: db)
    var row = ModelRow(
      id: id, name: name, created: created.milliseconds, isActive: isActive, isEveryday: isEveryday)
    if let refusalRate { row.refusalRate = refusalRate }
    try row.insert(db)
  }

  private static func requireFree(_ name: String, except id: String, in db: Database) throws {
    let taken = try Bool.fetchOne(
      db, sql: "SELECT EXISTS (SELECT 1 FROM model WHERE name = ? AND id <> ?)",
      arguments: [name, id])
    if taken == true { throw WorkspaceError.Reason.nameTaken(name) }
  }

  static func activate(_ id: String, in db: Database) throws {
    // Deactivate first: two models must never be active.
    try db.execute(sql: "UPDATE model SET isActive = 0 WHERE isActive = 1")
    try db.execute(sql: "UPDATE model SET isActive = 1 WHERE id = ?", arguments: [id])
  }

  /// Ensures that a model is active: the one last trained, or else last created, or a new one.
  @discardableResult
  static func activateOne(
    _ db: Database, orMake id: String, created: Date
  ) throws -> WorkspaceModel {
    if let active = try models(in: db, where: "isActive = 1").first { return active }
    let next = try String.fetchOne(
      db,
      sql: """
        SELECT id FROM model
        ORDER BY lastTrained IS NULL, lastTrained DESC, created DESC, id DESC LIMIT 1
        """)
    if let next {
      try activate(next, in: db)
      return try model(next, in: db)
    }
    try insertModel(id: id, name: firstName, created: created, isActive: true, in: db)
    return try model(id, in: db)
  }
}

extension Date {
  /// Converts a stored time.
  init(milliseconds: Int64) {
    self.init(timeIntervalSince1970: Double(milliseconds) / 1000)
  }

  /// Milliseconds since 1970, clamped to the range of stored times.
  var milliseconds: Int64 {
    let milliseconds = (timeIntervalSince1970 * 1000).rounded()
    return milliseconds.isNaN ? 0 : Int64(min(max(milliseconds, -1e14), 1e14))
  }
}
