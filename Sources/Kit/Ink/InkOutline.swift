/// A stroke's line as a few equidistant points, for measuring distances between strokes.
public struct InkOutline: Hashable, Sendable {
  /// The points from the stroke's beginning to its end; one for a dot.
  public let points: [Point]
  /// The box around them.
  public let box: BoundingBox

  /// The outline of `stroke`, or nil if it has no point or a non-finite coordinate.
  ///
  /// - Parameters:
  ///   - stroke: Any stroke.
  ///   - count: The maximum number of points, at least 2.
  public init?(_ stroke: Stroke, count: Int = 24) {
    precondition(count >= 2, "an outline has 2 points or more, got \(count)")
    guard stroke.points.allSatisfy({ $0.x.isFinite && $0.y.isFinite }),
      let first = stroke.points.first, let whole = BoundingBox(stroke.points)
    else { return nil }
    guard max(whole.width, whole.height) > 0 else {
      (points, box) = ([first], whole)
      return
    }
    let few = stroke.points.count <= count ? stroke : stroke.resampled(count: count)
    (points, box) = (few.points, BoundingBox(few.points) ?? whole)
  }

  /// The outline with every point mapped.
  public func transformed(by transform: Transform) -> InkOutline {
    InkOutline(mapped: points.map { transform($0) }, instead: box)
  }

  private init(mapped points: [Point], instead box: BoundingBox) {
    self.points = points
    self.box = BoundingBox(points) ?? box
  }

  /// The least distance between the two lines: 0 where they touch or cross.
  ///
  /// - Parameters:
  ///   - other: Another outline.
  ///   - limit: If the distance is not below this, any number not below it may be returned.
  /// - Returns: The distance, in the drawing’s units.
  /// - Complexity: O(*n* · *m*) in the numbers of points.
  public func distance(to other: InkOutline, below limit: Double = .infinity) -> Double {
    let apart = box.gap(to: other.box)
    guard apart < limit else { return apart }
    var least = limit
    for i in 0..<max(1, points.count - 1) {
      let (a, b) = (points[i], points[min(i + 1, points.count - 1)])
      for j in 0..<max(1, other.points.count - 1) {
        let (c, d) = (other.points[j], other.points[min(j + 1, other.points.count - 1)])
        least = min(least, Self.distance(a, b, c, d, below: least))
      }
      if least == 0 { return 0 }
    }
    return least
  }

  /// The least distance from the line to a point.
  public func distance(to point: Point) -> Double {
    guard points.count > 1 else { return point.distance(to: points[0]) }
    return zip(points, points.dropFirst()).reduce(.infinity) {
      min($0, point.distance(toLineFrom: $1.0, to: $1.1))
    }
  }

  /// The least distance of the lines from `a` to `b` and from `c` to `d`.
  private static func distance(
    _ a: Point, _ b: Point, _ c: Point, _ d: Point, below limit: Double
  ) -> Double {
    let across = max(
      max(min(a.x, b.x) - max(c.x, d.x), min(c.x, d.x) - max(a.x, b.x)),
      max(min(a.y, b.y) - max(c.y, d.y), min(c.y, d.y) - max(a.y, b.y)))
    guard across < limit else { return across }
    if across <= 0, crosses(a, b, c, d) { return 0 }
    return min(
      min(a.distance(toLineFrom: c, to: d), b.distance(toLineFrom: c, to: d)),
      min(c.distance(toLineFrom: a, to: b), d.distance(toLineFrom: a, to: b)))
  }

  private static func crosses(_ a: Point, _ b: Point, _ c: Point, _ d: Point) -> Bool {
    func side(_ p: Point, _ q: Point, _ r: Point) -> Double {
      (q.x - p.x) * (r.y - p.y) - (q.y - p.y) * (r.x - p.x)
    }
    return side(a, b, c) * side(a, b, d) < 0 && side(c, d, a) * side(c, d, b) < 0
  }
}

extension Point {
  /// The distance to the nearest point of the line between `start` and `end`.
  func distance(toLineFrom start: Point, to end: Point) -> Double {
    let (dx, dy) = (end.x - start.x, end.y - start.y)
    let square = dx * dx + dy * dy
    guard square > 0 else { return distance(to: start) }
    let share = max(0, min(1, ((x - start.x) * dx + (y - start.y) * dy) / square))
    return distance(to: Point(x: start.x + dx * share, y: start.y + dy * share))
  }
}

extension BoundingBox {
  /// The larger side.
  public var longerSide: Double { max(width, height) }

  /// The least distance between the two boxes: 0 where they touch or overlap.
  public func gap(to other: BoundingBox) -> Double {
    let dx = max(0, max(x - (other.x + other.width), other.x - (x + width)))
    let dy = max(0, max(y - (other.y + other.height), other.y - (y + height)))
    return (dx * dx + dy * dy).squareRoot()
  }

  /// The area that both boxes cover.
  public func overlap(with other: BoundingBox) -> Double {
    let across = min(x + width, other.x + other.width) - max(x, other.x)
    let down = min(y + height, other.y + other.height) - max(y, other.y)
    return across > 0 && down > 0 ? across * down : 0
  }
}
