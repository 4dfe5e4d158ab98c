internal import Files

/// Reads the rows of a table whose values commas, semicolons or tabs separate (CSV).
///
/// Values in double quotes may hold separators, line feeds and, twice, quotes (RFC 4180). A byte
/// order mark, blank rows, and Excel's first row `sep=;` are skipped.
struct TableRows: ~Copyable {
  private let path: String
  private let separator: UInt8
  private let longestRow: Int
  private var lines: LineReader
  private var hasBegun = false
  /// The line, from 1, on which the row returned last begins.
  private(set) var line = 0

  /// The separators that a table may have: the one that Excel's first row names, or all.
  static func separators(of bytes: [UInt8]) -> [Character] {
    let first = bytes.prefix(16).prefix { $0 != 0x0a && $0 != 0x0d }
    return Self.named(String(decoding: first, as: UTF8.self)).map { [$0] } ?? [",", ";", "\t"]
  }

  /// The separator that a row such as `sep=;` names.
  private static func named(_ row: String) -> Character? {
    let text = row.drop { $0 == "\u{feff}" || $0 == "\"" }.prefix { $0 != "\"" && $0 != "\r" }
    guard text.lowercased().hasPrefix("sep="), text.count == 5 else { return nil }
    return text.last
  }

  /// The rows in `bytes`, the header among them; errors name `path`. A row has at most `longestRow`
  /// bytes.
  init(_ bytes: [UInt8], path: String, separator: Character, longestRow: Int) {
    self.path = path
    self.separator = separator.asciiValue ?? UInt8(ascii: ",")
    self.longestRow = longestRow
    lines = LineReader(bytes, named: path, limit: longestRow)
  }

  func fault(_ what: String) -> FileError { fault(what, line) }

  func fault(_ what: String, _ line: Int) -> FileError {
    FileError(reading: path, "line \(line): \(what)")
  }

  /// The values of the next row, or nil at the end.
  ///
  /// - Throws: `FileError` that names the line.
  mutating func next() throws(FileError) -> [String]? {
    while var text = try lines.nextText() {
      if !hasBegun {
        hasBegun = true
        if Self.named(text) != nil { continue }
        if text.first == "\u{feff}" { text.removeFirst() }
      }
      guard !text.allSatisfy(\.isWhitespace) else { continue }
      line = lines.lineNumber
      var row = Row(separator: separator)
      try add(text, to: &row)
      var length = text.utf8.count
      while row.isQuoted {
        guard let more = try lines.nextText() else { throw fault("a quote does not end") }
        length += more.utf8.count + 1
        guard length <= longestRow else {
          throw fault(
            "its values in quotes are longer than \(longestRow) bytes; a quote may not end")
        }
        row.append(0x0a)
        try add(more, to: &row)
      }
      return row.fields.map { String(decoding: $0, as: UTF8.self) }
    }
    return nil
  }

  private func add(_ text: String, to row: inout Row) throws(FileError) {
    var bytes = text.utf8[...]
    if bytes.last == 0x0d { bytes = bytes.dropLast() }
    guard row.add(bytes) else { throw fault("text follows a quote that ends a value") }
  }

  /// A row as far as it was read.
  private struct Row {
    let separator: UInt8
    private(set) var fields: [[UInt8]] = [[]]
    private(set) var isQuoted = false
    private var isClosed = false

    init(separator: UInt8) { self.separator = separator }

    mutating func append(_ byte: UInt8) { fields[fields.count - 1].append(byte) }

    /// Adds a line; false where text follows a quote.
    mutating func add(_ line: Substring.UTF8View) -> Bool {
      var bytes = line
      while let byte = bytes.popFirst() {
        if isQuoted {
          guard byte == 0x22 else {
            append(byte)
            continue
          }
          if bytes.first == 0x22 {
            bytes = bytes.dropFirst()
            append(byte)
          } else {
            (isQuoted, isClosed) = (false, true)
          }
        } else if byte == separator {
          fields.append([])
          isClosed = false
        } else if byte == 0x22, fields[fields.count - 1].isEmpty, !isClosed {
          isQuoted = true
        } else if isClosed {
          guard byte == 0x20 else { return false }
        } else {
          append(byte)
        }
      }
      return true
    }
  }
}
