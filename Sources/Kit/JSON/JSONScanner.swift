/// A syntax error in a JSON text, with its byte offset from 0.
package struct JSONSyntaxError: Error {
  package var problem: String
  package var byte: Int
}

/// Scans JSON in one pass and builds only the values that the caller asks for.
///
/// Strict RFC 8259, with these choices: strings must be valid UTF-8, a lone surrogate in a `\u`
/// escape is an error, and values nest at most `maximumDepth` deep.
package struct JSONScanner {
  static let maximumDepth = 128
  /// The accepted range of numbers: decoding one outside it is an error.
  package static let numbers = -1e100...1e100

  package let bytes: [UInt8]
  package var position: Int

  @inlinable
  package init(_ bytes: [UInt8], from position: Int = 0) {
    self.bytes = bytes
    self.position = position
  }

  /// The next byte, not consumed; 0 at the end, which is valid nowhere in JSON.
  @inlinable
  package var current: UInt8 { position < bytes.count ? bytes[position] : 0 }

  @inlinable
  package mutating func skipWhitespace() {
    while position < bytes.count {
      let byte = bytes[position]
      guard byte <= 0x20, byte == 0x20 || byte == 0x0a || byte == 0x0d || byte == 0x09 else {
        return
      }
      position += 1
    }
  }

  /// Consumes `byte` if it comes next, after any white space.
  @inline(__always)
  package mutating func take(_ byte: UInt8) -> Bool {
    if current == byte, position < bytes.count {
      position += 1
      return true
    }
    skipWhitespace()
    guard position < bytes.count, bytes[position] == byte else { return false }
    position += 1
    return true
  }

  /// The error that the next bytes are not what the grammar requires.
  package func unexpected(_ expected: String) -> JSONSyntaxError {
    guard position < bytes.count else {
      return JSONSyntaxError(problem: "the text ends where \(expected) is due", byte: position)
    }
    let byte = bytes[position]
    if byte >= 0x80 {
      var scanner = self
      do throws(JSONSyntaxError) { try scanner.skipMultibyte() } catch { return error }
    }
    let found =
      (0x21..<0x7f).contains(byte)
      ? "\"\(Character(UnicodeScalar(byte)))\"" : "byte 0x" + String(byte, radix: 16)
    return JSONSyntaxError(problem: "found \(found) where \(expected) is due", byte: position)
  }

  package mutating func expect(
    _ byte: UInt8, _ expected: @autoclosure () -> String
  ) throws(JSONSyntaxError) {
    guard take(byte) else { throw unexpected(expected()) }
  }

  /// Throws unless only white space follows.
  package mutating func expectEnd() throws(JSONSyntaxError) {
    skipWhitespace()
    guard position == bytes.count else { throw unexpected("the end of the text") }
  }

  /// Steps to the next element of an array or object whose opening bracket was taken; false at its
  /// end.
  @inlinable
  package mutating func next(isFirst: inout Bool, closing: UInt8) throws(JSONSyntaxError) -> Bool {
    if take(closing) { return false }
    if isFirst {
      isFirst = false
    } else {
      guard take(UInt8(ascii: ",")) else {
        throw unexpected("\",\" or \"\(Character(UnicodeScalar(closing)))\"")
      }
      skipWhitespace()
      guard current != closing else { throw unexpected("a value after \",\"") }
    }
    return true
  }

  /// Consumes an object's key and the colon after it.
  package mutating func key() throws(JSONSyntaxError) -> String {
    skipWhitespace()
    guard current == UInt8(ascii: "\"") else { throw unexpected("a key in quotes") }
    let key = try string()
    try expect(UInt8(ascii: ":"), "\":\"")
    skipWhitespace()
    return key
  }

  /// Consumes any value without decoding it.
  package mutating func skipValue(depth: Int = 0) throws(JSONSyntaxError) {
    var nodes: [JSONNode]?
    try value(depth: depth, &nodes)
  }

  /// Consumes any value; records the positions of the value, its keys and nested values unless
  /// `nodes` is nil.
  mutating func value(depth: Int = 0, _ nodes: inout [JSONNode]?) throws(JSONSyntaxError) {
    guard depth < Self.maximumDepth else {
      throw JSONSyntaxError(
        problem: "values nest more than \(Self.maximumDepth) deep", byte: position)
    }
    skipWhitespace()
    let node = nodes?.count ?? 0
    nodes?.append(JSONNode(start: UInt32(truncatingIfNeeded: position), next: 0))
    switch current {
    case UInt8(ascii: "{"):
      position += 1
      var isFirst = true
      while try next(isFirst: &isFirst, closing: UInt8(ascii: "}")) {
        skipWhitespace()
        guard current == UInt8(ascii: "\"") else { throw unexpected("a key in quotes") }
        nodes?.append(JSONNode(start: UInt32(truncatingIfNeeded: position), next: JSONNode.key))
        _ = try scanString()
        try expect(UInt8(ascii: ":"), "\":\"")
        try value(depth: depth + 1, &nodes)
      }
    case UInt8(ascii: "["):
      position += 1
      var isFirst = true
      while try next(isFirst: &isFirst, closing: UInt8(ascii: "]")) {
        try value(depth: depth + 1, &nodes)
      }
    case UInt8(ascii: "\""): _ = try scanString()
    case UInt8(ascii: "t"): try literal("true")
    case UInt8(ascii: "f"): try literal("false")
    case UInt8(ascii: "n"): try literal("null")
    default:
      guard try number() != nil else { throw unexpected("a value") }
    }
    if let count = nodes?.count { nodes?[node].next = UInt32(truncatingIfNeeded: count) }
  }

  package mutating func literal(_ word: StaticString) throws(JSONSyntaxError) {
    let start = position
    for byte in word.description.utf8 {
      guard current == byte else {
        position = min(start, bytes.count)
        throw unexpected("a value")
      }
      position += 1
    }
  }

  /// Consumes `null` if it comes next.
  package mutating func takeNull() throws(JSONSyntaxError) -> Bool {
    skipWhitespace()
    guard current == UInt8(ascii: "n") else { return false }
    try literal("null")
    return true
  }
}

// MARK: Strings

extension JSONScanner {
  /// Consumes a quoted string.
  package mutating func string() throws(JSONSyntaxError) -> String {
    let start = position + 1
    guard try scanString() else {
      return String(decoding: bytes[start..<(position - 1)], as: UTF8.self)
    }
    return unescaped(start..<(position - 1))
  }

  /// Consumes a quoted string, checking every byte; returns whether it contains an escape.
  private mutating func scanString() throws(JSONSyntaxError) -> Bool {
    position += 1
    var hasEscape = false
    while true {
      guard position < bytes.count else {
        throw JSONSyntaxError(problem: "the text ends within a string", byte: position)
      }
      let byte = bytes[position]
      if byte == UInt8(ascii: "\"") {
        position += 1
        return hasEscape
      } else if byte == UInt8(ascii: "\\") {
        hasEscape = true
        try skipEscape()
      } else if byte >= 0x80 {
        try skipMultibyte()
      } else if byte < 0x20 {
        throw JSONSyntaxError(
          problem: "a control character in a string must be escaped", byte: position)
      } else {
        position += 1
      }
    }
  }

  /// Consumes one UTF-8 sequence of two to four bytes (The Unicode Standard, table 3-7).
  fileprivate mutating func skipMultibyte() throws(JSONSyntaxError) {
    let lead = bytes[position]
    let (count, second): (Int, ClosedRange<UInt8>) =
      switch lead {
      case 0xc2...0xdf: (2, 0x80...0xbf)
      case 0xe0: (3, 0xa0...0xbf)
      case 0xed: (3, 0x80...0x9f)
      case 0xe1...0xef: (3, 0x80...0xbf)
      case 0xf0: (4, 0x90...0xbf)
      case 0xf1...0xf3: (4, 0x80...0xbf)
      case 0xf4: (4, 0x80...0x8f)
      default: throw JSONSyntaxError(problem: "the text is not UTF-8", byte: position)
      }
    guard position + count <= bytes.count, second.contains(bytes[position + 1]),
      bytes[(position + 2)..<(position + count)].allSatisfy({ $0 & 0xc0 == 0x80 })
    else { throw JSONSyntaxError(problem: "the text is not UTF-8", byte: position) }
    position += count
  }

  private mutating func skipEscape() throws(JSONSyntaxError) {
    let start = position
    position += 1
    switch current {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"),
      UInt8(ascii: "f"), UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
      position += 1
    case UInt8(ascii: "u"):
      position += 1
      let unit = try hexadecimal(from: start)
      guard unit & 0xf800 == 0xd800 else { return }
      guard unit < 0xdc00, current == UInt8(ascii: "\\"), position + 1 < bytes.count,
        bytes[position + 1] == UInt8(ascii: "u")
      else { throw JSONSyntaxError(problem: "a lone surrogate in an escape", byte: start) }
      position += 2
      guard try hexadecimal(from: start) & 0xfc00 == 0xdc00 else {
        throw JSONSyntaxError(problem: "a lone surrogate in an escape", byte: start)
      }
    default: throw JSONSyntaxError(problem: "an escape that JSON does not have", byte: start)
    }
  }

  private mutating func hexadecimal(from start: Int) throws(JSONSyntaxError) -> UInt32 {
    var value: UInt32 = 0
    for _ in 0..<4 {
      guard let digit = Self.hexadecimalDigit(current) else {
        throw JSONSyntaxError(problem: "an escape without four hexadecimal digits", byte: start)
      }
      value = value << 4 | digit
      position += 1
    }
    return value
  }

  private static func hexadecimalDigit(_ byte: UInt8) -> UInt32? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(byte - UInt8(ascii: "0"))
    case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt32(byte - UInt8(ascii: "a") + 10)
    case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt32(byte - UInt8(ascii: "A") + 10)
    default: nil
    }
  }

  /// The text of a string that `scanString` has checked.
  private func unescaped(_ range: Range<Int>) -> String {
    var units: [UInt16] = []
    var text = ""
    var rest = bytes[range]
    func flush() {
      text += String(decoding: units, as: UTF16.self)
      units = []
    }
    while let escape = rest.firstIndex(of: UInt8(ascii: "\\")) {
      if escape > rest.startIndex { flush() }
      text += String(decoding: rest[..<escape], as: UTF8.self)
      let letter = rest[escape + 1]
      rest = rest[(escape + 2)...]
      switch letter {
      case UInt8(ascii: "b"): units.append(8)
      case UInt8(ascii: "f"): units.append(12)
      case UInt8(ascii: "n"): units.append(10)
      case UInt8(ascii: "r"): units.append(13)
      case UInt8(ascii: "t"): units.append(9)
      case UInt8(ascii: "u"):
        // Units are collected, so that a surrogate pair becomes one character.
        let unit = rest.prefix(4).reduce(0) { $0 << 4 | (Self.hexadecimalDigit($1) ?? 0) }
        units.append(UInt16(unit))
        rest = rest.dropFirst(4)
      default: units.append(UInt16(letter))
      }
    }
    flush()
    return text + String(decoding: rest, as: UTF8.self)
  }
}
