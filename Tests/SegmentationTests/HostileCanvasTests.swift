import CLibrary
import Ink
import Numbers
import Testing

@testable import Segmentation

/// Canvases that people do not draw, but programs may send.
@Suite("Canvases that nobody draws")
struct HostileCanvasTests {
  /// A stroke of a scribble: lines through one point, without a pause that would end the shape.
  private func scribble(_ number: Int) -> Stroke {
    let (x, start) = (Double(number % 40) * 2, Double(number) * 60)
    return Stroke([
      Point(x: 100 + x, y: 100, t: start), Point(x: 180 - x, y: 180, t: start + 40),
    ])
  }

  @Test("Without strokes there are no shapes, and nothing to wait for, undo or decide")
  func nothing() throws {
    var canvas = try liveCanvas()
    #expect(canvas.advance(to: 1e9).isEmpty && canvas.finish().isEmpty)
    #expect(canvas.nextDeadline == nil && canvas.shapes.isEmpty && canvas.items.isEmpty)
    #expect(canvas.undo().map(summary) == ["nothingToUndo"])
    #expect(canvas.clear().map(summary) == ["cleared"])
    let segmenter = Segmenter(recognizer: nil, model: try #require(Fitted.model))
    #expect(try segmenter.segments(of: Drawing(strokes: [])).isEmpty)
    // A canvas of no size has no edges.
    var flat = LiveCanvas(
      recognizer: nil, model: try #require(Fitted.model), canvas: .init(width: 0, height: 0))
    _ = try flat.add(scribble(0))
    #expect(flat.finish().map(summary) == ["unrecognized 0"])
  }

  @Test(
    "One shape of very many strokes, live: no stroke is lost, and memory and work are bounded"
  )
  func oneShape() throws {
    var canvas = try liveCanvas { settings in
      settings.reach = 8
      settings.mostOpenStrokes = 40
      settings.undoDepth = 5
    }
    var (window, groups, told) = (0, 0, 0)
    for number in 0..<600 {
      told = max(told, try canvas.add(scribble(number)).count)
      window = max(window, canvas.state.window.count)
      groups = max(groups, canvas.segmenter.groups.count)
    }
    _ = canvas.finish()
    #expect(canvas.shapes.flatMap(\.strokes).sorted() == Array(0..<600))
    // It is cut where there are too many strokes, not taken for a shape a stroke.
    #expect(canvas.shapes.count <= 600 / 4)
    #expect(canvas.shapes.allSatisfy { $0.strokes.count <= 40 })
    #expect(window <= 40 && groups <= 8 * 8 && told <= 40)
    #expect(canvas.steps.count == 5)
    #expect(canvas.steps.allSatisfy { $0.state.window.count <= 40 })
  }

  @Test("A whole canvas of strokes at one place: a shape gets 512 strokes, then another one begins")
  func samePlace() throws {
    let segmenter = Segmenter(recognizer: nil, model: try #require(Fitted.model))
    let strokes = (0..<600).map { line([(0, 0), (90, 90)], from: Double($0) * 100) }
    let counts = try segmenter.segments(of: Drawing(strokes: strokes)).map(\.strokes.count)
    #expect(counts == [512, 88])
  }

  @Test("However surely a stroke would join a shape that is full, it begins another one")
  func fullShape() throws {
    let model = try #require(Fitted.model)
    var certain = model
    certain.join.output[model.join.unitCount] = 20
    for model in [certain, try .standard()] {
      let segmenter = Segmenter(recognizer: nil, model: model)
      var generator = SeededGenerator(seed: 66)
      // A frame, and within it line after line through its middle without a pause.
      let frame = line([(0, 0), (500, 0), (500, 500), (0, 500), (0, 0)], from: 0)
      let strokes = (0..<600).map { number in
        let angle = generator.uniform(0...6.28)
        return line(
          [(250, 250), (250 + 90 * cos(angle), 250 + 90 * sin(angle))],
          from: 3000 + 95 * Double(number))
      }
      let shapes = try segmenter.segments(of: Drawing(strokes: [frame] + strokes)).map(\.strokes)
      #expect(shapes.flatMap { $0 }.sorted() == Array(0...600))
      #expect(shapes.allSatisfy { $0.count <= 512 })
    }
  }

  @Test("A shape has so many points and no more: with the next stroke another one begins")
  func manyPoints() throws {
    var canvas = try liveCanvas { $0.mostOpenPoints = 100 }
    var points: [Int: Int] = [:]
    func draw(_ number: Int, _ count: Int) throws -> [String] {
      let ends = scribble(number).points
      points[number] = count
      let stroke = Stroke((0..<count).map { $0 < count / 2 ? ends[0] : ends[1] })
      return try canvas.add(stroke).map(summary)
    }
    #expect(try draw(0, 60) == ["pending 0 [0]"])
    #expect(try draw(1, 40) == ["pending 0 [0, 1]"])
    let next = try draw(2, 2)
    #expect(next == ["unrecognized 0", "pending 1 [2]"])
    // What the stroke ended goes on without it.
    #expect(canvas.undo().map(summary) == ["undone 2 [0] [1]"])
    #expect(canvas.shapes.map(\.isPending) == [true])
    #expect(try draw(2, 2) == next)
    // A stroke that has more is a shape of its own.
    #expect(try draw(3, 150) == ["unrecognized 1", "pending 2 [3]"])
    for number in 4..<40 { _ = try draw(number, 7) }
    _ = canvas.finish()
    #expect(canvas.shapes.flatMap(\.strokes).sorted() == Array(0..<40))
    for shape in canvas.shapes where shape.strokes.count > 1 {
      #expect(shape.strokes.reduce(0) { $0 + (points[$1] ?? 0) } <= 100)
    }
  }

  @Test("The recognizer looks as often for the last strokes of a crowded canvas as for the first")
  func readings() async throws {
    var canvas = try liveCanvas(try await CanvasDoodles.recognizer) { settings in
      settings.reach = 8
      settings.mostOpenStrokes = 24
    }
    var generator = SeededGenerator(seed: 12)
    var counts: [Int] = []
    var (number, time) = (0, 0.0)
    while counts.count < 80 {
      let label = CanvasDoodles.labels[number % 3]
      let (x, y) = (generator.uniform(0...500), generator.uniform(0...300))
      for stroke in CanvasDoodles.strokes(label, x: x, y: y, from: time, using: &generator) {
        let before = canvas.readingCount
        _ = try canvas.add(stroke)
        counts.append(canvas.readingCount - before)
      }
      (number, time) = (number + 1, (canvas.milliseconds ?? 0) + 900)
    }
    let half = counts.count / 2
    let (early, late) = (counts[..<half].reduce(0, +), counts[half...].reduce(0, +))
    #expect(early > 0)
    #expect(late <= early + early / 4, "\(early), then \(late)")
    // One stroke may restart the segmenter, with no more strokes than are compared, and few
    // readings per stroke.
    #expect(counts.allSatisfy { $0 <= 24 * 8 })
  }

  @Test("Undoing stroke after stroke asks the recognizer nothing, and the next stroke is looked at")
  func undoing() async throws {
    let recognizer = try await CanvasDoodles.recognizer
    var (canvas, other) = (try liveCanvas(recognizer), try liveCanvas(recognizer))
    for number in 0..<24 {
      _ = try canvas.add(scribble(number))
      if number < 9 { _ = try other.add(scribble(number)) }
    }
    let before = canvas.readingCount
    for _ in 0..<15 { _ = canvas.undo() }
    #expect(canvas.readingCount == before)
    _ = try canvas.add(scribble(9))
    _ = try other.add(scribble(9))
    #expect(canvas.readingCount > before && canvas.readingCount <= before + 8)
    #expect(canvas.segmenter.segments == other.segmenter.segments)
    #expect(canvas.shapes.map(\.strokes) == other.shapes.map(\.strokes))
    #expect(canvas.segmenter.segments.contains { $0.answer != nil })
    // A new recognizer would read everything that undo restores; here it is removed.
    _ = canvas.replaceRecognizer(with: nil)
    _ = canvas.undo()
    _ = try canvas.add(scribble(9))
    #expect(canvas.segmenter.segments.flatMap(\.strokes).count == 10)
    #expect(canvas.segmenter.segments.allSatisfy { $0.answer == nil })
  }

  @Test("A canvas of very many strokes at once: what is kept does not grow with them")
  func manyAtOnce() throws {
    var limits = Segmenter.Limits()
    limits.reach = 8
    limits.settles = true
    var segmenter = Segmenter(
      recognizer: nil, model: try #require(Fitted.model), limits: limits)
    var most = 0
    for number in 0..<800 {
      let (x, y) = (Double(number % 40) * 300, Double(number / 40) * 300)
      let start = Double(number) * 2000
      try segmenter.add(line([(x, y), (x + 60, y + 60)], from: start))
      most = max(most, segmenter.groups.count)
    }
    #expect(most <= 8 * limits.reach)
    #expect(segmenter.segments.flatMap(\.strokes) == Array(0..<800))
  }

  @Test("Overlapping, equal, falling and negative times: strokes stay in their order, time goes on")
  func times() throws {
    var generator = SeededGenerator(seed: 31)
    let strange: [(Int) -> (Double, Double)] = [
      // All at once; each within the one before; backwards; before the epoch; huge.
      { _ in (500, 500) }, { (Double($0) * 10, 5000 - Double($0) * 10) },
      { (-Double($0) * 1000, -Double($0) * 1000 + 100) },
      { (Double($0) - 1e15, Double($0) - 1e15) },
      { (Double($0) * 1e300, Double($0) * 1e300) },
    ]
    for (way, span) in strange.enumerated() {
      var canvas = try liveCanvas()
      var time = -Double.infinity
      for number in 0..<20 {
        let (start, end) = span(number)
        let (x, y) = (generator.uniform(0...600), generator.uniform(0...400))
        let stroke = Stroke([Point(x: x, y: y, t: start), Point(x: x + 50, y: y + 40, t: end)])
        for event in try canvas.add(stroke) {
          #expect(event.milliseconds >= time && event.milliseconds.isFinite, "way \(way)")
          time = event.milliseconds
        }
      }
      _ = canvas.finish()
      #expect(canvas.nextDeadline == nil, "way \(way)")
      #expect(canvas.shapes.flatMap(\.strokes).sorted() == Array(0..<20), "way \(way)")
      #expect(canvas.settleMilliseconds.isFinite && canvas.settleMilliseconds > 0)
    }
  }

  @Test("B-014: points outside the canvas are ink; the emoji is moved inside")
  func outside() async throws {
    var canvas = try liveCanvas(try await CanvasDoodles.recognizer)
    var generator = SeededGenerator(seed: 2)
    for (number, place) in [(-500.0, 100.0), (900, 100), (300, -4000), (300, 4e5)].enumerated() {
      let strokes = CanvasDoodles.strokes(
        "ring", x: place.0, y: place.1, from: Double(number) * 9000, using: &generator)
      for stroke in strokes { _ = try canvas.add(stroke) }
    }
    _ = canvas.finish()
    #expect(canvas.items.map(\.label) == ["ring", "ring", "ring", "ring"])
    for placement in canvas.items.map(\.placement) {
      #expect(placement.x >= 0 && placement.x + placement.side <= 600)
      #expect(placement.y >= 0 && placement.y + placement.side <= 400)
    }
    #expect(canvas.shapes[0].box.x < -400 && canvas.shapes[3].box.y > 3e5)
  }

  @Test("A pen that is never lifted holds decisions back, not its canvas: what it drew is not lost")
  func pensDown() throws {
    var canvas = try liveCanvas()
    for pen in 0..<200 {
      _ = canvas.begin(at: Point(x: Double(pen), y: 0, t: Double(pen)), pen: pen)
      _ = canvas.extend(with: [Point(x: Double(pen), y: 50, t: Double(pen) + 5)], pen: pen)
    }
    #expect(canvas.advance(to: 1e6).isEmpty && canvas.nextDeadline == nil)
    _ = canvas.finish()
    #expect(canvas.shapes.flatMap(\.strokes).sorted() == Array(0..<200))
    #expect(!canvas.isDrawing && canvas.nextDeadline == nil)
  }
}
