/// Runs `body` for each number in 0..<count, at most `threads` at the same time.
///
/// - Parameters:
///   - count: How many times `body` runs.
///   - threads: The number of runs at the same time; below 1 counts as 1.
///   - body: Computes one result, on any thread.
///   - then: Receives each number with its result, one at a time in the order in which they are
///     done.
/// - Throws: The first error of `body` or `then`, and `CancellationError`.
package func concurrently<Result: Sendable>(
  _ count: Int, threads: Int, _ body: @escaping @Sendable (Int) throws -> Result,
  then: (Int, Result) throws -> Void
) async throws {
  try await withThrowingTaskGroup(of: (Int, Result).self) { group in
    for number in 0..<count {
      if number >= max(1, threads), let (done, result) = try await group.next() {
        try then(done, result)
      }
      group.addTask {
        try Task.checkCancellation()
        return (number, try body(number))
      }
    }
    for try await (done, result) in group { try then(done, result) }
  }
}
