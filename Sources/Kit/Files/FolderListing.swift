internal import CDispatch
internal import Foundation

/// The contents of folders.
public enum FolderListing {
  /// The paths, relative to `folder`, of all files in it and in the folders below, in byte order,
  /// which does not depend on the locale. Links to folders are followed only for `folder` itself;
  /// what DrawML has not finished writing is left out.
  ///
  /// - Parameter folder: A path, which may be a link to a folder.
  /// - Returns: The paths, or nil if `folder` is not a folder.
  /// - Throws: `FileError` when one of the folders cannot be listed.
  public static func files(below folder: String) throws(FileError) -> [String]? {
    let target = URL(fileURLWithPath: folder).resolvingSymlinksInPath().path
    guard isFolder(target) else { return nil }
    try requireReadable(folder)
    guard let names = FileManager.default.enumerator(atPath: target) else {
      throw FileError("read", path: folder, reason: .system(code: EACCES))
    }
    let paths = names.compactMap { $0 as? String }
    // The enumerator passes over folders that it may not read.
    for path in paths where !AtomicFile.isLink("\(target)/\(path)") {
      try requireReadable("\(folder)/\(path)")
    }
    func isFinished(_ path: String) -> Bool {
      !path.split(separator: "/").contains { TemporaryFiles.isName(String($0)) }
    }
    return paths.filter { isFinished($0) && isFile("\(target)/\($0)") }
      .sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  /// Throws for a folder whose contents this user may not read, or which may not be entered.
  package static func requireReadable(_ folder: String) throws(FileError) {
    guard isFolder(folder), unsafe access(folder, R_OK | X_OK) != 0 else { return }
    throw .system("read", path: folder)
  }

  /// The names of everything directly in `folder`, in byte order; nil if it is not a folder.
  ///
  /// - Throws: `FileError` when it cannot be listed.
  public static func names(in folder: String) throws(FileError) -> [String]? {
    guard isFolder(folder) else { return nil }
    guard let names = try? FileManager.default.contentsOfDirectory(atPath: folder) else {
      throw FileError("read", path: folder, reason: .system(code: EACCES))
    }
    return names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  /// Whether this is a regular file or a link to one; not a socket, a device or a pipe, which could
  /// block forever. Dangling links count as files, so that reading them reports an error.
  package static func isFile(_ path: String) -> Bool {
    var information = stat()
    guard unsafe stat(path, &information) == 0 else { return true }
    return information.st_mode & S_IFMT == S_IFREG
  }

  /// Whether this is a regular file itself, not a link to one.
  static func isPlainFile(_ path: String) -> Bool {
    var information = stat()
    return unsafe lstat(path, &information) == 0 && information.st_mode & S_IFMT == S_IFREG
  }

  /// Whether this is a folder or a link to one.
  package static func isFolder(_ path: String) -> Bool {
    var isFolder: ObjCBool = false
    return unsafe FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
      && isFolder.boolValue
  }
}
