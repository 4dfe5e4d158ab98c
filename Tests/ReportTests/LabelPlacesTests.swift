import Ink
import Numbers
import Pictures
import Testing

@testable import Report

@Suite("Places of labels in pictures of canvases")
struct LabelPlacesTests {
  private let area = BoundingBox(x: 10, y: 20, width: 1200, height: 900)

  private func rectangles(_ labels: [LabelPlaces.Label], _ places: [Point]) -> [BoundingBox] {
    zip(labels, places).map {
      BoundingBox(x: $1.x, y: $1.y, width: $0.width, height: $0.height)
    }
  }

  private func isInside(_ box: BoundingBox) -> Bool {
    box.x >= area.x && box.y >= area.y && box.x + box.width <= area.x + area.width
      && box.y + box.height <= area.y + area.height
  }

  /// How many pairs overlap.
  private func clashes(_ boxes: [BoundingBox]) -> Int {
    boxes.indices.reduce(0) { sum, i in
      sum + boxes[..<i].count { $0.overlap(with: boxes[i]) > 0 }
    }
  }

  @Test("A label stands above its box's left end, and below where the picture ends above")
  func usual() {
    var places = LabelPlaces(in: area)
    let box = BoundingBox(x: 400, y: 300, width: 200, height: 100)
    let top = BoundingBox(x: 800, y: 22, width: 100, height: 20)
    let found = places.places(for: [
      .init(width: 80, height: 16, box: box), .init(width: 80, height: 16, box: top),
    ])
    #expect(found[0] == Point(x: 396, y: 280))
    #expect(found[1] == Point(x: 796, y: 46))
  }

  @Test("Where ink is above, a label goes where it hides none")
  func ink() {
    var places = LabelPlaces(in: area)
    let box = BoundingBox(x: 400, y: 300, width: 100, height: 100)
    for y in stride(from: 270.0, through: 298, by: 4) {
      places.addInk(from: Point(x: 300, y: y), to: Point(x: 620, y: y))
    }
    let found = places.places(for: [.init(width: 80, height: 16, box: box)])
    #expect(found[0] == Point(x: 396, y: 404))
  }

  @Test("Twelve shapes in one place have twelve labels that can be read")
  func onePlace() {
    var places = LabelPlaces(in: area)
    let label = LabelPlaces.Label(
      width: 150, height: 16, box: BoundingBox(x: 20, y: 30, width: 40, height: 40))
    let labels = [LabelPlaces.Label](repeating: label, count: 12)
    let boxes = rectangles(labels, places.places(for: labels))
    #expect(clashes(boxes) == 0)
    #expect(boxes.allSatisfy { isInside($0) })
    // None is farther from its box than it takes: the twelve fill a patch of about 310 × 100 around
    // it.
    for box in boxes { #expect(box.gap(to: label.box) < 200) }
  }

  @Test(
    "On crowded canvases no labels overlap while there is room, and all are inside",
    arguments: 0..<6)
  func crowded(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    var places = LabelPlaces(in: area)
    let labels = (0..<60).map { _ in
      let side = generator.uniform(0...200)
      let box = BoundingBox(
        x: generator.uniform(-50...1200), y: generator.uniform(-50...900), width: side,
        height: side * generator.unit())
      places.addInk(from: Point(x: box.x, y: box.y), to: Point(x: box.x + side, y: box.y + 40))
      return LabelPlaces.Label(
        width: generator.uniform(20...200), height: generator.pick([12.0, 16]), box: box)
    }
    let boxes = rectangles(labels, places.places(for: labels))
    #expect(clashes(boxes) == 0, "seed \(seed)")
    #expect(boxes.allSatisfy { isInside($0) }, "seed \(seed)")
    // What the usual place, above each box, would have given.
    let usual = labels.map {
      BoundingBox(x: $0.box.x - 4, y: $0.box.y - 4 - $0.height, width: $0.width, height: $0.height)
    }
    #expect(clashes(usual) >= 5)
  }

  @Test(
    "It ends with more labels than room, with labels larger than the picture, and with none"
  )
  func tooMany() {
    var small = LabelPlaces(in: BoundingBox(x: 0, y: 0, width: 100, height: 50))
    let box = BoundingBox(x: -1e9, y: 20, width: 1e12, height: 1e-9)
    let many = [LabelPlaces.Label](
      repeating: .init(width: 60, height: 12, box: box), count: 300)
    for place in small.places(for: many) {
      #expect((0...40).contains(place.x) && (0...38).contains(place.y))
    }
    #expect(
      small.places(for: [.init(width: 500, height: 90, box: box)]) == [Point(x: 0, y: 0)])
    #expect(small.places(for: []).isEmpty)
  }

  @Test(
    "Canvases without ink, of one dot, with many shapes in a place or non-finite ink are drawn"
  )
  func pictures() throws {
    let dot = Drawing(strokes: [Stroke([Point(x: 5, y: 5)])])
    let heap = Drawing(
      strokes: (0..<40).map { Stroke([Point(x: 0, y: Double($0)), Point(x: 9, y: 9)]) })
    let huge = Drawing(
      strokes: [Stroke([Point(x: -1e308, y: 0), Point(x: 1e308, y: 1e308)])],
      canvas: .init(width: 100, height: 100))
    var picture = CanvasPicture(count: 4)
    var sheet = CanvasPicture(count: 4, of: .groups)
    for drawing in [Drawing(strokes: []), dot, heap, huge] {
      let shapes = drawing.strokes.indices.map { index in
        CanvasPicture.Shape(
          strokes: [index, 999], box: BoundingBox(drawing.strokes[index].points) ?? area,
          label: index % 2 == 0 ? String(repeating: "🏳️‍🌈", count: index * 9 + 1) : nil,
          confidence: 0.5)
      }
      picture.add(drawing, shapes)
      sheet.add(drawing, groups: drawing.strokes.indices.map { [$0] })
    }
    for png in [try picture.png(), try sheet.png()] {
      #expect(try PNG.decode(png, as: .gray).values.contains { $0 < 128 })
    }
  }
}
