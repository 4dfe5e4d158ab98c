internal import Ink

/// A polyline of a picture: a subpath, or a part of one.
struct SVGLine {
  /// In the picture's coordinates.
  var points: [Point]
  /// Whether it ends where it began because its shape says so.
  var isClosed: Bool
  /// Whether it has times, or is a point to which times were given.
  var isTimed: Bool
  /// The index of its shape in the order of painting.
  var shape: Int

  /// Whether all points are in one place.
  var isDot: Bool { points.allSatisfy { $0.x == points[0].x && $0.y == points[0].y } }

  /// Whether its points enclose an area: they are not all on one straight line.
  var hasArea: Bool {
    guard points.count > 2, let first = points.first,
      let far = points.max(by: { $0.distance(to: first) < $1.distance(to: first) })
    else { return false }
    let length = far.distance(to: first)
    return points.contains { point in
      let cross = (far.x - first.x) * (point.y - first.y) - (far.y - first.y) * (point.x - first.x)
      return abs(cross) > 1e-9 * length * length
    }
  }
}

/// How a shape was painted.
struct SVGShape {
  var stroke: SVGPaint
  var fill: SVGPaint
  /// The opacities of both, in 0...1.
  var strokeOpacity: Double
  var fillOpacity: Double
  /// The width of its lines in the picture's units.
  var width: Double
  var hasCaps: Bool
  var isEvenOdd: Bool
  var dashes: String?
  /// The index of what it is clipped to; nil if it is not.
  var clip: Int?
  /// Whether nothing says how it is painted.
  var isBare: Bool
  /// Whether it is known to cover the whole picture.
  var coversAll: Bool

  /// Whether a line of `other` that begins where one of this ends continues it: they differ by at
  /// most width and opacity, which programs change with the pen's pressure.
  func continues(in other: SVGShape) -> Bool {
    stroke != .none && stroke == other.stroke && hasCaps == other.hasCaps
      && dashes == other.dashes && clip == other.clip && (fill == .none) == (other.fill == .none)
  }
}
