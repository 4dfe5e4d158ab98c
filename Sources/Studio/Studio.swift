internal import Foundation
internal import HTTPTypes
internal import Hummingbird
internal import HummingbirdCore
internal import Logging
internal import NIOCore
public import Segmentation
internal import ServiceLifecycle
internal import UnixSignals
public import Workspace

/// The local web studio: a server with the page, and the interface that the page uses (`docs/studio-api.yaml`).
///
/// It listens to this machine alone unless told otherwise; then whoever asks must know a token.
public struct Studio: Sendable {
  /// Where the studio listens, and who may ask.
  public struct Address: Hashable, Sendable {
    /// A name or number of this machine.
    public var host: String
    /// From 0 to 65535; 0 for one that is free.
    public var port: Int
    /// What all requests must know; nil for the programs of this machine without any.
    public var token: String?

    /// An address.
    public init(host: String = "127.0.0.1", port: Int = 8080, token: String? = nil) {
      (self.host, self.port, self.token) = (host, port, token)
    }

    /// Whether other machines can reach it.
    public var isOpenToOthers: Bool {
      // A name may lead anywhere, whatever it begins with.
      !(host.hasPrefix("127.") && AccessRules.isAddress(host)) && host != "localhost"
        && host != "::1"
    }

    /// The addresses for browsers: that for one on this machine first, then those for other devices.
    func urls(port: Int) -> [String] {
      var names = [host]
      if host == "0.0.0.0" || host == "::" {
        // Networks between programs and virtual machines have addresses, too: whoever opens one of them sees which it is.
        let found = (try? System.enumerateDevices()) ?? []
        let own = found.compactMap { $0.address?.ipAddress }.filter { address in
          address.contains(".") && !address.hasPrefix("127.")
        }
        names = ["127.0.0.1"] + own
      }
      let query = token.map { "/?token=\($0)" } ?? ""
      return names.map { "http://\($0.contains(":") ? "[\($0)]" : $0):\(port)\(query)" }
    }
  }

  let house: StudioHouse
  let address: Address

  /// A studio on a workspace.
  ///
  /// - Parameters:
  ///   - workspace: The user's models.
  ///   - address: Where it listens. One that other machines can reach needs a token.
  ///   - segmenter: What finds shapes on the playground.
  ///   - settings: How long the playground waits.
  ///   - time: The clock.
  ///   - version: The version of the program, as pages are told.
  public init(
    workspace: Workspace, address: Address = Address(), segmenter: SegmenterModel,
    settings: LiveCanvas.Settings = .init(), time: StudioTime = .system, version: String = "0"
  ) {
    self.init(
      workspace: workspace, address: address, segmenter: segmenter, settings: settings,
      time: time, version: version, limits: StudioLimits())
  }

  init(
    workspace: Workspace, address: Address, segmenter: SegmenterModel,
    settings: LiveCanvas.Settings, time: StudioTime, version: String, limits: StudioLimits
  ) {
    precondition(
      address.token != "" && (address.token != nil || !address.isOpenToOthers),
      "an address that other machines can reach needs a token")
    self.address = address
    house = StudioHouse(
      workspace, segmenter: segmenter, settings: settings, limits: limits, time: time,
      version: version)
  }

  /// All that the studio answers.
  var router: Router<StudioContext> {
    let router = Router(context: StudioContext.self)
    router.add(middleware: Gate(rules: rules))
    router.add(house.endpoints)
    router.add(PageFile.all)
    return router
  }

  var rules: AccessRules {
    var hosts = AccessRules.loopback
    let name = address.host.lowercased()
    hosts.insert(name.contains(":") ? "[\(name)]" : name)
    let isOpen = address.isOpenToOthers
    if isOpen {
      let own = ProcessInfo.processInfo.hostName.lowercased()
      hosts.formUnion([own, own + ".local"])
    }
    return AccessRules(hosts: hosts, takesAddresses: isOpen, token: address.token)
  }

  /// The server, which tells `running` its addresses when it takes requests.
  func application(
    running: @escaping @Sendable ([String]) -> Void
  ) -> some ApplicationProtocol {
    StudioServer(
      responder: router.buildResponder(), address: address, connections: house.limits.connections,
      logger: Self.logger, running: running)
  }

  /// What goes wrong within goes to standard error; what is asked is not written down.
  private static let logger: Logger = {
    var logger = Logger(label: "studio") { StreamLogHandler.standardError(label: $0) }
    logger.logLevel = .error
    return logger
  }()

  /// Writes to standard error what the person at this machine should know, and nobody else.
  static func log(_ words: String) { logger.error("\(words)") }

  /// Serves until the task is cancelled, or the process is told to end (Ctrl-C). Then streams and trainings end, and what
  /// lies on playgrounds is kept.
  ///
  /// - Parameter running: Told the addresses for browsers when requests are taken: the first one is for this machine.
  /// - Throws: `StartError` where it cannot listen.
  public func run(running: @escaping @Sendable ([String]) -> Void) async throws {
    try await serve(until: [.sigint, .sigterm], running: running)
  }

  func serve(
    until signals: [UnixSignal], running: @escaping @Sendable ([String]) -> Void
  ) async throws {
    PassingFile.sweep()
    var configuration = ServiceGroupConfiguration(
      services: [application(running: running)], gracefulShutdownSignals: signals,
      logger: Self.logger)
    configuration.maximumGracefulShutdownDuration = .seconds(5)
    let group = ServiceGroup(configuration: configuration)
    // A task of its own: one that is cancelled ends as with Ctrl-C, not in the middle of an answer.
    let serving = Task { try await group.run() }
    let result: Result<Void, any Error>
    do {
      try await withTaskCancellationHandler {
        try await serving.value
      } onCancel: {
        Task { await group.triggerGracefulShutdown() }
      }
      result = .success(())
    } catch let error as IOError {
      result = .failure(StartError(address: address, code: error.errnoCode))
    } catch {
      result = .failure(error)
    }
    await house.close()
    try result.get()
  }

  /// Why the studio cannot listen.
  public struct StartError: Error, Equatable, Sendable, CustomStringConvertible {
    /// Where it was to listen.
    public var address: Address
    /// The system's number of the error.
    public var code: Int32

    /// One sentence or two: what is wrong, and what to do.
    public var description: String {
      switch code {
      case EADDRINUSE:
        "Port \(address.port) is in use, perhaps by another studio. Choose another one with "
          + "--port, or --port 0 for any that is free."
      case EACCES:
        "Port \(address.port) is for the system’s own services. Choose one above 1023 with --port."
      case EADDRNOTAVAIL: "\(address.host) is no address of this machine. Choose another --host."
      default:
        "The studio cannot listen on \(address.host), port \(address.port): "
          + String(describing: POSIXErrorCode(rawValue: code).map { "\($0)" } ?? "error \(code)")
      }
    }
  }
}
