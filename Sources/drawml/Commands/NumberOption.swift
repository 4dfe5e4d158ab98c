internal import ArgumentParser
internal import Support

extension ClosedRange where Bound == UInt64 {
  /// Every seed is as good as any other.
  static var seeds: Self { .min ... .max }
}

// Options with a number name its range: it stands in the help, and a value outside is refused while
// arguments are read, before any work. A test refuses numeric options that are declared otherwise.
extension Option where Value: WrittenNumber {
  /// An option with a number in a range, and what it is where it is not given.
  init(
    wrappedValue: Value, name: NameSpecification = .long, help: ArgumentHelp,
    in range: ClosedRange<Value>
  ) {
    precondition(range.contains(wrappedValue), "the default \(wrappedValue) is not in \(range)")
    self.init(
      wrappedValue: wrappedValue, name: name, help: help.with(range),
      transform: { try range.number($0) })
  }
}

extension Option {
  /// An option with a number in a range, which need not be given.
  init<Number: WrittenNumber>(
    name: NameSpecification = .long, help: ArgumentHelp, in range: ClosedRange<Number>
  ) where Value == Number? {
    self.init(name: name, help: help.with(range), transform: { try range.number($0) })
  }
}

extension ClosedRange where Bound: WrittenNumber {
  /// The number that is written in a text, if the range holds it.
  fileprivate func number(_ text: String) throws(OutOfRange) -> Bound {
    guard let number = Bound(text), contains(number) else {
      throw OutOfRange(description: "it must be \(Bound.kind) from \(self.text)")
    }
    return number
  }
}

extension ArgumentHelp {
  /// The help with a range at the end of its sentence.
  fileprivate func with(_ range: ClosedRange<some WrittenNumber>) -> ArgumentHelp {
    var help = self
    let isSentence = abstract.hasSuffix(".")
    let words = isSentence ? String(abstract.dropLast()) : abstract
    help.abstract = "\(words) (\(range.text))\(isSentence ? "." : "")"
    return help
  }
}

/// What is wrong with the number of an option; the argument parser says with which.
private struct OutOfRange: Error, CustomStringConvertible {
  let description: String
}
