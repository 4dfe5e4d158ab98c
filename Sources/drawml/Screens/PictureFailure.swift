internal import Artwork
internal import Remote
internal import Text
internal import Workspace

/// Why there is no picture of a sketch, for the command and the studio.
struct PictureFailure: DescribedError, Equatable {
  /// For whoever draws, such as a child.
  let message: String
  /// What happened, and what to do about it, for whoever set it up.
  let detail: String
  /// Whether the same request may succeed if the user sends it again.
  let mayRetry: Bool

  /// One line for people.
  var description: String { "\(message) \(detail)" }

  private static let oops = "Oops! The magic didn't work. Try again?"

  /// The error of an image model.
  init(_ error: ImageModelError) {
    message = error == .blocked ? "Let's try a different drawing!" : Self.oops
    let (mayRetry, advice): (Bool, String?) =
      switch error {
      case .status(429): (true, "It gets too many requests now: wait a minute.")
      case .status(408), .status(500...), .slow, .noPicture, .unreachable, .answer, .tooLarge:
        (true, nil)
      case .status: (false, "Check --gemini-model and --gemini-server.")
      case .keyRefused, .key: (false, ImageModelOptions.key.advice)
      case .blocked, .notAsked, .name: (false, nil)
      }
    self.mayRetry = mayRetry
    detail = [error.description.sentence, advice].compactMap(\.self).joined(separator: " ")
  }

  /// What the model sent cannot be read.
  init(_ error: RGBPicture.Unreadable) {
    (message, mayRetry) = (Self.oops, true)
    detail = "What the image model sent is not a picture that DrawML reads: \(error)".sentence
  }

  /// There is no model.
  init(notAskedBecause reason: String) {
    (message, detail, mayRetry) = (Self.oops, reason, false)
  }
}
