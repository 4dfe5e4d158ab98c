/// A read position in the bytes of a file.
struct LineCursor {
  /// The index of the next byte, at most the number of bytes.
  private(set) var position: Int

  init(position: Int) { self.position = position }

  private static let zeros: UInt64 = 0x3030_3030_3030_3030
  private static let tops: UInt64 = 0x8080_8080_8080_8080
  private static let ones: UInt64 = 0x0101_0101_0101_0101

  /// Consumes `token` if it comes next, with at most one space before it.
  @inline(__always)
  mutating func take(_ token: StaticString, _ bytes: RawSpan) -> Bool {
    let start = Self.byte(bytes, position) == 0x20 ? position &+ 1 : position
    guard Self.matches(token, start, bytes) else { return false }
    position = start &+ token.utf8CodeUnitCount
    return true
  }

  /// Consumes exactly these bytes, at least one.
  @inline(__always)
  mutating func take(_ expected: [UInt8], _ bytes: RawSpan) -> Bool {
    guard !expected.isEmpty, position &+ expected.count <= bytes.byteCount else { return false }
    for index in expected.indices {
      guard Self.byte(bytes, position &+ index) == expected[index] else { return false }
    }
    position &+= expected.count
    return true
  }

  /// Consumes a string of printable ASCII characters without escapes; returns its range between the
  /// quotes.
  @inline(__always)
  mutating func text(_ bytes: RawSpan) -> Range<Int>? {
    guard take("\"", bytes) else { return nil }
    let start = position
    var end = start
    while let word = Self.word(bytes, end) {
      let quotes = word ^ (Self.ones &* 0x22)
      let escapes = word ^ (Self.ones &* 0x5c)
      // The lowest top bit set is that of a byte that is 0 in `quotes` or `escapes`, below 0x20 or
      // above 0x7f: a subtraction borrows only from higher bytes.
      let found =
        ((quotes &- Self.ones) & ~quotes | (escapes &- Self.ones) & ~escapes
          | (word &- Self.ones &* 0x20) & ~word | word) & Self.tops
      if found != 0 {
        end &+= found.trailingZeroBitCount &>> 3
        guard Self.byte(bytes, end) == 0x22 else { return nil }
        position = end &+ 1
        return start..<end
      }
      end &+= 8
    }
    return nil
  }

  /// Consumes any string; returns its range between the quotes.
  mutating func anyText(_ bytes: RawSpan) -> Range<Int>? {
    guard take("\"", bytes) else { return nil }
    let start = position
    while position < bytes.byteCount {
      let byte = Self.byte(bytes, position)
      position += 1
      if byte == 0x22 { return start..<(position - 1) }
      guard byte >= 0x20 else { return nil }
      // An escaped quote does not end the string.
      if byte == 0x5c { position += 1 }
    }
    return nil
  }

  /// The bytes of a string's content in `range`, with its quotes.
  static func quoted(_ range: Range<Int>, _ bytes: RawSpan) -> [UInt8] {
    ((range.lowerBound - 1)..<(range.upperBound + 1)).map { byte(bytes, $0) }
  }

  /// Consumes a number and the "," or closing bracket after it; `isLast` if it was the bracket.
  @inline(__always)
  mutating func number(
    _ bytes: RawSpan, closing: UInt8 = UInt8(ascii: "]")
  ) -> (value: Double, isLast: Bool)? {
    guard let digits = Digits(bytes, position) else { return decimal(bytes, closing) }
    let isLast = digits.next == closing
    guard isLast || digits.next == UInt8(ascii: ",") else { return decimal(bytes, closing) }
    position &+= digits.count &+ 1
    return (Double(digits.value), isLast)
  }

  /// A number that begins with a sign or a space, or has a point.
  private mutating func decimal(
    _ bytes: RawSpan, _ closing: UInt8
  ) -> (value: Double, isLast: Bool)? {
    var place = position
    if Self.byte(bytes, place) == 0x20 { place += 1 }
    let isNegative = Self.byte(bytes, place) == UInt8(ascii: "-")
    if isNegative { place += 1 }
    guard let whole = Digits(bytes, place) else { return nil }
    place += whole.count + 1
    var (value, next) = (Double(whole.value), whole.next)
    if next == UInt8(ascii: ".") {
      guard let fraction = Digits(bytes, place, isFraction: true) else { return nil }
      place += fraction.count + 1
      // Below 2^53 and a power of ten below 10^23: the quotient is rounded once, so it is the
      // nearest number.
      let power = Self.powersOfTen[fraction.count]
      value = Double(whole.value * Int64(power) + fraction.value) / power
      next = fraction.next
    }
    guard next == UInt8(ascii: ",") || next == closing else { return nil }
    position = place
    return (isNegative ? -value : value, next == closing)
  }

  private static let powersOfTen: [Double] = [1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7]

  /// One to seven digits, parsed in parallel within a word.
  private struct Digits {
    var value: Int64
    var count: Int
    /// The byte after them.
    var next: UInt8

    /// Nil for no digits, more than seven, or a leading 0 that JSON does not allow.
    @inline(__always)
    init?(_ bytes: RawSpan, _ position: Int, isFraction: Bool = false) {
      guard let word = LineCursor.word(bytes, position) else { return nil }
      let digits = word ^ LineCursor.zeros
      // A sum carries only into higher bytes, so the lowest top bit set is that of the first byte
      // above 9.
      let others = ((digits &+ LineCursor.ones &* 0x76) | digits) & LineCursor.tops
      guard others & ~0x80 != 0, others & 0x80 == 0 else { return nil }
      let bits = UInt64(truncatingIfNeeded: others.trailingZeroBitCount &- 7)
      count = Int(truncatingIfNeeded: bits &>> 3)
      guard isFraction || count == 1 || digits & 0xff != 0 else { return nil }
      next = UInt8(truncatingIfNeeded: word &>> bits)
      // Shifted so that the last digit is in the highest byte; then adjacent groups are combined
      // three times.
      var joined = digits &<< (64 &- bits)
      joined = (joined &* 2561) &>> 8 & 0x00ff_00ff_00ff_00ff
      joined = (joined &* 6_553_601) &>> 16 & 0x0000_ffff_0000_ffff
      value = Int64(truncatingIfNeeded: (joined &* 42_949_672_960_001) &>> 32)
    }
  }
}
