public import Support

/// Why a Core ML model cannot be turned into a network.
public enum CoreMLError: DescribedError, Equatable {
  /// The bytes are not what the format says.
  case malformed(String)
  /// The model is sound but has something that a network of ours cannot do.
  case unsupported(String)

  /// The same about a part of the model.
  func inside(_ part: String) -> CoreMLError {
    switch self {
    case .malformed(let what): .malformed("\(part): \(what)")
    case .unsupported(let what): .unsupported("\(part): \(what)")
    }
  }

  /// One sentence for people.
  public var description: String {
    switch self {
    case .malformed(let what): "the Core ML model is damaged: \(what)"
    case .unsupported(let what): "the Core ML model cannot be read: \(what)"
    }
  }
}
