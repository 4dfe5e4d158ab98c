internal import Foundation
internal import Support

/// Workspaces that lie where nothing can be written, such as on a mounted backup: they can be
/// looked at, checked, exported and rescued.
///
/// SQLite has to write beside a database that has a log, also to read it. So it reads a copy;
/// whatever would change something is refused.
extension WorkspaceFiles {
  /// The same files, with a copy of the database in the place of it.
  func copyingDatabase() throws -> WorkspaceFiles {
    var files = self
    PassingFolder.sweep()
    let copy = try PassingFolder()
    files.copy = copy
    do {
      // Somebody who may write could do so meanwhile.
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

  /// Whether files can be made where the models are.
  var isWritable: Bool { (try? AtomicFile.requireWritableFolder(models)) != nil }

  /// Throws where nothing can be written, and where the database or the folder of models is no
  /// longer what was opened: nothing that is written then would be found again, or it would go to
  /// where a link leads.
  func requireWritable() throws(WorkspaceError.Reason) {
    if copy != nil { throw .readOnly }
    for (path, identity) in opened where FileIdentity(at: path) != identity {
      throw .foreignFile(URL(filePath: path).lastPathComponent, .replaced)
    }
  }

  /// The same files, with a note of which they are.
  func asOpened() -> WorkspaceFiles {
    var files = self
    for path in [database, models] { files.opened[path] = FileIdentity(at: path) }
    return files
  }

  /// What differs when somebody has changed the database.
  private var changes: [String] {
    ["", "-wal"].map { ending in
      let found = try? FileManager.default.attributesOfItem(atPath: database + ending)
      let time = (found?[.modificationDate] as? Date)?.timeIntervalSince1970
      return "\(size(database + ending)) \(time ?? 0)"
    }
  }
}
