internal import Foundation
internal import GRDB
internal import Support

/// Where the files of a workspace are.
struct WorkspaceFiles: Sendable {
  let folder: String
  /// Where a copy of the database is used in its place; nil where it can be written.
  var copy: PassingFolder?

  /// What was opened, by its path; empty before.
  var opened: [String: FileIdentity] = [:]

  init(folder: String) { self.folder = folder }

  var database: String { "\(copy?.path ?? folder)/workspace.sqlite" }
  var models: String { "\(folder)/models" }
  /// Whether there is a database; an empty file is none.
  var hasDatabase: Bool { isFilled(database) }
  /// Whether nothing of a workspace is there; false where that cannot be seen.
  var isMissing: Bool {
    guard AtomicFile.exists(folder) else { return true }
    return (try? FileManager.default.contentsOfDirectory(atPath: folder)) != nil && !hasDatabase
      && log == nil
  }
  /// The log beside the database, in which what counts may be.
  var log: String? { [database + "-wal", database + "-journal"].first(where: isFilled) }
  /// Held while the database is opened.
  var openingLock: String { "\(copy?.path ?? folder)/opening.lock" }
  /// Held while files are made that no row names yet.
  var makingLock: String { "\(models)/making.lock" }

  /// The file of a model's generation.
  func model(_ id: String, generation: Int) -> String {
    "\(models)/\(Self.name(id, generation))"
  }

  private static func name(_ id: String, _ generation: Int) -> String {
    "\(id)-\(generation).drawml"
  }

  private func isFilled(_ path: String) -> Bool { size(path) > 0 }

  /// The bytes of a file; 0 where there is none.
  func size(_ path: String) -> Int {
    let found = try? FileManager.default.attributesOfItem(atPath: path)
    return (found?[.size] as? NSNumber)?.intValue ?? 0
  }

  /// Makes the folders that are missing, for the user's eyes alone, and checks that files can be
  /// made in them.
  func makeFolders() throws(FileError) {
    var parents: [String] = []
    var missing = URL(fileURLWithPath: models)
    while !AtomicFile.exists(missing.path) {
      missing.deleteLastPathComponent()
      parents.append(missing.path)
    }
    do {
      try FileManager.default.createDirectory(
        atPath: models, withIntermediateDirectories: true,
        attributes: [.posixPermissions: 0o700])
    } catch {
      // Foundation's error does not say which of the folders and why; this does.
      try AtomicFile.makeFolder(folder)
      try AtomicFile.makeFolder(models)
    }
    // A new folder survives a power cut when the one that it lies in is synced.
    for path in parents { try? FileHandle(forReadingAtPath: path)?.synchronize() }
    try AtomicFile.requireWritableFolder(models)
  }

  /// Removes the files that no row names: what a program left that was killed. Does nothing while a
  /// program makes files, and leaves files alone whose names are not ours.
  func sweep(keeping database: DatabasePool) {
    // Another opening will do what this one cannot.
    guard copy == nil, let names = try? FileManager.default.contentsOfDirectory(atPath: models),
      names.contains(where: Self.isOurs),
      let lock = try? FileLock(ifFree: makingLock, creating: true)
    else { return }
    defer { withExtendedLifetime(lock) {} }
    // The folder first: what appears after that was named by a row before.
    guard let names = try? FileManager.default.contentsOfDirectory(atPath: models),
      let rows = try? database.read({ db in
        try Row.fetchAll(db, sql: "SELECT id, generation FROM model WHERE generation > 0").map {
          Self.name(try $0.decode(forColumn: "id"), try $0.decode(forColumn: "generation"))
        }
      })
    else { return }
    let kept = Set(rows)
    for name in names where Self.isOurs(name) && !kept.contains(name) {
      let path = "\(models)/\(name)"
      // A link or a pipe is no file of ours, and is not opened.
      guard (try? requireOwn(path)) != nil else {
        AtomicFile.remove(path)
        continue
      }
      // An import keeps the lock of what it looks at.
      guard let lock = try? FileLock(ifFree: path) else { continue }
      AtomicFile.remove(path)
      withExtendedLifetime(lock) {}
    }
  }

  /// Whether there are files of trained models.
  var hasModel: Bool {
    let names = try? FileManager.default.contentsOfDirectory(atPath: models)
    return names?.contains(where: Self.isModel) ?? false
  }

  /// Whether a file of this name is a model's, or one that was being written.
  private static func isOurs(_ name: String) -> Bool {
    isModel(name) || (name.hasPrefix(".drawml-") && name.hasSuffix(".tmp"))
  }

  private static func isModel(_ name: String) -> Bool {
    name.hasSuffix(".drawml") && UUID(uuidString: String(name.prefix(36))) != nil
  }
}
