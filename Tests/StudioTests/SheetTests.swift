import Foundation
import Ink
import Testing
import Workspace

@testable import Studio

@Suite("The sheet of a playground, and windows of other sizes")
struct SheetTests {
  @Test(
    "A sheet shows itself as large as it fits in the middle; what lies beside it comes to its edge")
  func view() {
    // Twice as large, with 200 left and right.
    let view = SheetView(of: .init(width: 400, height: 800), in: .init(width: 1200, height: 1600))
    func placed(_ x: Double, _ y: Double) -> Point { view.place(Point(x: x, y: y, t: 5)) }
    #expect(placed(200, 0) == Point(x: 0, y: 0, t: 5))
    #expect(placed(600, 800) == Point(x: 200, y: 400, t: 5))
    #expect(placed(0, 100) == Point(x: 0, y: 50, t: 5))
    #expect(placed(1150, 2000) == Point(x: 400, y: 800, t: 5))
    let same = SheetView(of: .init(width: 333.3, height: 71), in: .init(width: 333.3, height: 71))
    #expect(same.place(Point(x: 0.1, y: 70.7)) == Point(x: 0.1, y: 70.7))
    #expect(same.place(Point(x: -9, y: 1e9)) == Point(x: 0, y: 71))
  }

  @Test(
    "After a clearing the first stroke of another window brings its size, and undo begins with it")
  func cleared() async throws {
    let (studio, page) = try await TestStudio.withSheet(400, 800, taught: true)
    let listener = try await studio.sheetListener()
    let drawn = try await page.draw(strokeBody("ring", x: 100, from: 0, canvas: (400, 800)))
    #expect(drawn.number("canvas", "width") == 400)
    studio.time.advance(by: 1000)
    let cleared = try await page.draw(action("clear", at: 1200))
    #expect(cleared.number("canvas", "width") == 400)
    // Looking at it from another window changes nothing, and what was cleared can come back.
    #expect(try await page.openSheet("p", 1200, 600).number("canvas", "width") == 400)
    try await page.act(action("undo", at: 1300))
    #expect(try await page.sheet.number("shapes", 0, "placement", "x") ?? 0 > 90)
    try await page.act(action("clear", at: 1400))
    // Where something is drawn, it does: the stroke lies where it was drawn.
    let other = try await page.draw(strokeBody("ring", x: 900, from: 1500, canvas: (1200, 600)))
    #expect(other.number("canvas", "width") == 1200 && other.number("canvas", "height") == 600)
    #expect(other.number("events", 0, "boundingBox", "x") ?? 0 > 890)
    // Numbers go on.
    #expect(other.number("events", 0, "strokes", 0) == 1 && other.number("events", 0, "shape") == 1)
    try await page.decided(0, as: "ring", after: 8000)
    #expect(try await page.get("/api/playgrounds/p/items").number("items", 0, "x") ?? 0 > 880)
    let undone = try await page.draw(action("undo", at: 9000))
    #expect(undone.number("events", 0, "stroke") == 1)
    let nothing = try await page.draw(action("undo", at: 9100))
    #expect(nothing.text("events", 0, "event") == "nothingToUndo")

    // If the size changes, listeners get a snapshot before the stroke.
    let told = try await listener.told()
    #expect(
      told.map { $0.text("event") ?? "\($0.number("canvas", "width") ?? 0)" } == [
        "400.0", "pending", "recognized", "cleared", "undone", "cleared", "1200.0", "pending",
        "recognized", "undone", "nothingToUndo",
      ])
    // It is kept, too.
    await studio.services.close()
    #expect(try await studio.workspace.playground("p").canvas == .init(width: 1200, height: 600))
  }

  @Test("Clearing and drawing may come together")
  func together() async throws {
    let page = try await TestStudio.withSheet(400, 800).page
    try await page.act(strokeBody("ring", x: 100, from: 0, canvas: (400, 800)))
    let stroke = Shapes.json(Shapes.stroke("ring", x: 900, from: 500))
    let both = try await page.draw(
      """
      {"canvas":{"width":1200,"height":600},"actions":[{"action":"clear","milliseconds":400},
      {"action":"stroke","milliseconds":700,"strokes":\(stroke)}]}
      """)
    #expect(both.number("canvas", "width") == 1200 && both.count("events") == 2)
    let undone = try await page.draw(action("undo", at: 800))
    #expect(undone.number("events", 0, "stroke") == 1)
    #expect(try await page.sheet["canUndo"] as? Bool == false)
  }

  @Test("Where something lies on the sheet, a stroke of another window comes to where it was seen")
  func carried() async throws {
    let (studio, page) = try await TestStudio.withSheet(400, 800)
    try await page.act(strokeBody("ring", x: 0, from: 0, canvas: (400, 800)))
    studio.time.advance(by: 9000)
    // As large as it fits in 1600 × 1600 it is 800 wide, with 400 beside it.
    let carried = try await page.draw(
      """
      {"canvas":{"width":1600,"height":1600},"actions":[{"action":"stroke","milliseconds":9200,
      "strokes":[[[400,800,1200,1300],[1000,1200,1600,-5]]]}]}
      """)
    #expect(carried.number("canvas", "width") == 400)
    let after = try await page.sheet
    let columns = after["shapes", 1, "ink", 0] as? [[Double]]
    #expect(columns == [[0, 200, 400, 400], [500, 600, 800, 0]])
    #expect(after.number("shapes", 1, "boundingBox", "width") == 400)
  }

  @Test("Ink lies nowhere but on the sheet, so its emoji stands where it is")
  func beside() async throws {
    let page = try await TestStudio.withSheet(400, 800, taught: true).page
    // A pen that slipped over the left edge.
    try await page.act(strokeBody("ring", x: -6, y: 300, from: 0, canvas: (400, 800)))
    let box = try await page.sheet
    #expect(box.number("shapes", 0, "boundingBox", "x") == 0)
    try await page.decided(0, as: "ring", after: 8000)
    #expect(try await page.get("/api/playgrounds/p/items").number("items", 0, "x") ?? -1 >= 0)
    // Far beside it: a line at the edge.
    let far = try await page.draw(
      strokeBody("ring", x: 700, y: 300, from: 9000, canvas: (400, 800)))
    #expect(far.number("events", 0, "boundingBox", "x") == 400)
    #expect(far.number("events", 0, "boundingBox", "width") == 0)
  }

  @Test("An invalid sheet is refused, and nothing is drawn")
  func malformed() async throws {
    let page = try await TestStudio.withSheet(400, 800).page
    for size in ["0", "-5", "1e300", #""wide""#, "null"] {
      let text = """
        {"canvas":{"width":\(size),"height":9},"actions":[{"action":"stroke",
        "milliseconds":9,"strokes":[[[1,9],[1,9]]]}]}
        """
      let refused = try await page.act(text)
      #expect(refused.status == 400 && refused.code == "malformedRequest", "\(size)")
    }
    #expect(try await page.sheet.count("shapes") == 0)
  }

  @Test(
    "A palm’s line is canceled: with its pen down nobody hears of it, and undo knows nothing of it")
  func palm() async throws {
    let page = try await TestStudio.withSheet(taught: true).page
    try await page.act(strokeBody("ring", from: 0))
    try await page.decided(0, as: "ring", after: 1200)
    // As the page does it.
    try await page.act(action("begin", at: 1300, pen: 1))
    #expect(try await page.sheet["isDrawing"] as? Bool == true)
    let quiet = try await page.draw(action("cancel", at: 1350, pen: 1))
    #expect(quiet.status == 200 && quiet.count("events") == 0)
    // A stroke that is there already, over the ring, which stays an emoji.
    let stroke = Shapes.json(Shapes.stroke("ring", x: 5, y: 5, from: 1400, 30))
    let both = try await page.draw(
      """
      {"actions":[{"action":"stroke","milliseconds":1600,"pen":1,"strokes":\(stroke)},
      {"action":"cancel","milliseconds":1610,"pen":1}]}
      """)
    #expect(both.count("events") == 2 && both.number("events", 0, "strokes", 0) == 1)
    #expect(both.text("events", 1, "event") == "undone")
    #expect(both.number("events", 1, "stroke") == 1)
    let after = try await page.sheet
    #expect(after.count("shapes") == 1 && after.text("shapes", 0, "state") == "recognized")
    #expect(after.number("strokeCount") == 1)
    let undone = try await page.draw(action("undo", at: 1700))
    #expect(undone.number("events", 0, "stroke") == 0)
    #expect(try await page.sheet["canUndo"] as? Bool == false)
  }

  @Test("A line that is canceled after its pen was lifted for it takes nothing else along")
  func lifted() async throws {
    let (studio, page) = try await TestStudio.withSheet(taught: true)
    try await page.act(strokeBody("ring", from: 0))
    try await page.act(action("begin", at: 1300))
    // A window that shows it is closed: none of its pens stays down.
    let live = try await studio.services.playgrounds.find("p")
    let listener = EventListener()
    await live.join(listener)
    await live.leave(listener)
    #expect(try await page.act(action("cancel", at: 1350)).status == 200)
    let after = try await page.sheet
    #expect(after.count("shapes") == 1 && after.number("strokeCount") == 1)
    #expect(after["canUndo"] as? Bool == true)
  }

  @Test("A shape of very many points is kept, and comes back; with too many the next one begins")
  func long() async throws {
    let studio = try await TestStudio()
    let listener = try studio.listener()
    // Four times 15,000 points over each other, within a second.
    let columns = (0..<4).map { number in
      let places = (0..<15_000).map { step in (step * 7 + number) % 97 }
      let text = places.map(String.init).joined(separator: ",")
      let start = number * 200
      return """
        {"action":"stroke","milliseconds":\(start + 100),"strokes":[[[\(text)],[\(text)],
        [\((0..<15_000).map { "\(start + $0 / 150)" }.joined(separator: ","))]]]}
        """
    }
    let page = try await studio.page()
    try await page.openSheet()
    for column in columns {
      #expect(try await page.act(#"{"actions":[\#(column)]}"#).status == 200)
      studio.time.advance(by: 200)
    }
    studio.time.advance(by: 9000)
    try await eventually("it is decided") {
      try await page.sheet.text("shapes", 1, "state") != "pending"
    }
    #expect(try await page.sheet.count("shapes") == 2)
    await studio.services.close()
    // No event reports a playground that could not be saved.
    #expect(try await !listener.told().map(\.name).contains("problem"))
    let kept = try await TestStudio(again: studio).page().openSheet()
    #expect(kept.count("shapes") == 2 && kept.count("shapes", 0, "ink") == 3)
    #expect(kept.count("shapes", 0, "ink", 2, 0) == 15_000)
    #expect(kept.count("shapes", 1, "ink", 0, 0) == 15_000)
  }

  @Test("An untaught model says what to do, and a taught one says what it found")
  func untaught() async throws {
    let (studio, page) = try await TestStudio.withSheet()
    let listener = try await studio.sheetListener()
    try await page.act(strokeBody("ring", from: 0))
    try await page.decided(0, as: nil, after: 9000)
    let shape = try await page.sheet
    #expect(shape.text("shapes", 0, "reason") == "nothingTaught")
    #expect(shape.text("shapes", 0, "message") == "Train the model first.")
    let told = try await listener.told()
    #expect(told.map { $0.text("event") } == [nil, "pending", "unrecognized"])
    #expect(told[1].text("reason") == nil && told[1].text("message") == nil)
    #expect(told[2].text("reason") == "nothingTaught")
    #expect(told[2].text("message") == "Train the model first.")
    #expect(told[2].count("ink") == 1)

    try await studio.teach()
    let scrawl = #""strokes":[[[300,500,310,490],[9,9,12,12],[9100,9120,9150,9200]]]"#
    try await page.act(action("stroke", at: 9200, scrawl))
    // Earlier shapes are classified now, for all windows of the sheet.
    let after = try await page.sheet
    #expect(after.text("shapes", 0, "state") == "recognized")
    #expect(after.text("shapes", 0, "label") == "ring")
    #expect(after.text("shapes", 0, "reason") == nil)
  }

  @Test(
    "F-007: without its labels a trained model judges until the next training, then knows nothing")
  func forgotten() async throws {
    let studio = try await TestStudio()
    let model = try await studio.teach()
    let listener = try studio.listener()
    let page = try await studio.page()
    try await page.openSheet()
    for label in Shapes.labels {
      #expect(try await page.delete("/api/models/\(model)/labels/\(label)").status == 204)
    }
    // The page goes by `lastTrained`: nothing of what was taught is forgotten yet.
    let trained = try await page.get("/api/state")
    #expect(trained.text("activeModel", "lastTrained") != nil)
    #expect(trained.number("activeModel", "sampleCount") == 0)
    try await page.act(strokeBody("ring", from: 0))
    try await page.decided(0, as: "ring", after: 9000)

    #expect(try await page.post("/api/models/\(model)/train").status == 202)
    await studio.services.trainer.wait()
    let state = try await page.get("/api/state")
    #expect(state["activeModel", "lastTrained"] is NSNull)
    #expect(state.number("activeModel", "untrainedCount") == 0)
    #expect(try await page.get("/api/models/\(model)/labels").count("labels") == 0)
    #expect(try await page.get("/api/models/\(model)/report").code == "noReport")
    #expect(try await page.post("/api/models/\(model)/train").code == "noSamples")
    // The emoji stays; what is drawn now is not to blame.
    try await page.act(strokeBody("zigzag", x: 300, from: 9200))
    try await page.decided(1, as: nil, after: 9000)
    let sheet = try await page.sheet
    #expect(sheet.text("shapes", 0, "label") == "ring")
    #expect(sheet.text("shapes", 1, "reason") == "nothingTaught")
    #expect(sheet.text("shapes", 1, "message") == "Train the model first.")
    let told = try await listener.told()
    let report = try #require(told.first { $0.name == "trained" })
    #expect(report.number("report", "samples") == 0 && report.count("report", "labels") == 0)
    #expect(report.number("report", "changes", "removed") == 8)
  }
}
