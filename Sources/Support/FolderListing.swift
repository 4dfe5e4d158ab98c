internal import Foundation

/// What lies in folders.
public enum FolderListing {
  /// The paths, relative to `folder`, of all files in it and in the folders below, ordered by their
  /// bytes: the same on every machine, whatever its language. Links to folders are followed for
  /// `folder` alone.
  ///
  /// - Parameter folder: A path; a link to a folder will do.
  /// - Returns: The paths, or nil when `folder` is no folder.
  /// - Throws: `FileError` when it cannot be listed.
  public static func files(below folder: String) throws(FileError) -> [String]? {
    let target = URL(fileURLWithPath: folder).resolvingSymlinksInPath().path
    guard isFolder(target) else { return nil }
    guard let names = FileManager.default.enumerator(atPath: target) else {
      throw FileError("read", path: folder, reason: .system(code: EACCES))
    }
    return names.compactMap { $0 as? String }
      .filter { isFile("\(target)/\($0)") }
      .sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  /// The names of all that lies in `folder` itself, ordered by their bytes; nil when it is no
  /// folder.
  ///
  /// - Throws: `FileError` when it cannot be listed.
  public static func names(in folder: String) throws(FileError) -> [String]? {
    guard isFolder(folder) else { return nil }
    guard let names = try? FileManager.default.contentsOfDirectory(atPath: folder) else {
      throw FileError("read", path: folder, reason: .system(code: EACCES))
    }
    return names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  /// A file, or a link to one: pipes, which may never say anything, sockets and devices are none. A
  /// link that leads nowhere is kept, so that whoever reads it is told.
  private static func isFile(_ path: String) -> Bool {
    var information = stat()
    guard unsafe stat(path, &information) == 0 else { return true }
    return information.st_mode & S_IFMT == S_IFREG
  }

  private static func isFolder(_ path: String) -> Bool {
    var isFolder: ObjCBool = false
    return unsafe FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
      && isFolder.boolValue
  }
}
