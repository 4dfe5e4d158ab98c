internal import Ink

/// A stroke of a canvas with what grouping asks of it.
struct Trace: Sendable {
  let outline: InkOutline
  /// The box around all of its points.
  let box: BoundingBox
  /// Milliseconds, nil where they are not known or not finite.
  let start: Double?
  let end: Double?

  /// The trace of a stroke, or nil for one without ink to place: no points, or coordinates that are not finite.
  init?(_ stroke: Stroke) {
    guard let outline = InkOutline(stroke), let box = BoundingBox(stroke.points) else {
      return nil
    }
    (self.outline, self.box) = (outline, box)
    start = stroke.points.first?.t.flatMap { $0.isFinite ? $0 : nil }
    end = stroke.points.last?.t.flatMap { $0.isFinite ? $0 : nil }
  }
}

/// Some strokes of a canvas that may be one shape.
struct Group: Sendable {
  /// Indices into the canvas's strokes, ascending.
  var strokes: [Int]
  var box: BoundingBox
  /// When the last of its strokes ended, where that is known.
  var end: Double?

  init(_ index: Int, _ trace: Trace) {
    (strokes, box, end) = ([index], trace.box, trace.end)
  }

  /// The group with one more stroke, which comes behind all of its own.
  func adding(_ index: Int, _ trace: Trace) -> Group {
    var group = self
    group.strokes.append(index)
    group.box = box.union(trace.box)
    group.end = trace.end ?? end
    return group
  }
}
