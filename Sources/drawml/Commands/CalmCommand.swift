public import ArgumentParser
public import Calm
internal import Files
internal import Foundation
internal import Studio
internal import Workspace

struct CalmCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "calm",
    abstract: "A quiet surface for a small child, under an adult's eyes.",
    discussion: """
      'drawml calm show --help' has all options: --kiosk, --scene, --port and --workspace.

      Examples:
        drawml calm
        drawml calm --kiosk --scene bloom
        drawml calm passphrase
      """,
    subcommands: [CalmShowCommand.self, CalmPassphraseCommand.self],
    defaultSubcommand: CalmShowCommand.self)
}

struct CalmShowCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show",
    abstract: "Open the calm surface in the browser.",
    discussion: """
      Serves the studio on this machine and opens its page /calm. Nothing on it can be read or \
      pressed; holding the upper right corner for six seconds opens the adult's sheet, after the \
      passphrase if one is set. Ctrl-C ends it.

      A page cannot lock a device. With --kiosk, Chromium starts without anything around the page \
      and nothing else behind it: under 'cage' where there is no desktop. The program ends with it.

      Examples:
        drawml calm
        drawml calm --scene aurora
        drawml calm --kiosk --scene bloom
      """)

  @Flag(help: "Start Chromium in kiosk mode, as a child of this program.")
  var kiosk = false
  @Option(help: "The scene on the surface (default: the last one).")
  var scene: CalmScene?
  @Option(help: "The port to listen on; 0 for any free port.", in: 0...65535)
  var port = 0
  @OptionGroup var workspace: WorkspaceOption

  func run() async throws {
    let browser = kiosk ? try KioskBrowser() : nil
    let folder = try workspace.open(creating: true)
    let file = CalmFile(folder: folder.folder)
    try folder.close()
    if let scene {
      try file.changeSettings { settings in
        let offered = settings.offered + [scene]
        (settings.scene, settings.offered) = (scene, CalmScene.allCases.filter(offered.contains))
      }
    }
    // Only this machine reaches it. A token would have to be in the browser's arguments, for all to
    // see.
    unsafe unsetenv("DRAWML_TOKEN")
    let words = workspace.folder.map { ["--workspace", $0] } ?? []
    let studio = try StudioCommand.parse(["--port", String(port)] + words)
    defer { browser?.end() }
    try await studio.serve(kiosk: browser?.kind ?? .none) { urls, _ in
      guard let url = urls.owner.first else { return }
      let address = (url.hasSuffix("/") ? String(url.dropLast()) : url) + "/calm"
      try? printToStandardOutput(["Calm: \(address)"])
      if let browser { return browser.show(address) }
      try? Browser.open(address)
    }
    if let problem = browser?.problem { throw problem }
  }
}

extension CalmScene: ExpressibleByArgument {}
