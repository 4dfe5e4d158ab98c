internal import HTTPTypes
internal import Hummingbird
public import Recognition
internal import Workspace

/// An endpoint that a companion, such as the one that reads photos, adds to the API: for the owner
/// alone. The program brings companions to the studio, which imports none of them.
public struct CompanionEndpoint: Sendable {
  /// A method of HTTP.
  public enum Method: Sendable { case get, post, patch, delete }

  /// Where the handler runs.
  public enum Work: Sendable {
    /// With other requests: it takes milliseconds.
    case short
    /// One at a time: it calculates for seconds.
    case picture
    /// On a thread that may wait for another machine or a locked file.
    case waiting
  }

  /// A request.
  public struct Request: Sendable {
    /// The body; empty but for POST and PATCH.
    public var body: [UInt8]
    /// The value of the path's parameter; empty without one.
    public var name: String
    fileprivate let call: Call
    fileprivate let recognizers: Recognizers

    /// The recognizer of the model that the query names.
    ///
    /// - Throws: What the studio answers if there is no such model.
    public func recognizer() async throws -> Recognizer {
      guard let model = try call.query("model") else {
        throw StudioError.malformed("model is missing")
      }
      return try await recognizer(of: model)
    }

    /// The recognizer of a model.
    ///
    /// - Throws: What the studio answers if there is no such model.
    public func recognizer(of model: String) async throws -> Recognizer {
      try await recognizers.snapshot(of: model).recognizer
    }

    /// A parameter of the query; nil if it is not there.
    ///
    /// - Throws: What the studio answers to one that comes twice.
    public func query(_ name: String) throws -> String? { try call.query(name) }

    /// The body as JSON.
    ///
    /// - Throws: What the studio answers to another body.
    public func json<Value: Decodable>(_ type: Value.Type) throws -> Value {
      try JSONText.decode(type, from: body)
    }
  }

  /// What a request is answered with.
  public enum Answer: Sendable {
    case json(any Encodable & Sendable)
    /// A file; if it is final, the path never leads to another one, and browsers may keep it.
    case file([UInt8], type: String, isFinal: Bool = false)
    case nothing
  }

  /// Why a request fails.
  public struct Failure: Error {
    /// The status, 4xx or 5xx.
    public var status: Int
    /// A machine-readable code.
    public var code: String
    /// A sentence for people.
    public var message: String
    /// What is wrong.
    public var detail: String?

    /// A failure.
    public init(_ status: Int, _ code: String, _ message: String, detail: String? = nil) {
      (self.status, self.code, self.message, self.detail) = (status, code, message, detail)
    }
  }

  /// The method.
  public var method: Method
  /// The path below `/api`, with at most one name in braces.
  public var path: String
  /// The content types that its body may have.
  public var types: Set<String>
  /// The most bytes of its body.
  public var bodyBytes: Int
  /// Where the handler runs.
  public var work: Work
  /// Answers a request; throws a `Failure`, or what the studio's own calls throw.
  public var answer: @Sendable (Request) async throws -> Answer

  /// An endpoint; by default with JSON of at most 64 KB.
  public init(
    _ method: Method, _ path: String, types: Set<String> = ["application/json"],
    bodyBytes: Int = 64 << 10, work: Work = .short,
    answer: @escaping @Sendable (Request) async throws -> Answer
  ) {
    (self.method, self.path, self.types, self.bodyBytes) = (method, path, types, bodyBytes)
    (self.work, self.answer) = (work, answer)
  }
}

extension Studio {
  var companionEndpoints: [Endpoint] {
    companions.map { companion in
      let method: HTTPRequest.Method =
        switch companion.method {
        case .get: .get
        case .post: .post
        case .patch: .patch
        case .delete: .delete
        }
      let name = companion.path.firstMatch(of: /\{(\w+)\}/).map { String($0.1) }
      return Endpoint(method: method, path: companion.path, access: .owner) { call in
        var request = CompanionEndpoint.Request(
          body: [], name: try name.map(call.part) ?? "", call: call, recognizers: recognizers)
        if companion.method == .post || companion.method == .patch {
          request.body = try await call.request.bytes(
            upTo: companion.bodyBytes, of: companion.types,
            "The body must be of the content type \(companion.types.sorted().joined(separator: ", "))."
          )
        }
        return try await answer(to: request, by: companion)
      }
    }
  }

  private func answer(
    to request: CompanionEndpoint.Request, by companion: CompanionEndpoint
  ) async throws -> Response {
    let executor: (any TaskExecutor)? =
      switch companion.work {
      case .short: nil
      case .picture: pictures
      case .waiting: web
      }
    let answer: CompanionEndpoint.Answer
    do {
      let task = Task(executorPreference: executor) { try await companion.answer(request) }
      answer = try await withTaskCancellationHandler {
        try await task.value
      } onCancel: {
        task.cancel()
      }
    } catch let failure as CompanionEndpoint.Failure {
      throw StudioError(
        .init(code: failure.status), failure.code, failure.message, detail: failure.detail)
    }
    switch answer {
    case .json(let value): return try .json(value)
    case .file(let bytes, let type, let isFinal):
      var response = Response.bytes(bytes, of: type)
      if isFinal { response.headers[.cacheControl] = "private, max-age=86400, immutable" }
      return response
    case .nothing: return .empty
    }
  }
}
