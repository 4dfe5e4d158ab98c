public import Support

/// Why a Core ML model cannot be turned into a network.
public enum CoreMLError: DescribedError, Equatable {
  /// The bytes violate the format.
  case malformed(String)
  /// The model is valid but has a feature that a `Network` does not support.
  case unsupported(String)

  /// The same error, located in a part of the model.
  func inside(_ part: String) -> CoreMLError {
    switch self {
    case .malformed(let what): .malformed("\(part): \(what)")
    case .unsupported(let what): .unsupported("\(part): \(what)")
    }
  }

  /// One sentence for users.
  public var description: String {
    switch self {
    case .malformed(let what): "the Core ML model is damaged: \(what)"
    case .unsupported(let what): "the Core ML model cannot be read: \(what)"
    }
  }
}
