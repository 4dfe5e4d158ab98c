internal import Datasets
internal import Files
internal import JSON
internal import Text

/// Writes a line of data to standard output.
///
/// - Throws: `FileError` when it cannot be written, so that a full disk is not taken for success.
func printToStandardOutput(_ line: String) throws(FileError) {
  try printToStandardOutput([line])
}

/// Writes lines of data to standard output.
///
/// - Throws: `FileError` when they cannot be written.
func printToStandardOutput(_ lines: [String]) throws(FileError) {
  try StandardStream.output.write(lines)
}

/// Writes JSON to standard output.
///
/// - Throws: `FileError` when it cannot be written, and what encoding throws.
func printToStandardOutput(json value: some Encodable, pretty: Bool = true) throws {
  try printToStandardOutput(jsonText: jsonText(value, pretty: pretty))
}

/// Writes JSON text to standard output.
///
/// - Throws: `FileError` when it cannot be written.
func printToStandardOutput(jsonText text: String) throws(FileError) {
  try StandardStream.output.write(json: text)
}

extension StandardStream {
  /// Writes JSON text, which stays JSON where it has control characters.
  ///
  /// - Throws: `FileError` when it cannot be written.
  func write(json text: String) throws(FileError) {
    try write(text.visibleJSON.split(separator: "\n").map(String.init))
  }
}

/// Writes a line to standard error: progress, logs and warnings. Write errors are ignored, so that
/// work continues without a reader.
func printToStandardError(_ line: String) {
  printToStandardError([line])
}

/// Prints on standard error what a command has written, such as "12 drawings".
func tellWritten(_ things: String, to output: String) {
  printToStandardError("\(output): \(things)")
}

/// Writes lines to standard error.
func printToStandardError(_ lines: [String]) {
  try? StandardStream.errors.write(lines)
}

/// Writes the notes about a file to standard error.
func printToStandardError(_ notes: ReadingNotes, of path: String) {
  var all = FileNotes()
  all.add(notes, of: path)
  printToStandardError(all.lines)
}
