import Ink
import JSON
import Numbers
import Recognition
import Testing

@testable import Segmentation

@Suite("Corrections on a live canvas")
struct LiveCanvasCorrectionTests {
  /// A canvas with a ring and a zigzag, and the time at its end.
  private func canvas() async throws -> LiveCanvas {
    var canvas = try liveCanvas(try await CanvasDoodles.recognizer)
    var generator = SeededGenerator(seed: 3)
    for (number, label) in ["ring", "zigzag"].enumerated() {
      for stroke in CanvasDoodles.strokes(
        label, x: Double(number) * 300, y: 100, from: Double(number) * 4000, using: &generator)
      { _ = try canvas.add(stroke) }
    }
    _ = canvas.finish()
    #expect(canvas.items.map(\.label) == ["ring", "zigzag"])
    return canvas
  }

  @Test("A label that a person gives takes the place of the guess, and is surer than any model's")
  func label() async throws {
    var canvas = try await canvas()
    let before = canvas.shapes
    #expect(before.allSatisfy { $0.best?.confidence ?? 1 < LiveCanvas.givenConfidence })
    #expect(canvas.correct(0, .label("cross")).map(summary) == ["corrected 0 cross"])
    #expect(
      canvas.items[0].confidence == 1 && canvas.items[0].placement == before[0].item?.placement)
    // The same again changes nothing, and is no step of undo.
    #expect(canvas.correct(0, .label("cross")).isEmpty)
    #expect(canvas.undo().map(summary) == ["undone clear [0] []"])
    #expect(canvas.shapes == before)
  }

  @Test("A rejected emoji is ink again, a removed one is gone; undo brings both back, in order")
  func rejectAndRemove() async throws {
    for isClosed in [false, true] {
      var canvas = try await canvas()
      if isClosed {
        _ = canvas.advance(to: 60_000) + canvas.begin(at: Point(x: 1, y: 1, t: 60_000))
      }
      if isClosed { _ = canvas.cancel() }
      let before = canvas.shapes
      #expect(canvas.correct(1, .reject).map(summary) == ["corrected 1 ink"])
      #expect(canvas.shapes[1].strokes == before[1].strokes && canvas.items.count == 1)
      // Ink has no emoji to move, and is not rejected twice.
      #expect(canvas.correct(1, .place(nil)).isEmpty && canvas.correct(1, .reject).isEmpty)
      #expect(canvas.correct(0, .remove).map(summary) == ["removed 0"])
      #expect(canvas.shapes.map(\.id) == [1])
      // What is drawn then is a new shape, and goes first.
      _ = try canvas.add(cross(100, 300, from: 90_000)[0])
      #expect(canvas.shapes.map(\.id) == [1, 2])
      #expect(canvas.undo().map(summary) == ["undone 2 [] [2]"])
      #expect(canvas.undo().map(summary) == ["undone clear [0] []"])
      #expect(canvas.undo().map(summary) == ["undone clear [1] []"])
      #expect(canvas.shapes == before)
    }
  }

  @Test("An emoji moves, keeps inside, and goes back over its drawing")
  func place() async throws {
    var canvas = try await canvas()
    let drawn = canvas.items[0].placement
    let far = BoundingBox(x: 5000, y: 150, width: 100, height: 100)
    #expect(canvas.correct(0, .place(far)).map(summary) == ["corrected 0 ring"])
    #expect(canvas.items[0].placement == Placement(x: 500, y: 150, side: 100))
    #expect(canvas.items[0].confidence < 1)
    _ = canvas.correct(0, .place(nil))
    #expect(canvas.items[0].placement == drawn)
  }

  @Test("An emoji goes into a box of any shape, and into the same place when its log is replayed")
  func placeFromLog() async throws {
    let start = try await canvas()
    for (box, placement) in [
      (BoundingBox(x: 100, y: 150, width: 80, height: 20), Placement(x: 100, y: 120, side: 80)),
      (BoundingBox(x: 200, y: 40, width: 0, height: 0), Placement(x: 194, y: 34, side: 12)),
      (BoundingBox(x: 0, y: 0, width: 0, height: 0), Placement(x: 0, y: 0, side: 12)),
      (BoundingBox(x: 100.1, y: 10.7, width: 33.3, height: 70.1), nil),
    ] {
      let action = CanvasAction.correct(
        shape: 0, .place(box), milliseconds: start.milliseconds ?? 0)
      var live = start
      #expect(try live.apply(action).map(summary) == ["corrected 0 ring"])
      let line = try JSONDocument.decode(ActionLine.self, from: try CanvasLog.line(action))
      var replayed = start
      _ = try replayed.apply(line.action)
      #expect(replayed.items == live.items)
      if let placement { #expect(live.items[0].placement == placement) }
    }
  }

  @Test("A late stroke does not change what a person corrected, and nothing pending is corrected")
  func late() async throws {
    var canvas = try await canvas()
    _ = canvas.correct(1, .label("cross"))
    let shape = canvas.shapes[1]
    let end = canvas.milliseconds ?? 0
    let (x, y) = (shape.box.x + 20, shape.box.y + 20)
    _ = try canvas.add(
      Stroke([Point(x: x, y: y, t: end + 300), Point(x: x + 9, y: y, t: end + 350)]))
    #expect(canvas.correct(2, .remove).isEmpty && canvas.correct(99, .remove).isEmpty)
    _ = canvas.finish()
    #expect(canvas.shapes[1] == shape && canvas.shapes.count == 3)
  }
}
