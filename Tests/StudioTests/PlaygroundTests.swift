import Foundation
import Ink
import Segmentation
import Testing
import Workspace

@testable import Studio

@Suite("Playgrounds over HTTP")
struct PlaygroundTests {
  @Test("F-012, G-013, B-010: shapes become emojis by themselves, one by one, each in its place")
  func shapes() async throws {
    let (studio, page, model) = try await TestStudio.taught()
    let opened = try await page.openSheet()
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
      try await page.decided(index, as: label, after: 8000)
    }
    let after = try await page.sheet
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
    let (studio, page) = try await TestStudio.withSheet()
    try await page.act(strokeBody("ring", from: 0))
    studio.time.advance(by: 3000)
    try await page.act(strokeBody("zigzag", x: 300, from: 3000))
    let undone = try await page.draw(action("undo", at: 3300))
    #expect(undone.text("events", 0, "event") == "undone")
    #expect(undone.number("events", 0, "stroke") == 1)
    #expect(undone.number("events", 0, "removed", 0) == 1)
    let cleared = try await page.draw(action("clear", at: 3400))
    #expect(cleared.text("events", 0, "event") == "cleared")
    #expect(try await page.sheet.count("shapes") == 0)
    let back = try await page.draw(action("undo", at: 3500))
    #expect(back["events", 0, "stroke"] is NSNull)
    // The ink is restored, even for a page that no longer has it.
    #expect(back.count("events", 0, "restored", 0, "ink", 0, 0) == 21)
    try await page.act(action("undo", at: 3600))
    let nothing = try await page.draw(action("undo", at: 3700))
    #expect(nothing.text("events", 0, "event") == "nothingToUndo")
    #expect(nothing.text("events", 0, "message") == "Nothing to undo.")
    #expect(try await page.sheet["canUndo"] as? Bool == false)
  }

  @Test("An action that is sent twice is done once, whoever sends it")
  func twice() async throws {
    let (studio, page) = try await TestStudio.withSheet()
    let body = strokeBody("ring", from: 0, id: "1", begin: "0")
    let once = try await page.draw(body)
    #expect(once.number("events", 0, "strokes", 0) == 0)
    let again = try await page.draw(body)
    #expect(again.count("events") == 0 && again.number("sequence") == once.number("sequence"))
    studio.time.advance(by: 2000)
    // Other actions are new; those without an id always are.
    let more = strokeBody("zigzag", x: 300, from: 2000, id: "3", begin: "2")
    #expect(try await page.draw(more).count("events") == 1)
    let other = strokeBody("ring", x: 300, from: 4000)
    #expect(try await page.draw(other).count("events") == 1)
    #expect(try await page.sheet.number("strokeCount") == 3)
  }

  @Test("who asks again of a playground on which nothing happened is told the same bytes")
  func askedAgain() async throws {
    let (studio, page, _) = try await TestStudio.taught()
    let opened = try await page.openSheet()
    try await page.act(strokeBody("ring", from: 0))
    let playground = try await studio.services.playgrounds.find("p")
    func place(_ answer: Data) -> Int {
      answer.withUnsafeBytes { Int(bitPattern: $0.baseAddress) }
    }
    let first = try await playground.answer()
    #expect(first.count > opened.body.count)
    // Others open it unchanged.
    try await page.openSheet()
    let second = try await playground.answer()
    #expect(place(first) == place(second))
    try await page.act(strokeBody("zigzag", x: 300, from: 900))
    #expect(try await playground.answer() != first)
  }

  @Test("D-007: after a restart all is there, what waited waits again, and later ink is new")
  func restart() async throws {
    let (studio, page) = try await TestStudio.withSheet(taught: true)
    try await page.act(strokeBody("ring", from: 0))
    try await page.decided(0, as: "ring", after: 8000)
    #expect(try await page.get("/api/playgrounds/p/items").count("items") == 1)
    try await page.act(strokeBody("zigzag", x: 300, from: 8000))
    #expect(try await page.sheet.text("shapes", 1, "state") == "pending")
    let told = try await studio.services.playgrounds.find("p").answer()
    let before = try #require(JSONSerialization.jsonObject(with: told) as? [String: Any])
    let shape = try #require((before["shapes"] as? [[String: Any]])?.first)
    let x = try #require((shape["placement"] as? [String: Any])?["x"] as? Double)
    let later = try await studio.restarted().page()
    let opened = try await later.openSheet()
    #expect(opened.status == 200)
    #expect(opened.text("shapes", 0, "label") == "ring")
    #expect(opened.number("shapes", 0, "placement", "x") == x)
    #expect(opened.text("shapes", 1, "state") == "pending")
    #expect(opened.count("shapes", 1, "ink", 0, 0) == 7 && opened.number("strokeCount") == 2)
    try await later.decided(1, as: "zigzag", after: 3000)
    // A page that was loaded since has another clock.
    let drawn = try await later.draw(strokeBody("ring", x: 450, from: 0))
    #expect(drawn.number("events", 0, "shape") == 2)
    #expect(drawn.number("events", 0, "strokes", 0) == 2)
    #expect(try await later.delete("/api/playgrounds/p/items").status == 204)
    #expect(try await later.sheet.count("shapes") == 0)
  }

  @Test("A drawing that a restart falls into is finished as one shape, for as long as it waits")
  func restartWithinDrawing() async throws {
    let (studio, page) = try await TestStudio.withSheet(taught: true)
    let ring = Shapes.stroke("ring", from: 9000, 30).points
    func half(_ points: ArraySlice<Point>, now: Double) -> String {
      let stroke = Shapes.json(Stroke(Array(points)))
      let end = points.last?.t ?? 0
      return
        #"{"now":\#(now),"actions":[{"action":"stroke","milliseconds":\#(end),"strokes":\#(stroke)}]}"#
    }
    try await page.act(half(ring[..<11], now: 9110))
    await studio.services.close()
    #expect(try await studio.workspace.playground("p").items.map(\.isUndecided) == [true])
    let again = try await TestStudio(again: studio)
    let later = try await again.page()
    #expect(try await later.openSheet().count("shapes") == 1)
    // The server was away for two minutes; its next half was drawn at once, and waited.
    again.time.advance(by: 200)
    let rest = try await later.draw(half(ring[10...], now: 129_000))
    #expect(rest.number("events", 0, "strokes", 0) == 0)
    #expect(rest.number("events", 0, "strokes", 1) == 1)
    again.time.advance(by: 5000)
    try await eventually("both halves are one ring") {
      let sheet = try await later.sheet
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
    let (studio, page) = try await TestStudio.withSheet()
    try await page.act(strokeBody("zigzag", from: 0))
    let later = try await studio.restarted().page()
    let opened = try await later.openSheet()
    #expect(opened.text("shapes", 0, "state") == "unrecognized")
    #expect(opened.count("shapes", 0, "ink", 0, 0) == 7)
    #expect(opened.number("strokeCount") == 1)
  }

  @Test("Ink is on disk when its request is answered; the next server decides on it after a kill")
  func killed() async throws {
    let (studio, page) = try await TestStudio.withSheet(taught: true)
    try await page.act(strokeBody("zigzag", from: 0, canvas: (500, 300)))
    #expect(try await studio.workspace.playground("p").items.map(\.isUndecided) == [true])
    try await page.act(action("undo", at: 600))
    #expect(try await studio.workspace.playground("p").items.isEmpty)
    try await page.act(strokeBody("zigzag", from: 700))
    #expect(try await studio.workspace.playground("p").items.map(\.isUndecided) == [true])
    // The studio is not closed.
    let again = try await TestStudio(again: studio)
    let later = try await again.page()
    let opened = try await later.openSheet()
    try await later.decided(0, as: "zigzag", after: 3000)
    // A client that refers to the earlier run cannot draw yet.
    let old = try await later.act(strokeBody("ring", from: 0, extra: #""run":"before","#))
    #expect(old.status == 409 && old.code == "otherRun")
    #expect(try await later.sheet.count("shapes") == 1)
    let run = try #require(opened.text("run"))
    let new = strokeBody("ring", x: 200, from: 0, extra: #""run":"\#(run)","#)
    #expect(try await later.act(new).status == 200)
    try await eventually("that is kept") {
      try await again.workspace.playground("p").items.first?.label == "zigzag"
    }
  }

  @Test("Who takes back the line of a pen that an earlier run knew takes nothing that waited then")
  func canceledAfterRestart() async throws {
    let (studio, page) = try await TestStudio.withSheet(taught: true)
    try await page.act(strokeBody("zigzag", from: 0))
    let later = try await studio.restarted().page()
    let opened = try await later.openSheet()
    #expect(opened.text("shapes", 0, "state") == "pending")
    // A palm touched the screen when the studio ended; now its stroke is canceled.
    #expect(try await later.act(action("cancel", at: 700)).status == 200)
    #expect(try await later.sheet.count("shapes") == 1)
    // A request to the earlier run lifts no pen of this run.
    #expect(try await later.act(action("begin", at: 800, pen: 3)).status == 200)
    let old = try await later.act(strokeBody("ring", from: 0, extra: #""run":"before","#))
    #expect(old.code == "otherRun")
    #expect(try await later.sheet["isDrawing"] as? Bool == true)
  }

  @Test("What was drawn before anything was taught is looked at whoever trained the model")
  func trainedElsewhere() async throws {
    let (studio, page) = try await TestStudio.withSheet()
    try await page.act(strokeBody("ring", from: 0))
    let again = try await studio.restarted()
    try await again.teach()
    let later = try await again.page()
    #expect(try await later.openSheet().count("shapes") == 1)
    try await later.decided(0, as: "ring", after: 3000)
  }

  @Test(
    "Another window changes nothing of a sheet that is not empty; only an empty one takes its size")
  func otherSize() async throws {
    let page = try await TestStudio.taught().page
    #expect(try await page.openSheet().status == 201)
    let empty = try await page.openSheet("p", 700)
    #expect(empty.status == 200 && empty.number("canvas", "width") == 700)
    let body = strokeBody("ring", from: 0, id: "1", begin: "0")
    try await page.act(body)
    let second = try await page.openSheet("p", 900)
    #expect(second.status == 200 && second.number("canvas", "width") == 700)
    #expect(second.text("shapes", 0, "state") == "pending")
    #expect(second["canUndo"] as? Bool == true)
    // The first window does not know whether its stroke arrived, and sends it again.
    let again = try await page.draw(body)
    #expect(again.status == 200 && again.count("events") == 0)
    // Another model takes over the canvas unchanged.
    let other = try #require(try await page.post("/api/models", #"{"name":"b"}"#).text("id"))
    let moved = try await page.openSheet("p", 900, model: other)
    #expect(moved.text("model") == other && moved.number("canvas", "width") == 700)
    #expect(moved.text("shapes", 0, "state") == "pending")
    #expect(moved["canUndo"] as? Bool == true)
    // The canvas is empty, but undo could restore the shape.
    try await page.act(action("clear", at: 400))
    #expect(try await page.openSheet("p", 900).number("canvas", "width") == 700)
    try await page.act(action("undo", at: 500))
    try await page.act(action("undo", at: 600))
    #expect(try await page.openSheet("p", 900).number("canvas", "width") == 900)
    let kept = try await page.sheet
    #expect(kept.number("canvas", "width") == 900 && kept["canUndo"] as? Bool == false)
  }

  @Test("Two windows that open a new playground at once open the same one")
  func together() async throws {
    let page = try await TestStudio().page()
    let replies = try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<8 { group.addTask { try await page.openSheet().status } }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(replies.sorted() == Array(repeating: 200, count: 7) + [201])
    // A concurrent request that would not create it does no harm.
    async let asked = page.get("/api/playgrounds/q")
    async let opened = page.openSheet("q")
    #expect([200, 404].contains(try await asked.status))
    #expect([200, 201].contains(try await opened.status))
  }

  @Test("What is taught meanwhile counts for the next shape; what was decided stays")
  func trainedMeanwhile() async throws {
    let (studio, page) = try await TestStudio.withSheet(taught: true)
    let model = try await page.model
    try await page.act(strokeBody("ring", from: 0))
    try await page.decided(0, as: "ring", after: 8000)
    _ = try await page.patch("/api/models/\(model)/labels/ring", #"{"label":"⭕"}"#)
    _ = try await page.post("/api/models/\(model)/train")
    await studio.services.trainer.wait()
    try await page.act(strokeBody("ring", x: 300, from: 8000))
    try await page.decided(1, as: "⭕", after: 8000)
    #expect(try await page.sheet.text("shapes", 0, "label") == "ring")
  }

  @Test("What a model knew before does not come back because it was read before")
  func stale() async throws {
    let studio = try await TestStudio()
    let id = try await studio.workspace.activeModel().id
    let before = try await studio.workspace.snapshot(of: id)
    try await studio.teach()
    let after = try await studio.workspace.snapshot(of: id)
    let page = try await studio.page()
    try await page.openSheet()
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
    try await page.openSheet(model: model)
    let listener = try await studio.sheetListener()
    let ending = Task { try await listener.forEach { _ in } }
    // As another program would.
    _ = try await studio.workspace.deleteModel(model)
    // At the same time: one request is for the deleted playground, the other creates it again.
    async let gone = page.sheet
    let opened = try await page.openSheet(model: first)
    #expect([200, 404].contains(try await gone.status))
    #expect(opened.text("model") == first)
    try await ending.value
    try await page.act(strokeBody("ring", from: 0))
    #expect(try await page.sheet.count("shapes") == 1)
    // Here no request is needed: the server notices the deletion at once.
    let last = try await studio.sheetListener()
    _ = try await page.delete("/api/models/\(first)")
    try await last.forEach { _ in }
    #expect(await studio.services.playgrounds.count == 0)
  }

  @Test("A playground that somebody has to do with stays, however many others come")
  func used() async throws {
    let studio = try await TestStudio { $0.playgrounds = 1 }
    let page = try await studio.page()
    try await page.openSheet("p0")
    _ = try await studio.services.playgrounds.use("p0") { playground in
      for number in 1..<6 { try await page.openSheet("p\(number)") }
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
    #expect(try await page.sheet.code == "unknownPlayground")
    #expect(try await page.act(#"{"actions":[]}"#).status == 404)
    #expect(try await page.get("/api/events?playground=p").status == 404)
    #expect(try await page.openSheet(model: "none").code == "unknownModel")
    #expect(try await page.openSheet("p q").code == "invalidID")
    for size in ["0", "-5", "1e300", #""wide""#, "null"] {
      let body = #"{"canvas":{"width":\#(size),"height":9}}"#
      #expect(try await page.post("/api/playgrounds", body).status == 400, "\(size)")
    }
    let model = try #require(try await page.post("/api/models", #"{"name":"b"}"#).text("id"))
    try await page.openSheet(model: model)
    _ = try await page.delete("/api/models/\(model)")
    #expect(try await page.act(strokeBody("ring", from: 0)).status == 404)
  }

  @Test("Playgrounds that nobody uses leave the memory, and come back as they were")
  func bounded() async throws {
    let studio = try await TestStudio { $0.playgrounds = 3 }
    let page = try await studio.page()
    for number in 0..<8 {
      try await page.openSheet("p\(number)")
      try await page.act(strokeBody("ring", from: 0, number), on: "p\(number)")
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
    arguments: [StudioLimits.with(points: 70), .with(strokes: 3), .with(shapes: 3)])
  func full(_ limits: StudioLimits) async throws {
    let (studio, page) = try await TestStudio.withSheet { $0 = limits }
    for number in 0..<3 {
      let body = strokeBody(
        "ring", x: 200 * Double(number), from: 9000 * Double(number), id: "stroke \(number)",
        begin: "begin \(number)")
      #expect(try await page.act(body).status == 200)
      // The answer was lost: what is there needs no more room.
      #expect(try await page.act(body).status == 200)
      studio.time.advance(by: 9000)
    }
    let full = try await page.act(strokeBody("ring", x: 300, from: 30_000))
    #expect(full.status == 413 && full.code == "canvasFull")
    #expect(full.message == "The canvas is full. Clear it to continue.")
    let after = try await page.sheet
    #expect(after.number("strokeCount") == 3 && after["isDrawing"] as? Bool == false)
    let undone = try await page.draw(action("undo", at: 31_000))
    #expect(undone.text("events", 0, "event") == "undone")
    try await page.act(strokeBody("ring", x: 400, from: 32_000))
    studio.time.advance(by: 9000)
    #expect(try await page.act(strokeBody("ring", x: 300, from: 40_000)).status == 413)
    // Strokes after a clear have the room that it makes.
    let stroke = Shapes.json(Shapes.stroke("ring", x: 300, from: 50_000))
    let clear = """
      {"actions":[{"action":"clear","milliseconds":50000},
      {"action":"stroke","milliseconds":50200,"strokes":\(stroke)}]}
      """
    #expect(try await page.act(clear).status == 200)
    #expect(try await page.sheet.count("shapes") == 1)
    #expect(try await page.act(action("clear", at: 60_000)).status == 200)
    #expect(try await page.sheet.count("shapes") == 0)
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
