internal import HTTPTypes
internal import Hummingbird

/// Answers guests so that the owner never waits for them, however much they ask for: all their
/// requests have one thread, and what they read comes one after another, because the workspace has
/// a few readers for all. Bodies are not read in turn: they may come slowly.
struct GuestLane {
  let thread = WorkQueue("guests")
  let turnstile = Turnstile(mostWaiting: 256)

  func answer(_ call: Call, by endpoint: Endpoint) async throws -> Response {
    try await withTaskExecutorPreference(thread) {
      guard endpoint.method == .get else { return try await endpoint.answer(call) }
      let inTurn: @Sendable () async throws -> Response = {
        try await turnstile.pass { try await endpoint.answer(call) }
      }
      // A stream listens for the end of its connection itself.
      if await turnstile.isFree || endpoint.isStream { return try await inTurn() }
      // Who hangs up leaves the queue. Listening for that takes what follows on the connection, so
      // that this is its last response.
      var response = try await call.request.body.consumeWithCancellationOnInboundClose { _ in
        try await inTurn()
      }
      response.headers[.connection] = "close"
      return response
    }
  }
}
