public import Support

/// Why a recognizer cannot be exported.
public enum ExportError: DescribedError, Equatable {
  /// The model has no labels, and so no answers.
  case nothingTaught
  /// The model's layers have no counterpart in the format.
  case unsupportedLayer(String)
  /// No network of the model sees only ink.
  case noImage(networks: [String])
  /// The test vectors of so many drawings have too many numbers.
  case tooManyVectors(drawings: Int, most: Int)

  /// One sentence for users.
  public var description: String {
    switch self {
    case .nothingTaught: "the model was taught no label yet, so there is nothing to classify by"
    case .unsupportedLayer(let kind): "the format has no layer like the model's \(kind)"
    case .noImage(let networks):
      """
      an image is not enough for this model: its networks see \
      \(networks.joined(separator: " and ")); a model trained without --base sees ink alone
      """
    case .tooManyVectors(let drawings, let most):
      "test vectors of \(drawings) drawings are too much for this model; name at most \(most)"
    }
  }
}
