extension Stroke {
  /// The stroke without the points that lie within `tolerance` of the line through those kept.
  ///
  /// The method is Ramer's (1972, doi:10.1016/S0146-664X(72)80017-0) and Douglas and Peucker's
  /// (1973, doi:10.3138/FM57-6770-U75U-7727). Quick, Draw! simplified its drawings with tolerance 2
  /// in a square of
  /// 256. The first and the last point stay.
  ///
  /// - Parameter tolerance: The largest distance from a dropped point to the segment that replaces
  ///   it, in the drawing's units; 0 drops only what lies exactly on a line.
  /// - Returns: The stroke through the points kept.
  /// - Complexity: O(*n* log *n*), also in the worst case: once splits that cut off less than one
  ///   point in 16 have cost 64 tests per point, such splits are made at the middle instead, which
  ///   keeps a few more points.
  public func simplified(tolerance: Double) -> Stroke {
    precondition(tolerance >= 0, "the tolerance must not be negative, got \(tolerance)")
    guard points.count > 2 else { return self }
    var keeps = [Bool](repeating: false, count: points.count)
    keeps[0] = true
    keeps[points.count - 1] = true
    var budget = 64 * points.count
    var open = [(0, points.count - 1)]
    while let (first, last) = open.popLast() {
      guard last - first > 1 else { continue }
      let (farthest, distance) = farthestPoint(first, last)
      guard distance > tolerance else { continue }
      var split = farthest
      if min(split - first, last - split) < (last - first) / 16 {
        if budget < 0 { split = (first + last) / 2 } else { budget -= last - first }
      }
      keeps[split] = true
      open.append((first, split))
      open.append((split, last))
    }
    return Stroke(zip(points, keeps).lazy.filter(\.1).map(\.0))
  }

  /// The point between `first` and `last` that is farthest from the segment between them, and its
  /// distance.
  private func farthestPoint(_ first: Int, _ last: Int) -> (index: Int, distance: Double) {
    let segment = LineSegment(points[first], points[last])
    var (farthest, distance) = (first, -1.0)
    for index in (first + 1)..<last {
      let found = segment.distance(to: points[index])
      if found > distance { (farthest, distance) = (index, found) }
    }
    return (farthest, distance)
  }
}

extension Drawing {
  /// The drawing with every stroke simplified: see `Stroke.simplified(tolerance:)`.
  public func simplified(tolerance: Double) -> Drawing {
    var result = self
    for index in strokes.indices {
      result.strokes[index] = strokes[index].simplified(tolerance: tolerance)
    }
    return result
  }
}

/// A straight line between two points.
private struct LineSegment {
  let start: Point
  let dx: Double
  let dy: Double
  /// The larger of |dx| and |dy|: dividing by it first makes squaring safe from overflow.
  let size: Double
  /// (dx² + dy²) / size², in 1...2.
  let square: Double

  init(_ start: Point, _ end: Point) {
    self.start = start
    dx = end.x - start.x
    dy = end.y - start.y
    size = max(abs(dx), abs(dy))
    let (x, y) = size > 0 ? (dx / size, dy / size) : (0, 0)
    square = x * x + y * y
  }

  func distance(to point: Point) -> Double {
    let (px, py) = (point.x - start.x, point.y - start.y)
    guard size > 0 else { return length(px, py) }
    let along = ((px / size) * (dx / size) + (py / size) * (dy / size)) / square
    let fraction = max(0, min(1, along))
    return length(px - fraction * dx, py - fraction * dy)
  }

  private func length(_ x: Double, _ y: Double) -> Double {
    let size = max(abs(x), abs(y))
    guard size > 0, size.isFinite else { return size }
    let (x, y) = (x / size, y / size)
    return size * (x * x + y * y).squareRoot()
  }
}
