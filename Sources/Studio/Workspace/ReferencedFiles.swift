internal import Files
internal import Foundation
internal import GRDB

/// Files in a folder beside the database, named by UUIDs, which count only if a row refers to them:
/// those of trained models, or the pictures of artworks.
///
/// A file is written before its row and removed after it, so a killed program leaves files without
/// rows, which are swept away, but no rows without files.
struct ReferencedFiles: Sendable {
  /// The folder's path.
  let folder: String
  /// The end of their names.
  let ending: String
  /// The table with the rows.
  let table: String
  /// The query for the names that rows refer to.
  let names: String

  /// The lock that is held while files are written that no row refers to yet.
  var lock: String { "\(folder)/making.lock" }
  /// Whether the folder has none of them, or cannot be read.
  var isEmpty: Bool { !found.contains(where: isOwn) }

  /// Whether a file's name is one of theirs.
  func isOwn(_ name: String) -> Bool {
    guard name.hasSuffix(ending), UUID(uuidString: String(name.prefix(36))) != nil else {
      return false
    }
    // Of a model, "-" and its generation; a copy that a person made is not ours.
    return name.dropFirst(36).dropLast(ending.count).wholeMatch(of: /(-[0-9]+)?/) != nil
  }

  /// Removes what killed programs left: temporary files, and files that no row refers to. Ignores
  /// files with foreign names, and all but temporary ones while another program writes files.
  func sweep(_ files: WorkspaceFiles, keeping database: DatabasePool) {
    TemporaryFiles.sweep(folder)
    // The lock is taken only for a reason: others would have to wait for it. If this fails, a later
    // opening retries.
    guard !unreferenced(in: database).isEmpty,
      let lock = try? FileLock(ifFree: lock, creating: true)
    else { return }
    defer { withExtendedLifetime(lock) {} }
    for name in unreferenced(in: database) {
      let path = "\(folder)/\(name)"
      // A link or a pipe is not ours, and is not opened.
      guard (try? files.requirePlain(path)) != nil else {
        AtomicFile.remove(path)
        continue
      }
      guard let lock = try? FileLock(ifFree: path) else { continue }
      AtomicFile.remove(path)
      withExtendedLifetime(lock) {}
    }
  }

  /// Removes a file unless a row refers to it. Requires the lock.
  func remove(_ name: String, unlessNamedIn database: DatabasePool) {
    // If the rows cannot be read, the next opening removes the file.
    guard let named = try? database.read(referenced), !named.contains(name) else { return }
    AtomicFile.remove("\(folder)/\(name)")
  }

  /// What the folder holds.
  private var found: [String] {
    (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
  }

  private func referenced(in db: Database) throws -> Set<String> {
    Set(try String.fetchAll(db, sql: names))
  }

  /// The names of the files that no row refers to; empty if that cannot be told.
  private func unreferenced(in database: DatabasePool) -> [String] {
    // List the folder before the rows: a file that appears in between is not removed.
    let own = found.filter(isOwn)
    guard !own.isEmpty, let kept = try? database.read(referenced) else { return [] }
    let left = own.filter { !kept.contains($0) }
    guard !left.isEmpty else { return [] }
    // A damaged page may hide rows.
    let isSound = try? database.read { db in try Workspace.fault(of: table, in: db) == nil }
    return isSound == true ? left : []
  }
}
