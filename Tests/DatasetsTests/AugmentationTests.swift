import Foundation
import Ink
import Numbers
import Testing

@testable import Datasets

@Suite("Augmentation")
struct AugmentationTests {
  /// A house, a dot and a door, with times and unequal sizes.
  private let house = Drawing(
    id: "h1", label: "house",
    strokes: [
      Stroke([
        Point(x: 10, y: 100, t: 0), Point(x: 10, y: 50, t: 20), Point(x: 60, y: 20, t: 55),
        Point(x: 110, y: 50, t: 90), Point(x: 110, y: 100, t: 120), Point(x: 10, y: 100, t: 160),
      ]),
      Stroke([Point(x: 60, y: 40, t: 300)]),
      Stroke([
        Point(x: 50, y: 100, t: 500), Point(x: 50, y: 75, t: 520), Point(x: 70, y: 75, t: 540),
      ]),
    ], canvas: .init(width: 200, height: 150))

  private func seeded(_ seed: UInt64) -> SeededGenerator { SeededGenerator(seed: seed) }

  /// A drawing of random walks in a box of random place and size.
  private func random(_ generator: inout SeededGenerator) -> Drawing {
    let size = 10 * Double(1 + generator.integer(below: 1000)) / 100
    let origin = 500 * (generator.unit() - 0.5)
    return Drawing(
      strokes: (0..<(1 + generator.integer(below: 5))).map { _ in
        Stroke(
          (0..<(1 + generator.integer(below: 30))).map { _ in
            Point(x: origin + size * generator.unit(), y: -origin + size * generator.unit() / 2)
          })
      })
  }

  @Test("Zero strength gives the same drawing, bit for bit")
  func identity() {
    var generator = seeded(1)
    #expect(Augmentation.none(house, using: &generator) == house)
    for _ in 0..<50 {
      let drawing = random(&generator)
      #expect(Augmentation.none(drawing, using: &generator) == drawing)
    }
    #expect(Augmentation.none.reach == 0)
    #expect(Augmentation.none.strokeWidthFactor(using: &generator) == 1)
  }

  @Test("A seed gives the same drawing again, another seed another one")
  func seeds() {
    var (a, b, c) = (seeded(7), seeded(7), seeded(8))
    let first = Augmentation.standard(house, using: &a)
    #expect(Augmentation.standard(house, using: &b) == first)
    #expect(Augmentation.standard(house, using: &c) != first)
    #expect(Augmentation.standard(house, using: &a) != first, "the generator has moved on")
  }

  @Test("Each drawing takes one number of the generator, whatever it holds")
  func oneNumber() {
    var (a, b) = (seeded(3), seeded(3))
    _ = Augmentation.standard(house, using: &a)
    _ = b.next()
    #expect(a == b)
    _ = Augmentation.none(Drawing(strokes: []), using: &a)
    _ = b.next()
    #expect(a == b)
  }

  @Test(
    "Each part alone moves points, and none farther than its reach",
    arguments: [
      Augmentation(rotation: 25), Augmentation(stretch: 0.4), Augmentation(shear: 0.3),
      Augmentation(warp: 0.2), Augmentation(strokeShift: 0.1), Augmentation(strokeScale: 0.2),
      Augmentation(wobble: 0.05), Augmentation(jitter: 0.02),
      Augmentation(
        rotation: 15, stretch: 0.3, shear: 0.2, warp: 0.15, strokeShift: 0.03, strokeScale: 0.1,
        wobble: 0.02, jitter: 0.004),
    ])
  func reach(augmentation: Augmentation) throws {
    var generator = seeded(11)
    for _ in 0..<100 {
      let drawing = random(&generator)
      let box = try #require(drawing.boundingBox)
      let size = max(box.width, box.height)
      guard size > 0 else { continue }
      let result = augmentation(drawing, using: &generator)
      var farthest = 0.0
      for (before, after) in zip(drawing.strokes, result.strokes) {
        #expect(before.points.count == after.points.count)
        for (p, q) in zip(before.points, after.points) {
          farthest = max(farthest, p.distance(to: q) / size)
        }
      }
      #expect(farthest > 0)
      #expect(farthest <= augmentation.reach + 1e-12)
    }
  }

  @Test("The same drawing in other units and elsewhere changes in the same way")
  func scale() {
    var (a, b) = (seeded(5), seeded(5))
    let small = Augmentation.standard(house, using: &a)
    var large = house
    for stroke in large.strokes.indices {
      for point in large.strokes[stroke].points.indices {
        large.strokes[stroke].points[point].x = large.strokes[stroke].points[point].x * 1024 - 3000
        large.strokes[stroke].points[point].y = large.strokes[stroke].points[point].y * 1024 + 500
      }
    }
    large = Augmentation.standard(large, using: &b)
    #expect(large.strokes.map(\.points.count) == small.strokes.map(\.points.count))
    for (p, q) in zip(small.strokes.flatMap(\.points), large.strokes.flatMap(\.points)) {
      #expect(abs(p.x * 1024 - 3000 - q.x) < 1e-6)
      #expect(abs(p.y * 1024 + 500 - q.y) < 1e-6)
    }
  }

  @Test("A turn about the center keeps all distances")
  func rotation() throws {
    var generator = seeded(2)
    let result = Augmentation(rotation: 90)(house, using: &generator)
    let before = house.strokes.flatMap(\.points)
    let after = result.strokes.flatMap(\.points)
    for i in before.indices {
      for j in before.indices {
        #expect(abs(before[i].distance(to: before[j]) - after[i].distance(to: after[j])) < 1e-9)
      }
    }
    #expect(result != house)
  }

  @Test("A mirror swaps left and right about the middle of the box")
  func mirror() {
    var generator = seeded(2)
    let result = Augmentation(mirror: 1)(house, using: &generator)
    for (before, after) in zip(house.strokes.flatMap(\.points), result.strokes.flatMap(\.points)) {
      #expect(abs(after.x - (120 - before.x)) < 1e-9)
      #expect(abs(after.y - before.y) < 1e-9)
    }
  }

  @Test("Id, label, canvas and times stay")
  func whatStays() {
    var generator = seeded(9)
    var recipe = Augmentation.standard
    recipe.strokeDropping = 0
    recipe.longestPiece = 0
    let result = recipe(house, using: &generator)
    #expect(result.id == "h1")
    #expect(result.label == "house")
    #expect(result.canvas == house.canvas)
    #expect(result.strokes.map { $0.points.map(\.t) } == house.strokes.map { $0.points.map(\.t) })
  }

  @Test("Dropping never takes the longest stroke, and takes short ones more often")
  func dropping() {
    var generator = seeded(21)
    let recipe = Augmentation(strokeDropping: 0.5)
    var kept = [0, 0, 0]
    for _ in 0..<2000 {
      let result = recipe(house, using: &generator)
      for (index, stroke) in house.strokes.enumerated() where result.strokes.contains(stroke) {
        kept[index] += 1
      }
    }
    #expect(kept[0] == 2000)
    // Dropped with probability 0.5 (a dot) and 0.5 × (1 − 2 × 45 / 361.6), 6 standard deviations
    // wide.
    #expect((866...1134).contains(kept[1]))
    #expect((1119...1379).contains(kept[2]))
    let all = Augmentation(strokeDropping: 1)
    let halves = Drawing(strokes: [house.strokes[1], house.strokes[0], house.strokes[1]])
    #expect(all(halves, using: &generator).strokes == [house.strokes[0]])
    let dots = Drawing(strokes: [Stroke([Point(x: 0, y: 0)]), Stroke([Point(x: 9, y: 9)])])
    #expect(all(dots, using: &generator).strokes.count == 1)
  }

  @Test("Shapes of a canvas follow the strokes that are left")
  func shapes() {
    // With certainty the dots go and the walls, which are most of the ink, stay.
    let canvas = Drawing(
      strokes: [house.strokes[1], house.strokes[0], house.strokes[1]],
      shapes: [.init(strokes: [0, 1], label: "house"), .init(strokes: [2], label: "dot")])
    var generator = seeded(4)
    let result = Augmentation(strokeDropping: 1)(canvas, using: &generator)
    #expect(result.shapes == [.init(strokes: [0], label: "house")])
  }

  @Test("Turned strokes run from their end, and times still go on")
  func reversal() {
    var generator = seeded(3)
    let result = Augmentation(reversal: 1)(house, using: &generator)
    for (stroke, original) in zip(result.strokes, house.strokes) {
      #expect(stroke.points.map(\.x) == original.points.reversed().map(\.x))
      #expect(stroke.points.map(\.y) == original.points.reversed().map(\.y))
      #expect(stroke.points.map(\.t) == original.points.map(\.t))
    }
    var turned = 0
    for _ in 0..<1000 {
      let some = Augmentation(reversal: 0.3)(house, using: &generator)
      if some.strokes[2] != house.strokes[2] { turned += 1 }
    }
    // Three standard deviations about 300.
    #expect((256...344).contains(turned))
  }

  @Test("Strokes change places with the next one, and shapes follow them")
  func reordering() {
    var generator = seeded(4)
    var canvas = house
    canvas.shapes = [
      Drawing.Shape(strokes: [0, 2], label: "house"), Drawing.Shape(strokes: [1], label: "window"),
    ]
    let moved = Augmentation(reordering: 1)(canvas, using: &generator)
    // Every stroke in turn gives way to the next: the first one comes last.
    #expect(moved.strokes == [house.strokes[1], house.strokes[2], house.strokes[0]])
    #expect(moved.shapes.map(\.strokes) == [[1, 2], [0]])
    #expect(moved.shapes.map(\.label) == ["house", "window"])
    for _ in 0..<100 {
      let some = Augmentation(reordering: 0.5)(canvas, using: &generator)
      let times = { (drawing: Drawing) in
        Set(drawing.strokes.map { $0.points.compactMap(\.t) })
      }
      #expect(times(some) == times(canvas))
    }
  }

  @Test("A dot, an empty drawing and absurd sizes come back as they were")
  func degenerate() {
    var generator = seeded(6)
    let dot = Drawing(strokes: [Stroke([Point(x: 3, y: 4), Point(x: 3, y: 4)])])
    #expect(Augmentation.standard(dot, using: &generator) == dot)
    let empty = Drawing(strokes: [])
    #expect(Augmentation.standard(empty, using: &generator) == empty)
    let huge = Drawing(strokes: [Stroke([Point(x: -1e308, y: 0), Point(x: 1e308, y: 0)])])
    #expect(Augmentation.standard(huge, using: &generator) == huge)
    var fine = Augmentation.standard
    fine.longestPiece = 1e-300
    let bent = fine(
      Drawing(strokes: [Stroke([Point(x: 0, y: 0), Point(x: 90, y: 80)])]), using: &generator)
    #expect(bent.strokes.allSatisfy { $0.points.count <= 1 + 64 })
    let line = Drawing(strokes: [Stroke([Point(x: 0, y: 5), Point(x: 1e-9, y: 5)])])
    let result = Augmentation.standard(line, using: &generator)
    #expect(result.strokes[0].points.allSatisfy { $0.x.isFinite && $0.y.isFinite })
    #expect(result != line)
  }

  @Test(
    "However small a drawing is, its copy has finite points",
    arguments: [Double.leastNonzeroMagnitude, 0x1p-1060, 1e-307, 1e-200, 1e-149, 1e-116, 1e149])
  func small(size: Double) {
    let tiny = Drawing(
      strokes: [
        Stroke([Point(x: size, y: 0), Point(x: 0, y: size)]), Stroke([Point(x: size, y: size)]),
      ])
    var every = Augmentation.standard
    (every.mirror, every.reversal, every.reordering) = (0.5, 0.5, 0.5)
    let mixer = DrawingMixer(turning: 1, overlay: 1, smallest: 0.5, shift: 0.2)
    var generator = seeded(14)
    for _ in 0..<20 {
      let copies = [
        every(tiny, using: &generator),
        mixer(tiny, house, changedBy: every, using: &generator),
        mixer(house, tiny, changedBy: every, using: &generator),
      ]
      for point in copies.flatMap(\.strokes).flatMap(\.points) {
        #expect(point.x.isFinite && point.y.isFinite)
      }
    }
  }

  @Test("A coordinate or a path that is no number traps nowhere")
  func noNumbers() {
    var generator = seeded(15)
    let broken = Drawing(
      strokes: [Stroke([Point(x: 0, y: 0), Point(x: .nan, y: 5), Point(x: 9, y: 9)])])
    let copy = Augmentation.standard(broken, using: &generator)
    #expect(copy.strokes[0].points.count >= 3)
    var wobble = Wobble(strength: 1, spacing: 0, using: &generator)
    for way in [0, .nan, .infinity] as [Double] {
      let move = wobble(at: way, using: &generator)
      #expect(max(abs(move.x), abs(move.y)) <= 1)
    }
  }

  @Test("Long straight pieces get points in between, with times, only while something bends them")
  func pieces() {
    let line = Drawing(strokes: [Stroke([Point(x: 0, y: 0, t: 0), Point(x: 100, y: 0, t: 40)])])
    var generator = seeded(6)
    let bent = Augmentation(wobble: 0.02, longestPiece: 0.25)(line, using: &generator)
    #expect(bent.strokes[0].points.map(\.t) == [0, 10, 20, 30, 40])
    let turned = Augmentation(rotation: 10, longestPiece: 0.25)(line, using: &generator)
    #expect(turned.strokes[0].points.count == 2)
  }

  @Test("Width factors lie between the inverse and the factor, half of them below 1")
  func width() {
    var generator = seeded(12)
    let recipe = Augmentation(strokeWidth: 0.5)
    let factors = (0..<4000).map { _ in recipe.strokeWidthFactor(using: &generator) }
    #expect(factors.allSatisfy { ((1 / 1.5 - 1e-12)...(1.5 + 1e-12)).contains($0) })
    #expect((factors.min() ?? 1) < 0.68 && (factors.max() ?? 1) > 1.48)
    #expect((1800...2200).contains(factors.count { $0 < 1 }))
  }

  @Test("A recipe survives JSON")
  func coding() throws {
    let data = try JSONEncoder().encode(Augmentation.standard)
    #expect(try JSONDecoder().decode(Augmentation.self, from: data) == .standard)
  }

  @Test("The smooth field is within its strength and nowhere jumps")
  func field() {
    var generator = seeded(13)
    for cells in [1, 3, 5] {
      let field = WarpField(cells: cells, strength: 0.2, using: &generator)
      var last = field(at: SIMD2(0, 0.3))
      for step in 0...1000 {
        let here = field(at: SIMD2(Double(step) / 1000, 0.3))
        #expect(max(abs(here.x), abs(here.y)) <= 0.2 + 1e-12)
        // The slope of a B-spline is at most the difference of neighbors over a cell.
        let slope = max(abs(here.x - last.x), abs(here.y - last.y)) * 1000
        #expect(slope <= 0.4 * Double(cells) + 1e-9)
        last = here
      }
      #expect(field(at: SIMD2(-5, 0.3)) == field(at: SIMD2(0, 0.3)))
      #expect(field(at: SIMD2(.nan, .nan)) == field(at: SIMD2(1, 1)))
    }
  }
}
