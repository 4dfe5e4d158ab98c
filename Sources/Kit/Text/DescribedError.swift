public import Foundation

/// An error whose description tells people what is wrong, where, and what to do, also when
/// Foundation shows it.
public protocol DescribedError: LocalizedError, CustomStringConvertible, Sendable {}

extension DescribedError {
  /// The description.
  public var errorDescription: String? { description }
  /// Nil: the description says why.
  public var failureReason: String? { nil }
  /// Nil: the description says what to do.
  public var recoverySuggestion: String? { nil }
  /// Nil: the description is the only help.
  public var helpAnchor: String? { nil }
}
