internal import Ink

/// SVG path data of strokes in whole units, without details that cannot be seen at that size.
enum StrokePath {
  /// The path data of each stroke; "" for a stroke without points.
  ///
  /// Consecutive points with equal coordinates are merged, and Ramer-Douglas-Peucker removes
  /// details. Of strokes that are still long, only every nth point is kept.
  ///
  /// - Parameters:
  ///   - strokes: The strokes.
  ///   - tolerance: The distance of details that are removed in any case, in the picture's units.
  ///   - points: The number of points of all strokes above which more details are removed; about
  ///     seven times as many are the most.
  ///   - place: The place of a point in the picture.
  /// - Returns: One text per stroke.
  static func data(
    of strokes: [Stroke], tolerance: Double, points: Int, placedBy place: (Point) -> Point
  ) -> [String] {
    let placed = strokes.map { Stroke(thinned($0.points, to: 4000).map(place)) }
    var tolerance = tolerance
    var lines = placed.map { gridLine($0, tolerance: tolerance) }
    while lines.reduce(0, { $0 + $1.count }) > max(points, 2 * lines.count), tolerance < 16 {
      tolerance *= 1.6
      lines = placed.map { gridLine($0, tolerance: tolerance) }
    }
    let longest = max(4, 7 * points / max(1, lines.count))
    return lines.map { text(thinned($0, to: longest)) }
  }

  /// About `count` of `points` at equal steps, including the first and the last.
  private static func thinned<Point>(_ points: [Point], to count: Int) -> [Point] {
    guard points.count > count, let last = points.last else { return points }
    let step = (points.count + count - 2) / (count - 1)
    return stride(from: 0, to: points.count - 1, by: step).map { points[$0] } + [last]
  }

  private static func gridLine(_ stroke: Stroke, tolerance: Double) -> [(x: Int, y: Int)] {
    var line: [(x: Int, y: Int)] = []
    for point in stroke.simplified(tolerance: tolerance).points {
      let next = (x: Int(point.x.rounded()), y: Int(point.y.rounded()))
      if let last = line.last, last == next { continue }
      line.append(next)
    }
    return line
  }

  private static func text(_ line: [(x: Int, y: Int)]) -> String {
    guard let first = line.first else { return "" }
    var text = "M\(first.x) \(first.y)"
    // A line of no length still gets its round cap: a dot.
    if line.count == 1 { return text + "h0" }
    text += "l"
    for (index, (from, to)) in zip(line, line.dropFirst()).enumerated() {
      let (dx, dy) = (to.x - from.x, to.y - from.y)
      text += (index > 0 && dx >= 0 ? " " : "") + "\(dx)" + (dy >= 0 ? " " : "") + "\(dy)"
    }
    return text
  }
}
