internal import Ink

extension Point {
  /// A coordinate or time from its decimal text; nil if the text is no such number.
  static func number(_ text: some StringProtocol) -> Double? {
    // Swift also reads hexadecimal numbers, "0x10".
    guard !text.utf8.contains(where: { $0 | 0x20 == UInt8(ascii: "x") }), let value = Double(text),
      readable.contains(value)
    else { return nil }
    return value
  }
}
