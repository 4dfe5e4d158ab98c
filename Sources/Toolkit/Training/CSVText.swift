/// Comma-separated values (RFC 4180) for people's spreadsheets and for programs.
package enum CSVText {
  /// A row with its line feed. Fields with commas, quotes or line breaks are quoted, so that they
  /// are read back as they are.
  package static func row(_ fields: [String]) -> String {
    fields.map(quoted).joined(separator: ",") + "\n"
  }

  private static func quoted(_ field: String) -> String {
    // Scalars: a carriage return and a line feed are one Character, a quote and an accent, too.
    let scalars = field.unicodeScalars
    guard scalars.contains(where: ",\"\r\n".unicodeScalars.contains) else { return field }
    let doubled = scalars.flatMap { $0 == "\"" ? [$0, $0] : [$0] }
    return "\"" + String(String.UnicodeScalarView(doubled)) + "\""
  }

  /// A field with a text of others, which a spreadsheet could run as a formula.
  ///
  /// A text whose first visible character is `=`, `+`, `-` or `@`, also in full width, and one that
  /// begins with an apostrophe get an apostrophe in front: without the first apostrophe, each field
  /// is the text again.
  package static func field(_ text: String) -> String {
    let first = text.unicodeScalars.first { !$0.properties.isWhitespace }
    let isFormula = first.map("=+-@＝＋－＠".unicodeScalars.contains) ?? false
    return isFormula || text.utf8.first == UInt8(ascii: "'") ? "'" + text : text
  }
}
