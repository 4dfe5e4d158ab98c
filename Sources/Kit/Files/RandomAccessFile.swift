internal import CLibrary

/// A file that is read anywhere, also by several threads at once.
///
/// It is read, not mapped into memory: a mapped file that becomes shorter ends the process, and its
/// bytes can change after they were checked.
package final class RandomAccessFile: Sendable {
  private let descriptor: Int32
  /// The file's path.
  package let path: String
  /// Its length in bytes when it was opened.
  package let size: Int

  /// Opens the file at `path`.
  ///
  /// - Throws: `FileError` when it cannot be opened, or is a folder, a pipe or a device.
  package init(_ path: String) throws(FileError) {
    let descriptor = unsafe open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { throw .system("read", path: path) }
    var information = stat()
    guard unsafe fstat(descriptor, &information) == 0, information.st_mode & S_IFMT == S_IFREG
    else {
      close(descriptor)
      throw FileError(reading: path, "it is a folder, a pipe or a device, not a file")
    }
    (self.descriptor, self.path, size) = (descriptor, path, Int(information.st_size))
  }

  deinit { close(descriptor) }

  /// The `count` bytes from `offset` on.
  ///
  /// - Throws: `FileError` when they cannot be read, or the file ends before.
  package func read(_ count: Int, at offset: Int) throws(FileError) -> [UInt8] {
    precondition(count >= 0 && offset >= 0, "no \(count) bytes at \(offset)")
    guard offset <= size, count <= size - offset else {
      throw FileError(
        "read", path: path, reason: .wrongLength(expected: offset + count, actual: size))
    }
    var bytes = [UInt8](repeating: 0, count: count)
    var filled = 0
    while filled < count {
      let got = unsafe bytes.withUnsafeMutableBytes { buffer in
        unsafe pread(
          descriptor, buffer.baseAddress?.advanced(by: filled), count - filled,
          off_t(offset + filled))
      }
      if got < 0, errno == EINTR { continue }
      guard got >= 0 else { throw .system("read", path: path) }
      guard got > 0 else {
        throw FileError(
          "read", path: path,
          reason: .wrongLength(expected: offset + count, actual: offset + filled))
      }
      filled += got
    }
    return bytes
  }
}
