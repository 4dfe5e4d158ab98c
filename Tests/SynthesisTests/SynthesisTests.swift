import Ink
import Testing

@testable import Synthesis

@Suite("Synthesizer")
struct SynthesisTests {
  /// A few drawings of every shape.
  static let sample = Synthesizer(seed: 41).set(count: 3)

  @Test("The same seed, shape and index give the same drawing whatever else was made")
  func determinism() throws {
    let star = try #require(ShapeCatalog.kind(named: "star"))
    let heart = try #require(ShapeCatalog.kind(named: "heart"))
    let alone = Synthesizer(seed: 9).drawing(of: star, index: 3)
    let many = Synthesizer(seed: 9).set(kinds: [heart, star], count: 5)
    #expect(many.count == 10)
    #expect(many[8] == alone)
    #expect(alone.id == "synthetic-star-0003")
    #expect(alone.label == "⭐")
    #expect(alone.canvas == Drawing.Canvas(width: 1024, height: 1024))
    let cone = try #require(ShapeCatalog.kind(named: "ice cream"))
    #expect(Synthesizer(seed: 9).drawing(of: cone, index: 12345).id == "synthetic-ice-cream-12345")
  }

  @Test("Another seed, another index or another shape gives other strokes")
  func distinct() throws {
    let star = try #require(ShapeCatalog.kind(named: "star"))
    var seen: Set<[Stroke]> = []
    for seed in 0..<8 {
      for index in 0..<8 {
        seen.insert(Synthesizer(seed: UInt64(seed)).drawing(of: star, index: index).strokes)
      }
    }
    #expect(seen.count == 64)
    #expect(Set(Self.sample.map(\.strokes)).count == Self.sample.count)
  }

  @Test("Points are whole numbers inside the canvas, times rise from 0")
  func wellFormed() throws {
    for drawing in Self.sample {
      #expect(drawing.strokes.first?.points.first?.t == 0, "\(drawing.id)")
      var clock = -1.0
      for stroke in drawing.strokes {
        #expect(stroke.points.count >= 2, "\(drawing.id)")
        for point in stroke.points {
          let t = try #require(point.t)
          #expect(t > clock && t == t.rounded(), "\(drawing.id)")
          clock = t
          #expect(point.x >= 0 && point.x <= 1024 && point.x == point.x.rounded(), "\(drawing.id)")
          #expect(point.y >= 0 && point.y <= 1024 && point.y == point.y.rounded(), "\(drawing.id)")
        }
      }
      let box = try #require(drawing.boundingBox)
      #expect((200...900).contains(max(box.width, box.height)), "\(drawing.id)")
    }
  }

  @Test("A drawing survives being written as stroke JSON and read again")
  func roundTrip() throws {
    for drawing in Self.sample.prefix(60) {
      #expect(try StrokeJSON.parse(StrokeJSON.encode(drawing)) == drawing)
    }
  }

  @Test("TimedSimplification keeps the pen within the tolerance at every moment")
  func thinning() throws {
    let snail = try #require(ShapeCatalog.kind(named: "snail"))
    for index in 0..<4 {
      let full = Synthesizer(seed: 6, tolerance: 0).drawing(of: snail, index: index)
      let thin = Synthesizer(seed: 6, tolerance: 0.01).drawing(of: snail, index: index)
      let box = try #require(full.boundingBox)
      // Half a unit more, for rounding happens before thinning but the size is taken before
      // rounding.
      let limit = 0.01 * max(box.width, box.height) + 0.5
      #expect(thin.pointCount < full.pointCount * 3 / 4)
      #expect(thin.strokes.count == full.strokes.count)
      for (whole, rest) in zip(full.strokes, thin.strokes) {
        for point in whole.points {
          let t = try #require(point.t)
          #expect(try place(rest.points, at: t).distance(to: point) <= limit)
        }
      }
    }
  }

  /// Where the pen is at time `t` if it moves evenly from point to point.
  private func place(_ points: [Point], at t: Double) throws -> Point {
    for (a, b) in zip(points, points.dropFirst()) {
      let (start, end) = (try #require(a.t), try #require(b.t))
      if (start...end).contains(t) { return a.interpolated(to: b, (t - start) / (end - start)) }
    }
    throw InkError.emptyDrawing
  }

  @Test("A bend across the line counts three times")
  func thinningAcross() {
    func bent(by height: Double) -> [Point] {
      [Point(x: 0, y: 0, t: 0), Point(x: 50, y: height, t: 50), Point(x: 100, y: 0, t: 100)]
    }
    #expect(TimedSimplification.simplified(bent(by: 0.9), tolerance: 3).count == 2)
    #expect(TimedSimplification.simplified(bent(by: 1.1), tolerance: 3).count == 3)
  }

  @Test(
    "TimedSimplification a stroke of even speed along a line leaves its ends; a halt in it stays")
  func thinningByHand() {
    let even = (0...10).map { Point(x: Double($0) * 10, y: 0, t: Double($0) * 16) }
    #expect(TimedSimplification.simplified(even, tolerance: 1) == [even[0], even[10]])
    // Half way the pen rests for 160 ms.
    let halting = even.map { Point(x: $0.x, y: $0.y, t: ($0.t ?? 0) + ($0.x > 50 ? 160 : 0)) }
    #expect(
      TimedSimplification.simplified(halting, tolerance: 1) == [
        halting[0], halting[5], halting[6], halting[10],
      ])
    #expect(TimedSimplification.simplified([even[0]], tolerance: 1) == [even[0]])
  }
}
