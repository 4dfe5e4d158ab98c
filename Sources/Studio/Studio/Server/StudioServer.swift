internal import Files
internal import Foundation
internal import HTTPTypes
package import Hummingbird
internal import HummingbirdCore
internal import Logging
internal import NIOCore
internal import ServiceLifecycle
public import Text
internal import UnixSignals
internal import Workspace

extension Studio {
  /// The server, which calls `running` with its URLs when it accepts requests.
  package func application(
    running: @escaping @Sendable (URLs) -> Void
  ) -> some ApplicationProtocol {
    StudioServer(
      responder: router.buildResponder(), address: address, limits: limits, logger: Self.logger,
      running: running)
  }

  /// Internal errors go to standard error; requests are not logged.
  private static let logger = Logger(label: "studio") { _ in ErrorLog() }

  /// Writes a message to standard error, for details that clients must not see.
  static func log(_ words: String) { logger.error("\(words)") }

  /// Serves until the task is canceled or the process gets SIGINT (Ctrl-C) or SIGTERM. Then streams
  /// and trainings end, and the playgrounds are saved.
  ///
  /// If something does not stop within some seconds, the process exits with code 1.
  ///
  /// - Parameter running: Called with the URLs for browsers when the server accepts requests.
  /// - Throws: `StartError` if it cannot listen.
  public func run(running: @escaping @Sendable (URLs) -> Void) async throws {
    try await serve(until: [.sigint, .sigterm], running: running) {
      Self.log(
        "Something took too long to stop; the studio ends without waiting. Saved work is kept.")
      _exit(EXIT_FAILURE)
    }
  }

  func serve(
    until signals: [UnixSignal], running: @escaping @Sendable (URLs) -> Void,
    forceExit: @escaping @Sendable () -> Void = {}
  ) async throws {
    PrivateTemporaryFolder.sweep()
    // Removes sheets of earlier lessons; if that fails, guests get an error when there are too
    // many.
    _ = try? await workspace.deleteOldestPlaygrounds(
      butFor: limits.guestPlaygrounds / 2, of: Visitor.isGuests)
    let timeout = ShutdownTimeout(within: limits.shutdownTimeout, forceExit: forceExit)
    let sources = timeout.begin(at: signals)
    defer {
      for source in sources { source.cancel() }
      timeout.end()
    }
    var configuration = ServiceGroupConfiguration(
      services: [application(running: running)], gracefulShutdownSignals: signals,
      logger: Self.logger)
    configuration.maximumGracefulShutdownDuration = .seconds(5)
    let group = ServiceGroup(configuration: configuration)
    // A separate task, so that cancellation shuts down as Ctrl-C does, not in the middle of a
    // response.
    let serving = Task { try await group.run() }
    let result: Result<Void, any Error>
    do {
      try await withTaskCancellationHandler {
        try await serving.value
      } onCancel: {
        timeout.begin()
        Task { await group.triggerGracefulShutdown() }
      }
      result = .success(())
    } catch let error as IOError {
      result = .failure(StartError(address: address, code: error.errnoCode))
    } catch is SocketAddressError.UnknownHost {
      result = .failure(StartError(address: address, code: EADDRNOTAVAIL))
    } catch {
      result = .failure(error)
    }
    await close()
    try result.get()
  }

  /// Why the studio cannot listen.
  public struct StartError: DescribedError, Equatable {
    /// The address to listen on.
    public var address: Address
    /// The system's error number (errno).
    public var code: Int32

    /// One or two sentences with the problem and the advice.
    public var description: String {
      switch code {
      case EADDRINUSE:
        "Port \(address.port) is in use, perhaps by another studio. Choose another one with "
          + "--port, or --port 0 for any free port."
      case EACCES:
        "Port \(address.port) is for the system’s own services. Choose one above 1023 with --port."
      case EADDRNOTAVAIL:
        "\(address.host) is not an address of this machine. Choose another --host: 127.0.0.1 for "
          + "this machine alone, 0.0.0.0 for other devices, too."
      default:
        "The studio cannot listen on \(address.host), port \(address.port): "
          + String(describing: POSIXErrorCode(rawValue: code).map { "\($0)" } ?? "error \(code)")
      }
    }
  }
}

/// The server: Hummingbird's `Application` without its timer that fires every second, so that an
/// idle studio does nothing.
struct StudioServer: ApplicationProtocol {
  let responder: RouterResponder<StudioContext>
  let address: Studio.Address
  let limits: StudioLimits
  let logger: Logger
  /// Called with the URLs for browsers.
  let running: @Sendable (Studio.URLs) -> Void

  /// Serves until it is shut down.
  func run() async throws {
    // Idle connections would use up the limit. The idle timer does not run during event streams,
    // and stops with the connection.
    let idle = TimeAmount(limits.idleTime)
    let connections = OpenConnections(
      limit: limits.connections, share: limits.connectionsPerMachine,
      perSecond: address.identity == nil
        ? limits.newConnectionsPerMachine : limits.newConnectionsPerMachineWithTLS,
      isThisMachine: limits.isThisMachine)
    let configuration = HTTP1Channel.Configuration(
      additionalChannelHandlers: [ParsedRequests()], idleTimeout: idle,
      httpDecoderConfiguration: .init(
        maxHeaderFieldSize: 16 << 10, maxHeaderListSize: 32 << 10, maxHeaderFieldCount: 100))
    let builder = HTTPServerBuilder { [address, limits] responder in
      StudioChannel(
        http: HTTP1Channel(responder: responder, configuration: configuration),
        identity: address.identity, connections: connections,
        lingerTime: TimeAmount(limits.lingerTime))
    }
    let server = try builder.buildServer(
      configuration: .init(
        address: .hostname(address.host, port: address.port),
        backlog: limits.backlog,
        // Some more, since those that are closed for others take a moment.
        availableConnectionsDelegate: MaximumAvailableConnections(limits.connections + 64)),
      eventLoopGroup: eventLoopGroup, logger: logger
    ) { [responder, logger] request, writer, channel in
      let context = StudioContext(source: .init(channel: channel, logger: logger))
      var response = try await responder.respond(to: request, context: context)
      response.headers[.date] = Date.now.httpDate
      try await writer.write(response: response.head, body: response.body)
      // Requests that were sent at once must not keep a thread from those of other clients.
      await Task.yield()
    } onServerRunning: { [address, running] channel in
      // With fewer at a time, the owner would wait for more turns of busy connections. Both fail
      // only if the server has ended.
      try? await channel.setOption(.maxMessagesPerRead, value: 256)
      try? await channel.eventLoop.submit {
        try channel.pipeline.syncOperations.addHandler(AcceptGuard(connections), position: .first)
      }.get()
      running(address.urls(port: channel.localAddress?.port ?? address.port))
    }
    try await server.run()
  }
}

extension Date {
  /// The time in HTTP's format (RFC 9110, section 5.6.7), such as “Sun, 06 Nov 1994 08:49:37 GMT”.
  var httpDate: String {
    var seconds = time_t(timeIntervalSince1970.rounded(.down))
    var parts = unsafe tm()
    unsafe gmtime_r(&seconds, &parts)
    // Names are English, as the program sets no locale.
    var text = [CChar](repeating: 0, count: 64)
    let length = unsafe strftime(&text, text.count, "%a, %d %b %Y %H:%M:%S GMT", &parts)
    return String(decoding: text.prefix(length).map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
