internal import Hummingbird
internal import NIOCore
internal import Synchronization

/// How fast a large body has to come: whoever sends nothing more, or next to nothing, must not keep
/// others waiting.
struct BodyPace: Sendable {
  /// This long after the beginning, and after each time that enough has come, at the latest…
  ///
  /// Less than `StudioLimits.idleTime`: a connection that is idle ends without an answer.
  var time: Duration = .seconds(20)
  /// …so many more bytes must have come, or the end. A slow wireless network has ten times as many.
  var bytes = 256 << 10
}

extension Request {
  /// Hands the parts of the body to `take`, each with how many bytes there are by then.
  ///
  /// - Throws: `StudioError` of 408 for a body that is slower than `pace`, and what `take` throws.
  func receive(
    at pace: BodyPace, _ time: StudioTime,
    _ take: @escaping @Sendable (_ part: ByteBuffer, _ total: Int) throws -> Void
  ) async throws {
    let progress = Progress(pace, from: time.milliseconds())
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
  /// The next part; throws `StudioError` where the body breaks off.
  fileprivate mutating func nextOfWhole() async throws -> ByteBuffer? {
    do { return try await next() } catch let error where !(error is CancellationError) {
      throw StudioError.incomplete
    }
  }
}

/// What has come of a body, and until when more has to come; one task counts, another one looks.
private final class Progress: Sendable {
  private let pace: BodyPace
  private let state: Mutex<(total: Int, enough: Int, deadline: Double)>

  init(_ pace: BodyPace, from start: Double) {
    self.pace = pace
    state = Mutex((0, pace.bytes, start + pace.time / .milliseconds(1)))
  }

  /// When the body is too slow, in milliseconds.
  var deadline: Double { state.withLock(\.deadline) }

  /// Counts bytes; all that there are by then.
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
