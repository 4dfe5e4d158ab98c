internal import CLibrary

/// A file that grows at its end, such as a log: what was written stays when the process is killed.
///
/// Unlike `AtomicFile`, it is not replaced as a whole. Each `append` is one write to the system, so
/// that a killed process leaves whole records.
package final class AppendedFile: Sendable {
  private let descriptor: Int32
  /// The file's path.
  package let path: String

  /// Opens a file for appending, and creates it if it is missing.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - isNew: Whether a file that is already there is an error.
  /// - Throws: `FileError` when it cannot be opened.
  package init(_ path: String, isNew: Bool = false) throws(FileError) {
    let flags = O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC | (isNew ? O_EXCL : 0)
    descriptor = unsafe open(path, flags, 0o666)
    guard descriptor >= 0 else { throw .system("write", path: path) }
    self.path = path
  }

  deinit {
    close(descriptor)
  }

  /// Ends the last line, if a power cut or a full disk left it without its line break.
  ///
  /// - Throws: `FileError` when the break cannot be written.
  package func endLine() throws(FileError) {
    let length = lseek(descriptor, 0, SEEK_END)
    var last: UInt8 = 0
    guard length > 0, unsafe pread(descriptor, &last, 1, length - 1) == 1, last != 0x0a else {
      return
    }
    try append([0x0a])
  }

  /// Cuts off what is behind the first `length` bytes.
  ///
  /// - Throws: `FileError` when it cannot, and for a file that has fewer bytes.
  package func truncate(to length: Int) throws(FileError) {
    let found = Int(lseek(descriptor, 0, SEEK_END))
    guard found >= length else {
      throw FileError("read", path: path, reason: .wrongLength(expected: length, actual: found))
    }
    guard ftruncate(descriptor, off_t(length)) == 0 else { throw .system("write", path: path) }
  }

  /// Waits until what was written is on the disk.
  ///
  /// - Throws: `FileError` when it cannot be written, such as on a full disk.
  package func sync() throws(FileError) {
    guard fsync(descriptor) == 0 else { throw .system("write", path: path) }
  }

  /// Adds bytes at the end.
  ///
  /// - Throws: `FileError` when they cannot be written, such as on a full disk.
  package func append(_ bytes: [UInt8]) throws(FileError) {
    try writeAll(bytes, to: descriptor, path: path)
  }
}

/// Writes all bytes, in as few calls of the system as it takes.
///
/// - Throws: `FileError` about the file at `path`.
func writeAll(_ bytes: [UInt8], to descriptor: Int32, path: String) throws(FileError) {
  var written = 0
  while written < bytes.count {
    let count = unsafe bytes.withUnsafeBytes { buffer in
      unsafe Glibc.write(
        descriptor, buffer.baseAddress?.advanced(by: written), buffer.count - written)
    }
    if count < 0, errno == EINTR { continue }
    if count < 0, errno == EAGAIN {
      var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
      unsafe poll(&request, 1, -1)
      continue
    }
    guard count > 0 else { throw .system("write", path: path) }
    written += count
  }
}
