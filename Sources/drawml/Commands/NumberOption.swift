internal import ArgumentParser

/// A number that an option can have.
protocol OptionNumber: Comparable, LosslessStringConvertible, Sendable {
  /// What the option asks for, in words.
  static var kind: String { get }
  /// The number as help and errors write it.
  var text: String { get }
}

extension OptionNumber where Self: FixedWidthInteger {
  static var kind: String { "a whole number" }
  var text: String { String(self) }
}

extension Int: OptionNumber {}
extension UInt64: OptionNumber {}

extension Double: OptionNumber {
  static var kind: String { "a number" }
  /// Without ".0" at the end of a whole number.
  var text: String { Int(exactly: self).map { String($0) } ?? String(self) }
}

extension ClosedRange where Bound == UInt64 {
  /// Every seed is as good as any other.
  static var seeds: Self { .min ... .max }
}

// Options with a number name its range: it stands in the help, and a value outside is refused while
// arguments are read, before any work. A test refuses numeric options that are declared otherwise.
extension Option where Value: OptionNumber {
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
  init<Number: OptionNumber>(
    name: NameSpecification = .long, help: ArgumentHelp, in range: ClosedRange<Number>
  ) where Value == Number? {
    self.init(name: name, help: help.with(range), transform: { try range.number($0) })
  }
}

extension ClosedRange where Bound: OptionNumber {
  /// "1 to 256".
  var text: String { "\(lowerBound.text) to \(upperBound.text)" }

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
  fileprivate func with(_ range: ClosedRange<some OptionNumber>) -> ArgumentHelp {
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
