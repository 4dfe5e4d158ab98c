internal import Foundation
internal import HTTPTypes
internal import Hummingbird
internal import HummingbirdCore
internal import NIOCore
internal import Recognition
public import Segmentation
public import Trace
public import Workspace

/// The local web studio: a server for the page and the API that the page uses
/// (`docs/studio-api.yaml`).
///
/// It listens on the loopback interface only by default; on other addresses, all requests need a
/// token.
public struct Studio: Sendable {
  /// The address that the studio listens on, the token that requests need, and the certificate that
  /// it shows.
  public struct Address: Hashable, Sendable {
    /// A host name or IP address of this machine.
    public var host: String
    /// The port, from 0 to 65535; 0 for any free one.
    public var port: Int
    /// The token that all requests need; nil for none, on loopback addresses only.
    public var token: String?
    /// With what connections are encrypted; nil for plain HTTP.
    public var identity: TLSIdentity?

    /// Creates an address.
    public init(
      host: String = "127.0.0.1", port: Int = 8080, token: String? = nil,
      identity: TLSIdentity? = nil
    ) {
      (self.host, self.port, self.token, self.identity) = (host, port, token, identity)
    }

    /// The beginning of its URLs.
    var scheme: String { identity == nil ? "http" : "https" }

    /// Whether other machines can reach it.
    public var isOpenToOthers: Bool {
      // A host name may resolve to any address, even if it begins with "127.".
      !(host.hasPrefix("127.") && AccessRules.isAddress(host)) && host != "localhost"
        && host != "::1"
    }

    /// The tokens of the owner and of guests; nil without a token.
    var tokens: Tokens? { token.map(Tokens.init) }

    /// The URLs for browsers at the port that the studio listens on.
    ///
    /// `authority` is the name and port by which a browser reached it: in a container, the
    /// machine's own ones differ. It becomes the guests' first URL, unless it is a loopback name.
    func urls(port: Int, seenAt authority: String? = nil) -> URLs {
      var (names, local) = ([host], [String]())
      if host == "0.0.0.0" || host == "::" {
        // This includes addresses of virtual networks, such as those of containers.
        let found = (try? System.enumerateDevices()) ?? []
        names = found.compactMap { $0.address?.ipAddress }.filter { address in
          address.contains(".") && !address.hasPrefix("127.")
        }
        local = ["127.0.0.1"]
      }
      func authorities(_ names: [String]) -> [String] {
        names.map { "\($0.contains(":") ? "[\($0)]" : $0):\(port)" }
      }
      func url(_ authority: String, _ token: String?) -> String {
        "\(scheme)://\(authority)" + (token.map { "/?token=\($0)" } ?? "")
      }
      var others = isOpenToOthers ? authorities(names) : []
      if isOpenToOthers, let authority = authority?.lowercased() {
        let host = AccessRules.host(of: authority)
        if !AccessRules.loopback.contains(host), !host.hasPrefix("127.") {
          others = [authority] + others.filter { $0 != authority }
        }
      }
      return URLs(
        owner: authorities(local + names).map { url($0, token) },
        guests: others.map { url($0, tokens?.guest) })
    }
  }

  /// The URLs of a studio.
  public struct URLs: Hashable, Sendable {
    /// For the owner: first the one for this machine, then those for other devices.
    public var owner: [String]
    /// For guests on other devices; none if only this machine reaches the studio.
    public var guests: [String]
  }

  /// Fetches a file from a web address and makes a template of it. Blocks its thread; the user sees
  /// errors that describe themselves.
  public typealias Fetch =
    @Sendable (
      _ address: String, _ make: @escaping @Sendable ([UInt8]) async throws -> Template
    ) async throws -> Template

  /// Returns the shell command that restarts this studio at a port, also for other machines.
  public typealias CommandForOthers = @Sendable (_ port: Int) -> String

  let workspace: Workspace
  let limits: StudioLimits
  let time: StudioTime
  let hub: EventHub
  let recognizers: Recognizers
  let playgrounds: Playgrounds
  let trainer: Trainer
  let previews: Previews
  /// One import at a time, because each file may be large.
  let imports = ConcurrencyLimiter(most: 1, mostWaiting: 0, refusal: .importing)
  let deletedLabels: Deletions
  let deletedSamples: Deletions
  let guests: GuestQueue
  let guestSamples = GuestSamples()
  /// Where the web is asked.
  let web = WorkPool("web", width: 4)
  /// Where templates are made of pictures.
  let pictures = WorkQueue("pictures")
  let version: String
  /// Where it listens.
  let address: Address
  let owners = OwnerCookies()
  /// Whether the page for tracing may ask for the camera.
  let hasCamera: Bool
  /// Fetches templates' files from the web; nil if that is not allowed.
  let fetch: Fetch?
  /// What companions add to the API.
  let companions: [CompanionEndpoint]
  /// The command that starts the studio for other machines; nil if unknown.
  let commandForOthers: CommandForOthers?

  /// Creates a studio on a workspace.
  ///
  /// - Parameters:
  ///   - workspace: The user's models.
  ///   - address: Where to listen. An address that other machines can reach needs a token.
  ///   - segmenter: The model that groups strokes into shapes on the playground.
  ///   - settings: The settings of the playground, such as its waiting times.
  ///   - time: The clock.
  ///   - version: The version of the program, reported to the page.
  ///   - hasCamera: Whether the page for tracing may ask for the camera.
  ///   - fetch: Fetches a template's file from the web; nil where the user does not allow that.
  ///   - companions: What companions add to the API.
  ///   - commandForOthers: The command that starts it for other machines, which the owner sees if
  ///     they cannot reach it; nil if unknown.
  public init(
    workspace: Workspace, address: Address = Address(), segmenter: SegmenterModel,
    settings: LiveCanvas.Settings = .init(), time: StudioTime = .system, version: String = "0",
    hasCamera: Bool = false, fetch: Fetch? = nil, companions: [CompanionEndpoint] = [],
    commandForOthers: CommandForOthers? = nil
  ) {
    self.init(
      workspace: workspace, address: address, segmenter: segmenter, settings: settings,
      time: time, version: version, limits: StudioLimits(), hasCamera: hasCamera, fetch: fetch,
      companions: companions, commandForOthers: commandForOthers)
  }

  init(
    workspace: Workspace, address: Address, segmenter: SegmenterModel,
    settings: LiveCanvas.Settings, time: StudioTime, version: String, limits: StudioLimits,
    hasCamera: Bool = false, fetch: Fetch? = nil, companions: [CompanionEndpoint] = [],
    commandForOthers: CommandForOthers? = nil
  ) {
    precondition(
      address.token != "" && (address.token != nil || !address.isOpenToOthers),
      "an address that other machines can reach needs a token")
    (self.workspace, self.limits, self.time) = (workspace, limits, time)
    (self.version, self.address) = (version, address)
    (self.hasCamera, self.fetch, self.companions) = (hasCamera, fetch, companions)
    self.commandForOthers = commandForOthers
    hub = EventHub(most: limits.listeners, mostGuests: limits.guestListeners)
    guests = GuestQueue(bodyBytes: limits.bodyBytes)
    deletedLabels = Deletions(most: 4, mostPoints: limits.deletedPoints)
    deletedSamples = Deletions(most: 64, mostPoints: limits.deletedPoints)
    recognizers = Recognizers(workspace, most: limits.recognizers)
    playgrounds = Playgrounds(
      workspace, recognizers,
      tools: .init(
        segmenter: segmenter, settings: settings, time: time, limits: limits,
        run: UUID().uuidString.lowercased(),
        save: { [hub] playground in
          do { try await workspace.save(playground) } catch {
            // The next change retries. A playground deleted with its model needs no saving.
            guard let error = error as? WorkspaceError, !error.isUnknownModel else { return }
            // Log it too: at shutdown there are no listeners.
            Self.log("playground \(playground.id): \(error)")
            hub.send("problem", StudioError(error))
            throw error
          }
        },
        remember: { [hub] news, model in
          // The history is best-effort: a prediction that cannot be stored is skipped.
          var isKept = false
          for (drawing, shape) in news.map({ ($0.drawing, $0.shape) }) {
            let prediction = try? await workspace.record(
              drawing, decision: shape.item == nil ? .unrecognized : .recognized,
              label: shape.best?.label, confidence: shape.best?.confidence, of: model)
            isKept = isKept || prediction != nil
          }
          if isKept { hub.send("changed", ChangedEvent(what: .history, model: model)) }
        }))
    trainer = Trainer(workspace, hub, playgrounds)
    previews = Previews(workspace, recognizers)
  }

  /// The router of all requests.
  var router: Router<StudioContext> {
    let router = Router(context: StudioContext.self)
    router.add(middleware: SecurityMiddleware(rules: rules, hasCamera: hasCamera))
    router.add(middleware: AllowedMethods(endpoints, files: PageFile.all))
    router.add(endpoints, guests: guests)
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
    return AccessRules(
      hosts: hosts, acceptsNumericAddresses: isOpen, tokens: address.tokens,
      owners: owners, scheme: address.scheme)
  }

  var input: DrawingInput { DrawingInput(limits: limits) }

  /// All endpoints of the API.
  var endpoints: [Endpoint] {
    stateEndpoints + modelEndpoints + labelEndpoints + sampleEndpoints + askingEndpoints
      + playgroundEndpoints + transferEndpoints + invitationEndpoints + traceEndpoints
      + companionEndpoints
  }

  /// Notifies all tabs of a change.
  func tell(_ what: ChangedEvent.What, of model: String? = nil) {
    hub.send("changed", ChangedEvent(what: what, model: model))
  }

  /// Ends all streams and trainings, and saves the playgrounds.
  func close() async {
    hub.close()
    await trainer.close()
    await playgrounds.close()
  }
}
