import Ink
import Numbers
import Testing

@testable import Recognition
@testable import Segmentation

/// The words of an event and its shape's number: "pending 0".
func summary(_ event: LiveCanvas.Event) -> String {
  switch event.kind {
  case .pending(let shape, let absorbed): "pending \(shape.id) \(shape.strokes)\(gone(absorbed))"
  case .recognized(let shape): "recognized \(shape.id) \(shape.item?.label ?? "")"
  case .unrecognized(let shape): "unrecognized \(shape.id)"
  case .confused(let shape): "confused \(shape.id)"
  case .revised(let shape, let absorbed): "revised \(shape.id) \(shape.strokes)\(gone(absorbed))"
  case .corrected(let shape): "corrected \(shape.id) \(shape.item?.label ?? "ink")"
  case .removed(let id): "removed \(id)"
  case .undone(let stroke, let restored, let removed):
    "undone \(stroke.map(String.init) ?? "clear") \(restored.map(\.id)) \(removed)"
  case .nothingToUndo: "nothingToUndo"
  case .cleared: "cleared"
  }
}

private func gone(_ absorbed: [Int]) -> String { absorbed.isEmpty ? "" : " instead of \(absorbed)" }

/// A canvas 600 × 400 that groups by place and time.
func liveCanvas(
  _ recognizer: Recognizer? = nil, model: SegmenterModel? = nil,
  _ change: (inout LiveCanvas.Settings) -> Void = { _ in }
) throws -> LiveCanvas {
  var settings = LiveCanvas.Settings()
  change(&settings)
  return LiveCanvas(
    recognizer: recognizer, model: try #require(model ?? Fitted.model),
    canvas: .init(width: 600, height: 400), settings: settings)
}

/// What a recognizer may say of a group.
func answer(_ decision: Recognition.Decision, typicality: Double = 0.5) -> Answer {
  let evidence = decision.best.map {
    Evidence(label: $0.label, score: 5, rival: nil, margin: nil, typicality: typicality)
  }
  return Answer(
    decision: decision, candidates: decision.best.map { [$0] } ?? [], evidence: evidence)
}

/// The two strokes of a cross 80 wide: 100 ms each, 100 ms between them.
func cross(_ x: Double, _ y: Double, from start: Double) -> [Stroke] {
  [[(x, y), (x + 80, y + 80)], [(x, y + 80), (x + 80, y)]].enumerated().map { number, ends in
    Stroke(
      ends.enumerated().map { end, place in
        Point(x: place.0, y: place.1, t: start + Double(number) * 200 + Double(end) * 100)
      })
  }
}

@Suite("Live canvas")
struct LiveCanvasTests {
  @Test("F-006, F-012, F-014: shape after shape is pending, then recognized where it was drawn")
  func shapesOneByOne() async throws {
    var canvas = try liveCanvas(try await CanvasDoodles.recognizer)
    var generator = SeededGenerator(seed: 3)
    var told: [String] = []
    for (number, label) in ["cross", "ring", "zigzag"].enumerated() {
      let strokes = CanvasDoodles.strokes(
        label, x: Double(number) * 200, y: 100, from: Double(number) * 4000, using: &generator)
      for stroke in strokes { told += try canvas.add(stroke).map(summary) }
    }
    told += canvas.finish().map(summary)
    #expect(
      told == [
        "pending 0 [0]", "pending 0 [0, 1]", "recognized 0 cross", "pending 1 [2]",
        "recognized 1 ring", "pending 2 [3]", "recognized 2 zigzag",
      ])
    // The emoji is where the drawing was, and as large.
    for (item, shape) in zip(canvas.items, canvas.shapes) {
      #expect(item.placement == Placement(for: shape.box, on: canvas.canvas))
      #expect(abs(item.placement.side - 78) < 8)
    }
    #expect(canvas.items.map(\.label) == ["cross", "ring", "zigzag"])
  }

  @Test(
    "A decision comes the settle time after the last ink, not before, and not while a pen is down")
  func settling() throws {
    var canvas = try liveCanvas { $0.adapts = false }
    let strokes = cross(0, 0, from: 1000)
    #expect(canvas.nextDeadline == nil)
    #expect(try canvas.add(strokes[0]).map(summary) == ["pending 0 [0]"])
    #expect(canvas.nextDeadline == 1950.0)
    #expect(canvas.advance(to: 1150).isEmpty)

    // The pen goes down again in time and stays down for seconds.
    #expect(canvas.begin(at: Point(x: 0, y: 80, t: 1200)).isEmpty)
    #expect(canvas.nextDeadline == nil)
    #expect(canvas.isDrawing)
    #expect(canvas.advance(to: 4000).isEmpty)
    #expect(canvas.extend(with: [Point(x: 80, y: 0, t: 5000)]).isEmpty)
    #expect(canvas.end().map(summary) == ["pending 0 [0, 1]"])
    #expect(canvas.advance(to: 5849).isEmpty)
    let events = canvas.advance(to: 9000)
    #expect(events.map(summary) == ["unrecognized 0"])
    // The event has the time at which it was due, however late the host calls.
    #expect(events[0].milliseconds == 5850)
  }

  @Test("X-007: with nothing pending there is no deadline, and time passing does nothing")
  func idle() throws {
    var canvas = try liveCanvas()
    #expect(canvas.nextDeadline == nil)
    for stroke in cross(0, 0, from: 0) { _ = try canvas.add(stroke) }
    #expect(canvas.finish().map(summary) == ["unrecognized 0"])
    #expect(canvas.nextDeadline == nil)
    let shapes = canvas.shapes
    for time in stride(from: 1e4, to: 1e6, by: 1e5) {
      #expect(canvas.advance(to: time).isEmpty)
      #expect(canvas.nextDeadline == nil)
    }
    #expect(canvas.shapes == shapes)
    // Neither is there one before a pen that is down has drawn anything.
    _ = canvas.begin(at: Point(x: 1, y: 1, t: 2e6))
    #expect(canvas.nextDeadline == nil)
  }

  @Test("A late stroke of a rejected shape makes it pending again, under its number")
  func revision() throws {
    var canvas = try liveCanvas { $0.adapts = false }
    let strokes = cross(200, 100, from: 0)
    _ = try canvas.add(strokes[0])
    #expect(canvas.advance(to: 950).map(summary) == ["unrecognized 0"])
    let late = Stroke(strokes[1].points.map { Point(x: $0.x, y: $0.y, t: ($0.t ?? 0) + 900) })
    #expect(try canvas.add(late).map(summary) == ["revised 0 [0, 1]"])
    #expect(canvas.shapes[0].isPending)
    #expect(canvas.finish().map(summary) == ["unrecognized 0"])
  }

  @Test("F-015: a shape over an old emoji is a shape of its own; the emoji stays as it is")
  func drawingOver() async throws {
    var canvas = try liveCanvas(try await CanvasDoodles.recognizer)
    for stroke in cross(200, 100, from: 0) { _ = try canvas.add(stroke) }
    _ = canvas.finish()
    let item = canvas.items[0]
    // The same place again, 6 s later: closed shapes are never joined.
    var told: [String] = []
    for stroke in cross(200, 100, from: 6000) { told += try canvas.add(stroke).map(summary) }
    told += canvas.finish().map(summary)
    #expect(told == ["pending 1 [2]", "pending 1 [2, 3]", "recognized 1 cross"])
    #expect(canvas.items[0] == item)
    #expect(canvas.shapes.map(\.strokes) == [[0, 1], [2, 3]])
  }

  @Test("F-013, F-015: what is said of drawings that are not recognized")
  func messages() throws {
    let best = Candidate(label: "🏠", confidence: 0.4)
    func verdict(
      _ decision: Recognition.Decision?, sureness: Double = 1, over placed: Placement? = nil
    ) throws -> LiveShape.State {
      var canvas = try liveCanvas()
      _ = try canvas.add(cross(200, 100, from: 0)[0])
      canvas.state.open[0].answer = decision.map { answer($0) }
      canvas.state.open[0].sureness = sureness
      if let placed {
        canvas.closed = [
          LiveShape(
            id: 7, strokes: [], box: BoundingBox(x: 0, y: 0, width: 0, height: 0),
            state: .recognized(best, placed))
        ]
      }
      _ = canvas.finish()
      return try #require(canvas.shapes.first { $0.id == 0 }).state
    }
    let strange = Recognition.Decision.unrecognized(best: best, because: .likeNothingTaught)
    #expect(try verdict(strange) == .unrecognized(best: best))
    #expect(try verdict(nil) == .unrecognized(best: nil))
    // Between two labels, of doubtful strokes, or over an emoji: the person can do something about
    // it.
    #expect(
      try verdict(.unrecognized(best: best, because: .betweenLabels("🏠", "⭐")))
        == .confused(best: best))
    #expect(try verdict(strange, sureness: 0.4) == .confused(best: best))
    let here = Placement(x: 190, y: 90, side: 90)
    #expect(try verdict(strange, over: here) == .confused(best: best))
    #expect(
      try verdict(strange, over: Placement(x: 400, y: 90, side: 90)) == .unrecognized(best: best))
    // What is recognized is recognized there too.
    #expect(
      try verdict(.recognized(best), sureness: 0.4, over: here)
        == .recognized(best, Placement(x: 200, y: 100, side: 80)))

    var shape = LiveShape(
      id: 0, strokes: [0], box: BoundingBox(x: 0, y: 0, width: 1, height: 1), state: .pending)
    #expect(shape.message == nil)
    shape.state = .unrecognized(best: best)
    #expect(shape.message == "Couldn’t classify that drawing.")
    shape.state = .confused(best: nil)
    #expect(shape.message == "Try a simpler outline.")
  }

  @Test("The settle time follows the writer's pauses within shapes, within its bounds")
  func adaptation() throws {
    func settle(pause: Double) throws -> Double {
      var canvas = try liveCanvas()
      var time = 0.0
      for _ in 0..<12 {
        var strokes = cross(200, 100, from: time)
        strokes[1] = Stroke(
          strokes[1].points.map { Point(x: $0.x, y: $0.y, t: ($0.t ?? 0) + pause - 100) })
        for stroke in strokes { _ = try canvas.add(stroke) }
        time = (canvas.milliseconds ?? 0) + 10_000
        _ = canvas.advance(to: time)
      }
      #expect(canvas.shapes.allSatisfy { $0.strokes.count == 2 })
      return canvas.settleMilliseconds
    }
    let (fast, usual, slow) = (
      try settle(pause: 60), try settle(pause: 350), try settle(pause: 700)
    )
    #expect(fast < usual && usual < slow)
    #expect(fast >= 400 && slow <= 2500)
    // Each is well above the writer's own pause.
    #expect(fast > 120 && usual > 500 && slow > 1000)
    var fixed = try liveCanvas { $0.adapts = false }
    for stroke in cross(0, 0, from: 0) { _ = try fixed.add(stroke) }
    _ = fixed.finish()
    #expect(fixed.settleMilliseconds == 850)
  }

  @Test("B-014: a shape's box is around all of its points, however many a stroke has")
  func exactBox() throws {
    var canvas = try liveCanvas()
    var points = (0..<200).map { Point(x: 100 + Double($0), y: 200, t: Double($0)) }
    points[77].y = 150
    _ = try canvas.add(Stroke(points))
    #expect(canvas.shapes[0].box == BoundingBox(x: 100, y: 150, width: 199, height: 50))
  }

  @Test("A shape comes soon where the recognizer is sure; what may not be finished waits longer")
  func waits() throws {
    // After the last ink.
    func wait(_ found: Answer?, settle: Double = 1000, strokes: Int = 2) throws -> Double? {
      var canvas = try liveCanvas {
        $0.adapts = false
        $0.settleMilliseconds = settle
      }
      for stroke in cross(200, 100, from: 0).prefix(strokes) { _ = try canvas.add(stroke) }
      #expect(canvas.shapes.count == 1)
      canvas.state.open[0].answer = found
      return canvas.nextDeadline.map { $0 - (strokes == 1 ? 100 : 300) }
    }
    let sure = Candidate(label: "🏠", confidence: 0.9)
    let unsure = Candidate(label: "🏠", confidence: 0.89)
    #expect(try wait(answer(.recognized(sure), typicality: 0.3)) == 500)
    #expect(try wait(answer(.recognized(sure), typicality: 0.3), strokes: 1) == 1000)
    #expect(try wait(answer(.recognized(sure), typicality: 0.3), settle: 400) == 400)
    #expect(try wait(answer(.recognized(sure), typicality: 0.29)) == 1500)
    #expect(try wait(answer(.recognized(unsure), typicality: 1)) == 1500)
    #expect(try wait(answer(.unrecognized(best: sure, because: .likeNothingTaught))) == 2000)
    // Without a recognizer there is nothing to be sure of.
    #expect(try wait(nil) == 1000)
  }

  @Test("F-014: a recognized shape comes while a pen draws elsewhere, and nothing else does")
  func drawingElsewhere() throws {
    // A line from (200, 100) to (280, 180): pens within 40 of its box may go on with it.
    func told(
      _ decision: Recognition.Decision?, while place: Point?, until end: Double = 5000
    ) throws -> [LiveCanvas.Event] {
      var canvas = try liveCanvas { $0.adapts = false }
      _ = try canvas.add(cross(200, 100, from: 0)[0])
      canvas.state.open[0].answer = decision.map { answer($0) }
      #expect(canvas.begin(pen: 1, place: place, at: 150).isEmpty)
      let events = canvas.advance(to: end)
      #expect(canvas.isDrawing)
      return events
    }
    let sure = Recognition.Decision.recognized(Candidate(label: "🏠", confidence: 0.9))
    let events = try told(sure, while: Point(x: 320.5, y: 140))
    #expect(events.map(summary) == ["recognized 0 🏠"] && events[0].milliseconds == 950)
    #expect(try told(sure, while: Point(x: 320.5, y: 140), until: 949).isEmpty)
    for near in [Point(x: 240, y: 140), Point(x: 320, y: 140), Point(x: .nan, y: 0), nil] {
      #expect(try told(sure, while: near).isEmpty)
    }
    let best = Candidate(label: "🏠", confidence: 0.9)
    let refused = Recognition.Decision.unrecognized(best: best, because: .likeNothingTaught)
    #expect(try told(refused, while: Point(x: 500, y: 140)).isEmpty)
    #expect(try told(nil, while: Point(x: 500, y: 140)).isEmpty)
  }

  @Test("A whole stroke elsewhere lets shapes come in time, as its points one by one do")
  func wholeStrokeElsewhere() async throws {
    let recognizer = try await CanvasDoodles.recognizer
    func canvas() throws -> LiveCanvas {
      var canvas = try liveCanvas(recognizer) { $0.adapts = false }
      for stroke in cross(100, 100, from: 0) { _ = try canvas.add(stroke) }
      return canvas
    }
    let slow = Stroke(
      (0..<50).map { Point(x: 400 + 3 * Double($0), y: 300, t: 500 + 100 * Double($0)) })
    var (whole, bitByBit) = (try canvas(), try canvas())
    let events = try whole.add(slow)
    #expect(events.map(summary) == ["recognized 0 cross", "pending 1 [2]"])
    #expect(events[0].milliseconds == 800 && events[1].milliseconds == 5400)
    var same = bitByBit.begin(at: slow.points[0])
    for point in slow.points.dropFirst() { same += bitByBit.extend(with: [point]) }
    #expect(same + bitByBit.end() == events)
    #expect(whole.state == bitByBit.state)
    // So does a log, which knows where the pen went down.
    var replayed = try canvas()
    let (place, end) = (Point(x: 400, y: 300), 5400.0)
    var again = try replayed.apply(.begin(pen: 0, at: place, milliseconds: 500))
    again += try replayed.apply(.advance(milliseconds: 3000))
    #expect(again.map(summary) == ["recognized 0 cross"])
    #expect(try again + replayed.apply(.stroke(slow, pen: 0, milliseconds: end)) == events)
    // Beside an emoji nothing comes while a pen is down, which may be on it.
    replayed.state.open[1].group = [0, 1, 2]
    replayed.state.open[1].answer = answer(.recognized(Candidate(label: "🏠", confidence: 1)))
    _ = replayed.begin(at: Point(x: 140, y: 140, t: 5500))
    #expect(replayed.nextDeadline == nil)
  }

  @Test(
    "Two pens draw at the same time: each stroke is one pen's; nothing unknown fires meanwhile")
  func twoPens() throws {
    var canvas = try liveCanvas()
    _ = canvas.begin(at: Point(x: 0, y: 0, t: 0), pen: 1)
    _ = canvas.begin(at: Point(x: 400, y: 300, t: 50), pen: 2)
    #expect(canvas.extend(with: [Point(x: 50, y: 50, t: 100)], pen: 1).isEmpty)
    #expect(canvas.extend(with: [Point(x: 500, y: 300, t: 100)], pen: 2).isEmpty)
    #expect(canvas.end(pen: 2).map(summary) == ["pending 0 [0]"])
    #expect(canvas.nextDeadline == nil)
    #expect(canvas.advance(to: 5000).isEmpty)
    let told = canvas.end(pen: 1)
    #expect(canvas.strokeCount == 2)
    #expect(canvas.ink(of: 0)?.points.map(\.x) == [400, 500])
    #expect(canvas.ink(of: 1)?.points.map(\.x) == [0, 50])
    #expect(told.count >= 1)
    // A pen that was never down does nothing when it comes up.
    #expect(canvas.end(pen: 9).isEmpty)
  }
}
