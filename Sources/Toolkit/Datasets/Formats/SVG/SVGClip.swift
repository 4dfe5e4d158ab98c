internal import Ink

/// What of a picture is shown: the inside of a rectangle that may be turned or skewed, and of those
/// around it.
struct SVGClip {
  typealias Place = SIMD2<Double>

  /// The places whose product with `normal`, which has length 1, is at most `limit`.
  private struct HalfPlane {
    var normal: Place
    var limit: Double

    /// How far outside a point is; negative inside.
    func distance(_ point: Point) -> Double {
      point.x * normal.x + point.y * normal.y - limit
    }
  }

  /// The maximum number of sides, those of the rectangles around included.
  static let mostSides = 128

  private var sides: [HalfPlane] = []

  /// The rectangle from `lower` to `upper` after `transform`, within `outer`.
  init(_ lower: Place, _ upper: Place, _ transform: Transform, within outer: SVGClip?) {
    let corners = [
      lower, Place(upper.x, lower.y), upper, Place(lower.x, upper.y),
    ].map { transform.applied(to: $0) }
    let center = (corners[0] + corners[2]) / 2
    for (corner, next) in zip(corners, corners[1...] + corners[..<1]) {
      let edge = next - corner
      let length = (edge.x * edge.x + edge.y * edge.y).squareRoot()
      guard length > 0, length.isFinite else { continue }
      var normal = Place(edge.y, -edge.x) / length
      func product(_ place: Place) -> Double { place.x * normal.x + place.y * normal.y }
      if product(center) > product(corner) { normal = -normal }
      sides.append(HalfPlane(normal: normal, limit: product(corner)))
    }
    if let outer { sides += outer.sides }
  }

  /// The number of its sides.
  var sideCount: Int { sides.count }

  /// The parts of a line that are shown, or the whole line if it is within `margin` of the inside.
  func shown(_ line: SVGLine, margin: Double) -> [SVGLine] {
    guard !sides.allSatisfy({ side in line.points.allSatisfy { side.distance($0) <= margin } })
    else { return [line] }
    guard line.points.count > 1 else { return [] }
    return line.cut { from, to in
      var (begin, end) = (0.0, 1.0)
      for side in sides {
        let (first, last) = (side.distance(from), side.distance(to))
        if first > 0, last > 0 { return [] }
        guard (first > 0) != (last > 0) else { continue }
        let crossing = first / (first - last)
        if first > 0 { begin = max(begin, crossing) } else { end = min(end, crossing) }
      }
      return begin < end ? [begin...end] : []
    }
  }
}

extension SVGLine {
  /// The parts of the line that are left when of each segment, from one point to another, the given
  /// shares are: ascending ranges in 0...1.
  func cut(_ kept: (_ from: Point, _ to: Point) -> [ClosedRange<Double>]) -> [SVGLine] {
    var parts: [[Point]] = []
    /// Whether the last part continues at the start of the next segment.
    var isOpen = false
    for (from, to) in zip(points, points.dropFirst()) {
      let ranges = kept(from, to)
      for range in ranges {
        if !isOpen || range.lowerBound > 0 {
          parts.append([Self.between(from, to, range.lowerBound)])
        }
        parts[parts.count - 1].append(Self.between(from, to, range.upperBound))
        isOpen = range.upperBound == 1
      }
      if ranges.isEmpty { isOpen = false }
    }
    // A loop that was cut elsewhere still runs through where it begins.
    if isClosed, parts.count > 1, isOpen, parts[0].first == points.first {
      parts[0] = parts.removeLast() + parts[0].dropFirst()
    }
    let isWhole = parts.count == 1 && parts[0].count == points.count
    return parts.map { part in
      var line = self
      (line.points, line.isClosed) = (part, isClosed && isWhole)
      return line
    }
  }

  private static func between(_ from: Point, _ to: Point, _ share: Double) -> Point {
    guard share > 0 else { return from }
    guard share < 1 else { return to }
    let t: Double? =
      if let first = from.t, let last = to.t { first + share * (last - first) } else { nil }
    return Point(
      x: from.x + share * (to.x - from.x), y: from.y + share * (to.y - from.y), t: t)
  }
}
