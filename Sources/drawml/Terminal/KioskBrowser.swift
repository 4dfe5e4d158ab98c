internal import Files
internal import Foundation
internal import Synchronization
internal import Training

/// Chromium in kiosk mode: one page over all of the screen, with nothing to leave it by. Where there
/// is no desktop, under `cage`, which shows one program and nothing else.
///
/// When the browser ends, so does this program, and the other way around.
final class KioskBrowser: Sendable {
  /// What the adult's sheet says of the lock.
  let kind: CalmKiosk
  /// The program and its first arguments.
  private let command: [String]
  private let state: Mutex<State>

  private struct State {
    /// The browser's profile, so that it shows no earlier windows and keeps nothing.
    var profile: PrivateTemporaryFolder?
    var process: Process?
    /// Whether this program ends the browser.
    var isEnding = false
    var problem: JobProblem?
  }

  private static let names = ["chromium", "chromium-browser", "google-chrome"]
  private static let options = [
    "--kiosk", "--no-first-run", "--noerrdialogs", "--disable-pinch",
    "--overscroll-history-navigation=0", "--disable-features=Translate",
  ]
  /// How long a browser may take to end before it is killed.
  private static let timeToEnd = Duration.seconds(5)

  /// Looks for the programs.
  ///
  /// - Throws: `JobProblem` that names the missing package.
  init() throws {
    guard let chromium = Self.names.compactMap(Self.path).first else {
      throw JobProblem("--kiosk needs Chromium; install it: apt-get install chromium")
    }
    let environment = ProcessInfo.processInfo.environment
    let hasDesktop = ["DISPLAY", "WAYLAND_DISPLAY"].contains { environment[$0]?.isEmpty == false }
    if hasDesktop {
      (kind, command) = (.desktop, [chromium])
    } else {
      guard let cage = Self.path("cage") else {
        throw JobProblem("without a desktop, --kiosk needs cage; install it: apt-get install cage")
      }
      (kind, command) = (.alone, [cage, "--", chromium])
    }
    state = Mutex(State(profile: try PrivateTemporaryFolder()))
  }

  /// Why it did not run until somebody ended it; nil if it did.
  var problem: JobProblem? { state.withLock { $0.problem } }

  /// Shows a page.
  func show(_ address: String) {
    guard let profile = state.withLock({ $0.profile?.path }) else { return }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: command[0])
    process.arguments =
      command.dropFirst() + Self.options + ["--user-data-dir=\(profile)", address]
    process.environment = ProcessInfo.processInfo.environment.filter {
      !$0.key.hasPrefix("DRAWML_")
    }
    process.terminationHandler = { [self] process in
      let status = process.terminationStatus
      let isSignal = process.terminationReason == .uncaughtSignal
      let problem = "the browser ended with \(isSignal ? "signal" : "status") \(status)"
      endProgram(
        status == 0 ? nil : JobProblem(problem + "; " + (isSignal ? Self.reading : advice)))
    }
    do {
      try process.run()
      state.withLock { $0.process = process }
    } catch {
      endProgram(JobProblem("\(command[0]) could not be started: \(error.localizedDescription)"))
    }
  }

  private static let reading = "see what it printed"

  /// What to do about a browser that failed.
  private var advice: String {
    if geteuid() == 0 { return "Chromium does not run as root: start drawml as another user" }
    return kind == .alone
      ? Self.reading + "; without a desktop, it needs a login at this machine's own console"
      : Self.reading
  }

  /// Ends the browser and what it started, if they still run, and removes its profile.
  func end() {
    defer { state.withLock { $0.profile = nil } }
    let process = state.withLock { state in
      state.isEnding = true
      return state.process
    }
    guard let process else { return }
    // A process that Foundation starts leads a group of its own, which outlives it.
    let group = -process.processIdentifier
    let deadline = ContinuousClock.now + Self.timeToEnd
    kill(group, SIGTERM)
    while kill(group, 0) == 0, .now < deadline { Thread.sleep(forTimeInterval: 0.02) }
    kill(group, SIGKILL)
  }

  /// Ends this program as Ctrl-C does, unless it ends anyway.
  private func endProgram(_ problem: JobProblem?) {
    let isEnding = state.withLock { state in
      if !state.isEnding { state.problem = problem }
      return state.isEnding
    }
    if !isEnding { _ = kill(getpid(), SIGINT) }
  }

  private static func path(_ name: String) -> String? {
    let folders = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
    return folders.split(separator: ":").map { "\($0)/\(name)" }
      .first(where: FileManager.default.isExecutableFile)
  }
}
