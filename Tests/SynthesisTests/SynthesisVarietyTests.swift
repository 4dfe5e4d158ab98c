import Ink
import Testing

@testable import Synthesis

/// Whether the drawings differ as people's do, in shape and in time.
@Suite("Variety of synthetic drawings")
struct SynthesisVarietyTests {
  static let drawingsOfEach = 8
  static let kinds = ShapeCatalog.all
  static let drawings = kinds.map { Synthesizer(seed: 73).set(kinds: [$0], count: drawingsOfEach) }

  @Test("Most shapes begin in different places and have different numbers of strokes")
  func strokes() throws {
    var (starts, counts) = (0, 0)
    for drawings in Self.drawings {
      let places = try drawings.map { drawing in
        let box = try #require(drawing.boundingBox)
        let first = try #require(drawing.strokes.first?.points.first)
        let size = max(box.width, box.height)
        // Which cell of a 5 × 5 grid over the drawing's box.
        return [Int((first.x - box.x) / size * 5), Int((first.y - box.y) / size * 5)]
      }
      if Set(places).count > 1 { starts += 1 }
      if Set(drawings.map(\.strokes.count)).count > 1 { counts += 1 }
    }
    // Nearly everyone begins a question mark at its hook and writes it in two strokes.
    #expect(starts >= Self.kinds.count * 9 / 10)
    #expect(counts >= Self.kinds.count * 3 / 4)
  }

  @Test("Closed curves are drawn both ways round")
  func directions() throws {
    let circle = try #require(ShapeCatalog.kind(named: "circle"))
    var clockwise = 0
    let drawings = Synthesizer(seed: 8).set(kinds: [circle], count: 80)
    for drawing in drawings {
      let points = drawing.strokes[0].points
      let area = zip(points, points.dropFirst()).reduce(0) {
        $0 + $1.0.x * $1.1.y - $1.1.x * $1.0.y
      }
      if area > 0 { clockwise += 1 }
    }
    #expect((10...55).contains(clockwise))
  }

  @Test("No two drawings of a shape look the same, and each looks most like its own kind")
  func pictures() throws {
    let rasterizer = Rasterizer(width: 16, height: 16, strokeWidth: 1.5, margin: 1)
    let pictures = try Self.drawings.map { try $0.map { blurred(try rasterizer($0).values) } }
    var right = 0
    var closest = Float.infinity
    for (kind, own) in pictures.enumerated() {
      for (index, picture) in own.enumerated() {
        var (best, nearest) = (-Float.infinity, -1)
        for (other, candidates) in pictures.enumerated() {
          for (position, candidate) in candidates.enumerated()
          where other != kind || position != index {
            var likeness: Float = 0
            for pixel in picture.indices { likeness += picture[pixel] * candidate[pixel] }
            if likeness > best { (best, nearest) = (likeness, other) }
          }
        }
        closest = min(closest, 1 - best)
        if nearest == kind { right += 1 }
      }
    }
    let total = Self.kinds.count * Self.drawingsOfEach
    // Nearest neighbor on 16 × 16 pixels with 7 examples of each shape: 0.90 when written, 1/52 by
    // guessing.
    #expect(Double(right) / Double(total) > 0.85, "\(right) of \(total)")
    #expect(closest > 0.002)
  }

  /// A picture blurred a little and brought to length one, so that a dot product is a likeness.
  private func blurred(_ values: [Float]) -> [Float] {
    var result = [Float](repeating: 0, count: 256)
    for y in 1..<15 {
      for x in 1..<15 {
        let row = y * 16 + x
        result[row] =
          values[row] * 2 + values[row - 1] + values[row + 1] + values[row - 16] + values[row + 16]
      }
    }
    let length = result.reduce(0) { $0 + $1 * $1 }.squareRoot()
    return result.map { $0 / length }
  }

  @Test("Pauses, speeds, durations and numbers of points are those of people")
  func statistics() throws {
    var (pauses, speeds, durations, counts) = ([Double](), [Double](), [Double](), [Double]())
    for drawing in Self.drawings.joined() {
      let box = try #require(drawing.boundingBox)
      let size = max(box.width, box.height)
      for (one, next) in zip(drawing.strokes, drawing.strokes.dropFirst()) {
        pauses.append(try time(next.points.first) - time(one.points.last))
      }
      for stroke in drawing.strokes where stroke.points.count > 4 {
        let seconds = try (time(stroke.points.last) - time(stroke.points.first)) / 1000
        speeds.append(stroke.length / size / seconds)
      }
      durations.append(try time(drawing.strokes.last?.points.last) / 1000)
      counts.append(Double(drawing.pointCount))
    }
    #expect(pauses.allSatisfy { (149...901).contains($0) })
    #expect((300...550).contains(median(pauses)))
    // Raw Quick, Draw! drawings of such shapes: 0.4, 1.0 and 2.5 sizes a second at the 10th, 50th
    // and 90th percentile.
    #expect((0.6...1.4).contains(median(speeds)))
    #expect((2.5...7).contains(median(durations)))
    #expect((30...90).contains(median(counts)))
    #expect(speeds.allSatisfy { $0 > 0.02 && $0 < 8 })
  }

  @Test("The pen is slower at corners and ends than between them")
  func corners() throws {
    let square = try #require(ShapeCatalog.kind(named: "square"))
    var ratios: [Double] = []
    for drawing in Synthesizer(seed: 3, tolerance: 0).set(kinds: [square], count: 30) {
      for stroke in drawing.strokes where stroke.points.count > 20 {
        let points = stroke.points
        var (atTurns, elsewhere) = ([Double](), [Double]())
        for index in 3..<(points.count - 3) {
          let (a, b, c) = (points[index - 3], points[index], points[index + 3])
          let turn = PenTrack.turn(at(a.x, a.y), at(b.x, b.y), at(c.x, c.y))
          let speed = try (a.distance(to: b) + b.distance(to: c)) / (time(c) - time(a))
          if turn > 50 { atTurns.append(speed) } else if turn < 10 { elsewhere.append(speed) }
        }
        if atTurns.count > 2, elsewhere.count > 2 {
          ratios.append(median(atTurns) / median(elsewhere))
        }
      }
    }
    #expect(ratios.count > 10)
    // Raw Quick, Draw! squares, measured so: 0.09, 0.23 and 0.65 at the 10th, 50th and 90th
    // percentile.
    #expect((0.05...0.5).contains(median(ratios)))
  }

  private func time(_ point: Point?) throws -> Double { try #require(point?.t) }

  private func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }
}
