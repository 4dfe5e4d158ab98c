public import Ink

/// A drawing in color: strokes with the pens that drew them, on a canvas.
///
///     let sketch = try Sketch.parse(bytes)
///     let picture = SketchPicture.picture(of: sketch)
///     try picture.png()
public struct Sketch: Hashable, Sendable {
  /// A stroke and what it was drawn with.
  public struct Line: Hashable, Sendable {
    /// The points, in units of the canvas.
    public var stroke: Stroke
    /// What it was drawn with.
    public var pen: SketchPen

    /// A stroke of `pen`.
    public init(_ stroke: Stroke, pen: SketchPen) { (self.stroke, self.pen) = (stroke, pen) }
  }

  /// The size of the canvas, both sides above 0. Its top left corner is (0, 0).
  public var canvas: Drawing.Canvas
  /// The strokes in drawing order: later ones cover earlier ones. Strokes may leave the canvas;
  /// pictures show only what is on it.
  public var lines: [Line]

  /// A sketch.
  ///
  /// - Parameters:
  ///   - canvas: Its size; both sides must be above 0.
  ///   - lines: Strokes in drawing order.
  public init(canvas: Drawing.Canvas, lines: [Line]) {
    precondition(
      canvas.width > 0 && canvas.height > 0,
      "a canvas needs a width and a height above 0, got \(canvas.width) × \(canvas.height)")
    (self.canvas, self.lines) = (canvas, lines)
  }

  /// The maximum number of strokes in a file.
  public static let maxStrokes = 1024
  /// The maximum number of points in a file, over all strokes.
  public static let maxPoints = 1 << 16
  /// The maximum sum of length times width over all strokes in a file, in squares of the canvas's
  /// longer side: it limits the time that pictures take.
  public static let maxInk = 40
}

extension Sketch {
  /// A sketch of a plain drawing: black pens of medium width.
  ///
  /// A drawing without a canvas gets one around its strokes, with a margin of a sixteenth of the
  /// longer side.
  public init(_ drawing: Drawing) {
    if let canvas = drawing.canvas {
      self.init(
        canvas: canvas,
        lines: drawing.strokes.map { Line($0, pen: .plain(on: canvas)) })
      return
    }
    let box = drawing.boundingBox ?? BoundingBox(x: 0, y: 0, width: 1, height: 1)
    let longer = max(box.width, box.height)
    let margin = longer > 0 ? longer / 16 : 1
    let canvas = Drawing.Canvas(width: box.width + 2 * margin, height: box.height + 2 * margin)
    let pen = SketchPen.plain(on: canvas)
    let lines = drawing.strokes.map { stroke in
      let points = stroke.points.map {
        Point(x: $0.x - box.x + margin, y: $0.y - box.y + margin, t: $0.t)
      }
      return Line(Stroke(points), pen: pen)
    }
    self.init(canvas: canvas, lines: lines)
  }

  /// The strokes without their pens, for a classifier. Eraser strokes are left out.
  public var drawing: Drawing {
    Drawing(
      strokes: lines.filter { $0.pen.tool != .eraser }.map(\.stroke), canvas: canvas)
  }
}
