/// Lets a few in at a time; others wait in the order in which they came.
actor Turnstile {
  private var free: Int
  private let mostWaiting: Int
  private var waiting: [CheckedContinuation<Void, Never>] = []

  /// How many wait.
  var waitingCount: Int { waiting.count }

  /// - Parameters:
  ///   - most: How many are in at the same time.
  ///   - mostWaiting: How many wait.
  init(most: Int, mostWaiting: Int) { (free, self.mostWaiting) = (most, mostWaiting) }

  /// Waits for its turn; each that enters leaves.
  ///
  /// - Throws: `StudioError.busy` where too many wait.
  func enter() async throws(StudioError) {
    if free > 0 {
      free -= 1
      return
    }
    guard waiting.count < mostWaiting else { throw .busy }
    await withCheckedContinuation { waiting.append($0) }
  }

  func leave() {
    if waiting.isEmpty { free += 1 } else { waiting.removeFirst().resume() }
  }
}
