internal import Ink
public import Recognition
public import Segmentation

/// What a model sees on a sketch: labels to find it by, and natural colors for filters.
public struct SketchReading: Hashable, Sendable {
  /// The labels of the recognized shapes, each once, ascending.
  public var labels: [String]
  /// Colors for the shapes whose labels name things of one color.
  public var tints: [SketchTint]

  /// A sketch with more strokes is a texture: to group them would take seconds.
  private static let mostStrokes = 250

  /// The shapes of a sketch that `recognizer` knows.
  ///
  /// Eraser strokes and strokes that are mostly erased are left out. A sketch of more than 250
  /// strokes is not read.
  ///
  /// - Parameters:
  ///   - sketch: Strokes and canvas.
  ///   - recognizer: Names shapes.
  ///   - segmenter: Groups strokes into shapes.
  /// - Throws: `InkError` for a number that is not finite.
  public init(_ sketch: Sketch, by recognizer: Recognizer, segmenter: SegmenterModel) throws {
    (labels, tints) = ([], [])
    let seen = sketch.visibleStrokes()
    guard !seen.isEmpty, seen.count <= Self.mostStrokes else { return }
    let ink = Drawing(strokes: seen.map { sketch.lines[$0].stroke }, canvas: sketch.canvas)
    for shape in try Segmenter(recognizer: recognizer, model: segmenter).segments(of: ink) {
      guard let decision = shape.answer?.decision, decision.isRecognized,
        let label = decision.best?.label
      else { continue }
      labels.append(label)
      if let color = NaturalColor.of(label) {
        tints.append(SketchTint(strokes: Set(shape.strokes.map { seen[$0] }), color: color))
      }
    }
    labels = Set(labels).sorted()
  }
}

extension Sketch {
  /// The strokes of which at least half can be seen when all later eraser strokes are done: indices
  /// into `lines`.
  func visibleStrokes() -> [Int] {
    let drawn = lines.indices.filter {
      lines[$0].pen.tool != .eraser && !lines[$0].stroke.points.isEmpty
    }
    guard drawn.count < lines.count else { return drawn }
    // A quarter of the picture's size shows enough.
    let frame = SketchFrame(canvas, side: SketchPicture.side / 4)
    var painter = StrokePainter(frame)
    var isErased = [Bool](repeating: false, count: frame.side * frame.side)
    return lines.indices.reversed().filter { index in
      let isEraser = lines[index].pen.tool == .eraser
      var (all, erased) = (0, 0)
      painter.stroke(frame.placed(lines[index])) { pixel, coverage, _ in
        if isEraser {
          if coverage >= 0.5 { isErased[pixel] = true }
        } else {
          all += 1
          if isErased[pixel] { erased += 1 }
        }
      }
      return !isEraser && !lines[index].stroke.points.isEmpty && erased * 2 <= all
    }.reversed()
  }
}
