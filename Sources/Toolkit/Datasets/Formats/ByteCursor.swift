/// Reads little-endian numbers from bytes, one after the other.
struct ByteCursor {
  private let bytes: [UInt8]
  /// The offset of the next number, counted from 0.
  private(set) var offset = 0

  /// Begins at `offset`, or at the end if there are fewer bytes.
  init(_ bytes: [UInt8], at offset: Int = 0) {
    self.bytes = bytes
    self.offset = min(offset, bytes.count)
  }

  var isAtEnd: Bool { offset == bytes.count }

  /// The number of bytes left.
  var remaining: Int { bytes.count - offset }

  /// The next number, or nil, without moving the cursor, if too few bytes are left.
  mutating func next<Number: FixedWidthInteger>(_ type: Number.Type = Number.self) -> Number? {
    let width = Number.bitWidth / 8
    guard remaining >= width else { return nil }
    var number: Number = 0
    for index in (offset..<(offset + width)).reversed() {
      number =
        width == 1 ? Number(truncatingIfNeeded: bytes[index]) : number << 8 | Number(bytes[index])
    }
    offset += width
    return number
  }

  /// The next `count` bytes, or nil, without moving the cursor, if fewer are left.
  mutating func next(_ count: Int) -> ArraySlice<UInt8>? {
    guard count >= 0, remaining >= count else { return nil }
    defer { offset += count }
    return bytes[offset..<(offset + count)]
  }

  /// Skips the rest.
  mutating func skipToEnd() {
    offset = bytes.count
  }
}
