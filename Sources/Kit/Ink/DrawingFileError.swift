public import Files
public import Text

/// What is wrong in a file of drawings, and where.
public struct DrawingFileError: DescribedError, Equatable {
  /// What went wrong.
  public enum Reason: Equatable, Sendable {
    /// A drawing in the file is invalid.
    case drawing(InkError)
    /// The file cannot be read.
    case file(FileError)
  }

  /// The file as the caller named it; "-" is standard input.
  public var path: String
  /// The line of the drawing, counted from 1.
  public var line: Int
  /// What went wrong.
  public var reason: Reason

  /// An error at `line` of `path`.
  public init(path: String, line: Int, reason: Reason) {
    self.path = path
    self.line = line
    self.reason = reason
  }

  /// One sentence for people: where, and what.
  public var description: String {
    switch reason {
    case .drawing(let error):
      "\(path.inputName), line \(line): \(error)"
    case .file(let error): error.description
    }
  }
}
