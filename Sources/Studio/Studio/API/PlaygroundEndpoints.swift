internal import Foundation
internal import HTTPTypes
internal import Hummingbird
internal import Ink
internal import NIOCore
internal import Segmentation
internal import ServiceLifecycle
internal import Workspace

// Playgrounds, and the stream of events.

private struct EmptyEvent: Encodable {}

extension Studio {
  var playgroundEndpoints: [Endpoint] {
    [
      .post("/playgrounds", for: .guest) { call in
        struct Body: Decodable {
          var id: String?
          var model: String?
          var canvas: Drawing.Canvas
        }
        let body = try await call.request.json(Body.self, upTo: limits.smallBodyBytes)
        try DrawingInput.check(body.canvas)
        var model = body.model
        if model == nil { model = try await workspace.activeModel().id }
        let isGuest = call.visitor != .owner
        let new = (isGuest ? "guest-" : "") + UUID().uuidString.lowercased()
        let id = try call.own(playground: body.id ?? new)
        if isGuest, try await !workspace.hasPlayground(id) { try await makeRoomForGuest() }
        let (answer, isNew) = try await playgrounds.open(
          id, model: model ?? "", size: body.canvas)
        return .bytes(answer, of: "application/json", status: isNew ? .created : .ok)
      },
      .get("/playgrounds/{playground}", for: .guest) { call in
        .bytes(
          try await playgrounds.use(try call.playground()) { try await $0.answer() },
          of: "application/json")
      },
      .post("/playgrounds/{playground}/actions", for: .guest) { call in
        let id = try call.playground()
        let bytes = try await call.request.jsonBytes(upTo: limits.bodyBytes)
        let answer = try await playgrounds.use(id) { playground in
          do { return try await playground.perform(try ActionBatch(bytes, input)) } catch {
            // The pen of a rejected stroke was lifted all the same; a pen of another run was never
            // down here.
            if error as? StudioError != .otherRun { await playground.liftPens() }
            throw error
          }
        }
        return try .json(answer)
      },
      .get("/playgrounds/{playground}/shapes/{shape}", for: .guest) { call in
        let (id, shape) = (try call.playground(), Int(try call.part("shape")))
        guard let shape else { throw StudioError.notFound("There is no such shape.") }
        let drawing = try await playgrounds.use(id) { try await $0.drawing(of: shape) }
        return try .json(DrawingAnswer(drawing))
      },
      .get("/playgrounds/{playground}/items", for: .guest) { call in
        let items = try await playgrounds.use(try call.playground()) { await $0.items }
        return try .json(["items": items])
      },
      .delete("/playgrounds/{playground}/items", for: .guest) { call in
        try await playgrounds.use(try call.playground()) { try await $0.clear() }
        return .empty
      },
      .get("/playgrounds/{playground}/log", for: .guest) { call in
        let log = try await playgrounds.use(try call.playground()) { await $0.log }
        var response = Response.bytes(try log.ndjson(), of: "application/x-ndjson")
        response.headers[.contentDisposition] = "attachment; filename=\"drawml-sheet.log\""
        return response
      },
      .get("/events", for: .guest, isStream: true) { call in
        let playground = try call.query("playground").map(call.own(playground:))
        // Reject before the stream begins, while a status can still be sent.
        if let playground { try await playgrounds.use(playground) { _ in } }
        guard hub.hasRoom(isGuest: call.visitor != .owner) else {
          throw tooManyStreams(call.visitor)
        }
        return Response(
          status: .ok, headers: [.contentType: "text/event-stream"],
          body: .init { writer in
            // Join only here, where leaving is guaranteed: the body of a response may never be
            // requested.
            let listener = EventListener(waiting: limits.waitingBytes, cutOff: call.disconnect)
            if let playground {
              try await playgrounds.use(playground) { playground in
                await playground.join(listener)
                let result: Result<Void, any Error>
                do {
                  result = .success(try await send(to: listener, call, &writer))
                } catch { result = .failure(error) }
                await playground.leave(listener)
                try result.get()
              }
            } else {
              listener.send(EventListener.event("hello", EmptyEvent()))
              try await send(to: listener, call, &writer)
            }
            try await writer.finish(nil)
          })
      },
    ]
  }

  /// Checks that there is room for one more guest's sheet; a guest must not displace others'
  /// drawings.
  private func makeRoomForGuest() async throws {
    let most = limits.guestPlaygrounds
    let left = try await workspace.deleteOldestPlaygrounds(
      butFor: most - 1, of: Visitor.isGuests, areEmptyOnly: true)
    guard left < most else {
      throw StudioError(
        .serviceUnavailable, "tooManySheets",
        "There are too many guests’ sheets. Ask the studio’s owner to restart it.",
        detail: "\(most) of them have drawings; a restart keeps the newest half.")
    }
  }

  private func tooManyStreams(_ visitor: Visitor) -> StudioError {
    let most = visitor == .owner ? limits.listeners : limits.guestListeners
    return StudioError(
      .serviceUnavailable, "tooManyStreams", "The studio is open in too many tabs.",
      detail: "\(most) event streams are open.")
  }

  /// Sends events until the client disconnects or the server ends.
  private func send(
    to listener: EventListener, _ call: Call, _ writer: inout any ResponseBodyWriter
  ) async throws {
    guard hub.join(listener, isGuest: call.visitor != .owner) else {
      throw tooManyStreams(call.visitor)
    }
    defer { hub.leave(listener) }
    await trainer.tell(listener)
    // No heartbeat is sent: the connection reports when it is closed.
    try await call.request.body.consumeWithInboundCloseHandler { _ in
      try await withGracefulShutdownHandler {
        try await listener.forEach { try await writer.write($0) }
      } onGracefulShutdown: {
        listener.finish()
      }
    } onInboundClosed: {
      listener.finish()
    }
  }
}
