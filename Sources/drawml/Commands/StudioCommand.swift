internal import ArgumentParser
internal import Calm
internal import Capture
internal import Files
internal import Foundation
internal import Remote
internal import Segmentation
internal import Studio
internal import Text
internal import Workspace

struct StudioCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "studio",
    abstract: "Draw, label, train and play in the browser.",
    discussion: """
      Serves the studio on this machine and prints its address; open that in a browser. Everything \
      stays on this machine, and no request goes to the network without --allow. Ctrl-C ends the \
      studio; your work is kept. The studio and 'drawml model', 'drawml label' and 'drawml sample' \
      work on the same data, also at the same time.

      Other devices, such as a tablet in the same network, reach the studio only with --host. They \
      need the token in the printed addresses. With the guests' address, or its QR code on a \
      terminal, others can draw and play; they add samples only while Settings lets guests teach. \
      Without --tls the connection is not encrypted: use it in networks that you trust. On other \
      devices, browsers let the page use the camera only with --tls.

      Examples:
        drawml studio
        drawml studio --port 0 --open
        drawml studio --workspace ~/lesson
        drawml studio --host 0.0.0.0
        drawml studio --host 0.0.0.0 --token-file ~/.drawml-token
        drawml studio --host 0.0.0.0 --tls certificate.pem,key.pem --camera
        drawml studio --camera
        drawml studio --allow templates
        drawml studio --allow openai --openai-key-file ~/.openai-key
        drawml studio --allow gemini --gemini-key-file ~/.gemini-key
      """)

  @Option(help: "The address to listen on; one that other machines can reach needs a token.")
  var host = "127.0.0.1"
  @Option(help: "The port to listen on; 0 for any free port.", in: 0...65535)
  var port = Self.standardPort
  @Option(
    help: ArgumentHelp(
      "Encrypt connections with this certificate and its key, in PEM files without a passphrase.",
      valueName: "certificate,key"))
  var tls: TLSFiles?
  @OptionGroup var workspace: WorkspaceOption
  @OptionGroup var token: TokenOptions
  @Flag(help: "Let the tracing page use the camera, when the user asks for it.")
  var camera = false
  @OptionGroup var permits: PermitOptions
  @OptionGroup var textModel: TextModelOptions
  @OptionGroup var imageModel: ImageModelOptions
  @Flag(help: "Open the studio in the browser.")
  var open = false

  private static let standardPort = 8080

  func validate() throws {
    guard !host.isEmpty else { throw ValidationError("--host is an address of this machine.") }
  }

  func run() async throws {
    let opens = open
    try await serve { urls, hidden in
      guard opens, let url = urls.owner.first else { return }
      do { try Browser.open(url, hiddenIn: hidden) } catch {
        printToStandardError("No browser could be opened; open the address yourself.")
      }
    }
  }

  /// Serves the studio until it is stopped.
  ///
  /// - Parameters:
  ///   - kiosk: How this program starts a browser for the calm surface.
  ///   - onStart: Called with the addresses once they are printed, and with a private folder if
  ///     they have a token.
  /// - Throws: What opening the workspace and serving throw.
  func serve(
    kiosk: CalmKiosk = .none,
    onStart: @escaping @Sendable (Studio.URLs, PrivateTemporaryFolder?) -> Void
  ) async throws {
    var address = Studio.Address(
      host: host, port: port, token: try token.read(), identity: try tls?.read())
    if address.isOpenToOthers, address.token == nil { address.token = TokenOptions.random() }
    let workspace = try workspace.open(creating: true)
    // Closing checkpoints the write-ahead log. If a reader prevents that, the next program does it.
    defer { try? workspace.close() }
    let segmenter = try SegmenterModel.standard()
    let capture = CaptureEndpoints(
      segmenter: segmenter, drafting: try textModel.drafting(permits: permits),
      history: PostHistory(folder: workspace.folder))
    let adult = CalmFile(folder: workspace.folder)
    let art = ArtEndpoints(
      workspace: workspace, segmenter: segmenter,
      painting: try imageModel.painting(permits: permits), adult: adult)
    let calm = CalmEndpoints(file: adult, kiosk: kiosk)
    let studio = Studio(
      workspace: workspace, address: address,
      segmenter: segmenter, version: Version.text, hasCamera: camera,
      fetch: fetch, companions: capture.all + art.all + calm.all,
      commandForOthers: commandForOthers)
    let hidden = address.token != nil ? try PrivateTemporaryFolder() : nil
    defer { withExtendedLifetime(hidden) {} }
    try await Self.run(studio) { urls throws(FileError) in
      // In one write: a parent process may read only the first line.
      try printToStandardOutput(
        urls.owner.map { "DrawML Studio: \($0)" } + urls.guests.map { "For guests: \($0)" })
      if let code = urls.guests.first.flatMap(QRCode.init) { try Self.show(code) }
      onStart(urls, hidden)
    }
  }

  /// Runs the studio until it is stopped, or until its addresses cannot be printed.
  private static func run(
    _ studio: Studio, onStart announce: @escaping @Sendable (Studio.URLs) throws(FileError) -> Void
  ) async throws {
    let (failures, failed) = AsyncStream.makeStream(of: FileError.self)
    try await withThrowingTaskGroup { group in
      group.addTask {
        try await studio.run { urls in
          do throws(FileError) { try announce(urls) } catch { failed.yield(error) }
        }
      }
      group.addTask { for await failure in failures { throw failure } }
      try await group.next()
      group.cancelAll()
    }
  }

  /// Fetches templates from the web; nil if that is not allowed.
  private var fetch: Studio.Fetch? {
    guard let files = permits.templates else { return nil }
    return { address, use in try await files.use(RemoteAddress(file: address), use) }
  }

  /// This command with --host, for a shell in any folder. It has no token, which is a secret: a
  /// file or the environment gives the same one again.
  private func commandForOthers(port: Int) -> String {
    func absolute(_ path: String) -> String { URL(fileURLWithPath: path).standardized.path }
    let program = CommandLine.arguments.first ?? "drawml"
    var words = [program.contains("/") ? absolute(program) : program]
    words += ["studio", "--host", "0.0.0.0"]
    if port != Self.standardPort { words += ["--port", String(port)] }
    if let folder = workspace.folder { words += ["--workspace", absolute(folder)] }
    if let tls { words += ["--tls", "\(absolute(tls.certificate)),\(absolute(tls.key))"] }
    if let file = token.tokenFile { words += ["--token-file", absolute(file)] }
    if camera { words.append("--camera") }
    for permit in permits.permits { words += ["--allow", permit.rawValue] }
    if let file = textModel.openaiKeyFile { words += ["--openai-key-file", absolute(file)] }
    if permits.permits.contains(.openai) {
      words += ["--openai-server", textModel.openaiServer, "--openai-model", textModel.openaiModel]
    }
    if permits.permits.contains(.gemini) { words += imageModel.words(absolute: absolute) }
    return words.map(\.shellWord).joined(separator: " ")
  }

  /// Shows a code on a terminal that knows colors.
  private static func show(_ code: QRCode) throws(FileError) {
    let terminal = ProcessInfo.processInfo.environment["TERM"] ?? "dumb"
    guard isatty(STDOUT_FILENO) == 1, terminal != "dumb" else { return }
    let lines = code.terminalLines.map { $0 + "\n" }
    try StandardStream.output.writeUnchanged(lines.joined())
  }
}
