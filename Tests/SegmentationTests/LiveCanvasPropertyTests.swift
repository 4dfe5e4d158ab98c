import Ink
import Numbers
import Recognition
import Testing

@testable import Segmentation

/// Random actions on a canvas, from a time on.
func randomActions(
  _ count: Int, from start: Double? = nil, corrects: Bool = false,
  using generator: inout SeededGenerator
) -> [CanvasAction] {
  var time = start ?? generator.uniform(-5000...5000)
  return (0..<count).map { _ in
    time += generator.pick([20, 200, 700, 1500, 7000, -300]) * generator.unit()
    switch generator.unit() {
    case ..<0.08: return .undo(milliseconds: time)
    case ..<0.1: return .clear(milliseconds: time)
    case ..<0.2: return .advance(milliseconds: time)
    case ..<0.25:
      let place = Point(x: generator.uniform(0...600), y: generator.uniform(0...400))
      return .begin(
        pen: generator.integer(below: 2), at: generator.unit() < 0.5 ? place : nil,
        milliseconds: time)
    case ..<0.3: return .cancel(pen: generator.integer(below: 2), milliseconds: time)
    case ..<0.42 where corrects:
      return .correct(
        shape: generator.integer(below: 12), randomCorrection(using: &generator),
        milliseconds: time)
    case ..<0.46 where corrects:
      return .join(
        shapes: [generator.integer(below: 8), generator.integer(below: 8)], milliseconds: time)
    case ..<0.5 where corrects:
      return .split(
        shape: generator.integer(below: 8), strokes: [generator.integer(below: 30)],
        milliseconds: time)
    default:
      let stroke = randomStroke(from: time, using: &generator)
      time += 150
      return .stroke(stroke, pen: generator.integer(below: 2), milliseconds: time)
    }
  }
}

private func randomCorrection(using generator: inout SeededGenerator) -> Correction {
  generator.pick([
    .label(generator.pick(["ring", "cross"])), .reject, .remove, .place(nil),
    .place(BoundingBox(x: generator.uniform(-900...900), y: 20, width: 70, height: 70)),
  ])
}

/// A stroke of few points on the canvas or off it, mostly with times.
func randomStroke(from time: Double, using generator: inout SeededGenerator) -> Stroke {
  let (x, y) = (generator.uniform(-100...700), generator.uniform(-100...500))
  let size = generator.pick([0.0, 5, 60, 150])
  let isTimed = generator.chance(0.9)
  return Stroke(
    (0..<(1 + generator.integer(below: 5))).map { index in
      Point(
        x: x + size * generator.unit(), y: y + size * generator.unit(),
        t: isTimed ? time + 30 * Double(index) : nil)
    })
}

/// The shapes as reconstructed from the events.
struct Listener {
  var shapes: [Int: LiveShape] = [:]

  mutating func hear(_ events: [LiveCanvas.Event]) {
    for event in events {
      switch event.kind {
      case .pending(let shape, let absorbed), .revised(let shape, let absorbed):
        for id in absorbed { shapes[id] = nil }
        shapes[shape.id] = shape
      case .recognized(let shape), .unrecognized(let shape), .confused(let shape),
        .corrected(let shape):
        shapes[shape.id] = shape
      case .removed(let id): shapes[id] = nil
      case .undone(_, let restored, let removed):
        for id in removed { shapes[id] = nil }
        for shape in restored { shapes[shape.id] = shape }
      case .nothingToUndo: break
      case .cleared: shapes = [:]
      }
    }
  }
}

@Suite("Live canvas, whatever happens")
struct LiveCanvasPropertyTests {
  @Test(
    "Each stroke is in exactly one shape, events tell all, time never runs back, and idle is idle",
    arguments: 0..<16)
  func invariants(seed: UInt64) async throws {
    var generator = SeededGenerator(seed: seed)
    let recognizer = seed % 3 == 0 ? try await CanvasDoodles.recognizer : nil
    // Emojis that get strokes, and lose them again.
    let model: SegmenterModel? = seed % 2 == 0 ? .everywhere(join: -1, single: -3) : nil
    var canvas = try liveCanvas(recognizer, model: model) { settings in
      settings.undoDepth = 20
      // A small window, so that strokes leave it.
      settings.reach = seed % 2 == 0 ? 4 : 64
      settings.mostOpenStrokes = seed % 2 == 0 ? 10 : 256
      if seed % 4 == 1 { settings.mostOpenPoints = 12 }
    }
    var listener = Listener()
    // The strokes that should be there according to the events, and the next one's number.
    var (numbers, next) = ([Int](), 0)
    // And what they were before each clearing, correction, joining and splitting.
    var steps: [[Int]] = []
    var time = -Double.infinity
    for action in randomActions(80, corrects: true, using: &generator) {
      var events: [LiveCanvas.Event] = []
      switch action {
      case .join, .split:
        events = canvas.liftPens(at: action.milliseconds)
        events += canvas.advance(to: action.milliseconds)
        let told = try canvas.apply(action)
        if !told.isEmpty { steps.append(numbers) }
        events += told
      default: events = try canvas.apply(action)
      }
      for event in events {
        let before = listener.shapes
        listener.hear([event])
        #expect(event.milliseconds >= time, "seed \(seed)")
        time = event.milliseconds
        switch event.kind {
        case .pending(let shape, _), .revised(let shape, _):
          guard shape.strokes.last == next else { continue }
          numbers.append(next)
          next += 1
        case .undone(let stroke?, _, _):
          #expect(numbers.popLast() == stroke)
          next = stroke
        case .undone: numbers = steps.removeLast()
        case .cleared:
          steps.append(numbers)
          numbers = []
        case .corrected: steps.append(numbers)
        case .removed(let id):
          steps.append(numbers)
          numbers.removeAll { before[id]?.strokes.contains($0) ?? false }
        default: break
        }
      }
      #expect(canvas.strokeCount == next)
      #expect(canvas.shapes.flatMap(\.strokes).sorted() == numbers, "seed \(seed)")
      #expect(listener.shapes.values.sorted { $0.id < $1.id } == canvas.shapes, "seed \(seed)")
      #expect(Set(canvas.shapes.map(\.id)).count == canvas.shapes.count)
      #expect(
        ([canvas.state] + canvas.steps.map(\.state)).allSatisfy { state in
          state.open.allSatisfy { $0.shape.isPending || $0.answer == nil }
        }, "seed \(seed)")
      let pending = canvas.state.open.filter(\.shape.isPending)
      let recognized = pending.contains { $0.answer?.decision.isRecognized ?? false }
      #expect(
        canvas.isDrawing
          ? canvas.nextDeadline == nil || recognized
          : (canvas.nextDeadline != nil) == !pending.isEmpty, "seed \(seed)")
      #expect(canvas.state.window.count <= canvas.settings.mostOpenStrokes)
    }
    listener.hear(canvas.finish())
    #expect(canvas.nextDeadline == nil)
    #expect(!canvas.shapes.contains { $0.isPending })
    #expect(listener.shapes.values.sorted { $0.id < $1.id } == canvas.shapes)
  }

  @Test(
    "Undo restores the state exactly: what comes after is as if the stroke had not been",
    arguments: 0..<8)
  func undo(seed: UInt64) throws {
    var generator = SeededGenerator(seed: 100 + seed)
    var canvas = try liveCanvas { settings in
      settings.reach = 8
      settings.mostOpenStrokes = 24
    }
    var time = 0.0
    for _ in 0..<25 {
      time += generator.uniform(200...2500)
      _ = try canvas.add(randomStroke(from: time, using: &generator))
      time = max(time, canvas.milliseconds ?? 0)
    }
    // All that is due comes before the pen goes down; then the stroke, and perhaps a clearing.
    time += generator.uniform(100...8000)
    _ = canvas.begin(pen: 0, at: time)
    let (state, shapes) = (canvas.state, canvas.shapes)
    _ = try canvas.add(randomStroke(from: time, using: &generator))
    if seed % 2 == 0 {
      _ = canvas.clear()
      _ = canvas.undo()
    }
    _ = canvas.undo()
    #expect(canvas.shapes == shapes, "seed \(seed)")
    var restored = canvas.state
    for index in restored.open.indices { restored.open[index].since = state.open[index].since }
    #expect(restored == state, "seed \(seed)")

    // And so it goes on: with a canvas that was rebuilt and one that was not.
    var other = canvas
    other.rebuildSegmenter()
    for _ in 0..<6 {
      time += generator.uniform(3000...6000)
      let stroke = randomStroke(from: time, using: &generator)
      #expect(try canvas.add(stroke) == other.add(stroke), "seed \(seed)")
    }
  }

  @Test("What happens does not depend on when the host asks", arguments: 0..<6)
  func advancing(seed: UInt64) throws {
    var generator = SeededGenerator(seed: 200 + seed)
    let actions = randomActions(50, corrects: true, using: &generator)
    var (rare, often) = (try liveCanvas(), try liveCanvas())
    var told: ([LiveCanvas.Event], [LiveCanvas.Event]) = ([], [])
    for action in actions {
      if case .advance = action { continue }
      told.0 += try rare.apply(action)
      // Up to when the pen goes down; from then on nothing is due.
      var until = action.milliseconds
      if case .stroke(let stroke, _, _) = action { until = stroke.points[0].t ?? until }
      if let now = often.milliseconds, until > now {
        for share in [0.2, 0.5, 0.9] { told.1 += often.advance(to: now + share * (until - now)) }
      }
      told.1 += try often.apply(action)
    }
    told.0 += rare.finish()
    told.1 += often.finish()
    #expect(told.0.map(summary) == told.1.map(summary), "seed \(seed)")
    #expect(told.0.map(\.milliseconds) == told.1.map(\.milliseconds), "seed \(seed)")
  }

  @Test("Over many strokes what is looked at stays small, and only a record a shape is kept")
  func manyStrokes() throws {
    var generator = SeededGenerator(seed: 9)
    var canvas = try liveCanvas { settings in
      settings.reach = 2
      settings.mostOpenStrokes = 6
      settings.undoDepth = 10
    }
    var most = 0
    for number in 0..<1000 {
      let (x, y) = (Double(number % 50) * 200, Double(number / 50 % 50) * 200)
      let stroke = Stroke([
        Point(x: x, y: y, t: Double(number) * 3000),
        Point(x: x + generator.unit() * 50, y: y + 50, t: Double(number) * 3000 + 100),
      ])
      _ = try canvas.add(stroke)
      most = max(most, canvas.state.window.count)
    }
    _ = canvas.finish()
    #expect(most <= 12)
    #expect(canvas.steps.count == 10)
    #expect(canvas.shapes.flatMap(\.strokes) == Array(0..<1000))
    // Ink of closed shapes is gone.
    #expect(canvas.ink(of: 0) == nil)
    #expect(canvas.ink(of: 999) != nil)
  }

  @Test("Bad strokes are errors that name the point, and change nothing")
  func badStrokes() throws {
    var canvas = try liveCanvas()
    _ = try canvas.add(cross(0, 0, from: 0)[0])
    let (state, shapes, time) = (canvas.state, canvas.shapes, canvas.milliseconds)
    #expect(throws: InkError.emptyDrawing) { try canvas.add(Stroke([])) }
    #expect(throws: InkError.invalidNumber(stroke: 1, point: 1, axis: .y)) {
      try canvas.add(Stroke([Point(x: 0, y: 0), Point(x: 1, y: .infinity)]))
    }
    #expect(throws: InkError.invalidNumber(stroke: 1, point: 0, axis: .t)) {
      try canvas.add(Stroke([Point(x: 0, y: 0, t: .infinity)]))
    }
    #expect(canvas.state == state && canvas.shapes == shapes && canvas.milliseconds == time)
    // A pen that reports nonsense leaves the rest of its stroke.
    _ = canvas.begin(at: Point(x: .nan, y: 0, t: 500))
    _ = canvas.extend(with: [Point(x: 1, y: 2, t: .infinity), Point(x: .infinity, y: 0)])
    _ = canvas.end()
    #expect(canvas.ink(of: 1) == Stroke([Point(x: 1, y: 2)]))
    _ = canvas.begin(at: Point(x: .nan, y: 0, t: 600))
    #expect(canvas.end().isEmpty)
    #expect(canvas.strokeCount == 2)
    #expect(canvas.advance(to: .nan).isEmpty && canvas.advance(to: .infinity).isEmpty)
  }

  @Test(
    "Times that are negative, overlap or are missing, huge places, and dots are taken as they are")
  func strangeStrokes() throws {
    var canvas = try liveCanvas()
    for points in [
      [Point(x: 0, y: 0, t: -9000), Point(x: 10, y: 10, t: -8900)],
      [Point(x: 0, y: 10, t: -8950), Point(x: 10, y: 0, t: -8990)],
      [Point(x: 300, y: 300), Point(x: 310, y: 310)],
      [Point(x: 5, y: 5, t: -1e12)], [Point(x: 1e200, y: -1e200, t: 5)],
      [Point(x: -1e308, y: 0), Point(x: 1e308, y: 0)],
      [Point(x: 300, y: 305), Point(x: 310, y: 300)],
    ] { _ = try canvas.add(Stroke(points)) }
    _ = canvas.finish()
    #expect(canvas.shapes.flatMap(\.strokes).sorted() == Array(0..<7))
    #expect(canvas.nextDeadline == nil)
  }

  @Test("A stroke of 100,000 points is a stroke")
  func longStroke() throws {
    var canvas = try liveCanvas()
    let points = (0..<100_000).map {
      Point(x: Double($0 % 600), y: Double($0 / 600), t: Double($0))
    }
    #expect(try canvas.add(Stroke(points)).map(summary) == ["pending 0 [0]"])
    #expect(canvas.finish().map(summary) == ["unrecognized 0"])
    #expect(canvas.ink(of: 0)?.points.count == 100_000)
  }
}
