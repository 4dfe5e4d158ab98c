/// A fuzzer's bytes as choices for how to change a valid input: each choice consumes some bytes;
/// when they run out, all choices are 0.
struct EditScript {
  private var bytes: ArraySlice<UInt8>

  init(_ bytes: [UInt8]) { self.bytes = bytes[...] }

  var isEmpty: Bool { bytes.isEmpty }

  mutating func byte() -> UInt8 { bytes.popFirst() ?? 0 }

  /// A number below `count`; 0 if `count` is 0.
  mutating func choice(_ count: Int) -> Int {
    guard count > 0 else { return 0 }
    return (Int(byte()) << 8 | Int(byte())) % count
  }

  /// Any eight bytes, or one of the numbers that programs stumble over.
  mutating func number() -> UInt64 {
    let special: [UInt64] = [
      0, 1, .max, 1 << 31, 1 << 32, 1 << 63, 0x7f80_0000, 0x7fc0_0000, 0x7ff8 << 48, 0x7ff0 << 48,
    ]
    let kind = Int(byte())
    if kind < special.count { return special[kind] }
    if kind < 128 { return UInt64(byte()) }
    return (0..<8).reduce(0) { number, _ in number << 8 | UInt64(byte()) }
  }

  /// At most `limit` bytes.
  mutating func text(_ limit: Int) -> [UInt8] {
    let taken = Array(bytes.prefix(min(limit, Int(byte()))))
    bytes = bytes.dropFirst(taken.count)
    return taken
  }
}
