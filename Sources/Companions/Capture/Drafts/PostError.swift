public import Text

/// Why there are no drafts.
public enum PostError: DescribedError, Equatable {
  /// The key was refused (401).
  case invalidKey
  /// The server took too long (408, or no answer in time).
  case timeout
  /// Too many requests (429).
  case tooManyRequests
  /// The model's policy refuses the excerpt.
  case refused
  /// No connection.
  case noNetwork
  /// The model is not asked; the text says why.
  case notAsked(String)
  /// Another status.
  case status(Int)
  /// The answer is not what was asked for; the text says why.
  case answer(String)

  /// Whether the same request may succeed if the user sends it again.
  public var mayRetry: Bool {
    switch self {
    case .timeout, .tooManyRequests, .noNetwork, .answer: true
    case .status(let code): code >= 500
    case .invalidKey, .refused, .notAsked: false
    }
  }

  /// One sentence for people.
  public var description: String {
    switch self {
    case .invalidKey: "AI key invalid. Update in Settings."
    case .timeout: "The text model took too long. Try again."
    case .tooManyRequests: "The text model gets too many requests now. Wait a little, then retry."
    case .refused: "Excerpt could not be processed"
    case .noNetwork: "Check network and retry"
    case .notAsked(let why): "The text model was not asked: \(why)."
    case .status(let code): "The text model’s server answers \(code). Check its address, and retry."
    case .answer(let why): "The text model’s answer cannot be used: \(why). Retry."
    }
  }
}
