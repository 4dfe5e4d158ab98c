/// The process's own output streams, written without a buffer in between.
public enum StandardStream: Sendable {
  /// Data.
  case output
  /// Progress, logs and warnings.
  case errors

  /// Writes lines. Whatever others wrote in them is shown and not obeyed: each stays one line.
  ///
  /// - Throws: `FileError` when the stream is closed, its disk is full or nobody reads it any more.
  public func write(_ lines: [String]) throws(FileError) {
    try writeUnchanged(lines.map { $0.visible + "\n" }.joined())
  }

  /// Writes text with the codes in it that a terminal obeys. What others wrote must be `visible` in
  /// it.
  ///
  /// - Throws: `FileError` when the stream is closed, its disk is full or nobody reads it any more.
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

  /// Fills the places of standard streams that were closed before the process started, so that no
  /// file it opens can get such a place and then be written to by mistake. Writing to a closed
  /// output still fails; a closed standard error swallows what it gets.
  public static func occupyClosedPlaces() {
    for (place, mode) in [
      (STDIN_FILENO, O_RDONLY), (STDOUT_FILENO, O_RDONLY), (STDERR_FILENO, O_WRONLY),
    ] where fcntl(place, F_GETFD) < 0 {
      // The lowest free place is given, and those below are taken.
      _ = unsafe open("/dev/null", mode)
    }
  }
}
