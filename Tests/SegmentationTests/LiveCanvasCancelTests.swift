import Ink
import Numbers
import Testing

@testable import Segmentation

@Suite("Ink that nobody meant to draw on a live canvas")
struct LiveCanvasCancelTests {
  /// What undo would go back to.
  private func steps(of canvas: LiveCanvas) -> [String] {
    canvas.steps.map { "\($0.state) \($0.kind)" }
  }

  @Test(
    "A canceled stroke was never drawn: the canvas is what it was, and so is all that follows",
    arguments: 0..<8)
  func never(seed: UInt64) async throws {
    var generator = SeededGenerator(seed: 400 + seed)
    let recognizer = seed % 4 == 0 ? try await CanvasDoodles.recognizer : nil
    var canvas = try liveCanvas(recognizer) { settings in
      settings.reach = seed % 2 == 0 ? 4 : 64
      settings.mostOpenStrokes = seed % 2 == 0 ? 10 : 256
      settings.undoDepth = 5
    }
    for _ in 0..<8 {
      for action in randomActions(8, from: canvas.milliseconds, using: &generator) {
        _ = try canvas.apply(action)
      }
      _ = canvas.liftPens()
      let start = (canvas.milliseconds ?? 0) + generator.uniform(1...6000)
      _ = canvas.advance(to: start)
      var other = canvas
      // So quick that nothing is due meanwhile: with a pen down it might come later.
      let length = min(100, canvas.nextDeadline.map { 0.5 * ($0 - start) } ?? 100)
      _ = canvas.begin(pen: 7, at: start)
      let (state, before) = (canvas.state, steps(of: canvas))
      var listener = Listener()
      for shape in canvas.shapes { listener.shapes[shape.id] = shape }
      var palm = randomStroke(from: start, using: &generator)
      for index in palm.points.indices {
        palm.points[index].t = start + length * Double(index) / Double(palm.points.count)
      }
      listener.hear(try canvas.add(palm, pen: 7))
      #expect(canvas.strokeCount == other.strokeCount + 1)
      let canceled = canvas.cancel(pen: 7, at: start + length)
      listener.hear(canceled)
      #expect(canceled.count == 1)

      #expect(canvas.state == state, "seed \(seed)")
      #expect(canvas.shapes == other.shapes, "seed \(seed)")
      #expect(steps(of: canvas) == before, "seed \(seed)")
      #expect(listener.shapes.values.sorted { $0.id < $1.id } == canvas.shapes, "seed \(seed)")
      #expect(canvas.nextDeadline == other.nextDeadline, "seed \(seed)")
      #expect(canvas.canUndo == other.canUndo, "seed \(seed)")
      #expect(canvas.settleMilliseconds == other.settleMilliseconds, "seed \(seed)")
      _ = other.advance(to: start + length)
      for action in randomActions(10, from: start + length, using: &generator) {
        // What a pen does that is up is not to be taken back twice.
        if case .cancel = action { continue }
        #expect(try canvas.apply(action) == other.apply(action), "seed \(seed)")
        #expect(canvas.shapes == other.shapes, "seed \(seed)")
      }
    }
  }

  @Test("A pen that is down comes up, leaves no ink, and nobody is told; what was due is decided")
  func penDown() throws {
    var canvas = try liveCanvas { $0.adapts = false }
    _ = canvas.begin(at: Point(x: 0, y: 0, t: 0), pen: 1)
    #expect(canvas.cancel(pen: 1, at: 50).isEmpty)
    #expect(!canvas.isDrawing && canvas.shapes.isEmpty && !canvas.canUndo)
    #expect(canvas.strokeCount == 0)
    _ = try canvas.add(cross(200, 100, from: 100)[0])
    let state = canvas.state
    #expect(canvas.nextDeadline == 1050)
    _ = canvas.begin(at: Point(x: 0, y: 0, t: 500), pen: 1)
    #expect(canvas.nextDeadline == nil)
    #expect(canvas.cancel(pen: 1, at: 600).isEmpty)
    #expect(canvas.state == state && canvas.nextDeadline == 1050)
    _ = canvas.begin(at: Point(x: 0, y: 0, t: 1000), pen: 1)
    // The other pen, which is up, drew the newest stroke: that of the one that is down is no
    // stroke.
    #expect(canvas.cancel(pen: 1, at: 1500).map(summary) == ["unrecognized 0"])
  }

  @Test("A neighbor that the stroke joined is as it was, and says nothing twice")
  func neighbor() throws {
    var canvas = try liveCanvas { $0.adapts = false }
    let strokes = cross(200, 100, from: 0)
    func late(_ time: Double) -> Stroke {
      Stroke(strokes[1].points.map { Point(x: $0.x, y: $0.y, t: ($0.t ?? 0) + time) })
    }
    _ = try canvas.add(strokes[0])
    #expect(canvas.advance(to: 960).map(summary) == ["unrecognized 0"])
    let decided = canvas.shapes
    // A palm beside a shape that was decided on, and the emoji or the ink is back as it was.
    #expect(try canvas.add(late(800), pen: 1).map(summary) == ["revised 0 [0, 1]"])
    #expect(canvas.cancel(pen: 1).map(summary) == ["undone 1 [0] []"])
    #expect(canvas.shapes == decided && canvas.nextDeadline == nil)
    // Undo takes back the stroke before, as if there had been no other.
    #expect(canvas.undo().map(summary) == ["undone 0 [] [0]"])
    #expect(!canvas.canUndo)
  }

  @Test("What became due while the stroke lay there is decided once")
  func due() throws {
    var canvas = try liveCanvas { $0.adapts = false }
    let strokes = cross(200, 100, from: 0)
    _ = try canvas.add(strokes[0])
    // Beside it: the decision does not wait for the palm, and stays.
    let far = Stroke([Point(x: 500, y: 300, t: 800), Point(x: 520, y: 320, t: 820)])
    #expect(try canvas.add(far, pen: 1).map(summary) == ["pending 1 [1]"])
    #expect(canvas.advance(to: 1000).map(summary) == ["unrecognized 0"])
    #expect(canvas.cancel(pen: 1, at: 1100).map(summary) == ["undone 1 [] [1]"])
    #expect(canvas.shapes.map(\.state) == [.unrecognized(best: nil)])
    #expect(canvas.nextDeadline == nil)

    // Part of it: without the palm it would have been decided at 950.
    canvas = try liveCanvas { $0.adapts = false }
    for (pen, stroke) in strokes.enumerated() { _ = try canvas.add(stroke, pen: pen) }
    #expect(canvas.nextDeadline == 1150)
    #expect(canvas.cancel(pen: 1, at: 1000).map(summary) == ["undone 1 [0] []", "unrecognized 0"])
    #expect(canvas.milliseconds == 1000)
  }

  @Test(
    "Only the newest stroke of that pen is canceled, once, and not behind an undo or a clearing")
  func newest() throws {
    var canvas = try liveCanvas()
    #expect(canvas.cancel().isEmpty)
    _ = try canvas.add(cross(0, 0, from: 0)[0], pen: 1)
    _ = try canvas.add(cross(400, 0, from: 200)[0], pen: 0)
    #expect(canvas.cancel(pen: 1).isEmpty)
    #expect(canvas.strokeCount == 2)
    #expect(canvas.cancel(pen: 0).map(summary) == ["undone 1 [] [1]"])
    #expect(canvas.cancel(pen: 0).isEmpty)
    #expect(canvas.cancel(pen: 1).isEmpty)
    _ = try canvas.add(cross(400, 0, from: 400)[0])
    _ = canvas.clear()
    #expect(canvas.cancel().isEmpty)
    _ = canvas.undo()
    #expect(canvas.cancel().isEmpty)
    #expect(canvas.strokeCount == 2)
  }

  @Test("A stroke that pushed the oldest step of undo out gives it back", arguments: [0, 1, 3])
  func pushedOut(depth: Int) throws {
    var canvas = try liveCanvas { $0.undoDepth = depth }
    for number in 0..<4 { _ = try canvas.add(cross(0, 0, from: Double(number) * 9000)[0]) }
    let before = steps(of: canvas)
    #expect(before.count == depth)
    _ = try canvas.add(cross(300, 0, from: 40_000)[0], pen: 1)
    #expect(canvas.cancel(pen: 1).map(summary).last == "undone 4 [] [4]")
    #expect(steps(of: canvas) == before && canvas.strokeCount == 4)
  }
}
