internal import Ink

extension Point {
  /// The coordinate or time that a text stands for, a decimal number; nil for any other text.
  static func number(_ text: some StringProtocol) -> Double? {
    // Swift also reads hexadecimal numbers, "0x10".
    guard !text.contains(where: { $0 == "x" || $0 == "X" }), let value = Double(text),
      readable.contains(value)
    else { return nil }
    return value
  }
}
