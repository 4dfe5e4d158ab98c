public import Text

/// Why an image model gives no picture.
public enum ImageModelError: DescribedError, Equatable {
  /// The server's status, such as 500.
  case status(Int)
  /// The server does not take the key: 401, 403, or 400 with those words.
  case keyRefused(Int)
  /// The model's policy refuses the sketch, the prompt, or what became of them.
  case blocked
  /// No answer in time.
  case slow
  /// Two answers without a picture.
  case noPicture
  /// No connection, or one that ended early.
  case unreachable(String)
  /// The server is one that is not asked, or there is no client.
  case notAsked(String)
  /// The answer is not one of the protocol.
  case answer(String)
  /// The answer, or the picture in it, has more bytes than the limit.
  case tooLarge(Int)
  /// A key with characters that no header can have.
  case key
  /// A model's name with characters that would change the address.
  case name(String)

  /// One sentence for people; it never has the key.
  public var description: String {
    switch self {
    case .status(let code): "the image model's server answers \(code)"
    case .keyRefused(let code): "the image model's server refuses the key (\(code))"
    case .blocked: "the image model refuses to make a picture of this drawing"
    case .slow: "the image model took too long"
    case .noPicture: "the image model made no picture, also when asked once more"
    case .unreachable(let why), .notAsked(let why): why
    case .answer(let why): "the image model's answer is not one of its protocol: \(why)"
    case .tooLarge(let limit): "the image model's answer has more than \(limit >> 20) MB"
    case .key: "the key has spaces or control characters; take them out"
    case .name(let name):
      "“\(name.prefix(80).description.visible)” is no name of a model: these have letters, digits, "
        + "., - and _"
    }
  }
}

extension ImageModelError: ModelError {}
