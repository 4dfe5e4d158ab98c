internal import ArgumentParser
internal import Text

extension ClosedRange where Bound == UInt64 {
  /// The range of seeds: all values.
  static var seeds: Self { .min ... .max }
}

// Numeric options declare a range: it is shown in the help, and a value outside is refused while
// arguments are parsed. A test fails for numeric options declared otherwise.
extension Option where Value: WrittenNumber {
  /// An option with a number in a range and a default value.
  init(
    wrappedValue: Value, name: NameSpecification = .long, help: ArgumentHelp,
    in range: ClosedRange<Value>
  ) {
    precondition(range.contains(wrappedValue), "the default \(wrappedValue) is not in \(range)")
    self.init(
      wrappedValue: wrappedValue, name: name,
      help: help.with(range, default: "\(wrappedValue)"),
      transform: { try range.number($0) })
  }
}

extension Option {
  /// An optional option with a number in a range.
  init<Number: WrittenNumber>(
    name: NameSpecification = .long, help: ArgumentHelp, in range: ClosedRange<Number>
  ) where Value == Number? {
    self.init(name: name, help: help.with(range), transform: { try range.number($0) })
  }
}

extension ClosedRange where Bound: WrittenNumber {
  /// The number in a text; throws if it is not in the range.
  fileprivate func number(_ text: String) throws(OutOfRange) -> Bound {
    guard let number = Bound(text), contains(number) else {
      throw OutOfRange(description: "it must be \(Bound.kind) from \(self.text)")
    }
    return number
  }
}

extension ArgumentHelp {
  /// The help with a range at the end of its sentence, and the default value if there is one.
  fileprivate func with(
    _ range: ClosedRange<some WrittenNumber>, default value: String? = nil
  ) -> ArgumentHelp {
    var help = self
    let isSentence = abstract.hasSuffix(".")
    let words = isSentence ? String(abstract.dropLast()) : abstract
    let standard = value.map { "; default: \($0)" } ?? ""
    help.abstract = "\(words) (\(range.text)\(standard))\(isSentence ? "." : "")"
    return help
  }
}

/// The error for an option's number; the argument parser adds the option's name.
private struct OutOfRange: Error, CustomStringConvertible {
  let description: String
}
