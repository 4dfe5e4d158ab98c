import Foundation
import Ink
import Segmentation
import Testing
import Workspace

@testable import Studio

@Suite("Corrections of shapes on a playground")
struct CorrectionTests {
  /// A studio with a ring on its sheet that has become an emoji; the time is then 8 s.
  private func studioWithRing() async throws -> (studio: TestStudio, page: Browser) {
    let (studio, page) = try await TestStudio.withSheet(taught: true)
    try await page.act(strokeBody("ring", x: 100, from: 0))
    try await page.decided(0, as: "ring", after: 8000)
    return (studio, page)
  }

  @Test("A label, a place, ink again, and gone: each is told to all, and undone step by step")
  func told() async throws {
    let page = try await studioWithRing().page
    let model = try await page.model
    let drawn = try await page.sheet["shapes", 0, "placement", "x"] as? Double
    let named = try await page.draw(action("label", at: 8000, #""shape":0,"label":" zigzag ""#))
    #expect(named.text("events", 0, "event") == "corrected")
    #expect(named.text("events", 0, "label") == "zigzag")
    #expect(named.number("events", 0, "confidence") == 1)
    #expect(named["events", 0, "ink"] == nil)
    let moved = try await page.draw(
      action("place", at: 8100, #""shape":0,"placement":{"x":300,"y":9,"side":50}"#))
    #expect(moved.number("events", 0, "placement", "x") == 300)
    let back = try await page.draw(action("place", at: 8200, #""shape":0"#))
    #expect(back.number("events", 0, "placement", "x") == drawn)
    let ink = try await page.draw(action("reject", at: 8300, #""shape":0"#))
    #expect(ink.text("events", 0, "state") == "unrecognized")
    #expect(ink.count("events", 0, "ink", 0, 0) == 21)
    let gone = try await page.draw(action("remove", at: 8400, #""shape":0"#))
    #expect(gone.text("events", 0, "event") == "removed" && gone.number("events", 0, "shape") == 0)
    #expect(try await page.sheet.count("shapes") == 0)
    for expected in ["unrecognized", "recognized"] {
      let undone = try await page.draw(action("undo", at: 8500))
      #expect(undone.text("events", 0, "restored", 0, "state") == expected)
      #expect((undone["events", 0, "restored", 0, "ink"] != nil) == (expected != "recognized"))
    }
    // What a person said is no prediction.
    try await eventually("the decision is remembered") {
      try await page.get("/api/models/\(model)/history").count("predictions") == 1
    }
  }

  @Test("An emoji’s strokes are kept over a restart: it can still be asked about, and be ink again")
  func kept() async throws {
    let (studio, page) = try await studioWithRing()
    _ = try await page.draw(action("label", at: 8000, #""shape":0,"label":"zigzag""#))
    let later = try await studio.restarted().page()
    let opened = try await later.openSheet()
    #expect(opened.text("shapes", 0, "label") == "zigzag")
    #expect(opened["shapes", 0, "ink"] == nil)
    let drawing = try await later.get("/api/playgrounds/p/shapes/0")
    let ring = Shapes.stroke("ring", x: 100, 30)
    #expect(drawing.count("strokes") == 1 && drawing.number("canvas", "width") == 600)
    #expect(drawing.number("strokes", 0, 0, 7) == ring.points[7].x)
    let ink = try await later.draw(action("reject", at: 9000, #""shape":0"#))
    #expect(ink.number("events", 0, "ink", 0, 1, 7) == ring.points[7].y)
    #expect(try await later.get("/api/playgrounds/p/shapes/1").status == 404)
    #expect(try await later.get("/api/playgrounds/p/shapes/x").status == 404)
  }

  @Test("Whether one batch or many, a listener has the same shapes")
  func batch() async throws {
    let page = try await studioWithRing().page
    let stroke = Shapes.json(Shapes.stroke("zigzag", x: 300, from: 9000))
    let many = try await page.draw(
      """
      {"actions":[{"action":"reject","shape":0,"milliseconds":8000},
      {"action":"stroke","milliseconds":9200,"strokes":\(stroke)},
      {"action":"remove","shape":0,"milliseconds":9300},
      {"action":"remove","shape":1,"milliseconds":9300}]}
      """)
    let events = (0..<(many.count("events") ?? 0)).map { many.text("events", $0, "event") ?? "" }
    // What is pending is not corrected, and the ink of what goes is not sent.
    #expect(events == ["corrected", "pending", "removed"])
    #expect(many["events", 0, "ink"] == nil)
    #expect(try await page.sheet.number("shapes", 0, "shape") == 1)
  }

  @Test("Shapes are joined and split again, for all who listen, and undone")
  func parts() async throws {
    let (studio, page) = try await studioWithRing()
    let zigzag = Shapes.json(Shapes.stroke("zigzag", x: 300, from: 9000))
    _ = try await page.draw(
      #"{"actions":[{"action":"stroke","milliseconds":9200,"strokes":\#(zigzag)}]}"#)
    try await page.decided(1, as: "zigzag", after: 20_000)
    let one = try await page.draw(action("join", at: 20_100, #""shapes":[0,1]"#))
    #expect(one.text("events", 0, "event") == "revised")
    #expect(one.number("events", 0, "absorbed", 0) == 1)
    let joined = try await page.sheet
    #expect(joined.count("shapes") == 1 && joined.count("shapes", 0, "strokes") == 2)
    // It is decided on at once, and its ink is all there.
    #expect(joined.text("shapes", 0, "state") != "pending")
    #expect(try await page.get("/api/playgrounds/p/shapes/0").count("strokes") == 2)
    let two = try await page.draw(action("split", at: 20_200, #""shape":0,"strokes":[1]"#))
    #expect(two.text("events", 0, "event") == "revised")
    #expect(try await page.sheet.text("shapes", 1, "label") == "zigzag")
    #expect(try await page.sheet.text("shapes", 0, "label") == "ring")
    for count in [1, 2] {
      _ = try await page.draw(action("undo", at: 20_300))
      #expect(try await page.sheet.count("shapes") == count)
    }
    #expect(try await page.sheet.text("shapes", 1, "label") == "zigzag")
    // Also what was drawn before the studio was started again.
    _ = try await page.draw(action("join", at: 20_400, #""shapes":[0,1]"#))
    let later = try await studio.restarted().page()
    #expect(try await later.openSheet().count("shapes") == 1)
    let parted = try await later.draw(action("split", at: 20_500, #""shape":0,"strokes":[1]"#))
    #expect(parted.text("events", 0, "event") == "revised")
    #expect(try await later.sheet.text("shapes", 1, "label") == "zigzag")
  }

  @Test("A correction that cannot be read says where, and changes nothing")
  func refused() async throws {
    let page = try await studioWithRing().page
    for (name, correction, part) in [
      ("label", #""shape":0"#, "label"),
      ("label", #""shape":0,"label":" ""#, "is empty"),
      ("label", #""shape":0,"label":".""#, "dots"),
      ("label", #""shape":"0","label":"a""#, "shape"),
      ("place", #""shape":0,"placement":{"x":1,"y":1,"side":0}"#, "above 0"),
      ("place", #""shape":0,"placement":{"x":1,"side":2}"#, "y"),
      ("remove", "", "shape"), ("join", #""shapes":0"#, "shapes"),
      ("join", #""shapes":[0,0.5]"#, "shapes"), ("split", #""shape":0"#, "strokes"),
    ] {
      let reply = try await page.act(action(name, at: 8000, correction))
      #expect(reply.status == 400 && reply.code == "malformedRequest", "\(name) \(correction)")
      #expect(reply.detail?.hasPrefix("actions[0].") == true, "\(reply.detail ?? "")")
      #expect(reply.detail?.contains(part) == true, "\(reply.detail ?? "")")
    }
    let late = try await page.act(action("remove", at: 1e100, #""shape":0"#))
    #expect(late.status == 400 && late.detail?.contains("out of range") == true)
    #expect(try await page.sheet.text("shapes", 0, "label") == "ring")
  }

  @Test("The ink of emojis is kept up to a number of points, the newest first")
  func bounded() throws {
    var settings = LiveCanvas.Settings()
    (settings.undoDepth, settings.mostOpenStrokes, settings.reach) = (10, 16, 8)
    var canvas = LiveCanvas(recognizer: nil, model: try .standard(), settings: settings)
    var ink = InkStore()
    let many = 1000
    for number in 0..<30 {
      let (x, time) = (900 * Double(number), 9000 * Double(number))
      let stroke = Stroke((0..<many).map { Point(x: x + Double($0), y: Double($0 % 7), t: time) })
      ink.keep(stroke, canvas.strokeCount)
      _ = try canvas.add(stroke)
      _ = canvas.finish()
      _ = canvas.correct(number, .label("a"))
    }
    var later = 0.0
    for _ in 0..<300 {
      ink.keep(Stroke([Point(x: later, y: 9000)]), canvas.strokeCount)
      later += 500
      _ = try canvas.add(Stroke([Point(x: later, y: 9000)]), at: 1e6 + later * 20)
      ink.prune(canvas)
    }
    let known = canvas.shapes.filter { $0.item != nil && ink.isKnown($0) }
    #expect(known.count == InkStore.mostEmojiPoints / many)
    #expect(known.map(\.id).min() == 30 - known.count)
    #expect(ink.pointCount <= InkStore.mostEmojiPoints + 300)
  }
}
