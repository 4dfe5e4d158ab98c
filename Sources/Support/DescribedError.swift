public import Foundation

/// An error that says in its description what is wrong, where, and what to do: for people, also
/// where Foundation shows it.
public protocol DescribedError: LocalizedError, CustomStringConvertible, Sendable {}

extension DescribedError {
  /// The description.
  public var errorDescription: String? { description }
  /// Nil: the description says why.
  public var failureReason: String? { nil }
  /// Nil: the description says what to do.
  public var recoverySuggestion: String? { nil }
  /// Nil: there is no help besides the description.
  public var helpAnchor: String? { nil }
}
