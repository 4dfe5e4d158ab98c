internal import Files
internal import Foundation
internal import GRDB

/// The paths of a workspace's files.
struct WorkspaceFiles: Sendable {
  let folder: String
  /// The folder of a copy of the database, used instead if the workspace is read-only; nil
  /// otherwise.
  var copy: PrivateTemporaryFolder?

  /// The identities of the opened files by path; empty before opening.
  var opened: [String: FileIdentity] = [:]

  init(folder: String) { self.folder = folder }

  var database: String { "\(copy?.path ?? folder)/workspace.sqlite" }
  var models: String { "\(folder)/models" }
  /// Whether there is a database; an empty file does not count.
  var hasDatabase: Bool { isFilled(database) }
  /// Whether the folder holds no workspace; false if that cannot be determined.
  var isMissing: Bool {
    guard AtomicFile.exists(folder) else { return true }
    return (try? FileManager.default.contentsOfDirectory(atPath: folder)) != nil && !hasDatabase
      && log == nil && !hasModel
  }
  /// The write-ahead log or journal beside the database, which may hold its latest changes; nil
  /// without one.
  var log: String? { [database + "-wal", database + "-journal"].first(where: isFilled) }
  /// The lock that is held while the database is opened.
  var openingLock: String { "\(copy?.path ?? folder)/opening.lock" }
  /// The lock that is held while files are written that no row refers to yet.
  var modelLock: String { "\(models)/making.lock" }

  /// The path of the file of a model's generation.
  func model(_ id: String, generation: Int) -> String {
    "\(models)/\(Self.name(id, generation))"
  }

  /// The folder of the workspace whose file of a trained model lies at `path`; nil for other files.
  static func workspace(ofModelAt path: String) -> String? {
    let file = URL(fileURLWithPath: path).resolvingSymlinksInPath()
    let models = file.deletingLastPathComponent()
    let files = WorkspaceFiles(folder: models.deletingLastPathComponent().path)
    let isManaged = models.path == files.models && isModel(file.lastPathComponent)
    return isManaged && files.hasDatabase ? files.folder : nil
  }

  private static func name(_ id: String, _ generation: Int) -> String {
    "\(id)-\(generation).drawml"
  }

  private func isFilled(_ path: String) -> Bool { size(path) > 0 }

  /// The size of a file in bytes; 0 if it does not exist.
  func size(_ path: String) -> Int {
    let found = try? FileManager.default.attributesOfItem(atPath: path)
    return (found?[.size] as? NSNumber)?.intValue ?? 0
  }

  /// Creates missing folders, accessible only to the user, and checks that files can be created in
  /// them.
  func makeFolders() throws(FileError) {
    try Self.makeParents(of: models)
    try AtomicFile.makeFolder(models, mode: 0o700)
    try AtomicFile.requireWritableFolder(models)
  }

  /// Creates the missing folders that a path lies in, accessible only to the user.
  static func makeParents(of path: String) throws(FileError) {
    var parents: [String] = []
    var missing = URL(fileURLWithPath: path)
    while !AtomicFile.exists(missing.path) {
      missing.deleteLastPathComponent()
      parents.append(missing.path)
    }
    for path in parents.reversed() { try AtomicFile.makeFolder(path, mode: 0o700) }
    // A new folder survives a power cut when the one that it lies in is synced.
    for path in parents { try? FileHandle(forReadingAtPath: path)?.synchronize() }
  }

  /// Removes what killed programs left: temporary files, and model files that no row refers to.
  /// Ignores files with foreign names, and model files while another program writes such files.
  func sweep(keeping database: DatabasePool) {
    guard copy == nil else { return }
    for folder in [folder, models] { TemporaryFiles.sweep(folder) }
    // The lock is taken only for a reason: others would have to wait for it. If this fails, a later
    // opening retries.
    guard !unreferenced(in: database).isEmpty,
      let lock = try? FileLock(ifFree: modelLock, creating: true)
    else { return }
    defer { withExtendedLifetime(lock) {} }
    for name in unreferenced(in: database) {
      let path = "\(models)/\(name)"
      // A link or a pipe is not ours, and is not opened.
      guard (try? requirePlain(path)) != nil else {
        AtomicFile.remove(path)
        continue
      }
      guard let lock = try? FileLock(ifFree: path) else { continue }
      AtomicFile.remove(path)
      withExtendedLifetime(lock) {}
    }
  }

  /// The names of the model files that no row refers to; empty if that cannot be told.
  private func unreferenced(in database: DatabasePool) -> [String] {
    // List the folder before the rows: a file that appears in between is not removed.
    guard let names = try? FileManager.default.contentsOfDirectory(atPath: models),
      names.contains(where: Self.isModel),
      let rows = try? database.read({ db in
        try Row.fetchAll(db, sql: "SELECT id, generation FROM model WHERE generation > 0").map {
          Self.name(try $0.decode(forColumn: "id"), try $0.decode(forColumn: "generation"))
        }
      })
    else { return [] }
    let kept = Set(rows)
    return names.filter { Self.isModel($0) && !kept.contains($0) }
  }

  /// Whether there are any files of trained models.
  var hasModel: Bool {
    let names = try? FileManager.default.contentsOfDirectory(atPath: models)
    return names?.contains(where: Self.isModel) ?? false
  }

  /// Why there is no database where other files of a workspace are; nil without any.
  var lost: WorkspaceError.Reason? {
    log == nil && !hasModel ? nil : .lost(log: log, hasModels: hasModel)
  }

  private static func isModel(_ name: String) -> Bool {
    name.hasSuffix(".drawml") && UUID(uuidString: String(name.prefix(36))) != nil
  }
}
