internal import Hummingbird
internal import NIOCore
internal import Synchronization

/// How fast a large body has to come: whoever sends nothing more, or next to nothing, must not keep
/// others waiting.
struct BodyPace: Sendable {
  /// In every so many seconds…
  var seconds = 20.0
  /// …so many bytes have to come, or the end. A slow wireless network has ten times as many.
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
    let received = Count()
    try await withThrowingTaskGroup(of: Void.self) { group in
      defer { group.cancelAll() }
      group.addTask { [body] in
        var parts = body.makeAsyncIterator()
        while let part = try await parts.nextOfWhole() {
          try take(part, received.add(part.readableBytes))
        }
      }
      group.addTask {
        var before = 0
        while true {
          try await time.sleep(time.milliseconds() + pace.seconds * 1000)
          let now = received.total
          guard now - before >= pace.bytes else { throw StudioError.tooSlow }
          before = now
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

/// Bytes that one task counts and another one looks at.
private final class Count: Sendable {
  private let bytes = Atomic(0)

  var total: Int { bytes.load(ordering: .relaxed) }

  func add(_ more: Int) -> Int { bytes.add(more, ordering: .relaxed).newValue }
}
