internal import Dispatch
internal import Synchronization

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

/// The results of `body` for each number in 0..<count, computed on all processors while the caller
/// waits: for short work that cannot be canceled.
///
/// - Throws: The error of `body` for the lowest number that has one.
package func concurrentMap<Value: Sendable, Failure: Error>(
  _ count: Int, _ body: @Sendable (Int) throws(Failure) -> Value
) throws(Failure) -> [Value] {
  let found = Mutex([Result<Value, Failure>?](repeating: nil, count: count))
  DispatchQueue.concurrentPerform(iterations: count) { number in
    let result = Result { () throws(Failure) in try body(number) }
    found.withLock { $0[number] = result }
  }
  var values: [Value] = []
  for case let result? in found.withLock(\.self) { values.append(try result.get()) }
  return values
}
