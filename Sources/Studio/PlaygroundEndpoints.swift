internal import Foundation
internal import HTTPTypes
internal import Hummingbird
internal import NIOCore
internal import ServiceLifecycle
internal import Workspace

// Playgrounds, and the stream of what happens.

private struct ItemsAnswer: Encodable {
  var items: [ItemAnswer]
}

private struct Hello: Encodable {}

extension StudioHouse {
  var playgroundEndpoints: [Endpoint] {
    [
      .post("/playgrounds") { call in
        struct Body: Decodable {
          var id: String?
          var model: String?
          var canvas: CanvasSize
        }
        let body = try await call.request.json(Body.self, upTo: limits.smallBodyBytes)
        try DrawingInput.check(body.canvas.canvas)
        var model = body.model
        if model == nil { model = try await workspace.activeModel().id }
        let (playground, isNew) = try await playgrounds.open(
          body.id ?? UUID().uuidString.lowercased(), model: model ?? "", size: body.canvas.canvas)
        return try .json(await playground.answer, status: isNew ? .created : .ok)
      },
      .get("/playgrounds/{playground}") { call in
        let playground = try await playgrounds.find(try call.part("playground"))
        return try .json(await playground.answer)
      },
      .post("/playgrounds/{playground}/actions") { call in
        let id = try call.part("playground")
        let bytes = try await call.request.jsonBytes(upTo: limits.bodyBytes)
        let batch = try ActionBatch(bytes, input)
        let playground = try await playgrounds.find(id)
        return try .json(try await playground.perform(batch))
      },
      .get("/playgrounds/{playground}/items") { call in
        let playground = try await playgrounds.find(try call.part("playground"))
        return try .json(ItemsAnswer(items: await playground.items))
      },
      .delete("/playgrounds/{playground}/items") { call in
        let playground = try await playgrounds.find(try call.part("playground"))
        await playground.clear()
        return .empty
      },
      .get("/events") { call in
        let playground = try await call.query("playground").asyncMap {
          try await playgrounds.find($0)
        }
        return try await stream(of: playground, for: call.request)
      },
    ]
  }

  /// A stream of events: a snapshot first, then what happens, until the listener goes or the server ends.
  private func stream(
    of playground: LivePlayground?, for request: Request
  ) async throws -> Response {
    let listener = EventListener(waiting: limits.waitingEvents)
    guard let number = hub.join(listener) else {
      throw StudioError(
        .serviceUnavailable, "tooManyStreams", "The studio is open in too many tabs.",
        detail: "\(limits.listeners) event streams are taken.")
    }
    if let playground {
      await playground.join(listener, as: number)
    } else {
      listener.send(try EventListener.event("hello", Hello()))
    }
    for state in await trainer.states {
      listener.send(try EventListener.event("training", state))
    }
    return Response(
      status: .ok, headers: [.contentType: "text/event-stream"],
      body: .init { writer in
        let result: Result<Void, any Error>
        do {
          // Nothing is sent to see whether somebody is still there: the connection says when it is closed.
          try await request.body.consumeWithInboundCloseHandler { _ in
            try await withGracefulShutdownHandler {
              for await event in listener.events { try await writer.write(event) }
            } onGracefulShutdown: {
              listener.finish()
            }
          } onInboundClosed: {
            listener.finish()
          }
          result = .success(())
        } catch { result = .failure(error) }
        hub.leave(number)
        await playground?.leave(number)
        try result.get()
        try await writer.finish(nil)
      })
  }
}

extension Optional {
  /// `map` for what takes its time.
  fileprivate func asyncMap<Result>(
    _ transform: (Wrapped) async throws -> Result
  ) async rethrows -> Result? {
    if let value = self { try await transform(value) } else { nil }
  }
}
