internal import Ink
internal import JSON
internal import Recognition
internal import Report
internal import Segmentation

/// The shapes of a canvas as `segment` prints them; the keys are those of the guide.
struct SegmentationReport: Encodable {
  struct Shape: Encodable {
    var strokes: [Int]
    var decision: String
    @OrNull var label: String?
    var confidence: Double
    var boundingBox: BoundingBox
    /// The position of the emoji; null without one.
    @OrNull var placement: Placement?
    /// Why it is not recognized; null if it is.
    @OrNull var reason: String?
    /// The message for the user; null if it is recognized.
    @OrNull var message: String?
  }

  var id: String
  var shapes: [Shape]

  init(_ canvas: Drawing, _ segments: [Segment]) {
    id = canvas.id
    shapes = segments.map { segment in
      let decision =
        segment.answer?.decision ?? .unrecognized(best: nil, because: .tooLittleInk)
      let isRecognized = decision.isRecognized
      let message =
        if case .betweenLabels = decision.refusal {
          LiveCanvas.confusedMessage
        } else { LiveCanvas.unrecognizedMessage }
      return Shape(
        strokes: segment.strokes, decision: decision.name, label: decision.best?.label,
        confidence: decision.best?.confidence ?? 0, boundingBox: segment.box,
        placement: isRecognized ? Placement(for: segment.box, on: canvas.canvas) : nil,
        reason: decision.refusal?.name, message: isRecognized ? nil : message)
    }
  }

  /// A line for the canvas and one per shape, for people.
  var lines: [String] {
    [id + ": " + counted(shapes.count, "shape")] + shapes.map { "  " + $0.text }
  }
}

extension SegmentationReport.Shape {
  /// A line for people.
  var text: String {
    let best = label.map { "\($0)  \(percent(confidence))" }
    let what =
      decision == "recognized"
      ? best ?? "" : (message ?? "") + (best.map { " Closest: \($0)" } ?? "")
    let numbers = strokes.map(String.init).joined(separator: ", ")
    let (x, y) = (Int(boundingBox.x.bounded), Int(boundingBox.y.bounded))
    let size = "\(Int(boundingBox.width.bounded)) × \(Int(boundingBox.height.bounded))"
    return
      "\(what)  (\(strokes.count == 1 ? "stroke" : "strokes") \(numbers) at \(x), \(y): \(size))"
  }
}

extension Double {
  /// The rounded value, clamped to the range of Int.
  fileprivate var bounded: Double { max(-1e15, min(1e15, rounded())) }
}
