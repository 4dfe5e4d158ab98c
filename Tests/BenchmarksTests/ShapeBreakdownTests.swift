import Evaluation
import Ink
import Testing

@testable import Benchmarks
@testable import Segmentation

/// Canvases of boxes, and what a segmenter made of them.
enum BoxCanvas {
  /// A canvas with a shape of `strokes` strokes in each box, all from its top left corner to its
  /// bottom right one.
  static func canvas(
    _ boxes: [(label: String, box: (Double, Double, Double, Double), strokes: Int)],
    sheet: Drawing.Canvas? = nil, id: String = "scene"
  ) throws -> LabeledCanvas {
    var (strokes, shapes) = ([Stroke](), [Drawing.Shape]())
    for (label, (x, y, width, height), count) in boxes {
      shapes.append(.init(strokes: Array(strokes.count..<strokes.count + count), label: label))
      strokes += (0..<count).map { _ in
        Stroke([Point(x: x, y: y), Point(x: x + width, y: y + height)])
      }
    }
    return try LabeledCanvas(Drawing(id: id, strokes: strokes, canvas: sheet, shapes: shapes))
  }

  /// What came out on a canvas: `groups` of strokes without answers.
  static func outcome(
    _ canvas: LabeledCanvas, perfect: [Bool], right: [Bool], groups: [[Int]] = []
  ) -> SegmentationBenchmark.Outcome {
    SegmentationBenchmark.Outcome(
      canvas: canvas,
      segments: groups.map {
        Segment(
          strokes: $0, box: BoundingBox(x: 0, y: 0, width: 1, height: 1), answer: nil, sureness: 1)
      }, isPerfect: perfect, isRight: right, plain: [.distance: perfect.map { !$0 }],
      inkAccuracy: 0.5, randIndex: 0.5, recall: 0.5)
  }
}

@Suite("Shapes of scenes by kinds")
struct ShapeBreakdownTests {
  private static let boxes: [(label: String, box: (Double, Double, Double, Double), strokes: Int)] =
    [
      ("house", (0, 0, 100, 100), 1), ("window", (20, 20, 20, 20), 3),
      ("tree", (90, 150, 100, 100), 4), ("bush", (180, 240, 100, 100), 8),
      // 40 to the right of the bush, and 41 to the right of the fence.
      ("fence", (320, 240, 40, 100), 16), ("sun", (401, 240, 39, 20), 1),
    ]

  @Test("A shape is inside, around, across, beside or apart by its box and the sheet's size")
  func places() throws {
    let sheet = Drawing.Canvas(width: 1000, height: 500)
    let canvas = try BoxCanvas.canvas(Self.boxes, sheet: sheet)
    #expect(
      ShapePlace.places(on: canvas) == [.around, .inside, .across, .across, .beside, .apart])
    // The ink alone is 440 wide: a gap of 40 is more than 4 % of that.
    #expect(ShapePlace.places(on: try BoxCanvas.canvas(Self.boxes)).suffix(2) == [.apart, .apart])
    #expect(ShapePlace.places(on: canvas.scaled(by: 4)) == ShapePlace.places(on: canvas))
    // A line across a box meets it though they share no area; of equal boxes each is inside.
    let line = try BoxCanvas.canvas([
      ("road", (0, 50, 300, 0), 1), ("car", (100, 0, 50, 80), 1), ("car", (100, 0, 50, 80), 1),
      ("dot", (299, 99, 0, 0), 1),
    ])
    #expect(ShapePlace.places(on: line) == [.across, .inside, .inside, .apart])
  }

  @Test("Rates by strokes, place and label, worked out by hand")
  func rates() throws {
    let canvas = try BoxCanvas.canvas(Self.boxes, sheet: .init(width: 1000, height: 500))
    let outcome = BoxCanvas.outcome(
      canvas, perfect: [true, false, true, false, false, true],
      right: [true, false, false, false, false, true])
    let found = try ShapeBreakdown("as given", [outcome], known: ["house", "tree", "fence"])
    func rows(_ rows: [ShapeBreakdown.Row]) -> [String] {
      rows.map {
        "\($0.kind): \($0.perfectShapes.count), \($0.endToEnd.count) of \($0.endToEnd.of)"
      }
    }
    #expect(
      rows(found.byStrokes) == [
        "1 stroke: 2, 2 of 2", "2 to 3 strokes: 0, 0 of 1", "4 to 7 strokes: 1, 0 of 1",
        "8 to 15 strokes: 0, 0 of 1", "16 strokes or more: 0, 0 of 1",
      ])
    #expect(
      rows(found.byPlace) == [
        "inside: 0, 0 of 1", "around: 1, 1 of 1", "across: 1, 0 of 2", "beside: 0, 0 of 1",
        "apart: 1, 1 of 1",
      ])
    #expect(rows(found.byLabel) == ["known label: 2, 1 of 3", "unknown label: 1, 1 of 3"])
    #expect(found.byLabel[0].plain["distance"]?.count == 1)
    #expect(found.intervals95 == nil)
    #expect(found.perfectShapesMeanOverCanvases == 0.5)

    // Over canvases: with one canvas all right and one all wrong, any share may come out.
    let wrong = BoxCanvas.outcome(
      canvas, perfect: .init(repeating: false, count: 6), right: .init(repeating: false, count: 6))
    let right = BoxCanvas.outcome(
      canvas, perfect: .init(repeating: true, count: 6), right: .init(repeating: true, count: 6))
    let both = try ShapeBreakdown("as given", [wrong, right], known: [])
    #expect(both.intervals95?.perfectShapes == .init(lower: 0, upper: 1))
    // One of one and none of six shapes: half of the canvases, a seventh of the shapes.
    let small = try BoxCanvas.canvas([("sun", (0, 0, 9, 9), 1)])
    let uneven = try ShapeBreakdown(
      "as given", [wrong, BoxCanvas.outcome(small, perfect: [true], right: [true])], known: [])
    #expect(uneven.perfectShapesMeanOverCanvases == 0.5)
    #expect(uneven.byLabel[0].perfectShapes.count == 1 && uneven.byLabel[0].perfectShapes.of == 7)
    #expect(both.byLabel.map(\.kind) == ["unknown label"])
    let sure = try ShapeBreakdown("as given", [right, right], known: [])
    #expect(sure.intervals95?.endToEnd == .init(lower: 1, upper: 1))
  }

  @Test("In another order shapes stay together or not, as said, and each stroke keeps its shape")
  func orders() throws {
    let canvas = try BoxCanvas.canvas(Self.boxes)
    var (together, apart) = (0, 0)
    for number in 0..<20 {
      for variant in CanvasVariant.orders {
        let changed = variant.change(canvas, number: number)
        #expect(changed == variant.change(canvas, number: number))
        #expect(try LabeledCanvas(changed.drawing) == changed)
        for (before, after) in zip(canvas.shapes, changed.shapes) {
          #expect(after.label == before.label && after.box == before.box)
          #expect(
            after.strokes.map { changed.drawing.strokes[$0] }
              == before.strokes.map { canvas.drawing.strokes[$0] })
        }
        let isTogether = changed.shapes.map(\.strokes).allSatisfy {
          $0 == Array($0[0]..<$0[0] + $0.count)
        }
        if variant == .shapesInAnyOrder {
          #expect(isTogether)
          together += changed.shapes.map(\.strokes) == canvas.shapes.map(\.strokes) ? 0 : 1
        } else {
          apart += isTogether ? 0 : 1
        }
      }
    }
    #expect(together >= 19 && apart >= 19)
  }

  @Test("Late strokes join their shape, strokes of no shape move alone, and no times are left")
  func lateStrokes() throws {
    func stroke(_ x: Double, _ time: Double) -> Stroke {
      Stroke([Point(x: x, y: 0, t: time), Point(x: x + 1, y: 0, t: time + 50)])
    }
    let canvas = try LabeledCanvas(
      Drawing(
        strokes: (0..<5).map { stroke(Double(10 * $0), Double(100 * $0)) },
        shapes: [.init(strokes: [0, 3], label: "i"), .init(strokes: [1], label: "l")]))
    #expect(canvas.strokesByShape == [[0, 3], [1], [2], [4]])
    for number in 0..<10 {
      let changed = CanvasVariant.shapesInAnyOrder.change(canvas, number: number)
      #expect(!changed.hasLateStrokes)
      let places = changed.shapes[0].strokes
      #expect(places.map { changed.drawing.strokes[$0].points[0].x } == [0, 30])
      #expect(changed.drawing.strokes.allSatisfy { $0.points.allSatisfy { $0.t == nil } })
    }
  }

  @Test("The worst scenes come first, and of equally bad ones those with more ink")
  func worstFirst() throws {
    func outcome(_ id: String, _ side: Double, _ perfect: [Bool]) throws
      -> SegmentationBenchmark.Outcome
    {
      let boxes = perfect.indices.map { ("a", (Double($0) * 200, 0.0, side, 0.0), 1) }
      return BoxCanvas.outcome(
        try BoxCanvas.canvas(boxes, id: id), perfect: perfect, right: perfect)
    }
    let outcomes = [
      try outcome("good", 10, [true, true]), try outcome("half", 10, [true, false]),
      try outcome("half, more ink", 20, [false, true]), try outcome("bad", 5, [false]),
    ]
    #expect(
      SceneList.worstFirst(outcomes).map(\.canvas.drawing.id)
        == ["bad", "half, more ink", "half", "good"])
  }
}
