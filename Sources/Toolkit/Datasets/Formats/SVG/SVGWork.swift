/// A bound for work that a small document can ask for again and again, such as copies of copies.
struct SVGWork {
  private var left: Int

  /// As much as a document of `byteCount` bytes may ask for: in units of about a byte read.
  init(byteCount: Int) { self.init(units: 1 << 24 + 16 * byteCount) }

  init(units: Int) { left = units }

  /// Counts work.
  ///
  /// - Throws: `FormatFault` if that is too much.
  mutating func spend(_ amount: Int) throws(FormatFault) {
    guard canSpend(amount) else {
      throw FormatFault(
        "its copies or its style sheet make it too large; save it as 'plain SVG' with clones "
          + "unlinked", isLimit: true)
    }
  }

  /// Counts work; false if that is too much.
  mutating func canSpend(_ amount: Int) -> Bool {
    left -= amount
    return left >= 0
  }
}
