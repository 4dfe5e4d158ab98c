internal import Ink

/// Reads the numbers of a table, whose decimals follow points or, in all of them, commas.
struct TableNumbers {
  let separator: Character
  private var hasPoints = false
  private var hasCommas = false

  init(separator: Character) { self.separator = separator }

  /// The number in a text.
  ///
  /// - Throws: `FormatFault` that says what is wrong with `name`.
  mutating func number(_ text: String, _ name: String) throws(FormatFault) -> Double {
    var text = text.trimmed
    let commas = text.utf8.count { $0 == UInt8(ascii: ",") }
    hasPoints = hasPoints || text.utf8.contains(UInt8(ascii: "."))
    if commas == 1 {
      hasCommas = true
      // Between commas, "1,000" in quotes may as well be a thousand.
      let decimals = text.utf8.reversed().prefix { $0 != UInt8(ascii: ",") }.count
      guard separator != "," || decimals != 3 else {
        throw FormatFault(
          "\(name) is \(text.prefix(40)), which may be thousands; write 1000 or 1.000")
      }
      text = text.replacing(",", with: ".")
    }
    guard !hasPoints || !hasCommas else {
      throw FormatFault(
        "some numbers have decimal commas, others points, such as \(name); use one of them")
    }
    guard let value = Point.number(text) else {
      throw FormatFault("\(name) is not a number from -1e100 to 1e100")
    }
    return value
  }

  /// Parses a number with a decimal point or comma; nil if `text` is not one.
  static func lenient(_ text: String) -> Double? {
    Point.number(text.trimmed.replacing(",", with: "."))
  }
}
