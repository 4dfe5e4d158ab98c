internal import ArgumentParser
internal import Capture
internal import Files
internal import Foundation
internal import Remote
internal import Text

/// The text model that drafts posts.
struct TextModelOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "With --allow openai: a file whose first line is the key of the text model.",
      discussion: """
        Only you may read it (chmod 600). The environment variable \(Self.variable) is another place \
        for the key.
        """))
  var openaiKeyFile: String?
  @Option(help: "With --allow openai: the server, which speaks OpenAI's protocol.")
  var openaiServer = "https://api.openai.com"
  @Option(help: "With --allow openai: the model's name.")
  var openaiModel = "gpt-4o-mini"

  /// The environment variable of the key.
  static let variable = "DRAWML_OPENAI_KEY"
  /// Where another key is given.
  static let keyAdvice =
    "The key is in \(variable) or in the file of --openai-key-file; start again with another one."

  /// What drafts posts: the text model, or examples without a permit or a key.
  ///
  /// - Throws: `FileError` for the file of the key, `ValidationError` for a wrong address or key.
  func drafting(permits: PermitOptions) throws -> Drafting {
    guard permits.permits.contains(.openai) else {
      return Drafting(examplesBecause: "Add --allow openai, and a text model writes them.")
    }
    guard let key = try key() else {
      return Drafting(
        examplesBecause: "Put the text model’s key into \(Self.variable), or name its file with "
          + "--openai-key-file.")
    }
    do {
      return Drafting(
        by: try TextModel(at: RemoteAddress(openaiServer), key: key, name: openaiModel))
    } catch { throw ValidationError("\(error)") }
  }

  private func key() throws(FileError) -> String? {
    guard let path = openaiKeyFile else {
      return ProcessInfo.processInfo.environment[Self.variable].flatMap { $0.isEmpty ? nil : $0 }
    }
    let file = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
    let attributes = try? FileManager.default.attributesOfItem(atPath: file)
    if let mode = attributes?[.posixPermissions] as? Int, mode & 0o077 != 0 {
      throw FileError(
        reading: path, "others may read the key in it; run: chmod 600 \(path.shellWord)")
    }
    var lines = try LineReader(path: path, limit: 1 << 12)
    let key = String(decoding: try lines.next() ?? [], as: UTF8.self)
      .trimmingCharacters(in: .whitespacesAndNewlines)
    guard !key.isEmpty else { throw FileError(reading: path, "its first line, the key, is empty") }
    return key
  }
}

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
