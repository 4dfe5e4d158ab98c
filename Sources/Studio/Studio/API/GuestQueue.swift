internal import HTTPTypes
internal import Hummingbird

/// Answers guests so that the owner never waits for them, however much they ask for: all their
/// requests have one thread, and of the workspace's five readers they take one for what they read
/// and two for what they send. Bodies are not read in turn: they may come slowly.
struct GuestQueue {
  let thread = WorkQueue("guests")
  let reads = ConcurrencyLimiter(most: 1, mostWaiting: 256)
  let changes = ConcurrencyLimiter(most: 2, mostWaiting: 256)
  /// The most bytes of a body.
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
    // Who hangs up leaves the queue. Listening for that ends the reading from the connection, so
    // that this is its last response.
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
