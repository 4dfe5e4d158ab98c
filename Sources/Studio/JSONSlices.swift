/// Finds where the values of JSON text begin and end, without reading them: so each drawing of a
/// list can be given to the reader of strokes, which says what is wrong with it better than anyone
/// else.
///
/// Whether the values are JSON is for their readers to say.
struct JSONSlices {
  private let bytes: [UInt8]
  private var position: Int
  private let end: Int

  private init(_ bytes: [UInt8], in range: Range<Int>) {
    (self.bytes, position, end) = (bytes, range.lowerBound, range.upperBound)
  }

  /// The values of an object by their keys (the last of equal ones); nil where the text is no
  /// object.
  static func members(of bytes: [UInt8]) -> [String: Range<Int>]? {
    var slices = JSONSlices(bytes, in: bytes.indices)
    var members: [String: Range<Int>] = [:]
    let isWhole = slices.list(from: "{", to: "}") { slices in
      guard let key = slices.value(), bytes[key.lowerBound] == UInt8(ascii: "\""),
        slices.take(":"), let value = slices.value()
      else { return false }
      // Keys of the interface hold no escapes.
      members[String(decoding: bytes[key.dropFirst().dropLast()], as: UTF8.self)] = value
      return true
    }
    return isWhole && slices.isAtEnd ? members : nil
  }

  /// The values of an array; nil where the text in `range` is none.
  static func elements(of bytes: [UInt8], in range: Range<Int>) -> [Range<Int>]? {
    var slices = JSONSlices(bytes, in: range)
    var elements: [Range<Int>] = []
    let isWhole = slices.list(from: "[", to: "]") { slices in
      guard let value = slices.value() else { return false }
      elements.append(value)
      return true
    }
    return isWhole && slices.isAtEnd ? elements : nil
  }

  private mutating func list(
    from opening: Unicode.Scalar, to closing: Unicode.Scalar,
    _ element: (inout JSONSlices) -> Bool
  ) -> Bool {
    guard take(opening) else { return false }
    if take(closing) { return true }
    repeat {
      guard element(&self) else { return false }
    } while take(",")
    return take(closing)
  }

  private var isAtEnd: Bool {
    mutating get {
      skipWhitespace()
      return position == end
    }
  }

  private mutating func skipWhitespace() {
    while position < end, [0x20, 0x09, 0x0a, 0x0d].contains(bytes[position]) { position += 1 }
  }

  private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
    skipWhitespace()
    guard position < end, bytes[position] == UInt8(ascii: scalar) else { return false }
    position += 1
    return true
  }

  /// Steps over a value, up to the comma or bracket behind it; nil for none.
  private mutating func value() -> Range<Int>? {
    skipWhitespace()
    let start = position
    var depth = 0
    var isInString = false
    while position < end {
      let byte = bytes[position]
      if isInString {
        if byte == UInt8(ascii: "\\") {
          position += 1
        } else if byte == UInt8(ascii: "\"") {
          isInString = false
        }
      } else {
        switch byte {
        case UInt8(ascii: "\""): isInString = true
        case UInt8(ascii: "["), UInt8(ascii: "{"): depth += 1
        case UInt8(ascii: "]"), UInt8(ascii: "}"):
          if depth == 0 { return position > start ? start..<position : nil }
          depth -= 1
        case UInt8(ascii: ","), UInt8(ascii: ":"):
          if depth == 0 { return position > start ? start..<position : nil }
        default: break
        }
      }
      position += 1
    }
    // An escape may have led beyond the end.
    position = min(position, end)
    return depth == 0 && !isInString && position > start ? start..<position : nil
  }
}
