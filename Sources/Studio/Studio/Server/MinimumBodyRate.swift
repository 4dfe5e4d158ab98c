internal import Hummingbird
internal import NIOCore
internal import Synchronization

/// The minimum speed of a large body: a stalled or very slow client must not block others.
struct MinimumBodyRate: Sendable {
  /// The time in which the next `bytes` bytes have to arrive; each such amount starts it again.
  ///
  /// Less than `StudioLimits.idleTime`: an idle connection is closed without a response.
  var time: Duration = .seconds(20)
  /// The bytes that have to arrive in each `time`. A slow wireless network is ten times as fast.
  var bytes = 256 << 10
}

extension Request {
  /// Passes the parts of the body to `take`, each with the total number of bytes so far.
  ///
  /// - Throws: `StudioError` of 408 if the body is slower than `pace`, and what `take` throws.
  func receive(
    at pace: MinimumBodyRate, _ time: StudioTime,
    _ take: @escaping @Sendable (_ part: ByteBuffer, _ total: Int) throws -> Void
  ) async throws {
    let progress = BodyProgress(pace, from: time.milliseconds())
    try await withThrowingTaskGroup(of: Void.self) { group in
      defer { group.cancelAll() }
      group.addTask { [body] in
        var parts = body.makeAsyncIterator()
        while let part = try await parts.nextOfWhole() {
          try take(part, progress.add(part.readableBytes, at: time.milliseconds()))
        }
      }
      group.addTask {
        while true {
          let deadline = progress.deadline
          try await time.sleep(deadline)
          guard progress.deadline > deadline else { throw StudioError.tooSlow }
        }
      }
      try await group.next()
    }
  }
}

extension RequestBody.AsyncIterator {
  /// The next part; throws `StudioError` if the body is cut off.
  fileprivate mutating func nextOfWhole() async throws -> ByteBuffer? {
    do { return try await next() } catch let error where !(error is CancellationError) {
      throw StudioError.incomplete
    }
  }
}

/// The bytes received of a body and the deadline for the next ones, shared by two tasks.
private final class BodyProgress: Sendable {
  private let pace: MinimumBodyRate
  private let state: Mutex<(total: Int, enough: Int, deadline: Double)>

  init(_ pace: MinimumBodyRate, from start: Double) {
    self.pace = pace
    state = Mutex((0, pace.bytes, start + pace.time / .milliseconds(1)))
  }

  /// The time in milliseconds after which the body is too slow.
  var deadline: Double { state.withLock(\.deadline) }

  /// Adds bytes; returns the total.
  func add(_ bytes: Int, at now: Double) -> Int {
    state.withLock { state in
      state.total += bytes
      if state.total >= state.enough {
        state.enough = state.total + pace.bytes
        state.deadline = now + pace.time / .milliseconds(1)
      }
      return state.total
    }
  }
}
