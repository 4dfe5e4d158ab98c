internal import Files
public import Foundation
internal import GRDB
internal import Recognition
internal import Trace

/// What a rescue wrote, and what it had to leave out.
public struct RescueReport: Hashable, Sendable {
  /// What was written.
  public var written: ExportReport
  /// The ids of samples that are damaged, as far as they can be read.
  public var lostSamples: [String]
  /// The tables with rows that cannot be read, or are invalid, and are left out.
  public var damagedTables: [String]
}

/// Recovery of a workspace whose database is damaged.
extension Workspace {
  /// Writes what can be read of a workspace to a file for `import`: rows on damaged pages are left
  /// out, and what can be derived from other data is rebuilt. The workspace is not changed.
  ///
  /// - Parameters:
  ///   - folder: The workspace's folder.
  ///   - path: The file to write; an existing one is replaced once the new one is complete.
  ///   - now: The clock.
  /// - Returns: What was written, and what was lost.
  /// - Throws: `WorkspaceError` if nothing can be read, or the file cannot be written.
  @discardableResult
  public static func rescue(
    _ folder: String = Workspace.standardFolder(), to path: String,
    now: @Sendable () -> Date = { Date() }
  ) throws(WorkspaceError) -> RescueReport {
    var files = WorkspaceFiles(folder: folder)
    do {
      guard !files.hold(path) else { throw WorkspaceError.Reason.ownFile(path) }
      try files.requirePlainFiles()
      guard files.hasDatabase else {
        throw files.lost ?? WorkspaceError.Reason.noWorkspace(files.folder)
      }
      // Excludes training and sweeping meanwhile.
      let isWritable = files.isWritable
      let lock = isWritable ? try lock(files.modelFiles.lock) : nil
      defer { withExtendedLifetime(lock) {} }
      let hasArtworks = isWritable && AtomicFile.exists(files.artworks)
      let artworkLock = hasArtworks ? try Self.lock(files.artworkFiles.lock) : nil
      defer { withExtendedLifetime(artworkLock) {} }
      let header = DatabaseHeader(of: files.database)
      if !isWritable || header?.hasItsLength == false {
        files = try files.copyingDatabase()
        if let header, !header.hasItsLength { try header.nameLength(in: files.database) }
      }
      return try rescue(files, to: path, created: now())
    } catch {
      let error = WorkspaceError(.rescue, error, in: files)
      // `damaged` would advise a rescue, which is what just failed.
      guard error.reason.code == .damaged else { throw error }
      throw WorkspaceError(.rescue, .unreadable(error.reason.cause ?? ""))
    }
  }

  /// Takes a lock, asking for half a second: a child process that is being started keeps a released
  /// one until it runs its program.
  ///
  /// - Throws: `WorkspaceError.Reason.busy`, and `FileError`.
  private static func lock(_ path: String) throws -> FileLock {
    for _ in 0..<25 {
      if let lock = try FileLock(ifFree: path, creating: true) { return lock }
      Thread.sleep(forTimeInterval: 0.02)
    }
    throw WorkspaceError.Reason.busy
  }

  private static func rescue(
    _ files: WorkspaceFiles, to path: String, created: Date
  ) throws -> RescueReport {
    let folder = try files.temporaryFolder()
    defer { withExtendedLifetime(folder) {} }
    let (rescued, exported) = (folder.path + "/rescued", folder.path + "/export")
    var configuration = Configuration.guardedReader(longest: StoredValues.longestRow)
    // A read-only connection leaves the log and its index beside the database; a writable one
    // removes them when it closes. Without a log it has nothing to write.
    configuration.readonly = files.log != nil
    let damaged = try DatabaseQueue(path: files.database.forSQLite, configuration: configuration)
    defer { try? damaged.close() }
    let sound = try WorkspaceSchema.makeDatabase(
      at: rescued, of: WorkspaceSchema.workspaceID, statements: WorkspaceSchema.statements())
    // Not in a transaction, which a read error would end.
    let (samples, tables) = try damaged.writeWithoutTransaction { old in
      try sound.write { db in
        let rescue = try Rescue(from: old, to: db, files: files, created: created)
        try rescue.run()
        return (rescue.lostSamples, rescue.damagedTables)
      }
    }
    var written = try sound.read { db in try exportRows(from: db, to: exported, files) }
    written.bytes = try files.place(exported, at: path)
    return RescueReport(written: written, lostSamples: samples, damagedTables: tables)
  }
}

private final class Rescue {
  let old: Database
  let db: Database
  let files: WorkspaceFiles
  let created: Date
  private var names: ModelNames
  /// The names of models whose rows were lost. Kept here because a rejected sample rolls back the
  /// model row inserted for it.
  private var rescuedNames: [String: String] = [:]
  private(set) var lostSamples: [String] = []
  private(set) var damagedTables: [String] = []

  /// The number of consecutive failures, more than a page has rows, after which the step doubles
  /// with each failure.
  private static let toleratedFailures = 1000

  init(from old: Database, to db: Database, files: WorkspaceFiles, created: Date) throws {
    (self.old, self.db, self.files, self.created) = (old, db, files, created)
    names = try ModelNames(in: db)
  }

  func run() throws {
    try each("model", copy)
    names = try ModelNames(in: db)
    try each("sample", copySample)
    // Labels are known from their samples; their names are only here.
    try each("label", copyLabel)
    for table in ["prediction", "playground", "playgroundItem", "settings"] {
      try each(table, copy)
    }
    // Databases before version 2 have no such table.
    if (try? old.tableExists("report")) != false { try each("report", copy) }
    // Before version 5.
    if (try? old.tableExists("template")) != false { try each("template", copyTemplate) }
    // Before version 6.
    if (try? old.tableExists("artwork")) != false { try each("artwork", copyArtwork) }
    if (try? Workspace.settings(in: db)) == nil { try db.execute(sql: "DELETE FROM settings") }
    for id in try String.fetchAll(db, sql: "SELECT id FROM model ORDER BY created, id") {
      try removeInvalidRows(id)
    }
    guard let first = try String.fetchOne(db, sql: "SELECT id FROM model ORDER BY created, id")
    else { throw WorkspaceError.Reason.damaged("no model can be read") }
    try Workspace.activateOne(db, orMake: first, created: created)
  }

  /// Passes the rows of a table to `keep`, skipping those that cannot be read or that `keep`
  /// rejects.
  private func each(_ table: String, _ keep: (String, Row) throws -> Void) throws {
    // Without row numbers the walk ends at the first failure.
    let isNumbered = table != "label"
    let sql =
      isNumbered
      ? "SELECT rowid AS rowNumber, * FROM \(table) WHERE rowid >= ? ORDER BY rowid"
      : "SELECT * FROM \(table) WHERE ?"
    var (next, failures, step): (Int64, Int, Int64) = (1, 0, 1)
    // The row that failed last: after a gap, each step returns it again.
    var failed: Int64?
    while next < .max / 4 {
      // The id and number of the row if it was read, so that it was `keep` that failed.
      var rejected: (id: String, number: Int64?)?
      do {
        let rows = try Row.fetchCursor(try old.cachedStatement(sql: sql), arguments: [next])
        while let row = try rows.next() {
          rejected = String.fromDatabaseValue(row["id"] as DatabaseValue? ?? .null).map {
            ($0, Int64.fromDatabaseValue(row["rowNumber"] as DatabaseValue? ?? .null))
          }
          try db.inSavepoint {
            try keep(table, row)
            return .commit
          }
          rejected = nil
          // Only a sound row's number is trusted for the progress of the walk.
          if isNumbered {
            let number: Int64 = row["rowNumber"]
            next = number < .max ? number + 1 : number
          }
          (failures, step) = (0, 1)
        }
        return
      } catch let error as DatabaseError where error.resultCode == .SQLITE_FULL {
        throw error
      } catch {
        if table == "sample", let (id, number) = rejected {
          if number == nil || number != failed { lostSamples.append(id) }
          failed = number
        } else if damagedTables.last != table {
          damagedTables.append(table)
        }
        guard isNumbered else { return }
        failures += 1
        if failures > Self.toleratedFailures { step *= 2 }
        next += step
      }
    }
  }

  /// Copies a row unchanged; the table's constraints check its values.
  private func copy(_ table: String, _ row: Row) throws {
    let names = row.columnNames.filter { $0 != "rowNumber" }
    try db.execute(
      sql: """
        INSERT INTO \(table) (\(names.map { "[\($0)]" }.joined(separator: ", ")))
        VALUES (\(names.map { _ in "?" }.joined(separator: ", ")))
        """, arguments: StatementArguments(names.map { row[$0] as DatabaseValue }))
  }

  /// Copies a sample whose digest matches its ink; its rows in `model` and `label` may be lost.
  private func copySample(_ table: String, _ row: Row) throws {
    guard let model = String.fromDatabaseValue(row["model"]),
      let label = String.fromDatabaseValue(row["label"]), Checked.isLabel(label),
      Checked.isModelID(model)
    else { throw WorkspaceError.Reason.damaged("a sample") }
    if (try? Workspace.requireModel(model, in: db)) == nil {
      let name = rescuedNames[model] ?? names.take(like: "Rescued")
      rescuedNames[model] = name
      try Workspace.insertModel(id: model, name: name, created: created, isActive: false, in: db)
    }
    try Workspace.makeLabel(label, of: model, db)
    try copy(table, row)
    let number = db.lastInsertedRowID
    // Which template it was traced over is not worth a drawing.
    if let template = row["template"] as DatabaseValue?,
      !(String.fromDatabaseValue(template).map(Checked.isName) ?? template.isNull)
    {
      try db.execute(sql: "UPDATE sample SET template = NULL WHERE rowid = ?", arguments: [number])
    }
    let kept = try SampleRow.fetchOne(
      db, sql: "SELECT * FROM sample WHERE rowid = ?", arguments: [number])
    try kept?.check()
  }

  /// Copies a template that an import would take.
  private func copyTemplate(_ table: String, _ row: Row) throws {
    try copy(table, row)
    let number = db.lastInsertedRowID
    let kept = try TemplateRow.fetchOne(
      db, sql: "SELECT * FROM template WHERE rowid = ?", arguments: [number])
    try kept?.check()
  }

  /// Copies an artwork that is not deleted and whose picture is intact.
  private func copyArtwork(_ table: String, _ row: Row) throws {
    guard (row["deleted"] as DatabaseValue?)?.isNull != false else { return }
    try copy(table, row)
    let number = db.lastInsertedRowID
    let kept = try ArtworkRow.fetchOne(
      db, sql: "SELECT * FROM artwork WHERE rowid = ?", arguments: [number])
    try kept?.check()
    if let kept { _ = try files.picture(of: kept) }
  }

  private func copyLabel(_ table: String, _ row: Row) throws {
    guard let name = String.fromDatabaseValue(row["name"]), Checked.isName(name) else { return }
    try db.execute(
      sql: "UPDATE label SET name = ? WHERE model = ? AND label = ?",
      arguments: [name, row["model"] as DatabaseValue, row["label"] as DatabaseValue])
  }

  /// Removes from a model what an import would reject.
  private func removeInvalidRows(_ id: String) throws {
    let generation = try Int.fetchOne(
      db, sql: "SELECT generation FROM model WHERE id = ?", arguments: [id])
    if let generation, generation > 0, Checked.isModelID(id) {
      do {
        let recognizer = try files.recognizer(of: id, generation: generation)
        try Workspace.replaceTaught(recognizer.memory.samples.filter(\.isOwn), of: id, db)
      } catch is FileError {
        try Workspace.makeUntaught(id, db)
      }
    }
    let remedies: [() throws -> Void] = [
      {},
      { [db] in try db.execute(sql: "DELETE FROM report WHERE model = ?", arguments: [id]) },
      { [db] in try db.execute(sql: "DELETE FROM prediction WHERE model = ?", arguments: [id]) },
      { [db] in try db.execute(sql: "DELETE FROM playground WHERE model = ?", arguments: [id]) },
      { [self] in try resetToSamples(id) },
      { [self] in
        lostSamples += try String.fetchAll(
          db, sql: "SELECT id FROM sample WHERE model = ? ORDER BY id", arguments: [id])
        try db.execute(sql: "DELETE FROM model WHERE id = ?", arguments: [id])
      },
    ]
    for remedy in remedies {
      try remedy()
      if (try? ModelContents(of: id, in: db)) != nil { return }
    }
  }

  /// Resets a model to its samples and their labels.
  private func resetToSamples(_ id: String) throws {
    let isActive = try Bool.fetchOne(
      db, sql: "SELECT isActive FROM model WHERE id = ?", arguments: [id])
    try ModelRow(
      id: id, name: names.take(like: "Rescued"), created: created.milliseconds,
      isActive: isActive == true
    ).update(db)
    try Workspace.makeUntaught(id, db)
    try db.execute(sql: "UPDATE label SET name = NULL WHERE model = ?", arguments: [id])
  }
}
