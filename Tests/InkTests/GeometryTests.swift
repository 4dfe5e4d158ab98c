import Ink
import Numbers
import Testing

private func stroke(_ places: (Double, Double)...) -> Stroke {
  Stroke(at: places)
}

/// Ramer, Douglas and Peucker as their papers tell it.
private func referenceSimplified(_ points: ArraySlice<Point>, _ tolerance: Double) -> [Point] {
  guard let first = points.first, let last = points.last, points.count > 2 else {
    return Array(points)
  }
  let inner = points.dropFirst().dropLast()
  guard
    let farthest = inner.indices.max(by: {
      distance(points[$0], first, last) < distance(points[$1], first, last)
    }), distance(points[farthest], first, last) > tolerance
  else { return [first, last] }
  return referenceSimplified(points[...farthest], tolerance).dropLast()
    + referenceSimplified(points[farthest...], tolerance)
}

@Suite("Geometry of strokes")
struct GeometryTests {
  @Test("Simplifying drops what lies within the tolerance of the line")
  func simplify() {
    let line = stroke((0, 0), (1, 0.5), (2, 0), (3, -3), (4, 0))
    #expect(line.simplified(tolerance: 1) == stroke((0, 0), (2, 0), (3, -3), (4, 0)))
    #expect(line.simplified(tolerance: 5) == stroke((0, 0), (4, 0)))
    #expect(line.simplified(tolerance: 0) == line)
    #expect(stroke((0, 0), (1, 1), (2, 2)).simplified(tolerance: 0) == stroke((0, 0), (2, 2)))
    #expect(stroke((3, 4)).simplified(tolerance: 1) == stroke((3, 4)))
    #expect(Stroke([]).simplified(tolerance: 1) == Stroke([]))
    // A closed stroke, whose ends coincide.
    #expect(
      stroke((0, 0), (5, 0), (5, 5), (0, 0)).simplified(tolerance: 1)
        == stroke((0, 0), (5, 0), (5, 5), (0, 0)))
  }

  @Test("Simplifying agrees with the papers' recursion and keeps its promise on random strokes")
  func simplifyProperty() {
    for seed in 0..<100 {
      var generator = SeededGenerator(seed: 41, stream: seed)
      var (x, y) = (0.0, 0.0)
      let long = Stroke(
        (0..<(3 + generator.integer(below: 200))).map { index in
          x += generator.normal(deviation: 3)
          y += generator.normal(deviation: 3)
          return Point(x: x, y: y, t: Double(index))
        })
      let tolerance = generator.uniform(0.5...10)
      let short = long.simplified(tolerance: tolerance)
      #expect(short.points == referenceSimplified(long.points[...], tolerance), "seed \(seed)")
      // Times tell which segment replaces a point.
      for (a, b) in zip(short.points, short.points.dropFirst()) {
        for point in long.points[Int(a.t ?? 0)...Int(b.t ?? 0)] {
          #expect(distance(point, a, b) <= tolerance * (1 + 1e-9), "seed \(seed)")
        }
      }
    }
  }

  @Test("A stroke made to be slow, of 200 000 points, is simplified in bounded time")
  func simplifyWorstCase() {
    // Each point is the farthest from the line that the points after it leave: one split a point.
    let count = 200_000
    let slow = Stroke(
      (0..<count).map { Point(x: Double($0), y: ($0 % 2 == 0 ? 1 : -1) * Double(count - $0)) })
    let short = slow.simplified(tolerance: 0.5)
    #expect(short.points.count > count / 2)
    #expect(short.points.first == slow.points.first)
    #expect(short.points.last == slow.points.last)
  }

  @Test("Huge coordinates are simplified like small ones")
  func simplifyHuge() {
    let huge = stroke((-1e300, 0), (0, 1e300), (1e300, 0), (1e300, 1))
    #expect(
      huge.simplified(tolerance: 1e290) == stroke((-1e300, 0), (0, 1e300), (1e300, 1)))
  }

  @Test("Resampling puts points at equal distances and interpolates times")
  func resample() {
    let line = Stroke([
      Point(x: 0, y: 0, t: 0), Point(x: 3, y: 0, t: 30), Point(x: 3, y: 0, t: 40),
      Point(x: 3, y: 1, t: 80),
    ])
    #expect(
      line.resampled(count: 5).points == [
        Point(x: 0, y: 0, t: 0), Point(x: 1, y: 0, t: 10), Point(x: 2, y: 0, t: 20),
        Point(x: 3, y: 0, t: 30), Point(x: 3, y: 1, t: 80),
      ])
    #expect(line.resampled(spacing: 2).points.map(\.x) == [0, 2, 3])
    #expect(line.resampled(spacing: 1e-9, limit: 100).points.count == 100)
    #expect(line.resampled(count: 1).points == [Point(x: 0, y: 0, t: 0)])
    #expect(line.resampled(count: 2).points == [line.points[0], line.points[3]])
    #expect(stroke((2, 2), (2, 2)).resampled(count: 3) == stroke((2, 2), (2, 2), (2, 2)))
    #expect(stroke((2, 2)).resampled(spacing: 1) == stroke((2, 2)))
    #expect(Stroke([]).resampled(count: 3) == Stroke([]))
  }

  @Test("Resampled points lie on the stroke, as far apart along it as they should")
  func resampleProperty() {
    for seed in 0..<50 {
      var generator = SeededGenerator(seed: 43, stream: seed)
      let long = Stroke(
        (0..<(2 + generator.integer(below: 30))).map { _ in
          Point(x: generator.normal(), y: generator.normal())
        })
      let count = 2 + generator.integer(below: 100)
      let even = long.resampled(count: count)
      #expect(even.points.count == count)
      // Walks along both at once.
      for (index, point) in even.points.enumerated() {
        var rest = long.length * Double(index) / Double(count - 1)
        var expected = long.points[0]
        for (a, b) in zip(long.points, long.points.dropFirst()) {
          let step = a.distance(to: b)
          expected = a.interpolated(to: b, min(1, rest / step))
          if rest <= step { break }
          rest -= step
        }
        #expect(point.distance(to: expected) < 1e-9, "seed \(seed)")
      }
    }
  }

  @Test("Normalizing keeps proportions and centers")
  func normalize() throws {
    let drawing = Drawing(strokes: [stroke((10, 10), (30, 10)), stroke((30, 20))])
    let square = try drawing.normalized()
    #expect(square.strokes == [stroke((0, 0.25), (1, 0.25)), stroke((1, 0.75))])
    #expect(square.canvas == .init(width: 1, height: 1))
    let dot = Drawing(strokes: [stroke((7, -3), (7, -3))])
    #expect(try dot.normalized(side: 4).strokes == [stroke((2, 2), (2, 2))])
    let line = Drawing(strokes: [stroke((7, -3), (7, 5))])
    #expect(try line.normalized(side: 4).strokes == [stroke((2, 0), (2, 4))])
    #expect(throws: InkError.emptyDrawing) { try Drawing(strokes: []).normalized() }
  }

  @Test(
    "Normalizing is defined for the largest and the smallest coordinates",
    arguments: [1.7e308, 1e300, 1e-300, 0x1p-1060, .leastNonzeroMagnitude])
  func normalizeExtremes(size: Double) throws {
    let drawing = Drawing(strokes: [stroke((-size, -size), (size, size), (size, -size))])
    #expect(try drawing.normalized().strokes == [stroke((0, 0), (1, 1), (1, 0))])
  }

  @Test("Transforms do in order what they say")
  func transforms() {
    let point = Point(x: 2, y: 1, t: 5)
    #expect(Transform.identity(point) == point)
    #expect(Transform.translation(x: 1, y: -1)(point) == Point(x: 3, y: 0, t: 5))
    #expect(Transform.scale(x: 2, y: -3)(point) == Point(x: 4, y: -3, t: 5))
    #expect(Transform.shear(x: 0.5, y: 0)(point) == Point(x: 2.5, y: 1, t: 5))
    #expect(Transform.rotation(.pi / 2)(point).distance(to: Point(x: -1, y: 2)) < 1e-12)
    let both = Transform.scale(2).then(.translation(x: 1, y: 1))
    #expect(both(point) == Point(x: 5, y: 3, t: 5))
    let center = Point(x: 2, y: 1)
    #expect(Transform.rotation(1).about(center)(center).distance(to: center) < 1e-12)
    let drawing = Drawing(
      id: "a", strokes: [Stroke([point])], canvas: .init(width: 1, height: 1))
    #expect(
      drawing.transformed(by: both)
        == Drawing(id: "a", strokes: [Stroke([Point(x: 5, y: 3, t: 5)])]))
  }

  @Test("A box is the smallest around its points")
  func boxes() {
    let drawing = Drawing(strokes: [stroke((1, 5), (4, -1)), stroke((2, 7))])
    #expect(drawing.boundingBox == BoundingBox(x: 1, y: -1, width: 3, height: 8))
    #expect(Drawing(strokes: []).boundingBox == nil)
    #expect(
      BoundingBox(x: 0, y: 0, width: 1, height: 1)
        .union(BoundingBox(x: 2, y: -1, width: 1, height: 1))
        == BoundingBox(x: 0, y: -1, width: 3, height: 2))
  }
}
