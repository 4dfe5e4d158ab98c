internal import Foundation
internal import HTTPTypes
internal import Hummingbird
internal import HummingbirdCore
internal import NIOCore
public import Segmentation
public import Workspace

/// The local web studio: a server with the page, and the interface that the page uses
/// (`docs/studio-api.yaml`).
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

    /// The addresses for browsers: that for one on this machine first, then those for other
    /// devices.
    func urls(port: Int) -> [String] {
      var names = [host]
      if host == "0.0.0.0" || host == "::" {
        // Networks between programs and virtual machines have addresses, too: whoever opens one of
        // them sees which it is.
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

  let services: StudioServices
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
    services = StudioServices(
      workspace, segmenter: segmenter, settings: settings, limits: limits, time: time,
      version: version)
  }

  /// All that the studio answers.
  var router: Router<StudioContext> {
    let router = Router(context: StudioContext.self)
    router.add(middleware: SecurityMiddleware(rules: rules))
    router.add(services.endpoints)
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
}
