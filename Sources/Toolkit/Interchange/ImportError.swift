public import Text

/// Why another program's model cannot be read.
public enum ImportError: DescribedError, Equatable {
  /// The bytes violate the format.
  case malformed(String)
  /// The model is valid but has a feature that is not read here.
  case unsupported(String)

  /// The same error, located in a part of the model.
  func inside(_ part: String) -> ImportError {
    switch self {
    case .malformed(let what): .malformed("\(part): \(what)")
    case .unsupported(let what): .unsupported("\(part): \(what)")
    }
  }

  /// One sentence for users.
  public var description: String {
    switch self {
    case .malformed(let what): "the model is damaged: \(what)"
    case .unsupported(let what): "the model cannot be read: \(what)"
    }
  }
}
