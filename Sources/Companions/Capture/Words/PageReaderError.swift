public import Text

/// Why a picture of a page gives no text.
public enum PageReaderError: DescribedError, Equatable {
  /// It is not a picture, or a damaged one.
  case invalidImage(String)
  /// The recognizer failed, or found no text.
  case recognitionFailed(String)
  /// A text that names no language.
  case unknownLanguage(String)
  /// A language, by the recognizer's name, that is not installed.
  case missingLanguage(String)

  /// What to do, word for word as it was asked for.
  private static let remedy = "Try again with a clearer photo"

  /// One sentence for people: what, and what to do.
  public var description: String {
    switch self {
    case .invalidImage(let why): "\(why). \(Self.remedy)."
    case .recognitionFailed(let why): "\(why). \(Self.remedy)."
    case .unknownLanguage(let name):
      "“\(name)” is no language; name one by its code, such as en-US or de"
    case .missingLanguage(let code):
      "text in the language \(code) cannot be read here; install it with: apt-get install "
        + "tesseract-ocr-\(code.replacing("_", with: "-"))"
    }
  }
}
