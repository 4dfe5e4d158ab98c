import Ink
import Numbers
import Recognition
import Testing
import Text

@testable import Segmentation

@Suite("A live canvas that goes on")
struct LiveCanvasKeepingTests {
  private func emoji(_ id: Int, x: Double) -> LiveShape {
    LiveShape(
      id: id, strokes: [], box: BoundingBox(x: x, y: 0, width: 80, height: 80),
      state: .recognized(
        Candidate(label: "cross", confidence: 0.9), Placement(x: x, y: 0, side: 80)))
  }

  /// Rings in a row, each of one stroke.
  private func rings(_ count: Int, apart: Double, every milliseconds: Double) -> [[Stroke]] {
    var generator = SeededGenerator(seed: 3)
    return (0..<count).map { index in
      CanvasDoodles.strokes(
        "ring", x: 100 + apart * Double(index), y: 100, from: milliseconds * Double(index),
        using: &generator)
    }
  }

  @Test(
    "D-007: kept shapes are there, new ones get other numbers, and undo does not reach the kept")
  func kept() throws {
    let ink = LiveShape(
      id: 5, strokes: [0, 1], box: BoundingBox(x: 200, y: 0, width: 10, height: 10), state: .pending
    )
    var canvas = LiveCanvas(
      recognizer: nil, model: try #require(Fitted.model),
      canvas: .init(width: 600, height: 400), keeping: [ink, emoji(2, x: 0)])
    #expect(canvas.shapes.map(\.id) == [2, 5])
    // A restored pending shape is not decided later, since it is no longer being drawn.
    #expect(canvas.shapes[1].state == .unrecognized(best: nil))
    #expect(canvas.items.map(\.shape) == [2])
    #expect(canvas.nextDeadline == nil && !canvas.canUndo)
    #expect(try canvas.add(cross(0, 0, from: 1000)[0]).map(summary) == ["pending 6 [2]"])
    // It lies on the emoji: the decision says so, and the emoji stays.
    #expect(canvas.finish().map(summary) == ["confused 6"])
    #expect(canvas.undo().map(summary) == ["undone 2 [] [6]"])
    #expect(canvas.undo().map(summary) == ["nothingToUndo"])
    #expect(canvas.clear().map(summary) == ["cleared"])
    #expect(canvas.shapes.isEmpty)
    #expect(canvas.undo().map(summary) == ["undone clear [2, 5] []"])
  }

  @Test("With another recognizer what was decided stays, and what is pending is grouped again")
  func replaced() async throws {
    var canvas = try liveCanvas()
    for stroke in cross(0, 0, from: 0) { _ = try canvas.add(stroke) }
    #expect(canvas.finish().map(summary) == ["unrecognized 0"])
    let decided = canvas.shapes
    var generator = SeededGenerator(seed: 3)
    let ring = CanvasDoodles.strokes("ring", x: 300, y: 100, from: 3000, using: &generator)
    #expect(try canvas.add(ring[0]).map(summary) == ["pending 1 [2]"])
    #expect(canvas.replaceRecognizer(with: try await CanvasDoodles.recognizer).isEmpty)
    #expect(canvas.shapes.prefix(1) == decided[...])
    #expect(canvas.finish().map(summary) == ["recognized 1 ring"])
    // A stroke that would have joined the first shape begins another one: that is closed.
    #expect(try canvas.add(cross(5, 5, from: 3400)[0]).map(summary) == ["pending 2 [3]"])
  }

  @Test(
    "Closed ink is decided on again by a recognizer that was taught, and emojis stay as they are")
  func again() async throws {
    let rings = rings(2, apart: 200, every: 0)
    let known = try rings.enumerated().map { index, strokes in
      LiveShape(
        id: index, strokes: [index],
        box: try #require(BoundingBox(strokes.flatMap(\.points))), state: .unrecognized(best: nil))
    }
    var canvas = LiveCanvas(
      recognizer: try await CanvasDoodles.recognizer, model: try #require(Fitted.model),
      canvas: .init(width: 600, height: 400), keeping: known + [emoji(7, x: 400)])
    func ink(_ shape: LiveShape) -> Drawing? { Drawing(strokes: rings[shape.id]) }
    // Shapes without ink are not classified.
    #expect(
      canvas.decideAgain { $0.id == 1 ? ink($0) : nil }.map(summary) == ["recognized 1 ring"])
    #expect(canvas.items.map(\.shape) == [1, 7])
    #expect(canvas.decideAgain { _ in nil }.isEmpty)
    #expect(canvas.decideAgain(ink: ink).map(summary) == ["recognized 0 ring"])
    #expect(canvas.decideAgain(ink: ink).isEmpty && canvas.items.count == 3)
  }

  @Test(
    "What was decided on again stays so when undo or cancel goes back to when it was open",
    arguments: [false, true])
  func againAndUndoneOpen(isCanceled: Bool) async throws {
    var canvas = try liveCanvas { $0.undoDepth = isCanceled ? 0 : 100 }
    let rings = rings(3, apart: 150, every: 3000)
    #expect(try canvas.add(rings[0][0]).map(summary) == ["pending 0 [0]"])
    // The second is drawn while a stroke could still join the first.
    #expect(
      try canvas.add(rings[1][0]).map(summary) == ["unrecognized 0", "pending 1 [1]"])
    #expect(canvas.finish().map(summary) == ["unrecognized 1"])
    _ = canvas.replaceRecognizer(with: try await CanvasDoodles.recognizer)
    let events = canvas.decideAgain { Drawing(strokes: rings[$0.id]) }
    #expect(events.map(summary) == ["recognized 0 ring", "recognized 1 ring"])
    let undone = isCanceled ? canvas.cancel() : canvas.undo()
    #expect(undone.map(summary) == ["undone 1 [] [1]"])
    #expect(canvas.items.map(\.shape) == [0])
    // The next is the new recognizer's, too.
    _ = try canvas.add(rings[2][0])
    #expect(canvas.finish().map(summary) == ["recognized 1 ring"])
  }

  @Test("What was decided on again stays so when undo goes back to when it was pending")
  func againAndUndonePending() async throws {
    var canvas = try liveCanvas()
    let rings = rings(2, apart: 300, every: 500)
    #expect(try canvas.add(rings[0][0]).map(summary) == ["pending 0 [0]"])
    #expect(try canvas.add(rings[1][0]).map(summary) == ["pending 1 [1]"])
    #expect(canvas.finish().map(summary) == ["unrecognized 0", "unrecognized 1"])
    _ = canvas.replaceRecognizer(with: try await CanvasDoodles.recognizer)
    let events = canvas.decideAgain { Drawing(strokes: rings[$0.id]) }
    #expect(events.map(summary) == ["recognized 0 ring", "recognized 1 ring"])
    _ = canvas.undo()
    #expect(canvas.finish().isEmpty)
    #expect(canvas.items.map(\.shape) == [0])
  }

  @Test("What undo makes pending again is judged by the recognizer that it has now")
  func undoneAfterForgetting() async throws {
    var recognizer = try await CanvasDoodles.recognizer
    var canvas = try liveCanvas(recognizer)
    for ring in rings(2, apart: 300, every: 500) { _ = try canvas.add(ring[0]) }
    #expect(canvas.finish().map(summary) == ["recognized 0 ring", "recognized 1 ring"])
    try recognizer.forget(label: "ring")
    _ = canvas.replaceRecognizer(with: recognizer)
    _ = canvas.undo()
    let decided = canvas.finish().map(summary)
    #expect(!decided.isEmpty && !decided.contains { $0.hasSuffix("ring") }, "\(decided)")
    #expect(canvas.shapes.allSatisfy { !$0.isPending && $0.item?.label != "ring" })
  }

  @Test("Where nothing is on it, a canvas takes another size, and gives up what lay on the old one")
  func resized() async throws {
    var canvas = try liveCanvas(try await CanvasDoodles.recognizer)
    let wide = Drawing.Canvas(width: 1200, height: 100)
    _ = try canvas.add(cross(0, 0, from: 0)[0])
    #expect(canvas.resize(to: wide) == false)
    #expect(canvas.canvas == .init(width: 600, height: 400))
    _ = canvas.clear(at: 500)
    // Ink that is being drawn has its place, too; a pen that is only down has none.
    _ = canvas.begin(at: Point(x: 1, y: 1, t: 600))
    #expect(canvas.resize(to: wide) == false)
    _ = canvas.cancel()
    #expect(canvas.canUndo)
    _ = canvas.begin(pen: 0, at: 650)
    #expect(canvas.resize(to: wide) == true)
    #expect(canvas.canvas == wide)
    _ = canvas.cancel()
    #expect(!canvas.canUndo && canvas.undo().map(summary) == ["nothingToUndo"])
    // Numbers go on, and emojis stay inside the new edges.
    var generator = SeededGenerator(seed: 3)
    for stroke in CanvasDoodles.strokes("ring", x: 1000, y: 60, from: 9000, using: &generator) {
      #expect(try canvas.add(stroke).map(summary) == ["pending 1 [1]"])
    }
    #expect(canvas.finish().map(summary) == ["recognized 1 ring"])
    let place = try #require(canvas.items.first?.placement)
    #expect(place.y + place.side <= 100 && place.x > 900)
    #expect(canvas.undo().map(summary) == ["undone 1 [] [1]"])
    #expect(canvas.resize(to: wide) == true)
  }
}
