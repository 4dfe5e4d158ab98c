/// Finds the empty line that ends the head of a request. Empty lines before it don't count
/// (RFC 9112, section 2.2).
struct HeadEnd {
  private var hasBegun = false
  /// How many bytes of the end the last bytes matched.
  private var matched = 0
  private static let end = Array("\r\n\r\n".utf8)

  /// How many of the next bytes belong to the head, if it ends within them; nil if it continues.
  mutating func length(in bytes: some Collection<UInt8>) -> Int? {
    for (index, byte) in bytes.enumerated() {
      let isLineEnd = byte == Self.end[0] || byte == Self.end[1]
      hasBegun = hasBegun || !isLineEnd
      guard hasBegun else { continue }
      matched = byte == Self.end[matched] ? matched + 1 : byte == Self.end[0] ? 1 : 0
      if matched == Self.end.count { return index + 1 }
    }
    return nil
  }
}
