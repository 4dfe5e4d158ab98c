import Foundation
import Ink
import Segmentation
import Testing
import Workspace

@testable import Studio

/// The body of a request with a stroke.
func strokeBody(
  _ label: String, x: Double = 0, from start: Double, now: Double? = nil, extra: String = "",
  _ index: Int = 30
) -> String {
  let stroke = Shapes.stroke(label, x: x, from: start, index)
  let end = start + 200
  return """
    {"now":\(now ?? end),\(extra)"actions":[{"action":"begin","milliseconds":\(start),"pen":0},
    {"action":"stroke","milliseconds":\(end),"pen":0,"strokes":\(Shapes.json(stroke))}]}
    """
}

let openBody = #"{"id":"p","canvas":{"width":600,"height":400}}"#

@Suite("Playgrounds over HTTP")
struct PlaygroundTests {
  @Test("F-012, G-013, B-010: shapes become emojis by themselves, one by one, each in its place")
  func shapes() async throws {
    let studio = try await TestStudio()
    let model = try await studio.teach()
    let page = try await studio.page()
    let opened = try await page.post("/api/playgrounds", openBody)
    #expect(opened.status == 201)
    #expect(opened.count("shapes") == 0 && opened.number("sequence") == 0)
    #expect(opened["canUndo"] as? Bool == false)
    for (index, label) in Shapes.labels.enumerated() {
      let start = Double(index) * 8000
      let drawn = try await page.draw(strokeBody(label, x: Double(index) * 200, from: start))
      #expect(drawn.text("events", 0, "event") == "pending")
      #expect(drawn.number("events", 0, "strokes", 0) == Double(index))
      #expect(drawn.count("events", 0, "ink", 0, 0) == Shapes.stroke(label, 30).points.count)
      #expect(drawn.text("events", 0, "guesses", 0, "label") == label)
      #expect(drawn.number("events", 0, "guesses", 0, "confidence") ?? 0 > 0.5)
      #expect(studio.time.sleeperCount == 1)
      studio.time.advance(by: 8000)
      try await eventually("the shape is decided") {
        try await page.get("/api/playgrounds/p").text("shapes", index, "state") == "recognized"
      }
    }
    let after = try await page.get("/api/playgrounds/p")
    #expect(after.text("shapes", 0, "label") == "ring")
    #expect(after.text("shapes", 1, "label") == "zigzag")
    #expect(after["shapes", 1, "ink"] == nil && after["shapes", 1, "guesses"] == nil)
    #expect(after.number("shapes", 1, "placement", "side") ?? 0 > 60)
    let items = try await page.get("/api/playgrounds/p/items")
    #expect(items.count("items") == 2 && items.text("items", 0, "label") == "ring")
    #expect(items.number("items", 1, "x") ?? 0 > 190)
    // Decided drawings are in the history, newest first, with their ink.
    try await eventually("the decisions are remembered") {
      try await page.get("/api/models/\(model)/history").count("predictions") == 2
    }
    let history = try await page.get("/api/models/\(model)/history")
    #expect(history.text("predictions", 0, "label") == "zigzag")
    #expect(history.text("predictions", 1, "decision") == "recognized")
    #expect(
      history.count("predictions", 1, "strokes", 0, 0) == Shapes.stroke("ring", 30).points.count)
    // Nothing is pending, so nothing waits.
    #expect(studio.time.sleeperCount == 0)
  }

  @Test("F-008: undo goes back stroke by stroke, clear takes all off, and both can be undone")
  func undo() async throws {
    let studio = try await TestStudio()
    let page = try await studio.page()
    _ = try await page.post("/api/playgrounds", openBody)
    let path = "/api/playgrounds/p/actions"
    _ = try await page.post(path, strokeBody("ring", from: 0))
    studio.time.advance(by: 3000)
    _ = try await page.post(path, strokeBody("zigzag", x: 300, from: 3000))
    let undone = try await page.draw(#"{"actions":[{"action":"undo","milliseconds":3300}]}"#)
    #expect(undone.text("events", 0, "event") == "undone")
    #expect(undone.number("events", 0, "stroke") == 1)
    #expect(undone.number("events", 0, "removed", 0) == 1)
    let cleared = try await page.draw(#"{"actions":[{"action":"clear","milliseconds":3400}]}"#)
    #expect(cleared.text("events", 0, "event") == "cleared")
    #expect(try await page.get("/api/playgrounds/p").count("shapes") == 0)
    let back = try await page.draw(#"{"actions":[{"action":"undo","milliseconds":3500}]}"#)
    #expect(back["events", 0, "stroke"] is NSNull)
    // The ink is restored, even for a page that no longer has it.
    #expect(back.count("events", 0, "restored", 0, "ink", 0, 0) == 21)
    _ = try await page.post(path, #"{"actions":[{"action":"undo","milliseconds":3600}]}"#)
    let nothing = try await page.draw(#"{"actions":[{"action":"undo","milliseconds":3700}]}"#)
    #expect(nothing.text("events", 0, "event") == "nothingToUndo")
    #expect(nothing.text("events", 0, "message") == "Nothing to undo.")
    #expect(try await page.get("/api/playgrounds/p")["canUndo"] as? Bool == false)
  }

  @Test("What a client sends twice is done once")
  func twice() async throws {
    let studio = try await TestStudio()
    let page = try await studio.page()
    _ = try await page.post("/api/playgrounds", openBody)
    let body = strokeBody("ring", from: 0, extra: #""client":"tab","first":0,"#)
    let once = try await page.draw(body)
    #expect(once.number("events", 0, "strokes", 0) == 0)
    let again = try await page.draw(body)
    #expect(again.count("events") == 0 && again.number("sequence") == once.number("sequence"))
    studio.time.advance(by: 2000)
    // Later actions are new, and another client's numbers are independent.
    let more = strokeBody("zigzag", x: 300, from: 2000, extra: #""client":"tab","first":2,"#)
    #expect(try await page.draw(more).count("events") == 1)
    let other = strokeBody("ring", x: 300, from: 4000, extra: #""client":"other","first":0,"#)
    #expect(try await page.draw(other).count("events") == 1)
    #expect(try await page.get("/api/playgrounds/p").number("strokeCount") == 3)
  }

  @Test("who asks again of a playground on which nothing happened is told the same bytes")
  func askedAgain() async throws {
    let studio = try await TestStudio()
    try await studio.teach()
    let page = try await studio.page()
    let opened = try await page.post("/api/playgrounds", openBody)
    _ = try await page.post("/api/playgrounds/p/actions", strokeBody("ring", from: 0))
    let playground = try await studio.services.playgrounds.find("p")
    func place(_ answer: Data) -> Int {
      answer.withUnsafeBytes { Int(bitPattern: $0.baseAddress) }
    }
    let first = try await playground.answer()
    #expect(first.count > opened.body.count)
    // Others open it unchanged.
    _ = try await page.post("/api/playgrounds", openBody)
    let second = try await playground.answer()
    #expect(place(first) == place(second))
    _ = try await page.post("/api/playgrounds/p/actions", strokeBody("zigzag", x: 300, from: 900))
    #expect(try await playground.answer() != first)
  }

  @Test(
    "D-007: after a restart all is there, what waited waits again, and later ink is new"
  )
  func restart() async throws {
    let studio = try await TestStudio()
    try await studio.teach()
    let page = try await studio.page()
    _ = try await page.post("/api/playgrounds", openBody)
    let path = "/api/playgrounds/p/actions"
    _ = try await page.post(path, strokeBody("ring", from: 0))
    studio.time.advance(by: 8000)
    try await eventually("the ring is an emoji") {
      try await page.get("/api/playgrounds/p/items").count("items") == 1
    }
    _ = try await page.post(path, strokeBody("zigzag", x: 300, from: 8000))
    #expect(try await page.get("/api/playgrounds/p").text("shapes", 1, "state") == "pending")
    let told = try await studio.services.playgrounds.find("p").answer()
    let before = try #require(JSONSerialization.jsonObject(with: told) as? [String: Any])
    let shape = try #require((before["shapes"] as? [[String: Any]])?.first)
    let x = try #require((shape["placement"] as? [String: Any])?["x"] as? Double)
    await studio.services.close()
    let again = try await TestStudio(again: studio)
    let later = try await again.page()
    let opened = try await later.post("/api/playgrounds", openBody)
    #expect(opened.status == 200)
    #expect(opened.text("shapes", 0, "label") == "ring")
    #expect(opened.number("shapes", 0, "placement", "x") == x)
    #expect(opened.text("shapes", 1, "state") == "pending")
    #expect(opened.count("shapes", 1, "ink", 0, 0) == 7 && opened.number("strokeCount") == 2)
    again.time.advance(by: 3000)
    try await eventually("it has waited long enough") {
      try await later.get("/api/playgrounds/p").text("shapes", 1, "label") == "zigzag"
    }
    // A page that was loaded since has another clock.
    let drawn = try await later.draw(strokeBody("ring", x: 450, from: 0))
    #expect(drawn.number("events", 0, "shape") == 2)
    #expect(drawn.number("events", 0, "strokes", 0) == 2)
    #expect(try await later.delete("/api/playgrounds/p/items").status == 204)
    #expect(try await later.get("/api/playgrounds/p").count("shapes") == 0)
  }

  @Test("A drawing that a restart falls into is finished as one shape, for as long as it waits")
  func restartWithinDrawing() async throws {
    let studio = try await TestStudio()
    try await studio.teach()
    let ring = Shapes.stroke("ring", from: 9000, 30).points
    @Sendable func half(_ points: ArraySlice<Point>, now: Double) -> String {
      let stroke = Shapes.json(Stroke(Array(points)))
      let end = points.last?.t ?? 0
      return
        #"{"now":\#(now),"actions":[{"action":"stroke","milliseconds":\#(end),"strokes":\#(stroke)}]}"#
    }
    let page = try await studio.page()
    _ = try await page.post("/api/playgrounds", openBody)
    _ = try await page.post("/api/playgrounds/p/actions", half(ring[..<11], now: 9110))
    await studio.services.close()
    #expect(try await studio.workspace.playground("p").items.map(\.isUndecided) == [true])
    let again = try await TestStudio(again: studio)
    let later = try await again.page()
    #expect(try await later.post("/api/playgrounds", openBody).count("shapes") == 1)
    // The server was away for two minutes; its next half was drawn at once, and waited.
    again.time.advance(by: 200)
    let rest = try await later.draw(half(ring[10...], now: 129_000))
    #expect(rest.number("events", 0, "strokes", 0) == 0)
    #expect(rest.number("events", 0, "strokes", 1) == 1)
    again.time.advance(by: 5000)
    try await eventually("both halves are one ring") {
      let sheet = try await later.get("/api/playgrounds/p")
      return sheet.count("shapes") == 1 && sheet.text("shapes", 0, "label") == "ring"
    }
    // The pen that held the strokes together comes up in the log, too: a replay decides.
    let log = try await again.services.playgrounds.find("p").log
    let held = log.actions.compactMap { action in
      switch action {
      case .begin(pen: -1, _, _): true
      case .cancel(pen: -1, _): false
      default: Bool?.none
      }
    }
    #expect(held == [true, false])
  }

  @Test("D-007: ink that is nothing yet is there again after a restart")
  func restartWithInk() async throws {
    let studio = try await TestStudio()
    let page = try await studio.page()
    _ = try await page.post("/api/playgrounds", openBody)
    _ = try await page.post("/api/playgrounds/p/actions", strokeBody("zigzag", from: 0))
    await studio.services.close()
    let again = try await TestStudio(again: studio)
    let later = try await again.page()
    let opened = try await later.post("/api/playgrounds", openBody)
    #expect(opened.text("shapes", 0, "state") == "unrecognized")
    #expect(opened.count("shapes", 0, "ink", 0, 0) == 7)
    #expect(opened.number("strokeCount") == 1)
  }

  @Test("Ink is on disk when its request is answered; the next server decides on it after a kill")
  func killed() async throws {
    let studio = try await TestStudio()
    try await studio.teach()
    let page = try await studio.page()
    _ = try await page.post("/api/playgrounds", openBody)
    let extra = #""canvas":{"width":500,"height":300},"#
    _ = try await page.post(
      "/api/playgrounds/p/actions", strokeBody("zigzag", from: 0, extra: extra))
    #expect(try await studio.workspace.playground("p").items.map(\.isUndecided) == [true])
    _ = try await page.post(
      "/api/playgrounds/p/actions", #"{"actions":[{"action":"undo","milliseconds":600}]}"#)
    #expect(try await studio.workspace.playground("p").items.isEmpty)
    _ = try await page.post("/api/playgrounds/p/actions", strokeBody("zigzag", from: 700))
    #expect(try await studio.workspace.playground("p").items.map(\.isUndecided) == [true])
    // The studio is not closed.
    let again = try await TestStudio(again: studio)
    let later = try await again.page()
    let opened = try await later.post("/api/playgrounds", openBody)
    again.time.advance(by: 3000)
    try await eventually("it is decided on") {
      try await later.get("/api/playgrounds/p").text("shapes", 0, "label") == "zigzag"
    }
    // A client that refers to the earlier run cannot draw yet.
    let path = "/api/playgrounds/p/actions"
    let old = try await later.post(path, strokeBody("ring", from: 0, extra: #""run":"before","#))
    #expect(old.status == 409 && old.code == "otherRun")
    #expect(try await later.get("/api/playgrounds/p").count("shapes") == 1)
    let run = try #require(opened.text("run"))
    let new = strokeBody("ring", x: 200, from: 0, extra: #""run":"\#(run)","#)
    #expect(try await later.post(path, new).status == 200)
    try await eventually("that is kept") {
      try await again.workspace.playground("p").items.first?.label == "zigzag"
    }
  }

  @Test("Who takes back the line of a pen that an earlier run knew takes nothing that waited then")
  func canceledAfterRestart() async throws {
    let studio = try await TestStudio()
    try await studio.teach()
    let page = try await studio.page()
    _ = try await page.post("/api/playgrounds", openBody)
    _ = try await page.post("/api/playgrounds/p/actions", strokeBody("zigzag", from: 0))
    await studio.services.close()
    let again = try await TestStudio(again: studio)
    let later = try await again.page()
    let opened = try await later.post("/api/playgrounds", openBody)
    #expect(opened.text("shapes", 0, "state") == "pending")
    // A palm touched the screen when the studio ended; now its stroke is canceled.
    let cancel = #"{"actions":[{"action":"cancel","pen":0,"milliseconds":700}]}"#
    #expect(try await later.post("/api/playgrounds/p/actions", cancel).status == 200)
    #expect(try await later.get("/api/playgrounds/p").count("shapes") == 1)
    // A request to the earlier run lifts no pen of this run.
    let begin = #"{"actions":[{"action":"begin","pen":3,"milliseconds":800}]}"#
    #expect(try await later.post("/api/playgrounds/p/actions", begin).status == 200)
    let old = try await later.post(
      "/api/playgrounds/p/actions", strokeBody("ring", from: 0, extra: #""run":"before","#))
    #expect(old.code == "otherRun")
    #expect(try await later.get("/api/playgrounds/p")["isDrawing"] as? Bool == true)
  }

  @Test("What was drawn before anything was taught is looked at whoever trained the model")
  func trainedElsewhere() async throws {
    let studio = try await TestStudio()
    let page = try await studio.page()
    _ = try await page.post("/api/playgrounds", openBody)
    _ = try await page.post("/api/playgrounds/p/actions", strokeBody("ring", from: 0))
    await studio.services.close()
    let again = try await TestStudio(again: studio)
    try await again.teach()
    let later = try await again.page()
    let opened = try await later.post("/api/playgrounds", openBody)
    #expect(opened.count("shapes") == 1)
    again.time.advance(by: 3000)
    try await eventually("it is a ring") {
      try await later.get("/api/playgrounds/p").text("shapes", 0, "label") == "ring"
    }
  }

  @Test(
    "Another window changes nothing of a sheet that is not empty; only an empty one takes its size")
  func otherSize() async throws {
    let studio = try await TestStudio()
    try await studio.teach()
    let page = try await studio.page()
    func open(_ width: Int, model: String? = nil) async throws -> Reply {
      let model = model.map { #","model":"\#($0)""# } ?? ""
      return try await page.post(
        "/api/playgrounds", #"{"id":"p","canvas":{"width":\#(width),"height":400}\#(model)}"#)
    }
    let path = "/api/playgrounds/p/actions"
    #expect(try await open(600).status == 201)
    let empty = try await open(700)
    #expect(empty.status == 200 && empty.number("canvas", "width") == 700)
    let body = strokeBody("ring", from: 0, extra: #""client":"tab","first":0,"#)
    _ = try await page.post(path, body)
    let second = try await open(900)
    #expect(second.status == 200 && second.number("canvas", "width") == 700)
    #expect(second.text("shapes", 0, "state") == "pending")
    #expect(second["canUndo"] as? Bool == true)
    // The first window does not know whether its stroke arrived, and sends it again.
    let again = try await page.draw(body)
    #expect(again.status == 200 && again.count("events") == 0)
    // Another model takes over the canvas unchanged.
    let other = try #require(try await page.post("/api/models", #"{"name":"b"}"#).text("id"))
    let moved = try await open(900, model: other)
    #expect(moved.text("model") == other && moved.number("canvas", "width") == 700)
    #expect(moved.text("shapes", 0, "state") == "pending")
    #expect(moved["canUndo"] as? Bool == true)
    // The canvas is empty, but undo could restore the shape.
    _ = try await page.post(path, #"{"actions":[{"action":"clear","milliseconds":400}]}"#)
    #expect(try await open(900).number("canvas", "width") == 700)
    _ = try await page.post(path, #"{"actions":[{"action":"undo","milliseconds":500}]}"#)
    _ = try await page.post(path, #"{"actions":[{"action":"undo","milliseconds":600}]}"#)
    #expect(try await open(900).number("canvas", "width") == 900)
    let kept = try await page.get("/api/playgrounds/p")
    #expect(kept.number("canvas", "width") == 900 && kept["canUndo"] as? Bool == false)
  }

  @Test("Two windows that open a new playground at once open the same one")
  func together() async throws {
    let page = try await TestStudio().page()
    let replies = try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<8 {
        group.addTask { try await page.post("/api/playgrounds", openBody).status }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(replies.sorted() == Array(repeating: 200, count: 7) + [201])
    // A concurrent request that would not create it does no harm.
    async let asked = page.get("/api/playgrounds/q")
    async let opened = page.post(
      "/api/playgrounds", #"{"id":"q","canvas":{"width":600,"height":400}}"#)
    #expect([200, 404].contains(try await asked.status))
    #expect([200, 201].contains(try await opened.status))
  }

  @Test("What is taught meanwhile counts for the next shape; what was decided stays")
  func trainedMeanwhile() async throws {
    let studio = try await TestStudio()
    let model = try await studio.teach()
    let page = try await studio.page()
    _ = try await page.post("/api/playgrounds", openBody)
    let path = "/api/playgrounds/p/actions"
    _ = try await page.post(path, strokeBody("ring", from: 0))
    studio.time.advance(by: 8000)
    try await eventually("the first ring is decided") {
      try await page.get("/api/playgrounds/p").text("shapes", 0, "label") == "ring"
    }
    _ = try await page.patch("/api/models/\(model)/labels/ring", #"{"label":"⭕"}"#)
    _ = try await page.post("/api/models/\(model)/train")
    await studio.services.trainer.wait()
    _ = try await page.post(path, strokeBody("ring", x: 300, from: 8000))
    studio.time.advance(by: 8000)
    try await eventually("the second ring is decided") {
      try await page.get("/api/playgrounds/p").text("shapes", 1, "label") == "⭕"
    }
    #expect(try await page.get("/api/playgrounds/p").text("shapes", 0, "label") == "ring")
  }

  @Test("What a model knew before does not come back because it was read before")
  func stale() async throws {
    let studio = try await TestStudio()
    let id = try await studio.workspace.activeModel().id
    let before = try await studio.workspace.snapshot(of: id)
    try await studio.teach()
    let after = try await studio.workspace.snapshot(of: id)
    let page = try await studio.page()
    _ = try await page.post("/api/playgrounds", openBody)
    let playground = try await studio.services.playgrounds.find("p")
    await playground.follow(after, asOf: 1000)
    await playground.follow(before, asOf: 999)
    await playground.adopt(before, size: .init(width: 600, height: 400), asOf: 998)
    let body = Array(strokeBody("ring", from: 0).utf8)
    _ = try await playground.perform(ActionBatch(body, studio.services.input))
    studio.time.advance(by: 8000)
    try await eventually("it is a ring") { await playground.items.first?.label == "ring" }
  }

  @Test("Who listens to a playground whose model goes is told that it is over, and nobody else is")
  func modelGone() async throws {
    let studio = try await TestStudio()
    let page = try await studio.page()
    let first = try await page.model
    let model = try #require(try await page.post("/api/models", #"{"name":"b"}"#).text("id"))
    _ = try await page.post(
      "/api/playgrounds", #"{"id":"p","model":"\#(model)","canvas":{"width":600,"height":400}}"#)
    let listener = EventListener()
    try await studio.services.playgrounds.find("p").join(listener)
    let ending = Task { try await listener.forEach { _ in } }
    // As another program would.
    _ = try await studio.workspace.deleteModel(model)
    // At the same time: one request is for the deleted playground, the other creates it again.
    async let gone = page.get("/api/playgrounds/p")
    let opened = try await page.post(
      "/api/playgrounds", #"{"id":"p","model":"\#(first)","canvas":{"width":600,"height":400}}"#)
    #expect([200, 404].contains(try await gone.status))
    #expect(opened.text("model") == first)
    try await ending.value
    _ = try await page.post("/api/playgrounds/p/actions", strokeBody("ring", from: 0))
    #expect(try await page.get("/api/playgrounds/p").count("shapes") == 1)
    // Here no request is needed: the server notices the deletion at once.
    let last = EventListener()
    try await studio.services.playgrounds.find("p").join(last)
    _ = try await page.delete("/api/models/\(first)")
    try await last.forEach { _ in }
    #expect(await studio.services.playgrounds.count == 0)
  }

  @Test("A playground that somebody has to do with stays, however many others come")
  func used() async throws {
    let studio = try await TestStudio { $0.playgrounds = 1 }
    let page = try await studio.page()
    func body(_ number: Int) -> String {
      #"{"id":"p\#(number)","canvas":{"width":600,"height":400}}"#
    }
    _ = try await page.post("/api/playgrounds", body(0))
    _ = try await studio.services.playgrounds.use("p0") { playground in
      for number in 1..<6 { _ = try await page.post("/api/playgrounds", body(number)) }
      try await eventually("the others left") { await studio.services.playgrounds.count == 2 }
      let stroke = Array(strokeBody("ring", from: 0).utf8)
      _ = try await playground.perform(ActionBatch(stroke, studio.services.input))
      for number in 1..<6 { _ = try await page.get("/api/playgrounds/p\(number)") }
    }
    #expect(try await page.get("/api/playgrounds/p0").count("shapes") == 1)
  }

  @Test("A playground that is not there, or whose model is gone, is said to be unknown")
  func unknown() async throws {
    let page = try await TestStudio().page()
    #expect(try await page.get("/api/playgrounds/p").code == "unknownPlayground")
    #expect(try await page.post("/api/playgrounds/p/actions", #"{"actions":[]}"#).status == 404)
    #expect(try await page.get("/api/events?playground=p").status == 404)
    let bad = #"{"id":"p","model":"none","canvas":{"width":1,"height":1}}"#
    #expect(try await page.post("/api/playgrounds", bad).code == "unknownModel")
    let spaces = #"{"id":"p q","canvas":{"width":1,"height":1}}"#
    #expect(try await page.post("/api/playgrounds", spaces).code == "invalidID")
    for size in ["0", "-5", "1e300", #""wide""#, "null"] {
      let body = #"{"canvas":{"width":\#(size),"height":9}}"#
      #expect(try await page.post("/api/playgrounds", body).status == 400, "\(size)")
    }
    let model = try #require(try await page.post("/api/models", #"{"name":"b"}"#).text("id"))
    _ = try await page.post(
      "/api/playgrounds", #"{"id":"p","model":"\#(model)","canvas":{"width":9,"height":9}}"#)
    _ = try await page.delete("/api/models/\(model)")
    let gone = try await page.post("/api/playgrounds/p/actions", strokeBody("ring", from: 0))
    #expect(gone.status == 404)
  }

  @Test("Playgrounds that nobody uses leave the memory, and come back as they were")
  func bounded() async throws {
    let studio = try await TestStudio { $0.playgrounds = 3 }
    let page = try await studio.page()
    for number in 0..<8 {
      let body = #"{"id":"p\#(number)","canvas":{"width":600,"height":400}}"#
      _ = try await page.post("/api/playgrounds", body)
      _ = try await page.post(
        "/api/playgrounds/p\(number)/actions", strokeBody("ring", from: 0, number))
      studio.time.advance(by: 20_000)
      try await eventually("it is decided") {
        try await page.get("/api/playgrounds/p\(number)").text("shapes", 0, "state")
          == "unrecognized"
      }
    }
    try await eventually("only few are left") { await studio.services.playgrounds.count <= 3 }
    let first = try await page.get("/api/playgrounds/p0")
    let ring = Shapes.stroke("ring", 0)
    #expect(first.number("shapes", 0, "ink", 0, 0, 3) == ring.points[3].x)
  }

  @Test(
    "A canvas takes only so much, and says so before it changes; clearing and undo always work",
    arguments: [
      StudioLimits.with(points: 70), .with(strokes: 3), .with(shapes: 3),
    ])
  func full(_ limits: StudioLimits) async throws {
    let studio = try await TestStudio { $0 = limits }
    let page = try await studio.page()
    _ = try await page.post("/api/playgrounds", openBody)
    let path = "/api/playgrounds/p/actions"
    for number in 0..<3 {
      let counted = #""client":"c","first":\#(2 * number),"#
      let body = strokeBody(
        "ring", x: 200 * Double(number), from: 9000 * Double(number), extra: counted)
      #expect(try await page.post(path, body).status == 200)
      // The answer was lost: what is there needs no more room.
      #expect(try await page.post(path, body).status == 200)
      studio.time.advance(by: 9000)
    }
    let full = try await page.post(path, strokeBody("ring", x: 300, from: 30_000))
    #expect(full.status == 413 && full.code == "canvasFull")
    #expect(full.message == "The canvas is full. Clear it to go on.")
    let after = try await page.get("/api/playgrounds/p")
    #expect(after.number("strokeCount") == 3 && after["isDrawing"] as? Bool == false)
    let undo = #"{"actions":[{"action":"undo","milliseconds":31000}]}"#
    #expect(try await page.draw(undo).text("events", 0, "event") == "undone")
    _ = try await page.post(path, strokeBody("ring", x: 400, from: 32_000))
    studio.time.advance(by: 9000)
    #expect(try await page.post(path, strokeBody("ring", x: 300, from: 40_000)).status == 413)
    // Strokes after a clear have the room that it makes.
    let stroke = Shapes.json(Shapes.stroke("ring", x: 300, from: 50_000))
    let clear = """
      {"actions":[{"action":"clear","milliseconds":50000},
      {"action":"stroke","milliseconds":50200,"strokes":\(stroke)}]}
      """
    #expect(try await page.post(path, clear).status == 200)
    #expect(try await page.get("/api/playgrounds/p").count("shapes") == 1)
    let only = #"{"actions":[{"action":"clear","milliseconds":60000}]}"#
    #expect(try await page.post(path, only).status == 200)
    #expect(try await page.get("/api/playgrounds/p").count("shapes") == 0)
  }
}

extension StudioLimits {
  /// Limits of a playground's canvas.
  fileprivate static func with(
    points: Int = 400_000, strokes: Int = 5_000, shapes: Int = 2_000
  ) -> StudioLimits {
    var limits = StudioLimits()
    (limits.playgroundPoints, limits.playgroundStrokes) = (points, strokes)
    limits.playgroundShapes = shapes
    return limits
  }
}
