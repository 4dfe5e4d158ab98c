internal import Files
internal import Foundation

/// Workspaces in a read-only place, such as a mounted backup: they can be read, checked, exported
/// and rescued.
///
/// SQLite has to write beside a database that has a log even to read it. So it reads a copy; every
/// change is refused.
extension WorkspaceFiles {
  /// The same files, with a copy of the database in its place.
  func copyingDatabase() throws -> WorkspaceFiles {
    var files = self
    PrivateTemporaryFolder.sweep()
    let copy = try PrivateTemporaryFolder()
    files.copy = copy
    do {
      // Another program with write access may change it meanwhile.
      for _ in 0..<5 {
        let before = changes
        for ending in ["", "-wal"] {
          AtomicFile.remove(files.database + ending)
          guard size(database + ending) > 0 else { continue }
          _ = try Workspace.copy(database + ending, to: files.database + ending)
        }
        if changes == before { return files }
      }
    } catch let error as FileError where error.path.hasPrefix(folder) {
      throw WorkspaceError.Reason.file(error)
    }
    throw WorkspaceError.Reason.busy
  }

  /// Whether files can be created in the folder of models.
  var isWritable: Bool { (try? AtomicFile.requireWritableFolder(models)) != nil }

  /// Throws if the workspace is read-only, or if the database or a folder of files has been replaced
  /// since it was opened: a write would be lost, or follow a link to elsewhere.
  func requireWritable() throws(WorkspaceError.Reason) {
    if copy != nil { throw .readOnly }
    for (path, identity) in opened where FileIdentity(at: path) != identity {
      throw .foreignFile(URL(filePath: path).lastPathComponent, .replaced)
    }
  }

  /// The same files, with the identities of the database and the folders recorded.
  func withIdentities() -> WorkspaceFiles {
    var files = self
    for path in [database, models, artworks] { files.opened[path] = FileIdentity(at: path) }
    return files
  }

  /// Sizes and times that change when the database does.
  private var changes: [String] {
    ["", "-wal"].map { ending in
      let found = try? FileManager.default.attributesOfItem(atPath: database + ending)
      let time = (found?[.modificationDate] as? Date)?.timeIntervalSince1970
      return "\(size(database + ending)) \(time ?? 0)"
    }
  }
}
