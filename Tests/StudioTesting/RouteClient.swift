public import HTTPTypes
public import Hummingbird
public import NIOCore
internal import NIOEmbedded
internal import Synchronization

/// Sends requests to what a server answers, without a socket.
///
/// HummingbirdTesting does the same, and has clients over sockets: with it come an HTTP client and
/// TLS, which took a third of a first build.
public struct RouteClient: Sendable {
  /// A response.
  public struct Answer: Sendable {
    /// Its status.
    public let status: HTTPResponse.Status
    /// Its header fields.
    public let headers: HTTPFields
    /// All of its body.
    public let body: ByteBuffer
  }

  private let respond: @Sendable (Request) async throws -> Response

  /// A client of `application`, which need not run.
  public init<Application: ApplicationProtocol>(_ application: Application) async throws {
    let responder = try await application.responder
    let logger = application.logger
    respond = { request in
      let channel = NIOAsyncTestingChannel()
      try await channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 80)).get()
      let context = Application.Responder.Context(
        source: ApplicationRequestContextSource(channel: channel, logger: logger))
      return try await responder.respond(to: request, context: context)
    }
  }

  /// Sends a request, and takes its answer to the end.
  ///
  /// - Parameters:
  ///   - uri: The path, and the query where there is one.
  ///   - method: The method.
  ///   - headers: All but the length of the body.
  ///   - body: What is sent, in parts as a network brings them; nil for nothing.
  /// - Returns: The response; status 500 for an error that nothing converted to one.
  /// - Throws: What stops the answer's body.
  public func execute(
    uri: String, method: HTTPRequest.Method, headers: HTTPFields = [:], body: ByteBuffer? = nil
  ) async throws -> Answer {
    var headers = headers
    if let body { headers[.contentLength] = String(body.readableBytes) }
    let (parts, source) = AsyncStream.makeStream(of: ByteBuffer.self)
    var rest = body ?? ByteBuffer()
    while let part = rest.readSlice(length: min(32 << 10, rest.readableBytes)),
      part.readableBytes > 0
    {
      source.yield(part)
    }
    source.finish()
    let request = Request(
      head: HTTPRequest(
        method: method, scheme: "http", authority: "localhost", path: uri, headerFields: headers),
      body: RequestBody(asyncSequence: parts))
    let response: Response
    do { response = try await respond(request) } catch {
      return Answer(status: .internalServerError, headers: [:], body: ByteBuffer())
    }
    let gathered = Gathered()
    try await response.body.write(Writer(gathered: gathered))
    return Answer(
      status: response.status, headers: response.headers, body: gathered.body.withLock { $0 })
  }

  /// The body of an answer so far.
  private final class Gathered: Sendable {
    let body = Mutex(ByteBuffer())
  }

  private struct Writer: ResponseBodyWriter {
    let gathered: Gathered

    func write(_ buffer: ByteBuffer) async throws {
      _ = gathered.body.withLock { $0.writeImmutableBuffer(buffer) }
    }

    func finish(_ trailingHeaders: HTTPFields?) async throws {}
  }
}
