import Foundation
import NIOCore
import Testing
import Workspace

@testable import Studio

/// A received event.
struct ReceivedEvent: HasJSON {
  var name: String
  var body: Data

  init(_ line: String) {
    let lines = line.split(separator: "\n")
    name = String(lines[0].dropFirst("event: ".count))
    body = Data(lines[1].dropFirst("data: ".count).utf8)
  }
}

/// Collects the events of a listener.
actor EventCollector {
  private(set) var events: [ReceivedEvent] = []

  init(_ listener: EventListener) {
    Task {
      try await listener.forEach { await self.take($0) }
      await self.end()
    }
  }

  /// Whether the stream has ended.
  private(set) var isOver = false

  private func end() { isOver = true }

  private func take(_ line: ByteBuffer) { events.append(ReceivedEvent(String(buffer: line))) }

  var names: [String] { events.map(\.name) }
  /// The numbers of canvas events.
  var sequences: [Double] { events.compactMap { $0.number("sequence") } }
}

@Suite("What happens is told by itself")
struct EventTests {
  @Test(
    "A listener gets the snapshot first, then each event in order; the decision comes by itself")
  func order() async throws {
    let (studio, page) = try await TestStudio.withSheet(taught: true)
    let heard = EventCollector(try await studio.sheetListener())
    // Of this ring the recognizer is sure, of this zigzag it is not.
    for (index, (label, wait)) in [("ring", 850.0), ("zigzag", 1275)].enumerated() {
      let start = Double(index) * 3000
      try await page.act(strokeBody(label, x: 300 * Double(index), from: start))
      try await eventually("it is pending") { await heard.names.count >= 2 + 2 * index }
      // Without a request: it is due so long after its last ink.
      studio.time.advance(by: wait - 1)
      #expect(studio.time.sleeperCount == 1)
      studio.time.advance(by: 1.001)
      try await eventually("it is decided") { await heard.names.count >= 3 + 2 * index }
      studio.time.advance(by: 3000 - wait - 0.001)
    }
    try #require(await heard.names == ["canvas"] + Array(repeating: "canvas-event", count: 4))
    #expect(await heard.sequences == [0, 1, 2, 3, 4])
    let events = await heard.events
    #expect(
      events.dropFirst().map { $0.text("event") } == [
        "pending", "recognized", "pending", "recognized",
      ])
    #expect(events[2].text("label") == "ring" && events[4].text("label") == "zigzag")
    #expect(abs(try #require(events[2].number("milliseconds")) - 1050) < 1e-6)
    #expect(studio.time.sleeperCount == 0)
  }

  @Test("Two tabs hear the same; who comes later gets a snapshot with the ink and the same numbers")
  func twoTabs() async throws {
    let (studio, page) = try await TestStudio.withSheet()
    let first = EventCollector(try await studio.sheetListener())
    try await page.act(strokeBody("ring", from: 0))
    let second = EventCollector(try await studio.sheetListener())
    // The second tab has a clock of its own.
    studio.time.advance(by: 600)
    try await page.act(strokeBody("zigzag", x: 300, from: 9_000_000))
    try await eventually("both heard it") {
      let (a, b) = (await first.names.count, await second.names.count)
      return a == 3 && b == 2
    }
    #expect(await first.sequences == [0, 1, 2])
    #expect(await second.sequences == [1, 2])
    let (snapshot, last) = (await second.events[0], await second.events[1])
    #expect(snapshot.count("shapes", 0, "ink", 0, 0) == 21)
    #expect(last.count("ink", (last.count("ink") ?? 0) - 1, 0) == 7)
    // The canvas's clock followed the server's, and did not jump to the second tab's.
    #expect(last.number("milliseconds") == 800)
  }

  @Test("An emoji comes by itself while a pen that began elsewhere is down")
  func drawingElsewhere() async throws {
    let (studio, page) = try await TestStudio.withSheet(taught: true)
    let heard = EventCollector(try await studio.sheetListener())
    try await page.act(strokeBody("ring", x: 100, from: 0))
    try await page.act(action("begin", at: 221, pen: 1, #""x":600,"y":350"#))
    try await eventually("it is pending") { await heard.names.count == 2 }
    studio.time.advance(by: 1000)
    try await eventually("it is decided") { await heard.names.count == 3 }
    #expect(await heard.events[2].text("event") == "recognized")
    // Of a pen that does not say where it is, nothing is known.
    try await page.act(strokeBody("zigzag", x: 300, from: 3000))
    try await page.act(action("begin", at: 222, pen: 2))
    try await eventually("it is pending") { await heard.names.count == 4 }
    let playground = try await studio.services.playgrounds.find("p")
    #expect(await !playground.isWaiting)
    // Until that comes up.
    try await page.act(action("cancel", at: 3300, pen: 2))
    #expect(await playground.isWaiting)
  }

  @Test("X-007: nothing waits while nothing is pending, or a pen is down that may be anywhere")
  func battery() async throws {
    let (studio, page) = try await TestStudio.withSheet()
    let playground = try await studio.services.playgrounds.find("p")
    #expect(await !playground.isWaiting)
    try await page.act(strokeBody("ring", from: 0))
    #expect(await playground.isWaiting)
    try await page.act(action("begin", at: 300, pen: 0))
    #expect(await !playground.isWaiting)
    try await eventually("the sleeping task is gone") { studio.time.sleeperCount == 0 }
    try await page.act(action("stroke", at: 500, #""strokes":[[[300,340],[9,80]]]"#))
    #expect(await playground.isWaiting)
    try await page.act(action("clear", at: 600))
    try await eventually("nothing sleeps") { studio.time.sleeperCount == 0 }
    #expect(await playground.isIdle)
  }

  @Test("Changes are told to all tabs, with the model")
  func changes() async throws {
    let studio = try await TestStudio()
    let heard = EventCollector(try studio.listener())
    let page = try await studio.page()
    let model = try await page.model
    _ = try await page.patch("/api/settings", #"{"penSize":3}"#)
    _ = try await page.patch("/api/models/\(model)", #"{"name":"b"}"#)
    let body = Shapes.body("ring", id: "s", as: "a")
    _ = try await page.post("/api/models/\(model)/samples", body)
    // Neither sending the same again nor reading changes anything.
    _ = try await page.post("/api/models/\(model)/samples", body)
    _ = try await page.get("/api/models")
    _ = try await page.patch("/api/models/\(model)/labels/a", #"{"name":"A"}"#)
    _ = try await page.delete("/api/models/\(model)/history")
    try await eventually("all were heard") { await heard.names.count == 5 }
    #expect(await heard.names.allSatisfy { $0 == "changed" })
    let what = await heard.events.map { $0.text("what") }
    #expect(what == ["settings", "models", "samples", "labels", "history"])
    #expect(await heard.events[2].text("model") == model)
  }

  @Test("F-004: a training tells how far it is, then what got better, or why it failed")
  func training() async throws {
    let studio = try await TestStudio()
    let heard = EventCollector(try studio.listener())
    let page = try await studio.page()
    let model = try await page.model
    for label in Shapes.labels {
      for index in 0..<3 {
        _ = try await page.post(
          "/api/models/\(model)/samples", Shapes.body(label, index, as: label))
      }
    }
    #expect(try await page.post("/api/models/\(model)/train").status == 202)
    await studio.services.trainer.wait()
    try await eventually("it is told") { await heard.names.contains("trained") }
    let names = await heard.names.filter { $0 != "changed" }
    #expect(names.first == "training" && names.last == "trained")
    #expect(names.dropLast().allSatisfy { $0 == "training" })
    let told = try #require(await heard.events.first { $0.name == "trained" })
    #expect(told.text("model") == model)
    #expect(told.number("report", "samples") == 6)
    #expect(told["report", "known"] is NSNull)
    #expect(told.number("report", "added", "judged") == 6)
    #expect(try #require(told.number("report", "recognizedShare")) >= 0)
    #expect(told.number("report", "changes", "added") == 6)
    #expect(told.text("report", "labels", 1, "label") == "zigzag")
    #expect(told.number("report", "labels", 0, "samples") == 3)
    #expect(told.text("report", "labels", 0, "change") == "new")
    #expect(told["report", "labels", 0, "known"] is NSNull)
    #expect(told.number("report", "labels", 0, "added", "judged") == 3)
    // Clients that connect later request the report.
    let kept = try await page.get("/api/models/\(model)/report")
    #expect(kept.status == 200)
    let report = try JSONSerialization.jsonObject(with: told.body) as? [String: Any]
    #expect(
      try JSONSerialization.jsonObject(with: kept.body) as? NSDictionary
        == report?["report"] as? NSDictionary)
  }

  @Test("A listener who does not take the events is cut off, however few they are")
  func slow() async throws {
    let studio = try await TestStudio()
    let (cuts, cut) = AsyncStream.makeStream(of: Void.self)
    let slow = EventListener(waiting: 1000) { cut.finish() }
    #expect(studio.services.hub.join(slow))
    // Only the bytes queued before an event count, so an event of any length is accepted.
    studio.services.hub.send("long", String(repeating: "a", count: 900))
    studio.services.hub.send("longer", String(repeating: "b", count: 90_000))
    studio.services.hub.send("one too many", "c")
    for await _ in cuts {}
    var count = 0
    try await slow.forEach { _ in count += 1 }
    // The stream ended after the queued events.
    #expect(count == 2)
    // A listener that reads its events is never disconnected.
    let quick = EventListener(waiting: 1000) { Issue.record("it was cut off") }
    let heard = EventCollector(quick)
    for number in 0..<30 {
      quick.send(EventListener.event("e", String(repeating: "a", count: 900)))
      try await eventually("it was taken") { await heard.names.count > number }
    }
  }

  @Test("Only so many listen at a time")
  func many() async throws {
    let studio = try await TestStudio { $0.listeners = 2 }
    let listeners = (0..<2).map { _ in EventListener() }
    for listener in listeners { #expect(studio.services.hub.join(listener)) }
    #expect(!studio.services.hub.join(EventListener()))
    let page = try await studio.page()
    let refused = try await page.get("/api/events")
    #expect(refused.status == 503 && refused.code == "tooManyStreams")
    studio.services.hub.leave(listeners[0])
    #expect(studio.services.hub.join(EventListener()))
    #expect(studio.services.hub.count == 2)
  }

  @Test("D-006: what a playground decides is told as a change of the history, once it is there")
  func history() async throws {
    let studio = try await TestStudio()
    let model = try await studio.teach()
    let heard = EventCollector(try studio.listener())
    let page = try await studio.page()
    try await page.openSheet()
    try await page.act(strokeBody("ring", from: 0))
    studio.time.advance(by: 8000)
    try await eventually("it is told") { await heard.names == ["changed"] }
    #expect(await heard.events[0].text("what") == "history")
    #expect(await heard.events[0].text("model") == model)
    #expect(try await page.get("/api/models/\(model)/history").count("predictions") == 1)
  }

  @Test("Who goes while a pen is down does not stop the canvas for others")
  func penLeft() async throws {
    let (studio, page) = try await TestStudio.withSheet(taught: true)
    let heard = EventCollector(try await studio.sheetListener())
    let leaving = try await studio.sheetListener()
    try await page.act(strokeBody("ring", from: 0))
    let down = action("begin", at: 300, pen: 3)
    try await page.act(down)
    try await eventually("it waits for the pen") { studio.time.sleeperCount == 0 }
    try await studio.services.playgrounds.find("p").leave(leaving)
    studio.time.advance(by: 8000)
    try await eventually("it is decided") {
      await heard.events.last?.text("event") == "recognized"
    }
    // A rejected stroke lifts its pen, too.
    try await page.act(down)
    #expect(try await page.act(action("stroke", at: 9, pen: 3, #""strokes":7"#)).status == 400)
    #expect(try await page.sheet["isDrawing"] as? Bool == false)
  }

  @Test("What a client's clock shows becomes the canvas's time, whatever another one shows")
  func clocks() {
    var clock = ClientClock()
    #expect(clock.shift(sentAt: 1000, received: 5010) == 0)
    #expect(clock.lead == 4010)
    // A smaller delay: the clocks differ by less than assumed.
    #expect(clock.shift(sentAt: 2000, received: 6002) == 0)
    #expect(clock.lead == 4002)
    // A larger delay is adopted only in part.
    #expect(clock.shift(sentAt: 3000, received: 7102) == 0)
    #expect(clock.lead == 4004)
    // Another clock is converted to the first one's.
    #expect(clock.shift(sentAt: 900_000, received: 8004) == 4000 - 900_000)
    #expect(clock.lead == 4004)
  }
}
