import Foundation
import Ink
import Segmentation
import Testing
import Workspace

@testable import Studio

/// The body that tells of a stroke.
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
  @Test("F-012, G-013: shapes become emojis by themselves, one after another, each in its place")
  func shapes() async throws {
    let studio = try await TestStudio()
    let model = try await studio.teach()
    try await studio.test { page in
      let opened = try await page.post("/api/playgrounds", openBody)
      #expect(opened.status == 201)
      #expect(opened.count("shapes") == 0 && opened.number("sequence") == 0)
      #expect(opened["canUndo"] as? Bool == false)
      for (index, label) in Shapes.labels.enumerated() {
        let start = Double(index) * 8000
        let drawn = try await page.post(
          "/api/playgrounds/p/actions",
          strokeBody(label, x: Double(index) * 200, from: start))
        #expect(drawn.text("events", 0, "event") == "pending")
        #expect(drawn.number("strokes", 0) == Double(index))
        #expect(drawn.count("events", 0, "ink", 0, 0) == Shapes.stroke(label, 30).points.count)
        #expect(studio.time.sleeperCount == 1)
        studio.time.advance(by: 8000)
        try await eventually("the shape is decided") {
          try await page.get("/api/playgrounds/p").text("shapes", index, "state") == "recognized"
        }
      }
      let after = try await page.get("/api/playgrounds/p")
      #expect(after.text("shapes", 0, "label") == "ring")
      #expect(after.text("shapes", 1, "label") == "zigzag")
      #expect(after["shapes", 1, "ink"] == nil)
      #expect(after.number("shapes", 1, "placement", "side") ?? 0 > 60)
      let items = try await page.get("/api/playgrounds/p/items")
      #expect(items.count("items") == 2 && items.text("items", 0, "label") == "ring")
      #expect(items.number("items", 1, "x") ?? 0 > 190)
      // D-006: what was decided is among the last predictions, newest first, with its ink.
      try await eventually("the decisions are remembered") {
        try await page.get("/api/models/\(model)/history").count("predictions") == 2
      }
      let history = try await page.get("/api/models/\(model)/history")
      #expect(history.text("predictions", 0, "label") == "zigzag")
      #expect(history.text("predictions", 1, "decision") == "recognized")
      #expect(
        history.count("predictions", 1, "strokes", 0, 0) == Shapes.stroke("ring", 30).points.count)
    }
    // X-007: nothing is pending, so nothing waits.
    #expect(studio.time.sleeperCount == 0)
  }

  @Test("F-008: undo goes back stroke by stroke, clear takes all off, and both can be undone")
  func undo() async throws {
    let studio = try await TestStudio()
    try await studio.test { page in
      _ = try await page.post("/api/playgrounds", openBody)
      let path = "/api/playgrounds/p/actions"
      _ = try await page.post(path, strokeBody("ring", from: 0))
      studio.time.advance(by: 3000)
      _ = try await page.post(path, strokeBody("zigzag", x: 300, from: 3000))
      let undone = try await page.post(
        path, #"{"actions":[{"action":"undo","milliseconds":3300}]}"#)
      #expect(undone.text("events", 0, "event") == "undone")
      #expect(undone.number("events", 0, "stroke") == 1)
      #expect(undone.number("events", 0, "removed", 0) == 1)
      let cleared = try await page.post(
        path, #"{"actions":[{"action":"clear","milliseconds":3400}]}"#)
      #expect(cleared.text("events", 0, "event") == "cleared")
      #expect(try await page.get("/api/playgrounds/p").count("shapes") == 0)
      let back = try await page.post(path, #"{"actions":[{"action":"undo","milliseconds":3500}]}"#)
      #expect(back["events", 0, "stroke"] is NSNull)
      // The ink is there again, also for a page that has forgotten it.
      #expect(back.count("events", 0, "restored", 0, "ink", 0, 0) == 21)
      _ = try await page.post(path, #"{"actions":[{"action":"undo","milliseconds":3600}]}"#)
      let nothing = try await page.post(
        path, #"{"actions":[{"action":"undo","milliseconds":3700}]}"#)
      #expect(nothing.text("events", 0, "event") == "nothingToUndo")
      #expect(nothing.text("events", 0, "message") == "Nothing to undo.")
      #expect(try await page.get("/api/playgrounds/p")["canUndo"] as? Bool == false)
    }
  }

  @Test("What a client sends twice is done once, and it is told the same numbers again")
  func twice() async throws {
    let studio = try await TestStudio()
    try await studio.test { page in
      _ = try await page.post("/api/playgrounds", openBody)
      let path = "/api/playgrounds/p/actions"
      let body = strokeBody("ring", from: 0, extra: #""client":"tab","first":0,"#)
      let once = try await page.post(path, body)
      #expect(once.number("strokes", 0) == 0)
      let again = try await page.post(path, body)
      #expect(again.count("events") == 0 && again.number("strokes", 0) == 0)
      studio.time.advance(by: 2000)
      // What comes behind it is new, and another client's first action is its own.
      let more = strokeBody("zigzag", x: 300, from: 2000, extra: #""client":"tab","first":2,"#)
      #expect(try await page.post(path, more).number("strokes", 0) == 1)
      let other = strokeBody("ring", x: 300, from: 4000, extra: #""client":"other","first":0,"#)
      #expect(try await page.post(path, other).number("strokes", 0) == 2)
      #expect(try await page.get("/api/playgrounds/p").number("strokeCount") == 3)
    }
  }

  @Test("D-007: emojis and ink are there again after a restart, and what is drawn then is new")
  func restart() async throws {
    let studio = try await TestStudio()
    try await studio.teach()
    try await studio.test { page in
      _ = try await page.post("/api/playgrounds", openBody)
      let path = "/api/playgrounds/p/actions"
      _ = try await page.post(path, strokeBody("ring", from: 0))
      studio.time.advance(by: 8000)
      try await eventually("the ring is an emoji") {
        try await page.get("/api/playgrounds/p/items").count("items") == 1
      }
      _ = try await page.post(path, strokeBody("zigzag", x: 300, from: 8000))
    }
    let before = try await studio.house.playgrounds.find("p").answer
    await studio.house.close()
    let again = try await TestStudio(again: studio)
    try await again.test { page in
      let opened = try await page.post("/api/playgrounds", openBody)
      #expect(opened.status == 200)
      #expect(opened.text("shapes", 0, "label") == "ring")
      #expect(
        opened.number("shapes", 0, "placement", "x") == before.shapes[0].shape.item?.placement.x)
      #expect(opened.text("shapes", 1, "state") == "unrecognized")
      #expect(opened.count("shapes", 1, "ink", 0, 0) == 7)
      #expect(opened.number("strokeCount") == 1 && opened["canUndo"] as? Bool == false)
      let drawn = try await page.post(
        "/api/playgrounds/p/actions", strokeBody("ring", x: 450, from: 0))
      #expect(drawn.number("events", 0, "shape") == 2 && drawn.number("strokes", 0) == 1)
      #expect(try await page.delete("/api/playgrounds/p/items").status == 204)
      #expect(try await page.get("/api/playgrounds/p").count("shapes") == 0)
    }
  }

  @Test("Another size or model keeps what is there; only undo begins anew")
  func otherSize() async throws {
    let studio = try await TestStudio()
    try await studio.teach()
    try await studio.test { page in
      _ = try await page.post("/api/playgrounds", openBody)
      _ = try await page.post("/api/playgrounds/p/actions", strokeBody("ring", from: 0))
      let wider = #"{"id":"p","canvas":{"width":900,"height":400}}"#
      let opened = try await page.post("/api/playgrounds", wider)
      #expect(opened.status == 200 && opened.number("canvas", "width") == 900)
      #expect(opened.count("shapes", 0, "ink", 0, 0) == 21)
      #expect(opened["canUndo"] as? Bool == false)
      let other = try #require(try await page.post("/api/models", #"{"name":"b"}"#).text("id"))
      let moved = try await page.post(
        "/api/playgrounds", #"{"id":"p","model":"\#(other)","canvas":{"width":900,"height":400}}"#)
      #expect(moved.text("model") == other && moved.count("shapes") == 1)
    }
  }

  @Test("What is taught meanwhile counts for the next shape; what was decided stays")
  func trainedMeanwhile() async throws {
    let studio = try await TestStudio()
    let model = try await studio.teach()
    try await studio.test { page in
      _ = try await page.post("/api/playgrounds", openBody)
      let path = "/api/playgrounds/p/actions"
      _ = try await page.post(path, strokeBody("ring", from: 0))
      studio.time.advance(by: 8000)
      try await eventually("the first ring is decided") {
        try await page.get("/api/playgrounds/p").text("shapes", 0, "label") == "ring"
      }
      _ = try await page.patch("/api/models/\(model)/labels/ring", #"{"label":"⭕"}"#)
      _ = try await page.post("/api/models/\(model)/train")
      await studio.house.trainer.wait()
      _ = try await page.post(path, strokeBody("ring", x: 300, from: 8000))
      studio.time.advance(by: 8000)
      try await eventually("the second ring is decided") {
        try await page.get("/api/playgrounds/p").text("shapes", 1, "label") == "⭕"
      }
      #expect(try await page.get("/api/playgrounds/p").text("shapes", 0, "label") == "ring")
    }
  }

  @Test("A playground that is not there, or whose model is gone, is said to be unknown")
  func unknown() async throws {
    let studio = try await TestStudio()
    try await studio.test { page in
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
  }

  @Test("Playgrounds that nobody uses leave the memory, and come back as they were")
  func bounded() async throws {
    let studio = try await TestStudio { $0.playgrounds = 3 }
    try await studio.test { page in
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
      #expect(await studio.house.playgrounds.count <= 3)
      let first = try await page.get("/api/playgrounds/p0")
      let ring = Shapes.stroke("ring", 0)
      #expect(first.number("shapes", 0, "ink", 0, 0, 3) == ring.points[3].x)
    }
  }

  @Test("A canvas takes only so much ink, and says so before it changes")
  func full() async throws {
    let studio = try await TestStudio {
      $0.playgroundPoints = 40
      $0.playgroundShapes = 50
    }
    try await studio.test { page in
      _ = try await page.post("/api/playgrounds", openBody)
      let path = "/api/playgrounds/p/actions"
      #expect(try await page.post(path, strokeBody("ring", from: 0)).status == 200)
      let full = try await page.post(path, strokeBody("ring", x: 300, from: 3000))
      #expect(full.status == 413 && full.code == "canvasFull")
      #expect(full.message == "The canvas is full. Clear it to go on.")
      #expect(try await page.get("/api/playgrounds/p").number("strokeCount") == 1)
      _ = try await page.post(path, #"{"actions":[{"action":"clear","milliseconds":4000}]}"#)
      #expect(try await page.post(path, strokeBody("ring", x: 300, from: 5000)).status == 200)
    }
  }
}
