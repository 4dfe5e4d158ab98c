import Artwork
import Ink

/// Small sketches on a canvas of 100 × 100.
enum Sketches {
  static let canvas = Drawing.Canvas(width: 100, height: 100)

  static func line(
    _ points: [(Double, Double)], color: SketchColor = .black, width: Double = 4,
    tool: SketchPen.Tool = .pen
  ) -> Sketch.Line {
    Sketch.Line(
      Stroke(points.map { Point(x: $0.0, y: $0.1) }),
      pen: SketchPen(color: color, width: width, tool: tool))
  }

  static func sketch(_ lines: [Sketch.Line], canvas: Drawing.Canvas = canvas) -> Sketch {
    Sketch(canvas: canvas, lines: lines)
  }

  /// A red square that is closed, and an open blue line below.
  static let square = sketch([
    line([(25, 20), (75, 20), (75, 70), (25, 70), (25, 20)], color: SketchColor(0xe53935)),
    line([(20, 85), (80, 85)], color: SketchColor(0x1e62d0)),
  ])

  /// Lines from everywhere to everywhere: the same ones each time.
  static func scribble(_ count: Int) -> Sketch {
    var state: UInt64 = 1
    func next() -> Double {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Double(state >> 33) / Double(1 << 31) * 100
    }
    return sketch(
      (0..<count).map { index in
        let (x, y) = (next(), next())
        let tool = SketchPen.Tool.allCases[index % 7 == 0 ? 2 : index % 3 == 0 ? 1 : 0]
        return line(
          (0..<12).map { (x + Double($0), y + next() / 12) },
          color: SketchColor.bar[index % 14], width: 1, tool: tool)
      })
  }
}
