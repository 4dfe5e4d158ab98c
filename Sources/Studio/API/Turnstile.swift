/// Lets one in at a time; others wait in the order in which they came.
actor Turnstile {
  private let mostWaiting: Int
  private var isTaken = false
  private var waiting: [(id: Int, turn: CheckedContinuation<Void, any Error>)] = []
  private var nextID = 0

  /// Whether nobody is in.
  var isFree: Bool { !isTaken }
  /// How many wait.
  var waitingCount: Int { waiting.count }

  /// - Parameter mostWaiting: How many may wait.
  init(mostWaiting: Int) { self.mostWaiting = mostWaiting }

  /// Works when it is its turn.
  ///
  /// - Throws: `StudioError.busy` where too many wait, `CancellationError` if the task is canceled
  ///   while it waits, and what `work` throws.
  func pass<Value: Sendable>(
    _ work: @Sendable () async throws -> Value
  ) async throws -> Value {
    try await enter()
    defer { leave() }
    return try await work()
  }

  private func enter() async throws {
    guard isTaken else {
      isTaken = true
      return
    }
    guard waiting.count < mostWaiting else { throw StudioError.busy }
    let id = nextID
    nextID += 1
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { waiting.append((id, $0)) }
    } onCancel: {
      Task { await giveUp(id) }
    }
  }

  private func leave() {
    isTaken = !waiting.isEmpty
    if isTaken { waiting.removeFirst().turn.resume() }
  }

  private func giveUp(_ id: Int) {
    guard let place = waiting.firstIndex(where: { $0.id == id }) else { return }
    waiting.remove(at: place).turn.resume(throwing: CancellationError())
  }
}
