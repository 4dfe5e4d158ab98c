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
    // What the file says it has is read into its place at once. It may claim to be larger than memory; then reading it
    // fails, not asking for the room.
    let claimed = max(0, min(Int(information.st_size), 1 << 28))
    var problem: FileError?
    var bytes = unsafe [UInt8](unsafeUninitializedCapacity: claimed) { buffer, filled in
      do throws(FileError) {
        while filled < claimed {
          let count = try unsafe read(
            descriptor,
            UnsafeMutableRawBufferPointer(
              UnsafeMutableBufferPointer(rebasing: buffer[filled...])), path)
          if count == 0 { break }
          filled += count
        }
      } catch { problem = error }
    }
    if let problem { throw problem }
    var block = [UInt8](repeating: 0, count: claimed == 0 ? 1 << 20 : 1 << 12)
    while true {
      let count = try Self.read(descriptor, &block, path)
      if count == 0 { return bytes }
      bytes.append(contentsOf: block[..<count])
      // Longer than it said, such as what the system makes up as it is read.
      if block.count < 1 << 20 { block = [UInt8](repeating: 0, count: 1 << 20) }
    }
  }

  /// Reads what is there, at most as much as fits; gives how much, 0 at the end.
  private static func read(
    _ descriptor: Int32, _ block: inout [UInt8], _ path: String
  ) throws(FileError) -> Int {
    var result = 0
    var problem: FileError?
    unsafe block.withUnsafeMutableBytes { buffer in
      do throws(FileError) { result = try unsafe read(descriptor, buffer, path) } catch {
        problem = error
      }
    }
    if let problem { throw problem }
    return result
  }

  private static func read(
    _ descriptor: Int32, _ buffer: UnsafeMutableRawBufferPointer, _ path: String
  ) throws(FileError) -> Int {
    while true {
      let count = unsafe Glibc.read(descriptor, buffer.baseAddress, buffer.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw .system("read", path: path) }
      return count
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
