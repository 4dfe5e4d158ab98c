internal import Ink

/// The outline, box, length and times of a stroke, as needed for grouping. A class, because undoing
/// keeps many lists of them.
final class StrokeSummary: Sendable {
  let outline: InkOutline
  /// The box around all of its points.
  let box: BoundingBox
  /// The length of the outline.
  let length: Double
  /// The start and end times in milliseconds; nil if unknown or not finite.
  let start: Double?
  let end: Double?

  /// The summary of a stroke; nil for no points or coordinates that are not finite.
  init?(_ stroke: Stroke) {
    guard let outline = InkOutline(stroke), let box = BoundingBox(stroke.points) else {
      return nil
    }
    (self.outline, self.box) = (outline, box)
    length = zip(outline.points, outline.points.dropFirst()).reduce(0) {
      $0 + $1.0.distance(to: $1.1)
    }
    start = stroke.points.first?.t.flatMap { $0.isFinite ? $0 : nil }
    end = stroke.points.last?.t.flatMap { $0.isFinite ? $0 : nil }
  }

  /// Where the pen went down.
  var penDown: Point { outline.points[0] }
  /// Where the pen came up.
  var penUp: Point { outline.points[outline.points.count - 1] }

  /// The share of the outline's points that `other` encloses, in 0...1.
  ///
  /// `other` is closed by a straight line; if that is longer than a third of it, it encloses
  /// nothing.
  func share(of other: StrokeSummary) -> Double {
    let corners = other.outline.points
    guard corners.count > 2, 3 * other.penDown.distance(to: other.penUp) <= other.length,
      box.overlap(with: other.box) > 0 || box.gap(to: other.box) == 0
    else { return 0 }
    // A ray to the right crosses the border an odd number of times (even-odd rule).
    let inside = outline.points.count { point in
      var (isInside, before) = (false, corners[corners.count - 1])
      for corner in corners {
        if (corner.y > point.y) != (before.y > point.y) {
          let x = before.x + (corner.x - before.x) * (point.y - before.y) / (corner.y - before.y)
          if point.x < x { isInside.toggle() }
        }
        before = corner
      }
      return isInside
    }
    return Double(inside) / Double(outline.points.count)
  }
}

/// Some strokes of a canvas that may be one shape.
struct Group: Sendable {
  /// Indices into the canvas's strokes, ascending.
  var strokes: [Int]
  var box: BoundingBox
  /// When the last of its strokes ended; nil if unknown.
  var end: Double?
  /// The length of its strokes' outlines.
  var length: Double
  /// The longer side of its last stroke.
  var lastSide: Double
  /// Its longest stroke.
  var longest: StrokeSummary
  /// The largest distance from a stroke to those before it; nil for a single stroke.
  var widest: Double?
  /// The sum of the logarithms of the pauses between consecutive strokes, and their number.
  private var pauses = (sum: 0.0, count: 0)

  /// The mean logarithm of its pauses; nil without any.
  var usualPause: Double? { pauses.count > 0 ? pauses.sum / Double(pauses.count) : nil }

  init(_ index: Int, _ summary: StrokeSummary) {
    (strokes, box, end) = ([index], summary.box, summary.end)
    (length, lastSide, longest) = (summary.length, summary.box.longerSide, summary)
  }

  /// The group with one more stroke, drawn after all of its own.
  func adding(_ context: JoinFeatures.Context) -> Group {
    let summary = context.summary
    var group = self
    group.widest = max(widest ?? 0, JoinFeatures.distances(context, self).near.least)
    if let pause = context.pause, strokes.last == context.index - 1 {
      group.pauses.sum += JoinFeatures.logarithm(ofPause: pause)
      group.pauses.count += 1
    }
    group.strokes.append(context.index)
    group.box = box.union(summary.box)
    group.end = summary.end ?? end
    group.length += summary.length
    group.lastSide = summary.box.longerSide
    if summary.length > longest.length { group.longest = summary }
    return group
  }
}

extension BoundingBox {
  /// The box with `slack` more on every side, so that a line has an area.
  func grown(_ slack: Double) -> BoundingBox {
    BoundingBox(x: x - slack, y: y - slack, width: width + 2 * slack, height: height + 2 * slack)
  }

  var area: Double { width * height }
}
