/// Limits how many tasks work at the same time; others wait, first come, first served.
actor ConcurrencyLimiter {
  private let mostWaiting: Int
  private let refusal: StudioError
  private var free: Int
  private var waiting: [(id: Int, turn: CheckedContinuation<Void, any Error>)] = []
  private var nextID = 0

  /// Whether the next task can start at once.
  var isFree: Bool { free > 0 }
  /// The number of waiting tasks.
  var waitingCount: Int { waiting.count }

  /// - Parameters:
  ///   - most: The maximum number of tasks that work.
  ///   - mostWaiting: The maximum number of tasks that wait.
  ///   - refusal: Thrown when more would wait.
  init(most: Int, mostWaiting: Int, refusal: StudioError = .busy) {
    (free, self.mostWaiting, self.refusal) = (most, mostWaiting, refusal)
  }

  /// Runs `work` when it is its turn.
  ///
  /// - Throws: The refusal if too many wait, `CancellationError` if the task is canceled
  ///   while it waits, and what `work` throws.
  func run<Value: Sendable>(
    _ work: @Sendable () async throws -> Value
  ) async throws -> Value {
    try await enter()
    defer { leave() }
    return try await work()
  }

  private func enter() async throws {
    guard free == 0 else {
      free -= 1
      return
    }
    guard waiting.count < mostWaiting else { throw refusal }
    let id = nextID
    nextID += 1
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { waiting.append((id, $0)) }
    } onCancel: {
      Task { await giveUp(id) }
    }
  }

  private func leave() {
    if waiting.isEmpty { free += 1 } else { waiting.removeFirst().turn.resume() }
  }

  private func giveUp(_ id: Int) {
    guard let place = waiting.firstIndex(where: { $0.id == id }) else { return }
    waiting.remove(at: place).turn.resume(throwing: CancellationError())
  }
}
