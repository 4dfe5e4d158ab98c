/// The checksum of newer structures of HDF5 (version 3.0 of the specification, appendix): Bob
/// Jenkins' "lookup3", `hashlittle` with the initial value 0, of 2006, in the public domain.
enum HDF5Checksum {
  /// Whether the four bytes behind `range` are the checksum of the bytes in it.
  static func isRight(_ file: borrowing PinnedBytes, in range: Range<Int>) -> Bool {
    guard let sum = file.number(at: range.upperBound, width: 4) else { return false }
    return sum == UInt64(of(file.array(in: range)))
  }

  static func of(_ bytes: [UInt8]) -> UInt32 {
    func rotated(_ value: UInt32, _ count: UInt32) -> UInt32 {
      value << count | value >> (32 - count)
    }
    let start = 0xdead_beef &+ UInt32(truncatingIfNeeded: bytes.count)
    var (a, b, c) = (start, start, start)
    func word(_ position: Int) -> UInt32 {
      (0..<4).reduce(0) { word, index in
        let place = position + index
        return place < bytes.count ? word | UInt32(bytes[place]) << UInt32(8 * index) : word
      }
    }
    var position = 0
    while bytes.count - position > 12 {
      a = a &+ word(position)
      b = b &+ word(position + 4)
      c = c &+ word(position + 8)
      a = (a &- c) ^ rotated(c, 4)
      c = c &+ b
      b = (b &- a) ^ rotated(a, 6)
      a = a &+ c
      c = (c &- b) ^ rotated(b, 8)
      b = b &+ a
      a = (a &- c) ^ rotated(c, 16)
      c = c &+ b
      b = (b &- a) ^ rotated(a, 19)
      a = a &+ c
      c = (c &- b) ^ rotated(b, 4)
      b = b &+ a
      position += 12
    }
    guard position < bytes.count else { return c }
    a = a &+ word(position)
    b = b &+ word(position + 4)
    c = c &+ word(position + 8)
    c = (c ^ b) &- rotated(b, 14)
    a = (a ^ c) &- rotated(c, 11)
    b = (b ^ a) &- rotated(a, 25)
    c = (c ^ b) &- rotated(b, 16)
    a = (a ^ c) &- rotated(c, 4)
    b = (b ^ a) &- rotated(a, 14)
    c = (c ^ b) &- rotated(b, 24)
    return c
  }
}
