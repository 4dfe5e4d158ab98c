internal import Evaluation
internal import Ink
internal import NotebookTools
internal import Numbers

/// Accidental pen marks on a canvas of 1000 × 1000.
enum AccidentalMarks {
  /// From an empty drawing to a scribble over the whole canvas.
  static var all: [(name: String, drawing: Drawing)] {
    [
      ("nothing", drawing([])),
      ("a dot", drawing([[(500, 500)]])),
      ("a dot, pressed long", drawing([Array(repeating: (500, 500), count: 20)])),
      ("a slip of 8 units", drawing([[(500, 500), (506, 505)]])),
      ("three dots", drawing([[(480, 500)], [(486, 503)], [(484, 510)]])),
      ("a straight line", drawing([[(200, 640), (800, 380)]])),
      ("a stroke downwards", drawing([[(500, 150), (497, 850)]])),
      ("a scribble", scribble(seed: 1, from: 150, to: 850)),
      ("a small scribble", scribble(seed: 2, from: 460, to: 540)),
      ("many dots", dots(seed: 3)),
    ]
  }

  private static func drawing(_ strokes: [[(Double, Double)]]) -> Drawing {
    Drawing(
      id: "slip", strokes: strokes.map { Stroke($0.map { Point(x: $0.0, y: $0.1) }) },
      canvas: .init(width: 1000, height: 1000))
  }

  private static func scribble(seed: UInt64, from low: Double, to high: Double) -> Drawing {
    var generator = SeededGenerator(seed: seed)
    return drawing([
      (0..<24).map { _ in (generator.uniform(low...high), generator.uniform(low...high)) }
    ])
  }

  private static func dots(seed: UInt64) -> Drawing {
    var generator = SeededGenerator(seed: seed)
    return drawing(
      (0..<30).map { _ in [(generator.uniform(100...900), generator.uniform(100...900))] })
  }
}

extension SVG {
  /// Drawings on their canvases, five per row, each with a caption below.
  static func onCanvas(_ drawings: [(name: String, drawing: Drawing)], side: Double = 128) -> SVG {
    let columns = 5
    let rows = (drawings.count + columns - 1) / columns
    var svg = SVG(width: Double(columns) * (side + 12) + 4, height: Double(rows) * (side + 30) + 4)
    for (index, item) in drawings.enumerated() {
      let left = 4 + Double(index % columns) * (side + 12)
      let top = 4 + Double(index / columns) * (side + 30)
      svg.rectangle(x: left, y: top, width: side, height: side, outline: SVG.faint)
      let scale = side / (item.drawing.canvas?.width ?? side)
      for stroke in item.drawing.strokes {
        svg.line(
          stroke.points.map { (left + scale * $0.x, top + scale * $0.y) }, thickness: 2)
      }
      svg.text(item.name, x: left + side / 2, y: top + side + 16, anchor: "middle")
    }
    return svg
  }
}

extension DetectionCurve {
  /// The true positive rate at a false positive rate, interpolated linearly between points of the
  /// curve.
  func truePositiveRate(at falsePositiveRate: Double) -> Double {
    var last = (x: 0.0, y: 0.0)
    for point in points {
      let next = (
        x: Double(point.falsePositives) / Double(negativeCount),
        y: Double(point.truePositives) / Double(positiveCount)
      )
      if next.x > falsePositiveRate {
        return last.y + (next.y - last.y) * (falsePositiveRate - last.x) / (next.x - last.x)
      }
      last = next
    }
    return last.y
  }
}

extension RiskCoverageCurve {
  /// The share of wrong answers if at least the share `coverage` of the drawings is answered.
  func risk(atCoverage coverage: Double) -> Double {
    (points.first { $0.coverage >= coverage - 1e-9 } ?? points[points.count - 1]).risk
  }
}
