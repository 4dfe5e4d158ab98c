internal import CLibrary
internal import Files
internal import Report
internal import Synchronization
internal import Text

/// Progress on standard error: a bar that is redrawn on a terminal, occasional plain lines
/// elsewhere.
final class ProgressBar: Sendable {
  private struct State {
    var lastDrawn: ContinuousClock.Instant?
    var lineIsOpen = false
  }

  private let title: String
  private let isTerminal = isatty(STDERR_FILENO) == 1
  private let started = ContinuousClock.now
  private let state = Mutex(State())

  /// A bar headed `title`, such as "Training".
  init(_ title: String) {
    self.title = title
  }

  /// Shows that `done` of `total` are done, with a remark such as the loss; cheap to call often.
  ///
  /// `first` were done before this bar started, in work resumed from a checkpoint.
  func update(_ done: Int, of total: Int, since first: Int = 0, _ remark: String = "") {
    let now = ContinuousClock.now
    state.withLock { state in
      let pause: Duration = isTerminal ? .milliseconds(100) : .seconds(15)
      let last = state.lastDrawn ?? (isTerminal ? nil : started)
      guard last.map({ now - $0 >= pause }) ?? true || done == total else { return }
      state.lastDrawn = now
      write(line(done, of: total, since: first, remark, after: now - started), &state)
    }
  }

  /// Shows a line that stays, above the bar.
  func note(_ text: String) {
    state.withLock { state in
      if state.lineIsOpen { Self.redraw("") }
      printToStandardError(text)
      state.lineIsOpen = false
    }
  }

  /// Ends the bar's line.
  func finish() {
    state.withLock { state in
      if state.lineIsOpen { printToStandardError("") }
      state.lineIsOpen = false
    }
  }

  private func line(
    _ done: Int, of total: Int, since first: Int, _ remark: String, after elapsed: Duration
  ) -> String {
    let fraction = total > 0 ? Double(done) / Double(total) : 1
    let seconds = elapsed / .seconds(1)
    let left = done > first ? seconds * Double(total - done) / Double(done - first) : 0
    let numbers = "\(title) \(done)/\(total)" + (remark.isEmpty ? "" : " · \(remark)")
    guard isTerminal else {
      return "\(numbers) · \(duration(seconds)) gone, \(duration(left)) left"
    }
    let width = 24
    let filled = Int(fraction * Double(width))
    let bar =
      String(repeating: "█", count: filled) + String(repeating: "░", count: width - filled)
    return "\(bar) \(numbers) · \(duration(left)) left"
  }

  private func write(_ line: String, _ state: inout State) {
    if isTerminal {
      Self.redraw(line)
      state.lineIsOpen = true
    } else {
      printToStandardError(line)
    }
  }

  /// Replaces the open line and leaves it open.
  private static func redraw(_ line: String) {
    try? StandardStream.errors.writeUnchanged("\r\u{1b}[K\(line.visible)")
  }
}
