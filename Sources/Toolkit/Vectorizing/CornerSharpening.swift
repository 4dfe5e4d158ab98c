internal import Ink

extension TracedLine {
  /// The line with sharp corners restored, which ink, thinning and smoothing have rounded.
  ///
  /// A corner is where nearly all turning happens within a stroke's width, between two straight
  /// sides; its tip is where the sides meet. Even turns, as in a small circle, stay round.
  ///
  /// - Parameters:
  ///   - strokeWidth: The width of the ink, in point spacings.
  ///   - leastTurn: The minimum turn of a corner, in radians.
  /// - Returns: The line, in which the tip replaces each corner's points.
  func sharpened(strokeWidth: Double, leastTurn: Double = 0.7) -> TracedLine {
    let core = max(2, Int((strokeWidth / 2).rounded()))
    let side = max(4, Int(strokeWidth.rounded()))
    let count = points.count
    guard count > 2 * (core + 4) else { return self }
    func at(_ index: Int) -> Point {
      points[isClosed ? (index % count + count) % count : max(0, min(count - 1, index))]
    }
    func direction(_ from: Int, _ to: Int) -> Direction {
      let (a, b) = (at(from), at(to))
      return Direction(x: b.x - a.x, y: b.y - a.y)
    }
    var corners: [(turn: Double, index: Int, tip: Point)] = []
    for index in points.indices {
      // Near the ends of an open line the sides are shorter.
      let before = isClosed ? side : min(side, index - core)
      let behind = isClosed ? side : min(side, count - 1 - index - core)
      guard before >= 4, behind >= 4 else { continue }
      let (inner, outer) = (index - core, index + core)
      let arriving = direction(inner - before, inner)
      let leaving = direction(outer, outer + behind)
      let turn = arriving.angle(to: leaving)
      guard turn > leastTurn, turn < 2.9 else { continue }
      let bend =
        direction(inner - before, inner - before / 2).angle(
          to: direction(inner - before / 2, inner))
        + direction(outer, outer + behind / 2)
        .angle(to: direction(outer + behind / 2, outer + behind))
      guard bend < 0.25 * turn,
        let tip = Self.meeting(at(inner), arriving, at(outer), leaving),
        tip.distance(to: at(index)) < strokeWidth
      else { continue }
      corners.append((turn, index, tip))
    }
    corners.sort { ($0.turn, $1.index) > ($1.turn, $0.index) }
    var tips: [Int: Point] = [:]
    var isTaken = [Bool](repeating: false, count: count)
    for corner in corners {
      let range = (corner.index - core)...(corner.index + core)
      let places = range.map { isClosed ? ($0 % count + count) % count : $0 }
      guard places.allSatisfy({ !isTaken[$0] }) else { continue }
      for place in places { isTaken[place] = true }
      tips[corner.index] = corner.tip
    }
    let kept = points.indices.compactMap { index in
      tips[index] ?? (isTaken[index] ? nil : points[index])
    }
    return TracedLine(points: kept, isClosed: isClosed)
  }

  /// Where the line through `a` along `forwards` meets the one through `b` along `onwards`, if that
  /// is ahead of `a` and behind `b`.
  private static func meeting(
    _ a: Point, _ forwards: Direction, _ b: Point, _ onwards: Direction
  ) -> Point? {
    let cross = forwards.x * onwards.y - forwards.y * onwards.x
    guard abs(cross) > 1e-9 else { return nil }
    let (dx, dy) = (b.x - a.x, b.y - a.y)
    let ahead = (dx * onwards.y - dy * onwards.x) / cross
    let behind = (dx * forwards.y - dy * forwards.x) / cross
    guard ahead > 0, behind < 0 else { return nil }
    return Point(x: a.x + forwards.x * ahead, y: a.y + forwards.y * ahead)
  }
}
