internal import ArgumentParser
internal import CLibrary
internal import Dispatch
internal import Files
internal import Synchronization

/// Handles Ctrl-C (SIGINT) and SIGTERM while a command runs, so that no command can ignore them.
///
/// A signal ends the process at once and removes partly written files, which have temporary names.
/// Work in `interruptible` is canceled instead; a second signal or a timeout then ends the process.
final class Interruption {
  private let sources: [any DispatchSourceSignal]

  /// How long canceled work may take to stop.
  private static let gracePeriod = DispatchTimeInterval.seconds(10)
  /// `timeout` sends its signal to the process and again to its group: signals within this time
  /// count as one.
  private static let echo: Duration = .milliseconds(250)

  private struct State {
    var first: (signal: Int32, time: ContinuousClock.Instant)?
    var cancel: (@Sendable () -> Void)?
    var restore: (@Sendable () -> Void)?
  }

  private static let state = Mutex(State())

  /// Handles signals from now on until the last owner is released.
  init() {
    // A separate queue: a global one has no free thread while work keeps all processors busy.
    let queue = DispatchQueue(label: "signals")
    let listening = DispatchGroup()
    // Until the sources are registered, and in child processes, signals have their default action.
    sources = [SIGINT, SIGTERM].map { number in
      let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
      source.setEventHandler {
        guard Self.cancelsWork(number) else { Self.end(number) }
        queue.asyncAfter(deadline: .now() + Self.gracePeriod) { Self.end(number) }
      }
      listening.enter()
      source.setRegistrationHandler { listening.leave() }
      source.resume()
      return source
    }
    listening.wait()
  }

  deinit {
    for source in sources { source.cancel() }
  }

  /// Cancels the interruptible work; false without such work, or if it was canceled before.
  private static func cancelsWork(_ number: Int32) -> Bool {
    state.withLock { state in
      if let first = state.first { return ContinuousClock.now - first.time < echo }
      state.first = (number, .now)
      state.cancel?()
      return state.cancel != nil
    }
  }

  private static func end(_ number: Int32) -> Never {
    let restore = state.withLock { $0.restore }
    restore?()
    PendingFile.abandonAll { _exit(128 + number) }
  }

  /// Sets what is put back before a signal ends the process; nil for nothing.
  static func setRestoring(_ restore: (@Sendable () -> Void)?) {
    state.withLock { $0.restore = restore }
  }

  /// Sets what the next signal cancels.
  fileprivate static func setCancellation(_ cancel: (@Sendable () -> Void)?) {
    state.withLock { $0.cancel = cancel }
  }

  /// The conventional exit code after a signal.
  fileprivate static var exitCode: ExitCode {
    ExitCode(128 + state.withLock { $0.first?.signal ?? SIGINT })
  }
}

/// Runs `work` so that Ctrl-C (or SIGTERM) cancels it instead of ending the process.
///
/// - Parameters:
///   - hint: What the user can do next; printed if the work was canceled.
///   - work: The work, which must check for cancellation.
/// - Returns: The result of `work`.
/// - Throws: The errors of `work`; after a cancellation, the conventional exit code: 128 plus the
///   signal's number, 130 for Ctrl-C.
func interruptible<Result: Sendable>(
  hint: () -> String, _ work: @escaping @Sendable () async throws -> Result
) async throws -> Result {
  let task = Task { try await work() }
  Interruption.setCancellation { task.cancel() }
  defer { Interruption.setCancellation(nil) }
  do {
    return try await task.value
  } catch is CancellationError {
    printToStandardError("Stopped; \(hint()).")
    throw Interruption.exitCode
  }
}
