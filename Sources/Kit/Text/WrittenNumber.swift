/// A number that people write in options and files, and its form in help and errors.
package protocol WrittenNumber: Comparable, LosslessStringConvertible, Sendable {
  /// The kind of number in words, such as "a whole number".
  static var kind: String { get }
  /// The number in digits.
  var text: String { get }
}

extension WrittenNumber where Self: FixedWidthInteger {
  package static var kind: String { "a whole number" }
  package var text: String { String(self) }
}

extension Int: WrittenNumber {}
extension UInt64: WrittenNumber {}

extension Double: WrittenNumber {
  package static var kind: String { "a number" }
  /// Without ".0" at the end of a whole number.
  package var text: String { Int(exactly: self).map { String($0) } ?? String(self) }
}

extension ClosedRange where Bound: WrittenNumber {
  /// "1 to 256".
  package var text: String { "\(lowerBound.text) to \(upperBound.text)" }
}

/// The first names as part of a sentence, such as "a, b, c and 5 more"; "none" if there are no
/// names.
package func listed(_ names: [String], first count: Int = 12) -> String {
  guard !names.isEmpty else { return "none" }
  let (first, rest) = (names.prefix(count).joined(separator: ", "), names.count - count)
  return rest > 0 ? "\(first) and \(grouped(rest)) more" : first
}

/// "12,685" for 12685.
package func grouped(_ number: Int) -> String {
  let digits = Array(String(abs(number)))
  var text = ""
  for (index, digit) in digits.enumerated() {
    if index > 0, (digits.count - index) % 3 == 0 { text += "," }
    text.append(digit)
  }
  return (number < 0 ? "-" : "") + text
}
