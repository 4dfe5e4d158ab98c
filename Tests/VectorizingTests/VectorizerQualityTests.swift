import Ink
import Numbers
import Testing
import Vectorizing

/// How near the strokes found are to those drawn; limits are a little above what was measured.
@Suite("Vectorizer: nearness to what was drawn")
struct VectorizerQualityTests {
  private func cosine(_ a: Drawing, _ b: Drawing) throws -> Float {
    let rasterizer = Rasterizer()
    let (x, y) = (try rasterizer(a).values, try rasterizer(b).values)
    func product(_ a: [Float], _ b: [Float]) -> Float { zip(a, b).reduce(0) { $0 + $1.0 * $1.1 } }
    return product(x, y) / (product(x, x) * product(y, y)).squareRoot()
  }

  @Test(
    "Pens from thin to thick: within a third of the pen, and nearly the same pixels",
    arguments: [1.2, 2, 3, 5])
  func pens(pen: Double) throws {
    for drawing in doodles(4, seed: 7) {
      let drawn = try Drawn(drawing, pen: pen)
      let found = try Vectorizer()(drawn.picture)
      #expect(found.farness(from: drawn.truth) < 0.4 + pen / 4)
      #expect(abs(found.strokes.count - drawing.strokes.count) <= 3)
      #expect(try cosine(found, drawn.truth) > 0.96)
    }
  }

  @Test("Moved by three pixels, the strokes are the same, moved by three pixels")
  func shifts() throws {
    for drawing in doodles(3, seed: 8) {
      let drawn = try Drawn(drawing, side: 80, pen: 2.5)
      let found = try Vectorizer()(drawn.picture)
      let moved = try Vectorizer()(drawn.picture.moved(right: 3, down: -3))
      #expect(moved.strokes.count == found.strokes.count)
      let back = moved.transformed(by: .translation(x: -3, y: 3))
      for (a, b) in zip(found.strokes, back.strokes) {
        #expect(a.points.count == b.points.count)
        #expect(zip(a.points, b.points).allSatisfy { $0.distance(to: $1) < 0.02 })
      }
    }
  }

  @Test("Turned by quarters, the strokes turn along")
  func turns() throws {
    for drawing in doodles(3, seed: 9) {
      let drawn = try Drawn(drawing, side: 80, pen: 2.5)
      let found = try Vectorizer()(drawn.picture)
      let turned = try Vectorizer()(drawn.picture.turned)
      let expected = found.transformed(by: Transform(a: 0, b: 1, c: -1, d: 0, x: 80, y: 0))
      #expect(abs(turned.strokes.count - found.strokes.count) <= 1)
      #expect(turned.farness(from: expected) < 0.8)
    }
  }

  @Test("Noise, specks, low contrast and a shadow change little")
  func disturbances() throws {
    var generator = SeededGenerator(seed: 21)
    for drawing in doodles(3, seed: 10) {
      let drawn = try Drawn(drawing)
      let noisy = drawn.picture.mapped { _, _, tone in
        Double(tone) + generator.normal(deviation: 20)
      }
      let specked = drawn.picture.mapped { _, _, tone in generator.chance(0.005) ? 0 : Double(tone)
      }
      let faint = drawn.picture.mapped { _, _, tone in 150 + Double(tone) / 5 }
      let shadowed = drawn.picture.mapped { row, column, tone in
        (40 + 0.8 * Double(tone)) * (1 - 0.35 * Double(row + column) / 105)
      }
      for (name, picture) in [
        ("noise", noisy), ("specks", specked), ("faint", faint), ("shadow", shadowed),
        ("negative shadow", shadowed.inverted),
      ] {
        let found = try Vectorizer()(picture)
        #expect(found.farness(from: drawn.truth) < 1.5, "\(name)")
        #expect(abs(found.strokes.count - drawing.strokes.count) <= 4, "\(name)")
      }
    }
  }

  @Test("A large picture is made smaller, and a thick pen too, and strokes are where they were")
  func large() throws {
    let drawing = doodles(1, seed: 12)[0]
    let drawn = try Drawn(drawing, side: 400, pen: 12)
    let whole = try Vectorizer()(drawn.picture)
    let reduced = try Vectorizer(largestSide: 150)(drawn.picture)
    #expect(whole.farness(from: drawn.truth) < 4)
    #expect(reduced.farness(from: drawn.truth) < 4)
    #expect(reduced.canvas == whole.canvas)
    #expect(reduced.strokes.count == whole.strokes.count)
  }
}
