internal import JSON
public import Text

/// Why a text model gives no text.
public enum TextModelError: DescribedError, Equatable {
  /// The server's status, such as 401 for a wrong key.
  case status(Int)
  /// The model's policy refuses the request.
  case refused
  /// No answer in time.
  case slow
  /// No connection.
  case unreachable(String)
  /// The server is one that is not asked, or there is no client.
  case notAsked(String)
  /// The answer is not one of the protocol.
  case answer(String)
  /// A key with characters that no header can have.
  case key

  /// One sentence for people.
  public var description: String {
    switch self {
    case .status(let code): "the text model's server answers \(code)"
    case .refused: "the text model refuses the text"
    case .slow: "the text model took too long"
    case .unreachable(let why), .notAsked(let why): why
    case .answer(let why): "the text model's answer is not one of its protocol: \(why)"
    case .key: "the key has spaces or control characters; take them out"
    }
  }
}

extension TextModelError: ModelError {
  static func tooLarge(_ limit: Int) -> Self { .answer("it has more than \(limit >> 20) MB") }
}

/// A model of text behind an address that speaks OpenAI's protocol of chat completions (POST
/// /v1/chat/completions).
///
/// Source: OpenAI, API reference, "Create chat completion".
public struct TextModel: Sendable {
  /// Where the server is, such as "https://api.openai.com".
  public var address: RemoteAddress { server.address }
  /// The model's name.
  public let name: String
  private let server: ModelServer<TextModelError>

  /// The most bytes of an answer.
  private static let mostBytes = 1 << 20

  /// A model.
  ///
  /// - Parameters:
  ///   - address: Where the server is.
  ///   - key: What the server knows the user by; it goes to this server alone.
  ///   - name: The model's name.
  /// - Throws: `TextModelError.key`.
  public init(
    at address: RemoteAddress, key: String, name: String = "gpt-4o-mini"
  ) throws(TextModelError) {
    server = try ModelServer(at: address, key: key)
    self.name = name
  }

  private struct Request: Encodable {
    struct Message: Encodable {
      var role: String
      var content: String
    }
    struct Format: Encodable {
      var type = "json_object"
    }

    var model: String
    var messages: [Message]
    var temperature = 0.8
    var topP = 0.9
    var maxTokens = 1600
    var responseFormat = Format()

    enum CodingKeys: String, CodingKey {
      case model, messages, temperature
      case topP = "top_p"
      case maxTokens = "max_tokens"
      case responseFormat = "response_format"
    }
  }

  private struct Answer: Decodable {
    struct Choice: Decodable {
      struct Message: Decodable {
        var content: String?
        var refusal: String?
      }
      var message: Message
      var finishReason: String?

      enum CodingKeys: String, CodingKey {
        case message
        case finishReason = "finish_reason"
      }
    }
    var choices: [Choice]
  }

  private struct Failure: Decodable {
    struct Problem: Decodable {
      var code: String?
    }
    var error: Problem
  }

  /// Asks the model, once. Blocks its thread; cancelling its task ends it.
  ///
  /// - Parameters:
  ///   - system: How it is to write.
  ///   - user: What it is to write.
  ///   - seconds: How long it may take.
  /// - Returns: The content of its answer.
  /// - Throws: `TextModelError`, or `CancellationError`.
  public func complete(system: String, user: String, seconds: Int = 8) throws -> String {
    let request = Request(
      model: name,
      messages: [
        .init(role: "system", content: system), .init(role: "user", content: user),
      ])
    let (status, body) = try server.post(
      request, to: "v1/chat/completions", headers: ["Authorization: Bearer \(server.key)"],
      seconds: seconds, mostBytes: Self.mostBytes)
    guard status == 200 else {
      let failure = try? JSONDocument(body).decode(Failure.self)
      let isRefused = ["content_policy_violation", "content_filter"].contains(failure?.error.code)
      throw isRefused ? TextModelError.refused : .status(status)
    }
    return try Self.content(of: body)
  }

  private static func content(of body: [UInt8]) throws(TextModelError) -> String {
    let answer: Answer
    do { answer = try JSONDocument(body).decode(Answer.self) } catch { throw .answer("\(error)") }
    guard let choice = answer.choices.first else { throw .answer("it has no choice") }
    if choice.finishReason == "content_filter" || choice.message.refusal != nil { throw .refused }
    guard let content = choice.message.content else { throw .answer("it has no content") }
    return content
  }
}
