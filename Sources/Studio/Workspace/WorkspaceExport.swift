internal import Files
internal import Foundation
internal import GRDB
internal import Recognition

/// The summary of an exported file.
public struct ExportReport: Hashable, Sendable, Codable {
  /// How many models.
  public var models: Int
  /// How many samples.
  public var samples: Int
  /// How many artworks.
  public var artworks: Int
  /// The length of the file in bytes.
  public var bytes: Int
}

/// Export of models to one file, for backup or transfer.
extension Workspace {
  /// Writes models with all their contents to one file; if `models` is nil, the settings, the
  /// user's templates and the artworks too.
  ///
  /// - Parameters:
  ///   - models: The ids of the models; nil for all.
  ///   - path: The file, outside the workspace's folder; an existing one is replaced once the new
  ///     one is complete.
  ///   - waiting: Called if the export has to wait for a training.
  /// - Returns: What was written.
  /// - Throws: `WorkspaceError` for an unknown model, a damaged or missing file of a model or an
  ///   artwork, a file that cannot be written, and one that would be longer than an import takes.
  @discardableResult
  public func export(
    models: [String]? = nil, to path: String, waiting: @Sendable () -> Void = {}
  ) async throws -> ExportReport {
    try await export(models: models, to: path, limit: WorkspaceLimits.exportBytes, waiting: waiting)
  }

  func export(
    models: [String]? = nil, to path: String, limit: Int, waiting: @Sendable () -> Void = {}
  ) async throws -> ExportReport {
    try await mappingErrors(of: .export) {
      guard !files.hold(path) else { throw WorkspaceError.Reason.ownFile(path) }
      // The lock keeps model files in place meanwhile.
      return try await withModelLock(waiting: waiting) {
        let folder = try files.temporaryFolder()
        defer { withExtendedLifetime(folder) {} }
        let temporary = folder.path + "/export"
        var report = try await read(.export) { [files] db in
          // When exporting everything, report damage as 'check' does rather than export a part;
          // when exporting some models, damage in others does not matter.
          if models == nil { try StoredValues.check(in: db) }
          return try Self.exportRows(of: models, from: db, to: temporary, files)
        }
        report.bytes = try files.place(temporary, at: path, limit: limit)
        return report
      }
    }
  }

  /// Writes the rows of `db`, and the files that they refer to, to a new database at `path`.
  static func exportRows(
    of models: [String]? = nil, from db: Database, to path: String, _ files: WorkspaceFiles
  ) throws -> ExportReport {
    let all = try String.fetchAll(db, sql: "SELECT id FROM model ORDER BY created, id")
    for id in models ?? [] where !all.contains(id) {
      throw try unknownModel(id, in: db)
    }
    let chosen = all.filter { models?.contains($0) ?? true }
    let target = try WorkspaceSchema.makeDatabase(
      at: path, of: WorkspaceSchema.exportID, statements: WorkspaceSchema.exportStatements())
    defer { try? target.close() }
    return try target.write { out in
      var report = ExportReport(models: 0, samples: 0, artworks: 0, bytes: 0)
      for id in chosen {
        let contents = try ModelContents(of: id, in: db)
        try contents.insert(into: out)
        report.models += 1
        report.samples += contents.core.samples.count
        guard contents.core.generation > 0 else { continue }
        try out.execute(
          sql: "INSERT INTO modelFile (model, bytes) VALUES (?, ?)",
          arguments: [id, Data(try files.trained(contents))])
      }
      if models == nil {
        if let settings = try storedSettings(in: db) { try save(settings.forTransfer, in: out) }
        for id in try TemplateRow.ids(in: db) { try TemplateRow.checked(id, in: db).insert(out) }
        report.artworks = try exportArtworks(from: db, files, to: out)
      }
      if let exceededLimit = try WorkspaceLimits.exceededLimit(in: out) {
        throw WorkspaceError.Reason.exportTooMany(exceededLimit.table, limit: exceededLimit.limit)
      }
      return report
    }
  }

  /// Copies a file atomically; returns its length.
  static func copy(_ source: String, to path: String) throws -> Int {
    var output = try PendingFile(path: path)
    let count = try eachBlock(of: source, limit: .max) { try output.append($0) }
    try output.finish()
    return count
  }

  /// Copies the bytes of a file into a new one; returns their number.
  ///
  /// - Throws: `WorkspaceError.Reason.notImportable` for more than `limit`, and for a pipe or a
  ///   device, which could be waited for without end.
  static func copyBytes(of source: String, to path: String, limit: Int) throws -> Int {
    guard !AtomicFile.isDevice(source) else {
      throw WorkspaceError.Reason.notImportable("it is a pipe or a device; save it as a file first")
    }
    try AtomicFile.write([], to: path)
    let output = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
    defer { try? output.close() }
    return try eachBlock(of: source, limit: limit) { block in
      do { try output.write(contentsOf: block) } catch let error as CocoaError
        where error.code == .fileWriteOutOfSpace
      { throw WorkspaceError.Reason.diskFull }
    }
  }

  /// Passes a file to `body` in blocks; returns its length.
  private static func eachBlock(
    of source: String, limit: Int, _ body: (Data) throws -> Void
  ) throws -> Int {
    guard let input = FileHandle(forReadingAtPath: source) else {
      // This throws the actual error.
      _ = try AtomicFile.read(source)
      throw WorkspaceError.Reason.notImportable("it cannot be opened")
    }
    defer { try? input.close() }
    var next = try block(of: input, at: source)
    guard try input.seekToEnd() <= limit else { throw tooLong(limit) }
    var count = next?.count ?? 0
    try input.seek(toOffset: UInt64(count))
    while let block = next, !block.isEmpty {
      try Task.checkCancellation()
      try body(block)
      next = try Self.block(of: input, at: source)
      count += next?.count ?? 0
      guard count <= limit else { throw tooLong(limit) }
    }
    return count
  }

  private static func tooLong(_ limit: Int) -> WorkspaceError.Reason {
    .notImportable("it has more than \(limit >> 20) MiB")
  }

  private static func block(of input: FileHandle, at path: String) throws -> Data? {
    do { return try input.read(upToCount: 1 << 20) } catch {
      // This throws the actual error.
      _ = try AtomicFile.read(path)
      throw error
    }
  }
}

extension WorkspaceFiles {
  /// A folder for temporary databases; if the program is killed, the next opening removes it.
  func temporaryFolder() throws(FileError) -> PrivateTemporaryFolder {
    try PrivateTemporaryFolder(in: copy?.path ?? models)
  }

  /// The bytes of a model's trained file, after checking that it can be read.
  fileprivate func trained(_ contents: ModelContents) throws -> [UInt8] {
    do {
      let bytes = try AtomicFile.read(
        ownModel(contents.id, generation: contents.core.generation))
      _ = try ModelFile.read(bytes, named: contents.core.name)
      return bytes
    } catch {
      throw WorkspaceError.Reason.model("\(error)")
    }
  }

  /// Copies a complete export to `path`; returns its length.
  func place(
    _ export: String, at path: String, limit: Int = WorkspaceLimits.exportBytes
  ) throws -> Int {
    guard size(export) <= limit else { throw WorkspaceError.Reason.exportTooLong(limit: limit) }
    return try Workspace.copy(export, to: path)
  }

  /// Whether a path leads to the folder or into it.
  func hold(_ path: String) -> Bool {
    func resolved(_ path: String) -> String {
      URL(fileURLWithPath: path).resolvingSymlinksInPath().path
    }
    return "\(resolved(path))/".hasPrefix("\(resolved(folder))/")
  }

  /// Removes a database and SQLite's files beside it.
  static func removeDatabase(_ path: String) {
    for ending in ["", "-journal", "-wal", "-shm"] { AtomicFile.remove(path + ending) }
  }
}
