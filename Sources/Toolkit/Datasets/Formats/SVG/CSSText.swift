/// A property and its value, as style sheets and the attribute `style` declare them.
struct CSSDeclaration {
  /// The property in lower case.
  var name: String
  var value: String
  var isImportant: Bool

  /// The declarations of an attribute.
  static func list(_ text: String) -> [CSSDeclaration] { list(CSSText(text).bytes[...]) }

  /// The declarations of a rule, without its braces.
  static func list(_ bytes: ArraySlice<UInt8>) -> [CSSDeclaration] {
    CSSText.parts(bytes, separatedBy: UInt8(ascii: ";")).compactMap { part in
      let sides = part.split(separator: UInt8(ascii: ":"), maxSplits: 1)
      guard sides.count == 2 else { return nil }
      let name = String(decoding: sides[0], as: UTF8.self).trimmed.lowercased()
      var value = String(decoding: sides[1], as: UTF8.self).trimmed
      let isImportant = value.lowercased().hasSuffix("important") && value.contains("!")
      if isImportant { value = value.prefix { $0 != "!" }.trimmed }
      return CSSDeclaration(name: name, value: value, isImportant: isImportant)
    }
  }
}

/// Text in CSS's syntax, without its comments.
///
/// Source: CSS Syntax Module Level 3, https://www.w3.org/TR/css-syntax-3/.
struct CSSText {
  let bytes: [UInt8]

  init(_ text: String) {
    var rest = Array(text.utf8)[...]
    var kept: [UInt8] = []
    while let byte = rest.first {
      if rest.starts(with: "/*".utf8) {
        rest = rest.dropFirst(2)
        while !rest.isEmpty, !rest.starts(with: "*/".utf8) { rest = rest.dropFirst() }
        rest = rest.dropFirst(2)
        kept.append(0x20)
      } else if rest.starts(with: "<!--".utf8) {
        // HTML's comment marks have no meaning in a sheet.
        rest = rest.dropFirst(4)
      } else if rest.starts(with: "-->".utf8) {
        rest = rest.dropFirst(3)
      } else {
        kept.append(byte)
        rest = rest.dropFirst()
      }
    }
    bytes = kept
  }

  /// The parts between separators that are in no quotes and brackets.
  static func parts(
    _ bytes: ArraySlice<UInt8>, separatedBy separator: UInt8
  ) -> [ArraySlice<UInt8>] {
    var parts: [ArraySlice<UInt8>] = []
    var rest = bytes
    while !rest.isEmpty {
      let end = end(of: rest) { $0 == separator }
      parts.append(rest[..<end])
      rest = rest[end...].dropFirst()
    }
    return parts
  }

  /// Takes the next rule: what is before its braces or semicolon, and what is within its braces.
  static func nextRule(
    _ rest: inout ArraySlice<UInt8>
  ) -> (prelude: ArraySlice<UInt8>, block: ArraySlice<UInt8>, isBlock: Bool)? {
    guard !rest.isEmpty else { return nil }
    let (open, close) = (UInt8(ascii: "{"), UInt8(ascii: "}"))
    let end = end(of: rest) { $0 == open || $0 == close || $0 == UInt8(ascii: ";") }
    let prelude = rest[..<end]
    let isBlock = end < rest.endIndex && rest[end] == open
    rest = rest[end...].dropFirst()
    guard isBlock else { return (prelude, [], false) }
    // Blocks of at-rules hold others.
    var depth = 1
    var last = rest.startIndex
    while last < rest.endIndex {
      last = Self.end(of: rest[last...]) { $0 == open || $0 == close }
      guard last < rest.endIndex else { break }
      depth += rest[last] == open ? 1 : -1
      if depth == 0 { break }
      last += 1
    }
    let block = rest[..<last]
    rest = rest[last...].dropFirst()
    return (prelude, block, true)
  }

  /// The index of the first byte that `isEnd` holds for and that is in no quotes and brackets.
  private static func end(
    of bytes: ArraySlice<UInt8>, where isEnd: (UInt8) -> Bool
  ) -> Int {
    var quote: UInt8?
    var brackets = 0
    var index = bytes.startIndex
    while index < bytes.endIndex {
      let byte = bytes[index]
      if byte == UInt8(ascii: "\\") {
        index += 1
      } else if let open = quote {
        if byte == open { quote = nil }
      } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
        quote = byte
      } else if byte == UInt8(ascii: "(") || byte == UInt8(ascii: "[") {
        brackets += 1
      } else if brackets > 0 {
        if byte == UInt8(ascii: ")") || byte == UInt8(ascii: "]") { brackets -= 1 }
      } else if isEnd(byte) {
        return index
      }
      index += 1
    }
    return bytes.endIndex
  }
}

extension StringProtocol {
  /// The text without outer white space, with single spaces within.
  var trimmed: String { split(whereSeparator: \.isWhitespace).joined(separator: " ") }
}
