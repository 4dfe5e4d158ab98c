internal import ArgumentParser
internal import Dispatch
internal import Support
internal import Synchronization

/// Listens to Ctrl-C (SIGINT) and SIGTERM while a command runs, so that no command can ignore them.
///
/// A signal ends the process at once, and what was half written is removed: files are written
/// beside their places. Work in `interruptible` is canceled instead; a second signal ends it at
/// once, and so does time, for work that does not look.
final class Interruption {
  private let sources: [any DispatchSourceSignal]

  /// How long canceled work may take to stop.
  private static let patience = DispatchTimeInterval.seconds(10)
  /// `timeout` sends its signal to the process and again to its group: within this time it is one.
  private static let echo: Duration = .milliseconds(250)

  private struct State {
    var first: (signal: Int32, time: ContinuousClock.Instant)?
    var cancel: (@Sendable () -> Void)?
  }

  private static let state = Mutex(State())

  /// Listens from now on until the last owner is gone.
  init() {
    // A queue of its own: a global one has no thread while work keeps all processors busy.
    let queue = DispatchQueue(label: "signals")
    let listening = DispatchGroup()
    // Until then, and in programs that this one starts, signals do what they usually do.
    sources = [SIGINT, SIGTERM].map { number in
      let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
      source.setEventHandler {
        guard Self.isTakenByWork(number) else { Self.end(number) }
        queue.asyncAfter(deadline: .now() + Self.patience) { Self.end(number) }
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

  /// Cancels what is interruptible; false where nothing is, or it had its time.
  private static func isTakenByWork(_ number: Int32) -> Bool {
    state.withLock { state in
      if let first = state.first { return ContinuousClock.now - first.time < echo }
      state.first = (number, .now)
      state.cancel?()
      return state.cancel != nil
    }
  }

  private static func end(_ number: Int32) -> Never {
    PendingFile.abandonAll { _exit(128 + number) }
  }

  /// What the next signal cancels.
  fileprivate static func hear(_ cancel: (@Sendable () -> Void)?) {
    state.withLock { $0.cancel = cancel }
  }

  /// The exit code after a signal that shells expect.
  fileprivate static var exitCode: ExitCode {
    ExitCode(128 + state.withLock { $0.first?.signal ?? SIGINT })
  }
}

/// Runs `work` so that Ctrl-C (or SIGTERM) cancels it in good order instead of ending the process.
///
/// - Parameters:
///   - hint: Gives what the user can do afterwards; printed when the work was canceled.
///   - work: What to run; it must look for cancellation.
/// - Returns: What `work` gives.
/// - Throws: What `work` throws; after a cancellation the exit code that shells expect: 128 and the
///   signal's number, 130 for Ctrl-C.
func interruptible<Result: Sendable>(
  hint: () -> String, _ work: @escaping @Sendable () async throws -> Result
) async throws -> Result {
  let task = Task { try await work() }
  Interruption.hear { task.cancel() }
  defer { Interruption.hear(nil) }
  do {
    return try await task.value
  } catch is CancellationError {
    printToStandardError("Stopped; \(hint()).")
    throw Interruption.exitCode
  }
}
