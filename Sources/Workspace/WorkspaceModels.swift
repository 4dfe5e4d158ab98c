internal import Foundation
internal import GRDB
internal import Recognition
internal import Support

/// Models (D-001, F-009).
extension Workspace {
  /// All models, the oldest first.
  public func models() async throws -> [WorkspaceModel] {
    try await read(.read) { db in try Self.models(in: db) }
  }

  /// The model with the given id.
  ///
  /// - Throws: `WorkspaceError` of `unknownModel`.
  public func model(_ id: String) async throws -> WorkspaceModel {
    try await read(.read) { db in try Self.model(id, in: db) }
  }

  /// What a model's answers depend on, without counting its samples: cheap enough to be asked for with each stroke.
  ///
  /// - Throws: `WorkspaceError` of `unknownModel`.
  public func version(of id: String) async throws -> ModelVersion {
    try await read(.read) { db in
      let row = try Row.fetchOne(
        db, sql: "SELECT generation, refusalRate FROM model WHERE id = ?", arguments: [id])
      guard let row else { throw WorkspaceError.Reason.unknownModel(id) }
      return ModelVersion(generation: row["generation"], refusalRate: row["refusalRate"])
    }
  }

  /// The model with the given id, or else name.
  ///
  /// - Throws: `WorkspaceError` of `unknownModel`.
  public func model(named nameOrID: String) async throws -> WorkspaceModel {
    try await read(.read) { db in
      let name = try? Checked.name(nameOrID)
      let models = try Self.models(in: db)
      guard
        let model = models.first(where: { $0.id == nameOrID.lowercased() })
          ?? models.first(where: { $0.name == name })
      else { throw WorkspaceError.Reason.unknownModel(nameOrID) }
      return model
    }
  }

  /// The model in use.
  public func activeModel() async throws -> WorkspaceModel {
    try await read(.read) { db in
      guard let model = try Self.models(in: db, where: "isActive = 1").first else {
        throw WorkspaceError.Reason.damaged("no model is active")
      }
      return model
    }
  }

  /// Makes a model that was taught nothing. The active one stays active.
  ///
  /// - Parameter name: White space around it is left out.
  /// - Returns: The model.
  /// - Throws: `WorkspaceError` for a name that is empty, too long or taken.
  @discardableResult
  public func createModel(named name: String) async throws -> WorkspaceModel {
    let (id, created) = (newID(), now())
    return try await write(.createModel) { db in
      try Self.insertModel(id: id, name: name, created: created, isActive: false, in: db)
      return try Self.model(id, in: db)
    }
  }

  /// Gives a model another name.
  ///
  /// - Throws: `WorkspaceError` for a name that is empty, too long or another model's.
  @discardableResult
  public func renameModel(_ id: String, to name: String) async throws -> WorkspaceModel {
    try await write(.renameModel) { db in
      let name = try Checked.name(name)
      _ = try Self.model(id, in: db)
      try Self.requireFree(name, except: id, in: db)
      try db.execute(sql: "UPDATE model SET name = ? WHERE id = ?", arguments: [name, id])
      return try Self.model(id, in: db)
    }
  }

  /// Deletes a model with its labels, samples, history and playgrounds.
  ///
  /// If it was the active one, that which was trained last, or else made last, becomes active; if it was the last one,
  /// a new one is made.
  ///
  /// - Returns: The model that is active now.
  /// - Throws: `WorkspaceError` of `unknownModel`.
  @discardableResult
  public func deleteModel(_ id: String) async throws -> WorkspaceModel {
    let (newID, created) = (newID(), now())
    let (model, active) = try await write(.deleteModel) { db in
      let model = try Self.model(id, in: db)
      try db.execute(sql: "DELETE FROM model WHERE id = ?", arguments: [id])
      return (model, try Self.activateOne(db, orMake: newID, created: created))
    }
    // The row is gone, and with it all that counts; if this is not reached, the next opening removes the file.
    AtomicFile.remove(files.model(id, generation: model.generation))
    return active
  }

  /// Makes a model the one in use.
  ///
  /// - Throws: `WorkspaceError` of `unknownModel`.
  @discardableResult
  public func activate(_ id: String) async throws -> WorkspaceModel {
    try await write(.changeModel) { db in
      _ = try Self.model(id, in: db)
      try Self.activate(id, in: db)
      return try Self.model(id, in: db)
    }
  }

  /// Says which share of the drawings of taught labels a model may refuse. Needs no training.
  ///
  /// - Parameters:
  ///   - rate: In `DecisionPolicy.rates`.
  ///   - id: The model.
  /// - Returns: The model as it is now.
  /// - Throws: `WorkspaceError` for another rate.
  @discardableResult
  public func setRefusalRate(_ rate: Double, of id: String) async throws -> WorkspaceModel {
    try await write(.changeModel) { db in
      let rates = DecisionPolicy.rates
      guard rates.contains(rate) else {
        throw WorkspaceError.Reason.invalidNumber(
          "a refusal rate is in \(rates.lowerBound)...\(rates.upperBound)")
      }
      _ = try Self.model(id, in: db)
      try db.execute(sql: "UPDATE model SET refusalRate = ? WHERE id = ?", arguments: [rate, id])
      return try Self.model(id, in: db)
    }
  }
}

// MARK: Rows

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
      WorkspaceModel(
        id: row["id"], name: row["name"], created: Date(milliseconds: row["created"]),
        lastTrained: (row["lastTrained"] as Int64?).map { Date(milliseconds: $0) },
        isActive: row["isActive"], labelCount: row["labels"], sampleCount: row["samples"],
        untrainedCount: row["untrained"], refusalRate: row["refusalRate"],
        generation: row["generation"])
    }
  }

  static func model(_ id: String, in db: Database) throws -> WorkspaceModel {
    guard let model = try models(in: db, where: "id = ?", [id]).first else {
      throw WorkspaceError.Reason.unknownModel(id)
    }
    return model
  }

  /// Throws unless there is a model with the given id.
  static func requireModel(_ id: String, in db: Database) throws {
    let exists = try Bool.fetchOne(
      db, sql: "SELECT EXISTS (SELECT 1 FROM model WHERE id = ?)", arguments: [id])
    guard exists == true else { throw WorkspaceError.Reason.unknownModel(id) }
  }

  static func insertModel(
    id: String, name: String, created: Date, isActive: Bool, in db: Database
  ) throws {
    let name = try Checked.name(name)
    try requireFree(name, except: id, in: db)
    try db.execute(
      sql: """
        INSERT INTO model (id, name, created, isActive, refusalRate, generation)
        VALUES (?, ?, ?, ?, ?, 0)
        """,
      arguments: [
        id, name, created.milliseconds, isActive, DecisionPolicy.standard.refusalRate,
      ])
  }

  private static func requireFree(_ name: String, except id: String, in db: Database) throws {
    let taken = try Bool.fetchOne(
      db, sql: "SELECT EXISTS (SELECT 1 FROM model WHERE name = ? AND id <> ?)",
      arguments: [name, id])
    if taken == true { throw WorkspaceError.Reason.nameTaken(name) }
  }

  static func activate(_ id: String, in db: Database) throws {
    // First none, for never may two be.
    try db.execute(sql: "UPDATE model SET isActive = 0 WHERE isActive = 1")
    try db.execute(sql: "UPDATE model SET isActive = 1 WHERE id = ?", arguments: [id])
  }

  /// Sees to it that a model is active: that which was trained last, or else made last, or a new one.
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
  /// A time as it is kept.
  init(milliseconds: Int64) {
    self.init(timeIntervalSince1970: Double(milliseconds) / 1000)
  }

  /// Milliseconds since 1970; what no calendar reaches is cut off.
  var milliseconds: Int64 {
    Int64((timeIntervalSince1970 * 1000).rounded().clamped(to: -1e14...1e14))
  }
}

extension Double {
  fileprivate func clamped(to range: ClosedRange<Double>) -> Double {
    isNaN ? 0 : Swift.min(Swift.max(self, range.lowerBound), range.upperBound)
  }
}
