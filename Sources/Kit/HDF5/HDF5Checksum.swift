internal import Files

/// The checksums of HDF5.
///
/// Newer structures have Bob Jenkins' "lookup3" (version 3.0 of the specification, appendix):
/// `hashlittle` with the initial value 0, of 2006, in the public domain. Chunks may have Fletcher's.
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

  /// The checksums that a filter may have stored behind `bytes`: Fletcher's of 32 bits ("An
  /// Arithmetic Checksum for Serial Transmissions", 1982, doi:10.1109/TCOM.1982.1095369) of
  /// big-endian words of 16 bits, the last of which may lack its low byte. HDF5 before 1.6.3 stored
  /// each half with its bytes exchanged.
  static func fletcher32(_ bytes: [UInt8]) -> [UInt32] {
    // Carries are added again. The sums of words other than 0 are 1 … 0xffff.
    func folded(_ sum: UInt32) -> UInt32 { (sum & 0xffff) + sum >> 16 }
    var (first, second): (UInt32, UInt32) = (0, 0)
    for start in stride(from: 0, to: bytes.count, by: 2) {
      let low = start + 1 < bytes.count ? UInt32(bytes[start + 1]) : 0
      first = folded(first + (UInt32(bytes[start]) << 8 | low))
      second = folded(second + first)
    }
    let sum = second << 16 | first
    return [sum, (sum & 0x00ff_00ff) << 8 | (sum >> 8) & 0x00ff_00ff]
  }
}
