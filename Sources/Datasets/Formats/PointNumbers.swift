internal import Ink

extension Point {
  /// The coordinate or time that a text stands for, a decimal number; nil for any other text.
  static func number(_ text: some StringProtocol) -> Double? {
    // Swift also reads hexadecimal numbers, "0x10".
    guard !text.utf8.contains(where: { $0 | 0x20 == UInt8(ascii: "x") }), let value = Double(text),
      readable.contains(value)
    else { return nil }
    return value
  }
}
