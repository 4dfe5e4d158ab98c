internal import Foundation

/// Folders that are filled under temporary names and then renamed, so that an interrupted process
/// leaves no part of them.
package enum AtomicFolder {
  /// A folder on its way.
  private struct Pending {
    var path: String
    /// Where its contents are until then: inside of it if it exists, for its own folder may be out
    /// of reach, as that of a mounted device is.
    var place: String
    var isInside: Bool
    /// Holds the lock of `place`.
    var descriptor: Int32
  }

  /// Makes and fills folders; those that exist must be empty.
  ///
  /// - Parameters:
  ///   - paths: The folders; those that they lie in must exist.
  ///   - fill: Writes the contents into temporary folders, given in the same order. An error about
  ///     a file in one of them is told about the file that it would have become.
  /// - Returns: What `fill` returns.
  /// - Throws: `FileError`, also for a file, a link or a folder with something in it, and where one
  ///   appears meanwhile; the folders are then as they were.
  package static func write<Result>(
    _ paths: [String], _ fill: ([String]) throws(FileError) -> Result
  ) throws(FileError) -> Result {
    for path in paths { try requireFree(path) }
    var folders: [Pending] = []
    defer {
      for folder in folders {
        try? FileManager.default.removeItem(atPath: folder.place)
        TemporaryFiles.close(folder.place)
        close(folder.descriptor)
      }
    }
    for path in paths { folders.append(try begin(path)) }
    do {
      let result = try fill(folders.map(\.place))
      try finish(folders)
      return result
    } catch {
      for folder in folders where error.path.hasPrefix(folder.place) {
        throw FileError(
          error.operation, path: folder.path + error.path.dropFirst(folder.place.count),
          reason: error.reason)
      }
      throw error
    }
  }

  /// Checks that a folder can be written at `path`.
  ///
  /// - Throws: `FileError` for a file, a link, or a folder with something in it.
  package static func requireFree(_ path: String) throws(FileError) {
    let names = try FolderListing.names(in: path)
    guard !AtomicFile.isLink(path), names != nil || !AtomicFile.exists(path) else {
      throw FileError(writing: path, "it is a file or a link, not a folder")
    }
    // A killed process may have left temporary files, which no listing of drawings has.
    if let first = names?.first(where: { !TemporaryFiles.isName($0) }) {
      throw FileError(
        writing: path, "the folder contains \(first); name a folder that is new or empty")
    }
  }

  /// Removes the folder at `path` if it is empty.
  package static func removeEmpty(_ path: String) {
    unsafe rmdir(path)
  }

  private static func begin(_ path: String) throws(FileError) -> Pending {
    var parent = path
    while parent.count > 1, parent.hasSuffix("/") { parent.removeLast() }
    let isInside = AtomicFile.exists(path)
    let (descriptor, place) = TemporaryFiles.makeFolder(
      in: isInside ? path + "/" : folder(of: parent), mode: 0o755)
    guard descriptor >= 0 else { throw .system("write", path: path) }
    return Pending(path: path, place: place, isInside: isInside, descriptor: descriptor)
  }

  private static func finish(_ folders: [Pending]) throws(FileError) {
    var moves: [(from: String, to: String)] = []
    for folder in folders {
      syncFolder(folder.place)
      if folder.isInside {
        guard let names = try FolderListing.names(in: folder.place) else {
          throw FileError("write", path: folder.path, reason: .system(code: ENOENT))
        }
        moves += names.map { ("\(folder.place)/\($0)", "\(folder.path)/\($0)") }
      } else {
        moves.append((folder.place, folder.path))
      }
    }
    let failure = TemporaryFiles.withoutInterruption { () -> FileError? in
      do throws(FileError) {
        for folder in folders where folder.isInside { try requireFree(folder.path) }
      } catch { return error }
      // A folder is renamed to a new or an empty one only.
      for (index, move) in moves.enumerated() where unsafe rename(move.from, move.to) != 0 {
        let error = FileError.system("write", path: move.to)
        for done in moves[..<index].reversed() { unsafe rename(done.to, done.from) }
        return error
      }
      return nil
    }
    if let failure { throw failure }
    for each in folders { syncFolder(each.isInside ? each.path : folder(of: each.path)) }
  }
}
