internal import Foundation
internal import GRDB
internal import Recognition
internal import Support

/// What was written to a file.
public struct ExportReport: Hashable, Sendable, Codable {
  /// How many models.
  public var models: Int
  /// How many samples.
  public var samples: Int
  /// The length of the file in bytes.
  public var bytes: Int
}

/// Models as one file, to keep or to take to another machine.
extension Workspace {
  /// Writes models with everything that belongs to them to one file; without `models`, the settings too.
  ///
  /// - Parameters:
  ///   - models: The ids of the models; nil for all.
  ///   - path: The file; what is there is replaced when the new one is whole.
  /// - Returns: What was written.
  /// - Throws: `WorkspaceError` for an unknown model and a file that cannot be written.
  @discardableResult
  public func export(models: [String]? = nil, to path: String) async throws -> ExportReport {
    do {
      // Model files stay where they are meanwhile.
      return try await whileMaking {
        let temporary = files.temporary(newID())
        defer { files.removeDatabase(temporary) }
        var report = try await read(.export) { db in
          try exportRows(of: models, from: db, to: temporary)
        }
        report.bytes = try Self.copy(temporary, to: path)
        return report
      }
    } catch let error as CancellationError {
      throw error
    } catch {
      throw WorkspaceError(.export, error, in: files)
    }
  }

  private func exportRows(
    of models: [String]?, from db: Database, to path: String
  ) throws -> ExportReport {
    let all = try String.fetchAll(db, sql: "SELECT id FROM model ORDER BY created, id")
    for id in models ?? [] where !all.contains(id) {
      throw WorkspaceError.Reason.unknownModel(id)
    }
    let chosen = all.filter { models?.contains($0) ?? true }
    var configuration = Configuration()
    configuration.journalMode = .default
    configuration.prepareDatabase { db in
      // Nobody needs half of it; whole, it is synced when it is put in its place.
      try db.execute(sql: "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF")
    }
    let target = try DatabaseQueue(path: path, configuration: configuration)
    defer { try? target.close() }
    return try target.writeWithoutTransaction { out in
      try out.execute(
        sql: """
          PRAGMA application_id = \(WorkspaceSchema.exportID);
          PRAGMA user_version = \(WorkspaceSchema.version)
          """)
      var report = ExportReport(models: 0, samples: 0, bytes: 0)
      try out.inTransaction {
        for statement in WorkspaceSchema.tables + [WorkspaceSchema.exportTable] {
          try out.execute(sql: statement)
        }
        for id in chosen {
          let contents = try ModelContents(of: id, in: db)
          try contents.insert(into: out)
          report.models += 1
          report.samples += contents.core.samples.count
          guard contents.core.generation > 0 else { continue }
          let bytes = try AtomicFile.read(
            files.model(id, generation: contents.core.generation))
          // What cannot be read here cannot be read anywhere.
          _ = try ModelFile.read(bytes, named: contents.core.name)
          try out.execute(
            sql: "INSERT INTO modelFile (model, bytes) VALUES (?, ?)",
            arguments: [id, Data(bytes)])
        }
        if models == nil,
          let json = try String.fetchOne(db, sql: "SELECT json FROM settings")
        {
          try out.execute(
            sql: "INSERT INTO settings (id, json) VALUES (1, ?)", arguments: [json])
        }
        return .commit
      }
      return report
    }
  }

  /// Copies a file, whole or not at all; gives its length.
  static func copy(_ source: String, to path: String, limit: Int = .max) throws -> Int {
    guard let input = FileHandle(forReadingAtPath: source) else {
      // This says why not.
      _ = try AtomicFile.read(source)
      throw WorkspaceError.Reason.notImportable("it cannot be opened")
    }
    defer { try? input.close() }
    var output = try PendingFile(path: path)
    var count = 0
    while let block = try input.read(upToCount: 1 << 20), !block.isEmpty {
      try Task.checkCancellation()
      count += block.count
      guard count <= limit else { throw WorkspaceError.Reason.tooMuch("bytes", limit: limit) }
      try output.append(block)
    }
    try output.finish()
    return count
  }
}

extension WorkspaceFiles {
  /// A database that is there for a moment; should the program end before its time, the next opening removes it.
  func temporary(_ id: String) -> String { "\(models)/.drawml-\(id).tmp" }

  /// Removes a database and what SQLite puts beside it.
  func removeDatabase(_ path: String) {
    for ending in ["", "-journal", "-wal", "-shm"] { AtomicFile.remove(path + ending) }
  }
}
