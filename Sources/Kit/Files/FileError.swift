internal import CLibrary
public import Text

/// Why a file could not be read or written, and which one.
public struct FileError: DescribedError, Equatable {
  /// What went wrong, so that callers can match it.
  public enum Reason: Equatable, Sendable {
    /// The operating system refused; the number is its `errno`.
    case system(code: Int32)
    /// The file is not of the expected kind.
    case foreign(expected: String)
    /// The file is shorter or longer than it claims.
    case wrongLength(expected: Int, actual: Int)
    /// The checksum does not match the bytes.
    case checksum
    /// A newer DrawML wrote the file.
    case newerVersion(found: Int, supported: Int)
    /// The file is intact but violates its format.
    case malformed(String)
    /// One line is longer than the reader accepts.
    case lineTooLong(line: Int, limit: Int)
  }

  /// What was being done, such as "read".
  public var operation: String
  /// The file's path as the caller gave it.
  public var path: String
  /// What went wrong.
  public var reason: Reason

  /// Makes an error about `path`.
  public init(_ operation: String, path: String, reason: Reason) {
    self.operation = operation
    self.path = path
    self.reason = reason
  }

  /// An error about a file that is read, intact but against its format: `problem` says how.
  package init(reading path: String, _ problem: String) {
    self.init("read", path: path, reason: .malformed(problem))
  }

  /// An error about a file that cannot be written: `problem` says why.
  package init(writing path: String, _ problem: String) {
    self.init("write", path: path, reason: .malformed(problem))
  }

  /// Whether there is no such file.
  public var isMissingFile: Bool { reason == .system(code: ENOENT) }

  /// An error from the current `errno`.
  static func system(_ operation: String, path: String) -> FileError {
    FileError(operation, path: path, reason: .system(code: errno))
  }

  /// An error about a file of `length` bytes where at most `limit` can be read.
  package static func tooLong(
    _ operation: String, path: String, _ length: Int, limit: Int
  ) -> FileError {
    let most = limit % (1 << 30) == 0 ? "\(limit >> 30) GiB" : "\(limit >> 20) MiB"
    return FileError(
      operation, path: path,
      reason: .malformed("it has \(grouped(length)) bytes; at most \(most) are read at once"))
  }

  /// One sentence for people: what, where, and what to do.
  public var description: String {
    switch reason {
    case .system(let code):
      "cannot \(operation) \(name): \(explain(code))"
    case .foreign(let expected):
      "cannot \(operation) \(name): it is not a \(expected)"
    case .wrongLength(let expected, let actual) where actual < expected:
      "cannot \(operation) \(name): it is truncated (\(actual) of \(expected) bytes); copy it again"
    case .wrongLength(let expected, let actual):
      "cannot \(operation) \(name): it is too long (\(actual) of \(expected) bytes); copy it again"
    case .checksum:
      """
      cannot \(operation) \(name): its checksum does not match, so some bytes changed; copy it again
      """
    case .newerVersion(let found, let supported):
      "cannot \(operation) \(name): it has format version \(found) and this drawml reads up to "
        + "\(supported); update drawml"
    case .malformed(let what):
      "cannot \(operation) \(name): \(what)"
    case .lineTooLong(let line, let limit):
      "cannot \(operation) \(name): line \(line) is longer than \(limit) bytes"
        + (limit < LineReader.defaultLimit ? "" : "; is there one JSON object on each line?")
    }
  }

  /// The path, or the name of the stream that "-" represents.
  private var name: String {
    guard path == "-", !isMissingFile else { return path }
    return operation == "read" ? path.inputName : "standard output"
  }

  private func explain(_ code: Int32) -> String {
    let hint =
      switch code {
      case ENOENT where path == "-": "; this is read from a file, not from standard input"
      case ENOENT where operation == "write": "; make its folder first, or check the path"
      case ENOENT: "; check the path"
      case EACCES where operation == "read", EPERM where operation == "read":
        "; check its permissions, and those of its folder"
      case EACCES, EROFS, EPERM: "; choose a folder you may write to, or change its permissions"
      case ENOTDIR: "; a part of the path is a file, not a folder"
      case EISDIR: "; give the name of a file, not of a folder"
      // The command's work before printing is already done.
      case ENOSPC where path == "-", EDQUOT where path == "-", EFBIG where path == "-":
        "; what was printed is incomplete"
      case ENOSPC, EDQUOT: "; free some space and run it again: nothing was changed"
      case EFBIG:
        "; raise the limit on file sizes ('ulimit -f') and run it again: nothing was changed"
      default: ""
      }
    return unsafe String(cString: strerror(code)) + hint
  }
}

extension String {
  /// The path of a file that is read, as people call it: "-" is standard input.
  package var inputName: String { self == "-" ? "standard input" : self }
}
