internal import Foundation

/// Folders that are filled under temporary names and then renamed, so that an interrupted process
/// leaves no part of them.
public enum AtomicFolder {
  /// Makes and fills folders; those that exist must be empty.
  ///
  /// - Parameters:
  ///   - paths: The folders; those that they lie in must exist.
  ///   - fill: Writes the contents into temporary folders, given in the same order. An error about
  ///     a file in one of them is told about the file that it would have become.
  /// - Returns: What `fill` returns.
  /// - Throws: `FileError`, also for a file, a link or a folder with something in it; then the
  ///   folders are as they were.
  package static func write<Result>(
    _ paths: [String], _ fill: ([String]) throws(FileError) -> Result
  ) throws(FileError) -> Result {
    for path in paths { try requireFree(path) }
    var places: [String] = []
    defer {
      for place in places {
        try? FileManager.default.removeItem(atPath: place)
        TemporaryFiles.close(place)
      }
    }
    for path in paths { places.append(try makePlace(for: path)) }
    do {
      let result = try fill(places)
      try finish(places, paths)
      return result
    } catch {
      for (place, path) in zip(places, paths) where error.path.hasPrefix(place) {
        throw FileError(
          error.operation, path: path + error.path.dropFirst(place.count), reason: error.reason)
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
      throw FileError(
        "write", path: path, reason: .malformed("it is a file or a link, not a folder"))
    }
    // A killed process may have left temporary files.
    if let first = names?.first(where: { !TemporaryFiles.isName($0) }) {
      throw FileError(
        "write", path: path,
        reason: .malformed("there is \(first) in this folder; name one that is new or empty"))
    }
  }

  /// Makes the temporary folder for one at `path`: inside of it if it exists, for its own may be
  /// the current folder or that of a device.
  private static func makePlace(for path: String) throws(FileError) -> String {
    var parent = path
    while parent.count > 1, parent.hasSuffix("/") { parent.removeLast() }
    let folder = AtomicFile.exists(path) ? path + "/" : folder(of: parent)
    let (result, place) = TemporaryFiles.make(in: folder) { unsafe mkdir($0, 0o755) }
    guard result == 0 else { throw .system("write", path: path) }
    return place
  }

  private static func finish(_ places: [String], _ paths: [String]) throws(FileError) {
    for place in places { syncFolder(place) }
    let failed = TemporaryFiles.withoutInterruption { () -> FileError? in
      for (place, path) in zip(places, paths) {
        var moves = [(place, path)]
        let isThere = AtomicFile.exists(path)
        if isThere {
          let names = (try? FolderListing.names(in: place)) ?? []
          moves = names.map { ("\(place)/\($0)", "\(path)/\($0)") }
        }
        for (from, to) in moves where unsafe rename(from, to) != 0 {
          return .system("write", path: to)
        }
        syncFolder(isThere ? path : folder(of: path))
      }
      return nil
    }
    if let failed { throw failed }
  }
}
