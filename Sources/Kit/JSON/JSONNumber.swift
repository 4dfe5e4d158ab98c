// Numbers make up most of a stroke file, so they have a fast path: whole numbers and short decimals
// are exact in one multiplication or division (Clinger, "How to read floating point numbers
// accurately", doi:10.1145/93542.93557); longer numbers go to the standard library.
extension JSONScanner {
  private static let powersOfTen: [Double] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
    1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
  ]

  /// Consumes the rest of an array of numbers whose opening bracket was taken.
  ///
  /// A loop in another module would call `number` and `take` for each number: only here does the
  /// compiler inline them.
  ///
  /// - Parameter values: Gets the numbers.
  /// - Throws: `JSONSyntaxError` for invalid JSON.
  /// - Returns: False if the value that comes next is not a number, or not in `numbers`.
  package mutating func numbers(into values: inout [Double]) throws(JSONSyntaxError) -> Bool {
    values.removeAll(keepingCapacity: true)
    if take(UInt8(ascii: "]")) { return true }
    let range = Self.numbers
    repeat {
      if current <= 0x20 { skipWhitespace() }
      let start = position
      guard let value = try number(), range.contains(value) else {
        position = start
        return false
      }
      values.append(value)
    } while take(UInt8(ascii: ","))
    try expect(UInt8(ascii: "]"), "\",\" or \"]\"")
    return true
  }

  /// Consumes a number, which is infinite if it is out of range; nil, consuming nothing, if
  /// something else comes next.
  @inline(__always)
  package mutating func number() throws(JSONSyntaxError) -> Double? {
    let start = position
    let isNegative = current == UInt8(ascii: "-")
    var index = isNegative ? start + 1 : start
    let firstDigit = index
    var mantissa: UInt64 = 0
    while index < bytes.count {
      let digit = bytes[index] &- UInt8(ascii: "0")
      guard digit < 10 else { break }
      mantissa = mantissa &* 10 &+ UInt64(digit)
      index += 1
    }
    let digits = index - firstDigit
    guard digits > 0 else { return nil }
    guard digits == 1 || bytes[firstDigit] != UInt8(ascii: "0") else {
      throw JSONSyntaxError(problem: "a number starts with 0", byte: start)
    }
    let next = index < bytes.count ? bytes[index] : 0
    if digits < 16, next != UInt8(ascii: "."), next | 0x20 != UInt8(ascii: "e") {
      position = index
      return isNegative ? -Double(mantissa) : Double(mantissa)
    }
    return try decimal(start: start, end: index, digits: digits, mantissa: mantissa)
  }

  /// Consumes the rest of a number after its integer part.
  private mutating func decimal(
    start: Int, end: Int, digits wholeDigits: Int, mantissa whole: UInt64
  ) throws(JSONSyntaxError) -> Double {
    var (index, digits, mantissa, exponent) = (end, wholeDigits, whole, 0)
    if index < bytes.count, bytes[index] == UInt8(ascii: ".") {
      index += 1
      let first = index
      while index < bytes.count {
        let digit = bytes[index] &- UInt8(ascii: "0")
        guard digit < 10 else { break }
        mantissa = mantissa &* 10 &+ UInt64(digit)
        index += 1
      }
      guard index > first else {
        throw JSONSyntaxError(problem: "a number ends in \".\"", byte: start)
      }
      digits += index - first
      exponent = first - index
    }
    if index < bytes.count, bytes[index] | 0x20 == UInt8(ascii: "e") {
      index += 1
      var isNegative = false
      if index < bytes.count,
        bytes[index] == UInt8(ascii: "-") || bytes[index] == UInt8(ascii: "+")
      {
        isNegative = bytes[index] == UInt8(ascii: "-")
        index += 1
      }
      let first = index
      var value = 0
      while index < bytes.count {
        let digit = bytes[index] &- UInt8(ascii: "0")
        guard digit < 10 else { break }
        value = min(value * 10 + Int(digit), 100_000)
        index += 1
      }
      guard index > first else {
        throw JSONSyntaxError(problem: "a number ends in its exponent's mark", byte: start)
      }
      exponent += isNegative ? -value : value
    }
    position = index
    guard digits < 16, (-22...22).contains(exponent) else {
      // The grammar was checked above, so this reads it; out of range it gives infinity.
      return Double(String(decoding: bytes[start..<index], as: UTF8.self)) ?? .infinity
    }
    let magnitude =
      exponent < 0
      ? Double(mantissa) / Self.powersOfTen[-exponent]
      : Double(mantissa) * Self.powersOfTen[exponent]
    return bytes[start] == UInt8(ascii: "-") ? -magnitude : magnitude
  }
}
