/// The process's output streams, written unbuffered.
public enum StandardStream: Sendable {
  /// Data.
  case output
  /// Progress, logs and warnings.
  case errors

  /// Writes lines, with control characters escaped (`visible`), so that each stays one line.
  ///
  /// - Throws: `FileError` when the stream is closed, its disk is full or its pipe has no reader.
  public func write(_ lines: [String]) throws(FileError) {
    try writeUnchanged(lines.map { $0.visible + "\n" }.joined())
  }

  /// Writes text with its terminal control codes. The caller must escape untrusted parts
  /// (`visible`).
  ///
  /// - Throws: `FileError` when the stream is closed, its disk is full or its pipe has no reader.
  public func writeUnchanged(_ text: String) throws(FileError) {
    let descriptor = self == .output ? STDOUT_FILENO : STDERR_FILENO
    let bytes = Array(text.utf8)
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
      guard count > 0 else {
        throw .system("write", path: self == .output ? "-" : "standard error")
      }
      written += count
    }
  }

  /// Opens /dev/null for standard streams that were closed before the process started, so that no
  /// file opened later gets descriptor 0, 1 or 2 and is written to by mistake. Writing to a closed
  /// standard output still fails; output to a closed standard error is discarded.
  public static func openClosedDescriptors() {
    for (place, mode) in [
      (STDIN_FILENO, O_RDONLY), (STDOUT_FILENO, O_RDONLY), (STDERR_FILENO, O_WRONLY),
    ] where fcntl(place, F_GETFD) < 0 {
      // `open` returns the lowest free descriptor, which is this one: those below are in use.
      _ = unsafe open("/dev/null", mode)
    }
  }
}
