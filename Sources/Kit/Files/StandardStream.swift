internal import CLibrary
internal import Text

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
    try writeAll(
      Array(text.utf8), to: self == .output ? STDOUT_FILENO : STDERR_FILENO,
      path: self == .output ? "-" : "standard error")
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
