internal import ArgumentParser
internal import Dispatch
internal import Glibc
internal import Synchronization

/// Runs `work` so that Ctrl-C (or SIGTERM) cancels it in good order instead of killing the process.
///
/// - Parameters:
///   - hint: Gives what the user can do afterwards; printed when the work was cancelled.
///   - work: What to run; it must look for cancellation.
/// - Returns: What `work` gives.
/// - Throws: What `work` throws; after a cancellation the exit code that shells expect: 128 and the
///   signal's number, 130 for Ctrl-C.
func interruptible<Result: Sendable>(
  hint: () -> String, _ work: @escaping @Sendable () async throws -> Result
) async throws -> Result {
  let task = Task { try await work() }
  let numbers = [SIGINT, SIGTERM]
  let received = Received()
  let sources = numbers.map { number in
    signal(number, SIG_IGN)
    let source = DispatchSource.makeSignalSource(signal: number)
    source.setEventHandler {
      received.note(number)
      task.cancel()
    }
    source.resume()
    return source
  }
  defer {
    for source in sources { source.cancel() }
    for number in numbers { signal(number, SIG_DFL) }
  }
  do {
    return try await task.value
  } catch is CancellationError {
    printToStandardError("Stopped; \(hint()).")
    throw ExitCode(128 + received.first)
  }
}

/// The first signal that came.
private final class Received: Sendable {
  private let number = Mutex<Int32?>(nil)

  func note(_ signal: Int32) {
    number.withLock { $0 = $0 ?? signal }
  }

  var first: Int32 { number.withLock { $0 } ?? SIGINT }
}
