public import Files
public import Ink

/// Writes drawings as stroke JSON, one after the other, in bounded memory.
///
/// The text is written to a temporary file, which `finish()` renames to the path. A writer that is
/// dropped before leaves the path unchanged.
public struct DrawingWriter: ~Copyable {
  private var file: PendingFile
  private let isArray: Bool

  /// The number of drawings written so far.
  public private(set) var count = 0

  /// A writer for the file at `path`.
  ///
  /// - Parameters:
  ///   - path: Where the file goes.
  ///   - isArray: Whether to write one JSON array; otherwise one object per line (NDJSON).
  /// - Throws: `FileError` when the folder is missing or not writable.
  public init(path: String, isArray: Bool = false) throws(FileError) {
    var file = try PendingFile(path: path)
    if isArray { try file.append("[".utf8) }
    self.isArray = isArray
    self.file = file
  }

  /// Adds `drawing`; its numbers must be finite.
  ///
  /// - Throws: `FileError`, as for a full disk.
  public mutating func append(_ drawing: Drawing) throws(FileError) {
    if isArray { try file.append((count == 0 ? "\n" : ",\n").utf8) }
    try file.append(StrokeJSON.encode(drawing))
    if !isArray { try file.append("\n".utf8) }
    count += 1
  }

  /// Completes the file and renames it to its path.
  ///
  /// - Parameter replacement: What the caller knows of the file that it replaces.
  /// - Throws: `FileError`; the file at the path is then unchanged.
  public consuming func finish(replacing replacement: Replacement = .any) throws(FileError) {
    if isArray { try file.append("\n]\n".utf8) }
    try file.finish(replacing: replacement)
  }
}
