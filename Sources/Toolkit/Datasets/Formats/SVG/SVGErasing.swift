internal import Ink

/// A line in the color of its background, which erases the thinner lines that it covers, as the
/// erasers of drawing programs leave it.
struct SVGEraser {
  private let points: [Point]
  private let radius: Double
  private let box: BoundingBox

  /// The eraser of a line as wide as `width`; nil if it has no width.
  init?(_ line: SVGLine, width: Double) {
    guard width > 0, let box = BoundingBox(line.points) else { return nil }
    (points, radius) = (line.points, width / 2)
    self.box = BoundingBox(
      x: box.x - radius, y: box.y - radius, width: box.width + width, height: box.height + width)
  }

  /// Whether it may cover something of a line that is as wide as `width`.
  func reaches(_ lineBox: BoundingBox, width: Double) -> Bool {
    width <= 2 * radius && lineBox.x <= box.x + box.width && box.x <= lineBox.x + lineBox.width
      && lineBox.y <= box.y + box.height && box.y <= lineBox.y + lineBox.height
  }

  /// The product of the numbers of points: what `remains` of a line costs.
  func cost(_ line: SVGLine) -> Int { points.count * line.points.count }

  /// The parts of a line that it does not cover.
  func remains(of line: SVGLine) -> [SVGLine] {
    guard line.points.count > 1 else {
      return zip(points, points.dropFirst() + points.suffix(1)).contains { from, to in
        covered(line.points[0], line.points[0], by: from, to) != nil
      } ? [] : [line]
    }
    return line.cut { from, to in
      var covered = zip(points, points.dropFirst() + points.suffix(1)).compactMap {
        self.covered(from, to, by: $0, $1)
      }
      guard !covered.isEmpty else { return [0...1] }
      covered.sort { $0.lowerBound < $1.lowerBound }
      var kept: [ClosedRange<Double>] = []
      var end = 0.0
      for range in covered {
        if range.lowerBound > end { kept.append(end...range.lowerBound) }
        end = max(end, range.upperBound)
      }
      if end < 1 { kept.append(end...1) }
      return kept
    }
  }

  /// The part of a segment, in 0...1 along it, within the radius of the eraser's segment from `a`
  /// to `b`; nil if it is empty. It is one interval, because the points within a radius of a segment
  /// are a convex set.
  private func covered(
    _ from: Point, _ to: Point, by a: Point, _ b: Point
  ) -> ClosedRange<Double>? {
    typealias Place = SIMD2<Double>
    let (origin, way) = (Place(from.x, from.y), Place(to.x - from.x, to.y - from.y))
    let (begin, end) = (Place(a.x, a.y), Place(b.x, b.y))
    func dot(_ p: Place, _ q: Place) -> Double { p.x * q.x + p.y * q.y }
    var (first, last) = (Double.infinity, -Double.infinity)
    func add(_ lower: Double, _ upper: Double) {
      let (lower, upper) = (max(0, lower), min(1, upper))
      guard lower <= upper else { return }
      (first, last) = (min(first, lower), max(last, upper))
    }
    // The discs at its ends: |origin + t way − center|² = radius².
    for center in [begin, end] {
      let offset = origin - center
      let (square, half) = (dot(way, way), dot(way, offset))
      let rest = dot(offset, offset) - radius * radius
      guard square > 0 else {
        if rest <= 0 { add(0, 1) }
        continue
      }
      let root = half * half - square * rest
      guard root >= 0 else { continue }
      add((-half - root.squareRoot()) / square, (-half + root.squareRoot()) / square)
    }
    // The rectangle between: within the radius of its line, and between its ends.
    let axis = end - begin
    let length = dot(axis, axis).squareRoot()
    guard length > 0 else { return first <= last ? first...last : nil }
    let along = axis / length
    let across = Place(-along.y, along.x)
    var (lower, upper) = (0.0, 1.0)
    for (direction, low, high) in [(along, 0, length), (across, -radius, radius)] {
      let (start, speed) = (dot(origin - begin, direction), dot(way, direction))
      guard speed != 0 else {
        if start < low || start > high { upper = -1 }
        continue
      }
      let (enter, leave) = ((low - start) / speed, (high - start) / speed)
      (lower, upper) = (max(lower, min(enter, leave)), min(upper, max(enter, leave)))
    }
    add(lower, upper)
    return first <= last ? first...last : nil
  }
}
