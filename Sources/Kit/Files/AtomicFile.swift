internal import CLibrary

/// Whole-file reads and writes; a write leaves the old file or the new one, never half of one.
public enum AtomicFile {
  /// The bytes of the file at `path`.
  ///
  /// - Throws: `FileError` when the file cannot be read.
  public static func read(_ path: String) throws(FileError) -> [UInt8] {
    var file = try OpenFile(path)
    try file.requireFitsInMemory()
    var bytes: [UInt8] = []
    var block = [UInt8](repeating: 0, count: min(file.size ?? 1 << 16, 1 << 20))
    bytes.reserveCapacity(file.size ?? 0)
    while true {
      let count = try file.read(&block)
      if count == 0 { return bytes }
      bytes.append(contentsOf: block[..<count])
    }
  }

  /// The bytes of a file, unpacked if it is gzip.
  ///
  /// - Throws: `FileError`, also for gzip data that are damaged or unpack to too much: see
  ///   `UnpackedFile`.
  public static func readUnpacked(_ path: String) throws(FileError) -> [UInt8] {
    var file = try UnpackedFile(path)
    try file.requireFitsInMemory()
    var bytes: [UInt8] = []
    var block = [UInt8](repeating: 0, count: 1 << 18)
    while true {
      let count = try file.read(&block, from: 0)
      if count == 0 { return bytes }
      guard bytes.count + count <= OpenFile.mostAtOnce else {
        throw .tooLong("read", path: path, bytes.count + count, limit: OpenFile.mostAtOnce)
      }
      bytes.append(contentsOf: block[..<count])
    }
  }

  /// The first bytes of a file, at most `length`; empty for a missing file, a device or a pipe.
  ///
  /// - Throws: `FileError` when the file cannot be read, and for a folder.
  public static func beginning(of path: String, length: Int) throws(FileError) -> [UInt8] {
    guard try WriteTarget(path).replaced != nil else { return [] }
    var file = try OpenFile(path)
    return try file.read(first: length)
  }

  /// Writes `bytes` to `path` by way of a temporary file, fsync and rename, as `PendingFile` does.
  ///
  /// - Throws: `FileError` when a step fails; the file at `path` is then unchanged.
  public static func write(
    _ bytes: [UInt8], to path: String, replacesLinks: Bool = false,
    replacing replacement: Replacement = .any
  ) throws(FileError) {
    var file = try PendingFile(path: path, replacesLinks: replacesLinks)
    try file.write(bytes)
    try file.finish(replacing: replacement)
  }

  /// Writes `text` to `path` as UTF-8.
  public static func write(_ text: String, to path: String) throws(FileError) {
    try write(Array(text.utf8), to: path)
  }

  /// Checks that a file could be written at `path`, without changing what is there.
  ///
  /// - Throws: `FileError` with the reason. Call it before long work, to fail early.
  public static func requireWritable(_ path: String) throws(FileError) {
    if try WriteTarget(path).isDevice {
      guard unsafe access(path, W_OK) == 0 else { throw .system("write", path: path) }
    } else {
      _ = try PendingFile(path: path)
    }
  }

  /// Checks that files can be created in the folder at `path`, whatever it contains.
  ///
  /// - Throws: `FileError` about the folder, with the reason.
  public static func requireWritableFolder(_ path: String) throws(FileError) {
    do throws(FileError) {
      // A random name: a fixed one could already be a folder, or a link to somewhere else.
      try requireWritable("\(path)/\(UInt64.random(in: .min ... .max))")
    } catch {
      throw FileError(error.operation, path: path, reason: error.reason)
    }
  }

  /// Whether `path` is a stream that cannot be replaced, such as a terminal or a pipe.
  public static func isDevice(_ path: String) -> Bool {
    (try? WriteTarget(path))?.isDevice ?? false
  }

  /// Whether `path` is a name of the process's standard output.
  public static func isStandardOutput(_ path: String) -> Bool {
    ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"].contains(path)
  }

  /// Whether there is a symbolic link at `path`, wherever it leads.
  public static func isLink(_ path: String) -> Bool {
    var information = stat()
    return unsafe lstat(path, &information) == 0 && information.st_mode & S_IFMT == S_IFLNK
  }

  /// Creates the folder at `path` unless it exists.
  ///
  /// - Parameters:
  ///   - path: The folder.
  ///   - mode: Who may use a new one.
  ///   - withParents: Whether the folders that it lies in are made, too; else they must exist.
  /// - Throws: `FileError` when it cannot be created.
  public static func makeFolder(
    _ path: String, mode: UInt32 = 0o755, withParents: Bool = false
  ) throws(FileError) {
    if withParents, let slash = path.dropLast().lastIndex(of: "/"), slash > path.startIndex,
      !exists(String(path[..<slash]))
    {
      try makeFolder(String(path[..<slash]), mode: mode, withParents: true)
    }
    guard unsafe mkdir(path, mode) != 0, errno != EEXIST else { return }
    throw .system("make the folder", path: path)
  }

  /// Whether there is a file or folder at `path`.
  public static func exists(_ path: String) -> Bool {
    unsafe access(path, F_OK) == 0
  }

  /// Removes the file at `path` if it exists.
  public static func remove(_ path: String) {
    unsafe unlink(path)
  }
}
