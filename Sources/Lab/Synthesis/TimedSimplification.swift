internal import Ink

/// Removes samples that are redundant in space and time.
enum TimedSimplification {
  /// The points needed to keep the pen within `tolerance` of its position at every time, and the
  /// line within a third of that across its direction.
  ///
  /// Ramer, Douglas and Peucker's method with the distance taken at equal times (Meratnia and de By
  /// 2004, doi:10.1007/978-3-540-24741-8_44), so that slow corners and fast lines keep their
  /// speeds; errors across the line count three times, because they are visible.
  ///
  /// - Parameters:
  ///   - points: A stroke's points, all with times.
  ///   - tolerance: The maximum distance, in the units of the points.
  /// - Returns: A subset of the points that includes the first and the last.
  static func simplified(_ points: [Point], tolerance: Double) -> [Point] {
    guard points.count > 2 else { return points }
    var kept = [Bool](repeating: false, count: points.count)
    kept[0] = true
    kept[points.count - 1] = true
    var open = [(0, points.count - 1)]
    while let (first, last) = open.popLast() {
      let (start, end) = (points[first], points[last])
      let duration = (end.t ?? 0) - (start.t ?? 0)
      var (worst, farthest) = (tolerance, first)
      for index in first..<last where index > first {
        let u = duration > 0 ? ((points[index].t ?? 0) - (start.t ?? 0)) / duration : 0
        let distance = max(
          start.interpolated(to: end, u).distance(to: points[index]),
          3 * across(points[index], from: start, to: end))
        if distance > worst { (worst, farthest) = (distance, index) }
      }
      guard farthest > first else { continue }
      kept[farthest] = true
      open += [(first, farthest), (farthest, last)]
    }
    return points.indices.filter { kept[$0] }.map { points[$0] }
  }
  /// The distance of `point` from the line through two others.
  private static func across(_ point: Point, from start: Point, to end: Point) -> Double {
    let (dx, dy) = (end.x - start.x, end.y - start.y)
    let length = (dx * dx + dy * dy).squareRoot()
    guard length > 0 else { return point.distance(to: start) }
    return abs(dx * (point.y - start.y) - dy * (point.x - start.x)) / length
  }
}
