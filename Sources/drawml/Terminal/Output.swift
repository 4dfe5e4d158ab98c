internal import Foundation
internal import Support

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
  try printToStandardOutput(jsonText: json(value, pretty: pretty))
}

/// Writes JSON text to standard output.
///
/// - Throws: `FileError` when it cannot be written.
func printToStandardOutput(jsonText text: String) throws(FileError) {
  try printToStandardOutput(text.visibleJSON.split(separator: "\n").map(String.init))
}

/// Writes a line to standard error: progress, logs and warnings. Work does not end for want of a
/// reader.
func printToStandardError(_ line: String) {
  printToStandardError([line])
}

/// Writes lines to standard error.
func printToStandardError(_ lines: [String]) {
  try? StandardStream.errors.write(lines)
}

/// The JSON of `value`, keys in alphabetical order, so that the same report is the same bytes.
func json(_ value: some Encodable, pretty: Bool = true) throws -> String {
  let encoder = JSONEncoder()
  encoder.outputFormatting =
    pretty
    ? [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
    : [.sortedKeys, .withoutEscapingSlashes]
  return String(decoding: try encoder.encode(value), as: UTF8.self)
}

/// A value of a report whose key stays, with null, where there is none.
struct Nullable<Value: Encodable & Sendable>: Encodable, Sendable {
  var value: Value?

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(value)
  }
}

extension Nullable: Equatable where Value: Equatable {}

/// "1 label", "12,685 labels".
func counted(_ number: Int, _ thing: String) -> String {
  "\(grouped(number)) \(thing)\(number == 1 ? "" : "s")"
}

/// "97.3 %" for 0.973.
func percent(_ rate: Double) -> String {
  String(format: "%.1f %%", rate * 100)
}

/// "1.2 MB" for 1234567.
func megabytes(_ bytes: Int) -> String {
  String(format: "%.1f MB", Double(bytes) / 1e6)
}

/// "0.123" for 0.12345.
func decimal(_ value: Float) -> String {
  String(format: "%.3f", Double(value))
}
