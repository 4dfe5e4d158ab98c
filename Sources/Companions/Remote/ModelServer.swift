internal import JSON
internal import Text

/// What can go wrong with the server of a model, whatever the model makes.
protocol ModelError: DescribedError {
  /// A key with characters that no header can have.
  static var key: Self { get }
  /// No answer in time.
  static var slow: Self { get }
  /// No connection, or one that ended early.
  static func unreachable(_ why: String) -> Self
  /// The server is one that is not asked, or there is no client.
  static func notAsked(_ why: String) -> Self
  /// The answer has more bytes than the limit.
  static func tooLarge(_ limit: Int) -> Self
}

extension ModelError {
  /// The error of a request to the server.
  fileprivate init(_ error: RemoteError) {
    self =
      switch error {
      case .slow, .silent: .slow
      case .unreachable, .cut: .unreachable("\(error)")
      case .tooLarge(_, let limit): .tooLarge(limit)
      default: .notAsked("\(error)")
      }
  }
}

/// The server of a model, and the key by which it knows the user.
struct ModelServer<Failure: ModelError>: Sendable {
  let address: RemoteAddress
  /// It goes to this server alone, and into no error.
  let key: String

  /// - Throws: `Failure.key` for a key that would add a header, or none.
  init(at address: RemoteAddress, key: String) throws(Failure) {
    guard !key.isEmpty, key.unicodeScalars.allSatisfy({ (0x21...0x7e).contains($0.value) }) else {
      throw .key
    }
    (self.address, self.key) = (address, key)
  }

  /// Sends JSON, once. Blocks its thread; cancelling its task ends it.
  ///
  /// - Parameters:
  ///   - body: What is sent.
  ///   - path: Where, below the server's address.
  ///   - query: Items of the address's query, which no error has.
  ///   - headers: Lines such as "Accept: */*", without line breaks.
  ///   - seconds: How long it may take.
  ///   - mostBytes: The most bytes of the answer.
  /// - Returns: The status of the answer, and its body.
  /// - Throws: `Failure`, or `CancellationError`.
  func post(
    _ body: some Encodable, to path: String, query: [(name: String, value: String)] = [],
    headers: [String] = [], seconds: Int, mostBytes: Int
  ) throws -> (status: Int, body: [UInt8]) {
    var limits = RemoteLimits()
    (limits.connectSeconds, limits.silenceSeconds, limits.seconds) = (seconds, seconds, seconds)
    (limits.fileBytes, limits.isPublic) = (mostBytes, true)
    do {
      return try address.post(
        Array(jsonText(body).utf8), to: path, query: query,
        headers: ["Content-Type: application/json"] + headers, limits: limits)
    } catch let error as RemoteError {
      throw Failure(error)
    }
  }
}
