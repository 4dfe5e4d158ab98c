import Numbers
import Testing

@testable import Ink

@Suite("Labeled canvases and distances of ink")
struct LabeledCanvasTests {
  private func dot(_ x: Double, _ y: Double) -> Stroke { Stroke([Point(x: x, y: y)]) }

  @Test("A canvas knows its shapes' boxes, each stroke's shape, and which shapes got a late stroke")
  func truth() throws {
    let drawing = Drawing(
      strokes: [dot(0, 0), dot(10, 5), dot(4, 2), dot(50, 50)],
      shapes: [.init(strokes: [2, 0], label: "a"), .init(strokes: [1], label: "b")])
    let canvas = try LabeledCanvas(drawing)
    #expect(canvas.shapes[0].strokes == [0, 2])
    #expect(canvas.shapes[0].box == BoundingBox(x: 0, y: 0, width: 4, height: 2))
    #expect(canvas.owners == [0, 1, 0, nil])
    #expect(canvas.isLate(0))
    #expect(!canvas.isLate(1))
    #expect(canvas.hasLateStrokes)
  }

  @Test("Bad truth is an error that names shape and stroke")
  func errors() {
    let strokes = [dot(0, 0), dot(1, 1)]
    func failure(_ shapes: [Drawing.Shape]) -> InkError? {
      do throws(InkError) {
        _ = try LabeledCanvas(Drawing(strokes: strokes, shapes: shapes))
        return nil
      } catch { return error }
    }
    #expect(failure([]) == .noShapes)
    #expect(failure([.init(strokes: [], label: "a")]) == .shapeWithoutStrokes(shape: 0))
    #expect(
      failure([.init(strokes: [0], label: "a"), .init(strokes: [2], label: "b")])
        == .unknownStroke(shape: 1, stroke: 2))
    #expect(
      failure([.init(strokes: [0], label: "a"), .init(strokes: [1, 0], label: "b")])
        == .strokeInTwoShapes(stroke: 0, first: 0, second: 1))
    #expect(
      failure([.init(strokes: [1, 1], label: "a")])
        == .strokeInTwoShapes(stroke: 1, first: 0, second: 0))
    #expect(
      "\(InkError.strokeInTwoShapes(stroke: 1, first: 0, second: 0))"
        == "shape 0: stroke 1 is named twice")
  }

  @Test("A canvas of more strokes than can be compared with their truth is refused")
  func manyStrokes() throws {
    func canvas(_ count: Int) -> Drawing {
      let strokes = (0..<count).map { dot(Double($0), 0) }
      return Drawing(strokes: strokes, shapes: [.init(strokes: [0], label: "a")])
    }
    #expect(try LabeledCanvas(canvas(1024)).owners.count == 1024)
    let error = InkError.tooManyStrokes(count: 1025, limit: 1024)
    #expect(throws: error) { try LabeledCanvas(canvas(1025)) }
    #expect(
      "\(error)"
        == "it has 1025 strokes; canvases with shapes, traces and templates have at most 1024")
  }

  @Test("A canvas is the same after writing and reading")
  func roundTrip() throws {
    var generator = SeededGenerator(seed: 6)
    for _ in 0..<50 {
      let strokes = (0..<6).map { _ in
        Stroke(
          (0..<(1 + generator.integer(below: 5))).map { index in
            Point(
              x: generator.normal(deviation: 300), y: generator.normal(deviation: 300),
              t: Double(index) * 16)
          })
      }
      let drawing = Drawing(
        id: "c", label: "tight", strokes: strokes, canvas: .init(width: 640, height: 480),
        shapes: [.init(strokes: [0, 3], label: "🐧"), .init(strokes: [1, 2, 5], label: "\"q\\")])
      let again = try LabeledCanvas(StrokeJSON.parse(StrokeJSON.encode(drawing)))
      #expect(try again == LabeledCanvas(drawing))
    }
  }

  @Test("Distances of lines: apart, touching, crossing, dots")
  func distances() throws {
    func outline(_ points: [(Double, Double)]) throws -> InkOutline {
      try #require(InkOutline(Stroke(at: points)))
    }
    let across = try outline([(0, 0), (10, 0)])
    #expect(try across.distance(to: outline([(3, 4), (8, 4)])) == 4)
    #expect(try across.distance(to: outline([(13, 4), (20, 9)])) == 5)
    #expect(try across.distance(to: outline([(5, -3), (5, 3)])) == 0)
    #expect(try across.distance(to: outline([(5, 7)])) == 7)
    #expect(try outline([(1, 1)]).distance(to: outline([(4, 5)])) == 5)
    #expect(try across.distance(to: outline([(0, 90), (9, 90)]), below: 20) >= 20)
  }

  @Test("The distance is that of all pairs of points of finely cut lines")
  func distanceAgreesWithPoints() throws {
    var generator = SeededGenerator(seed: 12)
    for _ in 0..<40 {
      let lines = (0..<2).map { _ in
        Stroke(
          (0..<5).map { _ in
            Point(x: generator.uniform(0...100), y: generator.uniform(0...100))
          })
      }
      let (a, b) = (try #require(InkOutline(lines[0])), try #require(InkOutline(lines[1])))
      let (p, q) = (lines[0].resampled(count: 400).points, lines[1].resampled(count: 400).points)
      let plain = p.map { point in q.map { point.distance(to: $0) }.min() ?? 0 }.min() ?? 0
      #expect(abs(a.distance(to: b) - plain) < 1)
      #expect(a.distance(to: b) == a.distance(to: b, below: 1e9))
    }
  }

  @Test("Strokes without points or with numbers that are none have no outline")
  func noOutline() {
    #expect(InkOutline(Stroke([])) == nil)
    #expect(InkOutline(Stroke([Point(x: .nan, y: 0)])) == nil)
    #expect(InkOutline(Stroke([Point(x: 0, y: .infinity), Point(x: 0, y: 1)])) == nil)
  }
}
