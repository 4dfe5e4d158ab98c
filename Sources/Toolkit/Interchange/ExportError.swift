public import Text

/// Why a recognizer cannot be exported.
public enum ExportError: DescribedError, Equatable {
  /// The model has no labels, and so no answers.
  case nothingTaught
  /// The model's layers have no counterpart in the format.
  case unsupportedLayer(String)
  /// No network of the model sees only ink.
  case noImage(networks: [String])
  /// A web page of the model has too many bytes.
  case tooLarge(bytes: Int, most: Int)
  /// The test vectors would have too many numbers; of at most `most` drawings they would not.
  case tooManyVectors(drawings: Int, most: Int)

  /// One sentence for users.
  public var description: String {
    switch self {
    case .nothingTaught:
      "the model was taught no label yet; teach it first"
    case .unsupportedLayer(let kind): "the format has no layer like the model's \(kind)"
    case .noImage(let networks):
      """
      an image is not enough for this model: its networks see \
      \(networks.joined(separator: " and ")); a model trained without --base sees ink alone
      """
    case .tooLarge(let bytes, let most):
      """
      the page would have \(Self.megabytes(bytes)) MB, and \(Self.megabytes(most)) MB \
      is the most that is easily sent; train with the smaller models/base-slim.drawml, or, for a \
      model of nearest neighbors, with fewer drawings or another head
      """
    case .tooManyVectors(let drawings, let most):
      "test vectors of \(drawings) drawings are too much for this model; give at most \(most)"
    }
  }

  private static func megabytes(_ bytes: Int) -> String {
    "\((Double(bytes) / 1e5).rounded() / 10)"
  }
}
