internal import CLibrary
internal import Ink

extension [Point] {
  /// The points in clockwise order on screen, where y grows downwards, around their middle.
  func clockwise() -> [Point] {
    let middle = Point(
      x: reduce(0) { $0 + $1.x } / Double(count), y: reduce(0) { $0 + $1.y } / Double(count))
    return sorted { a, b in
      atan2(a.y - middle.y, a.x - middle.x) < atan2(b.y - middle.y, b.x - middle.x)
    }
  }

  /// Whether the polygon through the points, in order, bends one way at each.
  var isConvex: Bool {
    let turns = indices.map { index in
      let (a, b, c) = (self[index], self[(index + 1) % count], self[(index + 2) % count])
      return (b.x - a.x) * (c.y - b.y) - (b.y - a.y) * (c.x - b.x)
    }
    return turns.allSatisfy { $0 > 0 } || turns.allSatisfy { $0 < 0 }
  }

  /// The area of the polygon through the points, in order.
  var polygonArea: Double {
    abs(
      indices.reduce(0) { sum, index in
        let (a, b) = (self[index], self[(index + 1) % count])
        return sum + a.x * b.y - a.y * b.x
      }) / 2
  }

  /// Whether three of four points lie on a line, or two are one.
  var hasThreeOnLine: Bool {
    indices.contains { left in
      let three = indices.filter { $0 != left }.map { self[$0] }
      let (a, b, c) = (three[0], three[1], three[2])
      let area = (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x)
      let side = Swift.max(a.distance(to: b), b.distance(to: c), c.distance(to: a))
      return abs(area) <= 1e-9 * side * side
    }
  }
}
