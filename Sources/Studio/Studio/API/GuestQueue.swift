internal import HTTPTypes
internal import Hummingbird

/// Answers guests' requests without delaying the owner's: all of them share one thread, one of the
/// workspace's five readers for reads, and two for changes. Bodies are not read in turn, because
/// they may arrive slowly.
struct GuestQueue {
  let thread = WorkQueue("guests")
  let reads = ConcurrencyLimiter(most: 1, mostWaiting: 256)
  let changes = ConcurrencyLimiter(most: 2, mostWaiting: 256)
  /// The maximum number of bytes of a body.
  let bodyBytes: Int

  func answer(_ call: Call, by endpoint: Endpoint) async throws -> Response {
    try await withTaskExecutorPreference(thread) {
      endpoint.method == .get
        ? try await read(call, by: endpoint) : try await change(call, by: endpoint)
    }
  }

  private func read(_ call: Call, by endpoint: Endpoint) async throws -> Response {
    let inTurn: @Sendable () async throws -> Response = {
      try await reads.run { try await endpoint.answer(call) }
    }
    // A stream listens for the end of its connection itself.
    if await reads.isFree || endpoint.isStream { return try await inTurn() }
    // A client that disconnects leaves the queue. Listening for that stops reading from the
    // connection, so this is its last response.
    var response = try await call.request.body.consumeWithCancellationOnInboundClose { _ in
      try await inTurn()
    }
    response.headers[.connection] = "close"
    return response
  }

  private func change(_ call: Call, by endpoint: Endpoint) async throws -> Response {
    var call = call
    call.request.body = .init(buffer: try await call.request.collected(upTo: bodyBytes))
    return try await changes.run { [call] in try await endpoint.answer(call) }
  }
}
