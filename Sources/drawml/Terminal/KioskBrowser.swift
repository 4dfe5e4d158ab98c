internal import Files
internal import Foundation
internal import Training

/// Chromium in kiosk mode: one page over all of the screen, with nothing to leave it by. Where there
/// is no desktop, under `cage`, which shows one program and nothing else.
final class KioskBrowser: Sendable {
  /// The program and its first arguments.
  private let command: [String]
  /// Its profile, so that it shows no earlier windows and keeps nothing.
  private let profile: PrivateTemporaryFolder

  private static let names = ["chromium", "chromium-browser", "google-chrome"]
  private static let options = [
    "--kiosk", "--no-first-run", "--noerrdialogs", "--disable-pinch",
    "--overscroll-history-navigation=0", "--disable-features=Translate",
  ]

  /// Looks for the programs.
  ///
  /// - Throws: `JobProblem` that names the missing package.
  init() throws {
    guard let chromium = Self.names.compactMap(Self.path).first else {
      throw JobProblem("--kiosk needs Chromium; install it: apt-get install chromium")
    }
    let environment = ProcessInfo.processInfo.environment
    let hasDesktop = environment["DISPLAY"] != nil || environment["WAYLAND_DISPLAY"] != nil
    if hasDesktop {
      command = [chromium]
    } else {
      guard let cage = Self.path("cage") else {
        throw JobProblem("without a desktop, --kiosk needs cage; install it: apt-get install cage")
      }
      command = [cage, "--", chromium]
    }
    profile = try PrivateTemporaryFolder()
  }

  /// Shows a page; when the browser ends, the program does.
  func show(_ address: String) throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: command[0])
    process.arguments =
      command.dropFirst() + Self.options + ["--user-data-dir=\(profile.path)", address]
    process.environment = ProcessInfo.processInfo.environment.filter {
      !$0.key.hasPrefix("DRAWML_")
    }
    process.terminationHandler = { _ in Self.endProgram() }
    try process.run()
  }

  /// Ends the program as Ctrl-C does.
  static func endProgram() { _ = kill(getpid(), SIGINT) }

  private static func path(_ name: String) -> String? {
    let folders = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
    return folders.split(separator: ":").map { "\($0)/\(name)" }
      .first(where: FileManager.default.isExecutableFile)
  }
}
