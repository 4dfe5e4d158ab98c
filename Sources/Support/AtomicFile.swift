internal import Glibc

/// Whole-file reads and writes; a write leaves the old file or the new one, never half of one.
public enum AtomicFile {
  /// The bytes of the file at `path`.
  ///
  /// - Throws: `FileError` when the file cannot be read.
  public static func read(_ path: String) throws(FileError) -> [UInt8] {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .system("read", path: path) }
    defer { close(descriptor) }
    var information = stat()
    guard unsafe fstat(descriptor, &information) == 0 else { throw .system("read", path: path) }
    guard information.st_mode & S_IFMT != S_IFDIR else {
      throw FileError("read", path: path, reason: .system(code: EISDIR))
    }
    var bytes: [UInt8] = []
    // A file may claim to be larger than memory; then reading it fails, not asking for the room.
    bytes.reserveCapacity(max(0, min(Int(information.st_size), 1 << 28)))
    var block = [UInt8](repeating: 0, count: 1 << 20)
    while true {
      let count = unsafe block.withUnsafeMutableBytes { buffer in
        unsafe Glibc.read(descriptor, buffer.baseAddress, buffer.count)
      }
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw .system("read", path: path) }
      if count == 0 { return bytes }
      bytes.append(contentsOf: block[..<count])
    }
  }

  /// Puts `bytes` at `path`: writes beside it, syncs to the disk, then renames, as `PendingFile` does.
  ///
  /// - Throws: `FileError` when a step fails; the file at `path` is then as it was.
  public static func write(_ bytes: [UInt8], to path: String) throws(FileError) {
    var file = try PendingFile(path: path)
    try file.write(bytes)
    try file.finish()
  }

  /// Puts the UTF-8 of `text` at `path`.
  public static func write(_ text: String, to path: String) throws(FileError) {
    try write(Array(text.utf8), to: path)
  }

  /// Checks that a file could be written at `path`, without changing what is there.
  ///
  /// - Throws: `FileError` that says why not: before long work, rather than after it.
  public static func requireWritable(_ path: String) throws(FileError) {
    if try Place(path).isDevice {
      guard unsafe access(path, W_OK) == 0 else { throw .system("write", path: path) }
    } else {
      _ = try PendingFile(path: path)
    }
  }

  /// Makes the folder at `path` unless it is there; the folder that it lies in must be.
  ///
  /// - Throws: `FileError` when it cannot be made.
  public static func makeFolder(_ path: String) throws(FileError) {
    guard unsafe mkdir(path, 0o755) != 0, errno != EEXIST else { return }
    throw .system("make the folder", path: path)
  }

  /// Whether there is a file or folder at `path`.
  public static func exists(_ path: String) -> Bool {
    unsafe access(path, F_OK) == 0
  }

  /// Removes the file at `path` if it is there.
  public static func remove(_ path: String) {
    unsafe unlink(path)
  }
}
