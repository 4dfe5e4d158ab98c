internal import ArgumentParser
internal import Dispatch
internal import Glibc

/// Runs `work` so that Ctrl-C (or SIGTERM) cancels it in good order instead of killing the process.
///
/// - Parameters:
///   - hint: Gives what the user can do afterwards; printed when the work was cancelled.
///   - work: What to run; it must look for cancellation.
/// - Returns: What `work` gives.
/// - Throws: What `work` throws; after a cancellation the exit code that shells expect, 130.
func interruptible<Result: Sendable>(
  hint: () -> String, _ work: @escaping @Sendable () async throws -> Result
) async throws -> Result {
  let task = Task { try await work() }
  let numbers = [SIGINT, SIGTERM]
  let sources = numbers.map { number in
    signal(number, SIG_IGN)
    let source = DispatchSource.makeSignalSource(signal: number)
    source.setEventHandler { task.cancel() }
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
    throw ExitCode(130)
  }
}
