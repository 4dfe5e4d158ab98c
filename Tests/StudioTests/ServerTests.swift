import Foundation
import HTTPTypes
import Hummingbird
import Ink
import Logging
import NIOCore
import NIOPosix
import Segmentation
import Synchronization
import Testing
import Workspace

@testable import Studio

/// A connection to a server, with raw requests.
private struct Line {
  /// Connects, sends `text`, and passes on the response piece by piece.
  static func open<Value: Sendable>(
    _ port: Int, _ text: String, from address: String = "127.0.0.1",
    _ body: @escaping @Sendable (inout Incoming) async throws -> Value
  ) async throws -> Value {
    let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton).bind(
      to: SocketAddress(ipAddress: address, port: 0)
    ).connect(
      host: "127.0.0.1", port: port
    ) { channel in
      channel.eventLoop.makeCompletedFuture {
        try NIOAsyncChannel<ByteBuffer, ByteBuffer>(
          wrappingChannelSynchronously: channel,
          configuration: .init(isOutboundHalfClosureEnabled: true))
      }
    }
    return try await channel.executeThenClose { inbound, outbound in
      try await outbound.write(ByteBuffer(string: text))
      var incoming = Incoming(iterator: inbound.makeAsyncIterator(), outbound: outbound)
      return try await body(&incoming)
    }
  }

  struct Incoming {
    var iterator: NIOAsyncChannelInboundStream<ByteBuffer>.AsyncIterator
    let outbound: NIOAsyncChannelOutboundWriter<ByteBuffer>
    var text = ""

    /// Reads until `part` or the end.
    mutating func read(until part: String) async throws -> String {
      while !text.contains(part), let next = try await iterator.next() {
        text += String(buffer: next)
      }
      return text
    }
  }

  static func request(
    _ method: String, _ path: String, _ json: String? = nil, host: String = "localhost",
    headers: String = ""
  ) -> String {
    let length = json.map {
      "Content-Type: application/json\r\nContent-Length: \($0.utf8.count)\r\n"
    }
    return
      "\(method) \(path) HTTP/1.1\r\nHost: \(host)\r\n\(length ?? "")\(headers)\r\n\(json ?? "")"
  }

  /// The first line of the response.
  static func status(
    _ port: Int, _ request: String, from address: String = "127.0.0.1"
  ) async throws -> String {
    try await open(port, request, from: address) { incoming in
      String(try await incoming.read(until: "\r\n").prefix { !$0.isNewline })
    }
  }
}

/// Received bytes.
private final class Received: Sendable {
  let total = Atomic(0)
  var count: Int { total.load(ordering: .relaxed) }
}

@Suite("The server on a socket")
struct ServerTests {
  /// Runs a server for as long as `body` takes.
  private func serve<Value: Sendable>(
    _ studio: TestStudio, _ body: (_ port: Int) async throws -> Value
  ) async throws -> Value {
    let studio = studio.studio
    return try await serve({ try await studio.serve(until: [], running: $0) }, body)
  }

  private typealias Running = @Sendable (Studio.URLs) -> Void

  private func serve<Value: Sendable>(
    _ run: @escaping @Sendable (@escaping Running) async throws -> Void,
    _ body: (_ port: Int) async throws -> Value
  ) async throws -> Value {
    let (urls, running) = AsyncStream.makeStream(of: String.self)
    let server = Task { try await run { running.yield($0.owner[0]) } }
    let result: Result<Value, any Error>
    do {
      let url = try #require(await urls.first { _ in true })
      #expect(url.hasPrefix("http://127.0.0.1:"))
      let port = try #require(URLComponents(string: url)?.port)
      result = .success(try await body(port))
    } catch { result = .failure(error) }
    server.cancel()
    _ = await server.result
    return try result.get()
  }

  @Test("F-012: events come over the line by themselves; who goes is noticed without asking")
  func events() async throws {
    let studio = try await TestStudio()
    try await studio.teach()
    try await serve(studio) { port in
      _ = try await Line.status(port, Line.request("POST", "/api/playgrounds", openBody()))
      try await Line.open(port, Line.request("GET", "/api/events?playground=p")) { incoming in
        let head = try await incoming.read(until: "\n\n")
        #expect(head.hasPrefix("HTTP/1.1 200 OK"))
        #expect(head.contains("Content-Type: text/event-stream"))
        #expect(head.contains("event: canvas\n"))
        #expect(studio.services.hub.count == 1)
        let drawn = Line.request("POST", "/api/playgrounds/p/actions", strokeBody("ring", from: 0))
        #expect(try await Line.status(port, drawn) == "HTTP/1.1 200 OK")
        _ = try await incoming.read(until: #""event":"pending""#)
        studio.time.advance(by: 2000)
        let decided = try await incoming.read(until: #""event":"recognized""#)
        #expect(decided.contains(#""label":"ring""#))
      }
      try await eventually("the stream is left") { studio.services.hub.count == 0 }
      let playground = try await studio.services.playgrounds.find("p")
      #expect(await playground.isIdle)
    }
  }

  @Test("Each of more listeners than playgrounds may be left in memory gets its decision")
  func manyPlaygrounds() async throws {
    let studio = try await TestStudio { $0.playgrounds = 2 }
    try await studio.teach()
    try await serve(studio) { port in
      try await withThrowingTaskGroup(of: Void.self) { group in
        for number in 0..<6 {
          group.addTask {
            let open = #"{"id":"p\#(number)","canvas":{"width":600,"height":400}}"#
            _ = try await Line.status(port, Line.request("POST", "/api/playgrounds", open))
            let listen = Line.request("GET", "/api/events?playground=p\(number)")
            try await Line.open(port, listen) { incoming in
              _ = try await incoming.read(until: "event: canvas\n")
              try await eventually("all listen") { studio.services.hub.count == 6 }
              let drawn = Line.request(
                "POST", "/api/playgrounds/p\(number)/actions", strokeBody("ring", from: 0))
              #expect(try await Line.status(port, drawn) == "HTTP/1.1 200 OK")
              _ = try await incoming.read(until: #""event":"pending""#)
              // Once for all would be enough, but who comes last?
              studio.time.advance(by: 2000)
              let decided = try await incoming.read(until: #""event":"recognized""#)
              #expect(decided.contains(#""label":"ring""#), "p\(number)")
              try await eventually("all are decided") {
                try await studio.workspace.history(
                  of: studio.workspace.activeModel().id
                ).count == 6
              }
            }
          }
        }
        try await group.waitForAll()
      }
      try await eventually("they are left") { await studio.services.playgrounds.count <= 2 }
    }
  }

  @Test("HEAD takes no place among the listeners, and has no body")
  func head() async throws {
    let studio = try await TestStudio()
    try await serve(studio) { port in
      _ = try await Line.status(port, Line.request("POST", "/api/playgrounds", openBody()))
      for path in ["/api/events", "/api/events?playground=p", "/api/state"] {
        let status = try await Line.status(port, Line.request("HEAD", path))
        #expect(status.hasPrefix("HTTP/1.1 200"), "\(status)")
      }
      #expect(studio.services.hub.count == 0)
      #expect(try await studio.services.playgrounds.find("p").isIdle)
      let head = try await Line.open(
        port,
        Line.request("HEAD", "/app.js") + Line.request("HEAD", "/api/state")
          + Line.request("HEAD", "/api/events") + Line.request("HEAD", "/none")
      ) { try await $0.read(until: "HTTP/1.1 404") }
      #expect(head.components(separatedBy: "HTTP/1.1 200 OK").count == 4)
      #expect(!head.contains("import ") && !head.contains("activeModel"))
    }
  }

  @Test("A listener who is there but reads nothing is cut off, and its place is free")
  func deaf() async throws {
    let studio = try await TestStudio { $0.waitingBytes = 100_000 }
    try await serve(studio) { port in
      _ = try await Line.status(port, Line.request("POST", "/api/playgrounds", openBody()))
      try await Line.open(port, Line.request("GET", "/api/events?playground=p")) { incoming in
        _ = try await incoming.read(until: "event: canvas\n")
        #expect(studio.services.hub.count == 1)
        // More than what the system keeps for both sides.
        let event = String(repeating: "a", count: 100_000)
        for _ in 0..<500 where studio.services.hub.count > 0 {
          studio.services.hub.send("long", event)
          try await Task.sleep(for: .milliseconds(1))
        }
        try await eventually("it is cut off") { studio.services.hub.count == 0 }
        #expect(try await studio.services.playgrounds.find("p").isIdle)
      }
    }
  }

  @Test("A stream begins with the canvas, and what a training says is never older than its end")
  func streamOrder() async throws {
    let studio = try await TestStudio()
    let model = try await studio.teach()
    try await serve(studio) { port in
      _ = try await Line.status(port, Line.request("POST", "/api/playgrounds", openBody()))
      for _ in 0..<5 {
        _ = try await studio.services.trainer.start(model)
        try await Line.open(port, Line.request("GET", "/api/events?playground=p")) { incoming in
          await studio.services.trainer.wait()
          try await eventually("it listens") { studio.services.hub.count == 1 }
          studio.services.hub.send("last", "")
          let text = try await incoming.read(until: "event: last\n")
          let names = text.matches(of: /event: (.+)/).map { String($0.1) }
          #expect(names.first == "canvas")
          if let end = names.firstIndex(of: "trained") {
            #expect(!names[end...].contains("training"))
          } else {
            #expect(!names.contains("training"))
          }
        }
        try await eventually("it has gone") { studio.services.hub.count == 0 }
      }
    }
  }

  @Test("When the server ends, streams end, and what lies on playgrounds is kept")
  func end() async throws {
    let studio = try await TestStudio()
    let rest = try await serve(studio) { port in
      _ = try await Line.status(port, Line.request("POST", "/api/playgrounds", openBody()))
      let drawn = Line.request("POST", "/api/playgrounds/p/actions", strokeBody("ring", from: 0))
      _ = try await Line.status(port, drawn)
      let reading = Task {
        try await Line.open(port, Line.request("GET", "/api/events?playground=p")) { incoming in
          _ = try await incoming.read(until: "\n\n")
          return try await incoming.read(until: "no such text")
        }
      }
      try await eventually("somebody listens") { studio.services.hub.count == 1 }
      return reading
    }
    // The stream ended: the text was not found.
    #expect(try await rest.value.contains("event: canvas\n"))
    let again = try await TestStudio(again: studio)
    let kept = try await again.workspace.playground("p")
    #expect(kept.items.count == 1 && kept.items[0].strokes.first?.points.count == 21)
  }

  @Test(
    "Over the line too: a foreign Host, huge headers and huge bodies are refused, and it goes on")
  func hostile() async throws {
    let studio = try await TestStudio {
      $0.bodyBytes = 100_000
      $0.importBytes = 100_000
    }
    try await serve(studio) { port in
      let foreign = Line.request("GET", "/api/state", host: "evil.example")
      #expect(try await Line.status(port, foreign).hasPrefix("HTTP/1.1 421"))
      // With two hosts, an intermediary may have used the other one.
      for hosts in [["localhost", "evil.example"], ["evil.example", "localhost"]] {
        let two = Line.request(
          "GET", "/api/state", host: hosts[0], headers: "hOST: \(hosts[1])\r\n")
        let answer = try await Line.open(port, two) { try await $0.read(until: "}}") }
        #expect(answer.hasPrefix("HTTP/1.1 400") && answer.contains("more than one Host"))
      }
      let noHost = "GET /api/state HTTP/1.1\r\n\r\n"
      #expect(try await Line.status(port, noHost).hasPrefix("HTTP/1.1 4"))
      let long = String(repeating: "a", count: 100_000)
      let headers = try? await Line.status(
        port, Line.request("GET", "/api/state", headers: "X-Long: \(long)\r\n"))
      #expect(headers?.hasPrefix("HTTP/1.1 2") != true)
      let model = try await studio.workspace.activeModel().id
      let body = Line.request(
        "POST", "/api/models/\(model)/classify", String(repeating: " ", count: 200_000))
      #expect(try await Line.status(port, body).hasPrefix("HTTP/1.1 413"))
      // Also without an announced length, and for files.
      for (path, type) in [
        ("/api/models/\(model)/classify", "application/json"),
        ("/api/import", "application/octet-stream"),
      ] {
        let chunk = "c350\r\n" + String(repeating: " ", count: 50_000) + "\r\n"
        let head =
          "POST \(path) HTTP/1.1\r\nHost: localhost\r\nContent-Type: \(type)\r\n"
          + "Transfer-Encoding: chunked\r\n\r\n"
        let many = head + String(repeating: chunk, count: 4) + "0\r\n\r\n"
        #expect(try await Line.status(port, many).hasPrefix("HTTP/1.1 413"), "\(path)")
        let few = try await Line.status(port, head + chunk + "0\r\n\r\n")
        #expect(few.hasPrefix("HTTP/1.1 400"), "\(path)")
      }
      for garbage in ["\r\n\r\n", "GET\r\n\r\n", "\u{0}\u{1}\u{2}", "GET / HTTP/9.9\r\n\r\n"] {
        // It may get no response; only the responses to others matter.
        try? await Line.open(port, garbage + "\r\n\r\n") { _ in }
      }
      #expect(try await Line.status(port, Line.request("GET", "/api/state")) == "HTTP/1.1 200 OK")
    }
  }

  @Test(
    "An import that stops halfway ends, and another one can come; who is slow but comes may go on")
  func halfImport() async throws {
    let studio = try await TestStudio()
    let head = { @Sendable (length: Int) in
      Line.request(
        "POST", "/api/import",
        headers: "Content-Type: application/octet-stream\r\nContent-Length: \(length)\r\n")
    }
    try await serve(studio) { port in
      try await Line.open(port, head(1_000_000) + "half") { incoming in
        try await eventually("it is watched") { studio.time.sleeperCount == 1 }
        let second = try await Line.status(port, head(4) + "none")
        #expect(second == "HTTP/1.1 503 Service Unavailable")
        #expect(try await Line.status(port, Line.request("GET", "/api/state")) == "HTTP/1.1 200 OK")
        studio.time.advance(by: 20_000)
        let answer = try await incoming.read(until: "no such text")
        #expect(answer.hasPrefix("HTTP/1.1 408") && answer.contains("tooSlow"))
        #expect(answer.contains("Connection: close"))
      }
      let free = try await Line.status(port, head(4) + "none")
      #expect(free == "HTTP/1.1 400 Bad Request")
    }
  }

  @Test("A connection on which nothing more comes ends, and those that listen to events stay")
  func idle() async throws {
    let studio = try await TestStudio {
      // A busy machine may let a second pass before a request is sent.
      $0.idleTime = .seconds(3)
      $0.connections = 3
    }
    try await serve(studio) { port in
      try await Line.open(port, Line.request("GET", "/api/events")) { listening in
        _ = try await listening.read(until: "event: hello")
        // As many as allowed: one with a partial request, and one that is idle after its request.
        for begun in ["POST /api/mod", Line.request("GET", "/api/state")] {
          // On a busy machine it may have ended before anything was sent: "I/O on closed channel".
          try? await Line.open(port, begun) { incoming in
            _ = try await incoming.read(until: "no such text")
          }
        }
        #expect(try await Line.status(port, Line.request("GET", "/api/state")) == "HTTP/1.1 200 OK")
        #expect(studio.services.hub.count == 1)
      }
    }
  }

  @Test("Another machine has so many connections and no more, and gets back those that end")
  func connectionsPerMachine() async throws {
    #expect(StudioLimits().connectionsPerMachine == 64)
    for address in ["127.0.0.1", "127.9.9.9", "::1", "::ffff:127.0.0.1"] {
      #expect(StudioLimits().isThisMachine(address), "\(address)")
    }
    for address in ["192.0.2.1", "::ffff:192.0.2.1", "fe80::1", "128.127.0.1", ""] {
      #expect(!StudioLimits().isThisMachine(address), "\(address)")
    }
    let studio = try await TestStudio {
      $0.connectionsPerMachine = 2
      // All of 127/8 is this machine; in this test, the studio counts its other addresses as other
      // machines.
      $0.isThisMachine = { $0 == "127.0.0.1" }
    }
    let request = Line.request("GET", "/api/state")
    @Sendable func status(_ port: Int, from address: String) async throws -> String {
      try await Line.status(port, request, from: address)
    }
    try await serve(studio) { port in
      try await Line.open(port, request, from: "127.0.0.2") { first in
        #expect(try await first.read(until: "\r\n").hasPrefix("HTTP/1.1 200"))
        try await Line.open(port, request, from: "127.0.0.2") { second in
          #expect(try await second.read(until: "\r\n").hasPrefix("HTTP/1.1 200"))
          // It is closed without a response, or before anything was sent.
          let third = try? await status(port, from: "127.0.0.2")
          #expect(third ?? "" == "")
          #expect(try await status(port, from: "127.0.0.3") == "HTTP/1.1 200 OK")
          try await Line.open(port, request) { own in
            _ = try await own.read(until: "\r\n")
            try await Line.open(port, request) { own in
              _ = try await own.read(until: "\r\n")
              #expect(try await status(port, from: "127.0.0.1") == "HTTP/1.1 200 OK")
            }
          }
        }
        try await eventually("the place of one that ended is free") {
          (try? await status(port, from: "127.0.0.2")) == "HTTP/1.1 200 OK"
        }
      }
    }
  }

  @Test("Another machine opens so many connections in a second; this one as many as it likes")
  func newConnections() {
    let connections = OpenConnections(limit: 9, share: 2, perSecond: 4) { $0 == "me" }
    let now = ContinuousClock.now
    for number in 0..<10 {
      #expect(connections.mayOpen(from: "a", at: now) == (number < 4))
      #expect(connections.mayOpen(from: "me", at: now) && connections.mayOpen(from: nil, at: now))
    }
    #expect(connections.mayOpen(from: "b", at: now))
    #expect(!connections.mayOpen(from: "a", at: now + .milliseconds(900)))
    #expect(connections.mayOpen(from: "a", at: now + .seconds(2)))
  }

  @Test("New connections beyond that are closed unanswered")
  func refusedNewConnections() async throws {
    let studio = try await TestStudio {
      $0.newConnectionsPerMachine = 0
      $0.isThisMachine = { $0 == "127.0.0.1" }
    }
    try await serve(studio) { port in
      let request = Line.request("GET", "/api/state")
      let refused = try? await Line.status(port, request, from: "127.0.0.2")
      #expect(refused ?? "" == "")
      let own = try await Line.status(port, request, from: "127.0.0.1")
      #expect(own == "HTTP/1.1 200 OK")
    }
  }

  @Test("Where all connections are open, a new one displaces the oldest that is not the owner's")
  func displacement() {
    let closed = Mutex<[String]>([])
    let connections = OpenConnections(limit: 3, share: 2, perSecond: 9) { $0 == "me" }
    func add(_ machine: String, _ name: String) -> Int? {
      connections.add(from: machine) { closed.withLock { $0.append(name) } }
    }
    let first = add("a", "a1")
    let second = add("a", "a2")
    #expect(add("a", "a3") == nil && closed.withLock(\.isEmpty), "that is its share")
    #expect(add("b", "b1") != nil)
    connections.keep(first ?? 0)
    #expect(add("b", "b2") != nil)
    #expect(closed.withLock { $0 } == ["a2"], "the owner asked on the first")
    // Its handler says so, too.
    connections.remove(second ?? 0)
    let third = add("c", "c1")
    #expect(closed.withLock { $0 } == ["a2", "b1"])
    connections.keep(third ?? 0)
    let fourth = add("d", "d1")
    #expect(closed.withLock { $0 } == ["a2", "b1", "b2"])
    connections.keep(fourth ?? 0)
    #expect(add("e", "e1") == nil, "all are the owner's")
    connections.remove(first ?? 0)
    #expect(add("e", "e1") != nil && closed.withLock(\.count) == 3)
    #expect(add("me", "me1") != nil && add("me", "me2") != nil && add("me", "me3") != nil)
    #expect(closed.withLock { $0.suffix(3) } == ["e1", "me1", "me2"], "this machine has no share")
  }

  @Test("Machines that hold all connections lock nobody out, and the owner's connections stay")
  func manyMachines() async throws {
    let studio = try await TestStudio(token: token) {
      $0.connections = 3
      $0.isThisMachine = { $0 == "127.0.0.1" }
    }
    let headers = "Authorization: Bearer \(token)\r\n"
    let state = Line.request("GET", "/api/state", headers: headers)
    try await serve(studio) { port in
      let events = Line.request("GET", "/api/events", headers: headers)
      try await Line.open(port, events, from: "127.0.0.2") { owner in
        _ = try await owner.read(until: "event: hello")
        // None of these ends its request.
        try await Line.open(port, "GET /api/st", from: "127.0.0.3") { first in
          try await Line.open(port, "GET /api/st", from: "127.0.0.4") { _ in
            for address in ["127.0.0.5", "127.0.0.1", "127.0.0.2"] {
              let status = try await Line.status(port, state, from: address)
              #expect(status == "HTTP/1.1 200 OK", "\(address)")
            }
          }
          let answer = try? await first.read(until: "no such text")
          #expect(answer ?? "" == "", "it was closed")
        }
        #expect(studio.services.hub.count == 1)
      }
    }
  }

  @Test("Guests wait for each other, the owner for none; who hangs up leaves the queue")
  func guests() async throws {
    let studio = try await TestStudio(token: token)
    let limiter = studio.services.guests.reads
    @Sendable func request(_ path: String, as token: String) -> String {
      Line.request("GET", path, headers: "Authorization: Bearer \(token)\r\n")
    }
    let guest = Tokens(owner: token).guest + ".a"
    let (gate, open) = AsyncStream.makeStream(of: Void.self)
    defer { open.finish() }
    try await serve(studio) { port in
      let held = Task { try await limiter.run { for await _ in gate {} } }
      try await eventually("nobody else may enter") { await !limiter.isFree }
      try await Line.open(port, request("/api/state", as: guest)) { _ in
        try await eventually("a guest waits") { await limiter.waitingCount == 1 }
        let owner = try await Line.status(port, request("/api/state", as: token))
        #expect(owner == "HTTP/1.1 200 OK")
      }
      try await eventually("the guest has left") { await limiter.waitingCount == 0 }
      async let state = Line.open(port, request("/api/state", as: guest)) {
        try await $0.read(until: "\r\n\r\n")
      }
      async let events = Line.open(port, request("/api/events", as: guest)) {
        try await $0.read(until: "event: hello")
      }
      try await eventually("two guests wait") { await limiter.waitingCount == 2 }
      open.finish()
      try await held.value
      #expect(try await state.hasPrefix("HTTP/1.1 200 OK"))
      #expect(try await state.contains("Connection: close"))
      #expect(try await events.contains("event: hello"))
      // Without others a connection stays.
      let free = try await Line.open(
        port, request("/api/state", as: guest) + request("/api/models", as: guest)
      ) { try await $0.read(until: "\"models\"") }
      #expect(free.contains("\"models\"") && !free.contains("Connection: close"))
    }
  }

  @Test("A body that breaks off, or ends in what HTTP does not take, is the client’s fault")
  func brokenBody() async throws {
    try await serve(TestStudio()) { port async throws in
      for (path, type) in [
        ("/api/models", "application/json"), ("/api/import", "application/octet-stream"),
      ] {
        let broken =
          "POST \(path) HTTP/1.1\r\nHost: localhost\r\nContent-Type: \(type)\r\n"
          + "Transfer-Encoding: chunked\r\n\r\n1\r\nx\r\nnot a length\r\n"
        #expect(try await Line.status(port, broken).hasPrefix("HTTP/1.1 400"), "\(path)")
      }
    }
  }

  @Test("A large body has to go on: enough within a span of time after enough has come, or the end")
  func pace() async throws {
    let time = ManualTime()
    let (parts, sending) = AsyncStream.makeStream(of: ByteBuffer.self)
    let request = Request(
      head: .init(method: .post, scheme: nil, authority: nil, path: "/"),
      body: .init(asyncSequence: parts))
    let received = Received()
    let pace = MinimumBodyRate(time: .seconds(10), bytes: 100)
    let receiving = Task {
      try await request.receive(at: pace, time.time) { _, count in
        received.total.store(count, ordering: .relaxed)
      }
    }
    for round in 1...3 {
      try await eventually("it is watched") { time.sleeperCount == 1 }
      time.advance(by: 9_000)
      sending.yield(ByteBuffer(repeating: 0, count: 100))
      try await eventually("it has come") { received.count == 100 * round }
      // In each round the deadline of the earlier bytes passes, and nothing happens.
      time.advance(by: 500)
    }
    // From the last hundred on there are 10 seconds, wherever in the time before they came.
    try await eventually("it is watched") { time.sleeperCount == 1 }
    time.advance(by: 9_000)
    sending.yield(ByteBuffer(repeating: 0, count: 99))
    try await eventually("it has come") { received.count == 399 }
    #expect(time.sleeperCount == 1)
    time.advance(by: 500)
    await #expect(throws: StudioError.tooSlow) { try await receiving.value }
    // This long after its last byte an idle connection would be closed without a response.
    #expect(StudioLimits().minimumImportRate.time < StudioLimits().idleTime)
  }

  @Test("A request may come byte by byte, and a client may end what it sends with it")
  func pieces() async throws {
    try await serve(TestStudio()) { port in
      for splitsBytes in [true, false] {
        let request = Line.request("POST", "/api/models", #"{"name":"Shapes \#(splitsBytes)"}"#)
        let first = splitsBytes ? String(request.prefix(1)) : request
        let answer = try await Line.open(port, first) { line in
          for byte in request.utf8.dropFirst(first.utf8.count) {
            try await line.outbound.write(ByteBuffer(bytes: [byte]))
          }
          line.outbound.finish()
          return try await line.read(until: "no such text")
        }
        #expect(answer.hasPrefix("HTTP/1.1 201"), "\(answer)")
        #expect(answer.components(separatedBy: "HTTP/1.1").count == 2)
      }
    }
  }

  @Test("A guest may end its side after a long body, as programs do")
  func guestEndsItsSide() async throws {
    let studio = try await TestStudio(token: token)
    let model = try await studio.workspace.activeModel().id
    let drawing =
      #"{"canvas":{"width":9,"height":9},"strokes":[[[1,5,8],[1,8,2]]]"#
      + String(repeating: " ", count: 1_900_000) + "}"
    let request = Line.request(
      "POST", "/api/models/\(model)/classify", drawing,
      headers: "Authorization: Bearer \(Tokens(owner: token).guest).a\r\n")
    try await serve(studio) { port in
      for _ in 0..<10 {
        let answer = try await Line.open(port, request) { line in
          line.outbound.finish()
          return try await line.read(until: "no such text")
        }
        #expect(answer.hasPrefix("HTTP/1.1 200"), "\(answer)")
      }
    }
  }

  @Test(
    "A long answer comes whole to a client that reads late, however its request ends",
    arguments: ["", "Connection: close\r\n", "Upgrade: h2c\r\n"], [true, false])
  func readLate(header: String, endsItsSide: Bool) async throws {
    let studio = try await TestStudio().studio
    let router = studio.router
    let body = ByteBuffer(repeating: UInt8(ascii: "x"), count: 24 << 20)
    router.get("/api/long") { _, _ in Response(status: .ok, body: .init(byteBuffer: body)) }
    let responder = router.buildResponder()
    let run = { @Sendable (running: @escaping Running) in
      try await StudioServer(
        responder: responder, address: studio.address, limits: StudioLimits(),
        logger: Logger(label: "long"), running: running
      ).run()
    }
    try await serve(run) { port in
      let count = try await Line.open(
        port, Line.request("GET", "/api/long", headers: header)
      ) { line in
        if endsItsSide { line.outbound.finish() }
        _ = try await line.read(until: "\r\n\r\n")
        try await Task.sleep(for: .milliseconds(1_500))
        let head = try #require(line.text.components(separatedBy: "\r\n\r\n").first)
        var count = line.text.utf8.count - head.utf8.count - 4
        while count < body.readableBytes, let next = try await line.iterator.next() {
          count += next.readableBytes
        }
        return count
      }
      #expect(count == body.readableBytes)
    }
  }

  @Test(
    "A request for another protocol is answered as ever, and nothing behind it",
    arguments: ["GET", "POST", "CONNECT"])
  func otherProtocol(method: String) async throws {
    let json = method == "POST" ? #"{"name":"Upgraded"}"# : nil
    let request = Line.request(
      method, method == "CONNECT" ? "localhost:80" : "/api/models", json,
      headers: "Connection: upgrade\r\nUpgrade: h2c\r\n")
    try await serve(TestStudio()) { port in
      let answers = try await Line.open(port, request) { line in
        _ = try await line.read(until: "\r\n\r\n")
        // The server may have closed the connection meanwhile.
        do {
          for _ in 0..<100 {
            try await line.outbound.write(
              ByteBuffer(string: Line.request("GET", "/api/state") + "anything"))
          }
        } catch {}
        line.outbound.finish()
        // What is sent to a closed connection resets it.
        return (try? await line.read(until: "no such text")) ?? line.text
      }
      let status = ["GET": "200", "POST": "201"][method] ?? "4"
      #expect(answers.hasPrefix("HTTP/1.1 \(status)"), "\(answers)")
      #expect(answers.contains("Connection: close"))
      #expect(answers.components(separatedBy: "HTTP/1.1").count == 2, "\(answers)")
    }
  }

  @Test("Who still sends after a refusal may not do so for ever")
  func refusedWhileSending() async throws {
    let studio = try await TestStudio { $0.lingerTime = .seconds(2) }
    let upload = Line.request(
      "POST", "/api/models", host: "evil.example",
      headers: "Content-Type: application/json\r\nContent-Length: 999999999\r\n")
    try await serve(studio) { port in
      // From before the answer, which may reach a busy machine's test long after it was sent.
      let start = ContinuousClock.now
      let heard: Duration = try await Line.open(port, upload) { line in
        let answer = try await line.read(until: "foreignHost")
        #expect(answer.hasPrefix("HTTP/1.1 421"))
        do {
          while .now - start < .seconds(60) {
            try await Task.sleep(for: .milliseconds(100))
            try await line.outbound.write(ByteBuffer(string: "more"))
          }
        } catch {}
        return .now - start
      }
      #expect((.seconds(1)..<(.seconds(60))).contains(heard), "heard for \(heard)")
    }
  }

  @Test("Who is refused is not listened to any longer, however much is to come")
  func refused() async throws {
    try await serve(TestStudio()) { port in
      let endless = Line.request(
        "POST", "/api/models", host: "evil.example",
        headers: "Content-Type: application/json\r\nContent-Length: 999999999\r\n")
      let start = ContinuousClock.now
      let answer = try await Line.open(port, endless) { incoming in
        try await incoming.read(until: "no such text")
      }
      #expect(answer.hasPrefix("HTTP/1.1 421") && answer.contains("foreignHost"))
      #expect(answer.contains("Connection: close"))
      #expect(.now - start < .seconds(20))
    }
  }

  @Test(
    "Who is refused gets one answer, and none to what else was sent at once",
    arguments: ["GET", "HEAD"])
  func refusedAtOnce(method: String) async throws {
    try await serve(TestStudio(token: token)) { port in
      let stranger = Line.request(method, "/api/models")
      let answers = try await Line.open(port, String(repeating: stranger, count: 3)) {
        try await $0.read(until: "no such text")
      }
      #expect(answers.hasPrefix("HTTP/1.1 401"))
      #expect(answers.contains("Connection: close"))
      #expect(answers.components(separatedBy: "HTTP/1.1").count == 2)
      let owner = Line.request(method, "/", headers: "Authorization: Bearer \(token)\r\n")
      let owners = try await Line.open(port, String(repeating: owner, count: 3) + stranger) {
        try await $0.read(until: "no such text")
      }
      #expect(owners.components(separatedBy: "HTTP/1.1 200 OK").count == 4)
      #expect(owners.contains("HTTP/1.1 401"))
    }
  }

  @Test("Answers have the time, and the system watches over connections")
  func connection() async throws {
    try await serve(TestStudio()) { port in
      try await Line.open(port, Line.request("GET", "/api/events")) { incoming in
        let head = try await incoming.read(until: "event: hello")
        let date = try #require(head.firstMatch(of: /\r\nDate: (.+)\r\n/))
        let pattern = /[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT/
        #expect(date.1.wholeMatch(of: pattern) != nil, "\(date.1)")
        #expect(
          Date(timeIntervalSince1970: 784_111_777).httpDate == "Sun, 06 Nov 1994 08:49:37 GMT")
        // The system's TCP connections with their timers: 02 is keep-alive.
        let file = try #require(FileHandle(forReadingAtPath: "/proc/net/tcp"))
        let table = String(decoding: try file.readToEnd() ?? Data(), as: UTF8.self)
        let local = ":" + String(UInt16(port), radix: 16, uppercase: true).leftPadded(to: 4)
        var timers: [Substring] = []
        for line in table.split(separator: "\n") {
          let fields = line.split(separator: " ")
          guard fields.count > 5, fields[1].hasSuffix(local), fields[3] == "01" else { continue }
          timers.append(fields[5].prefix(2))
        }
        #expect(timers.contains("02"), "\(timers)")
      }
    }
  }
}

extension String {
  fileprivate func leftPadded(to length: Int) -> String {
    String(repeating: "0", count: max(0, length - count)) + self
  }
}
