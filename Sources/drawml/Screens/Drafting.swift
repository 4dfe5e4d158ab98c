internal import Capture
internal import Remote

/// What drafts posts.
struct Drafting: Sendable {
  /// The text model and its server; nil where there are only examples.
  let model: (name: String, server: String)?
  /// Why there are only examples, and what to do; nil with a model.
  let reason: String?
  let generator: any PostGenerator

  /// Examples.
  init(examplesBecause reason: String) {
    (model, self.reason, generator) = (nil, reason, ExamplePostGenerator())
  }

  /// Drafts by a model.
  init(by model: TextModel) {
    self.model = (model.name, model.address.description)
    reason = nil
    generator = ModelPostGenerator { system, user in
      do { return try model.complete(system: system, user: user) } catch let error as TextModelError
      {
        throw PostError(error)
      }
    }
  }
}

extension PostError {
  /// The error of a text model, as users of drafts see it.
  fileprivate init(_ error: TextModelError) {
    self =
      switch error {
      case .status(401), .key: .invalidKey
      case .status(408), .slow: .timeout
      case .status(429): .tooManyRequests
      case .status(let code): .status(code)
      case .refused: .refused
      case .unreachable: .noNetwork
      case .notAsked(let why): .notAsked(why)
      case .answer(let why): .answer(why)
      }
  }
}
