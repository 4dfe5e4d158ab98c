import Ink
import Testing

@testable import Segmentation

@Suite("Undo and clear on a live canvas")
struct LiveCanvasUndoTests {
  @Test("F-008: undo takes back stroke by stroke, then says that there is nothing to undo")
  func strokes() throws {
    var canvas = try liveCanvas()
    let strokes = cross(200, 100, from: 0)
    _ = try canvas.add(strokes[0])
    let one = canvas.state
    _ = try canvas.add(strokes[1])
    _ = canvas.finish()
    #expect(canvas.shapes[0].state == .unrecognized(best: nil))
    // The decision is undone with the stroke; the rest is pending with a new settle time.
    #expect(canvas.undo(at: 20_000).map(summary) == ["undone 1 [0] []"])
    #expect(canvas.shapes == one.open.map(\.shape))
    #expect(canvas.strokeCount == 1)
    #expect(canvas.nextDeadline == 20_000 + canvas.settleMilliseconds)
    #expect(canvas.undo().map(summary) == ["undone 0 [] [0]"])
    #expect(canvas.shapes.isEmpty)
    #expect(canvas.nextDeadline == nil)
    #expect(!canvas.canUndo)
    #expect(canvas.undo().map(summary) == ["nothingToUndo"])
    #expect(LiveCanvas.nothingToUndoMessage == "Nothing to undo.")
  }

  @Test("F-008: clear takes everything off, and undo brings it back as it was")
  func clear() throws {
    var canvas = try liveCanvas()
    for start in [0.0, 8000, 16_000] {
      for stroke in cross(start / 40, 100, from: start) { _ = try canvas.add(stroke) }
    }
    _ = canvas.finish()
    let (shapes, settle) = (canvas.shapes, canvas.settleMilliseconds)
    #expect(canvas.clear(at: 20_000).map(summary) == ["cleared"])
    #expect(canvas.shapes.isEmpty && canvas.items.isEmpty)
    #expect(canvas.nextDeadline == nil)
    // Numbers are not given twice, and the writer is the same.
    #expect(try canvas.add(cross(0, 0, from: 21_000)[0]).map(summary) == ["pending 3 [6]"])
    #expect(canvas.settleMilliseconds == settle)
    #expect(canvas.undo().map(summary) == ["undone 6 [] [3]"])
    #expect(canvas.undo().map(summary) == ["undone clear [0, 1, 2] []"])
    #expect(canvas.shapes == shapes)
    #expect(canvas.undo().map(summary) == ["undone 5 [2] []"])
  }

  @Test("An undone revision gives the decision back")
  func revision() throws {
    var canvas = try liveCanvas { $0.adapts = false }
    let strokes = cross(200, 100, from: 0)
    _ = try canvas.add(strokes[0])
    _ = canvas.advance(to: 960)
    let decided = canvas.shapes
    let late = Stroke(strokes[1].points.map { Point(x: $0.x, y: $0.y, t: ($0.t ?? 0) + 800) })
    #expect(try canvas.add(late).map(summary) == ["revised 0 [0, 1]"])
    #expect(canvas.undo().map(summary) == ["undone 1 [0] []"])
    #expect(canvas.shapes == decided)
    #expect(canvas.nextDeadline == nil)
  }

  @Test("Undoing while a pen is down takes back what it drew")
  func penDown() throws {
    var canvas = try liveCanvas()
    _ = canvas.begin(at: Point(x: 0, y: 0, t: 0))
    _ = canvas.extend(with: [Point(x: 9, y: 9, t: 10)])
    #expect(canvas.canUndo)
    #expect(canvas.undo().map(summary) == ["pending 0 [0]", "undone 0 [] [0]"])
    #expect(!canvas.isDrawing && canvas.shapes.isEmpty)
  }

  @Test("As many steps can be undone as the settings say, in strokes and in points")
  func limits() throws {
    func undoable(_ change: (inout LiveCanvas.Settings) -> Void) throws -> Int {
      var canvas = try liveCanvas(nil, change)
      for number in 0..<10 {
        _ = try canvas.add(cross(0, 0, from: Double(number) * 9000)[0])
      }
      var count = 0
      while canvas.undo().map(summary) != ["nothingToUndo"] { count += 1 }
      #expect(canvas.shapes.count == 10 - count)
      return count
    }
    #expect(try undoable { $0.undoDepth = 4 } == 4)
    #expect(try undoable { $0.undoDepth = 0 } == 0)
    // A stroke has two points.
    #expect(try undoable { $0.undoPoints = 13 } == 6)
    #expect(try undoable { _ in } == 10)
  }
}
