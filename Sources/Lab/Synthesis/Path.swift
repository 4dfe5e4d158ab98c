internal import CLibrary

/// A position in an ideal drawing: x to the right, y down, the whole shape within about 0...1.
typealias Vector = SIMD2<Double>

/// A position by its coordinates.
func at(_ x: Double, _ y: Double) -> Vector { Vector(x, y) }

/// The position at `degrees` on an ellipse: 0 is right, 90 is down, 270 is up.
func around(_ center: Vector, _ radii: Vector, _ degrees: Double) -> Vector {
  let angle = degrees * .pi / 180
  return center + radii * at(cos(angle), sin(angle))
}

extension SIMD2<Double> {
  var length: Double { (x * x + y * y).squareRoot() }

  /// The vector rotated by 90 degrees to its left, as seen on the screen.
  var left: Vector { Vector(y, -x) }

  func turned(degrees: Double) -> Vector {
    let (c, s) = (cos(degrees * .pi / 180), sin(degrees * .pi / 180))
    return Vector(x * c - y * s, x * s + y * c)
  }
}

/// An ideal stroke, before the imperfections of a hand.
///
/// The points of a curve are close enough that it turns little at each; a sharp turn is a corner.
struct Path: Sendable {
  /// The points in the order of drawing; one point alone is a dot.
  var points: [Vector]
  /// Whether the last point connects to the first, which is not repeated.
  var isClosed = false
  /// Whether it may equally be drawn from the other end.
  var isSymmetric = false

  /// A tap of the pen.
  static func dot(_ place: Vector) -> Path { Path(points: [place]) }

  /// Straight lines through `corners`.
  static func lines(_ corners: Vector...) -> Path { Path(points: corners) }

  /// Straight lines through `corners`.
  static func lines(_ corners: [Vector]) -> Path { Path(points: corners) }

  /// Straight lines through `corners` and back to the first.
  static func polygon(_ corners: Vector...) -> Path { Path(points: corners, isClosed: true) }

  /// Straight lines through `corners` and back to the first.
  static func polygon(_ corners: [Vector]) -> Path { Path(points: corners, isClosed: true) }

  /// The axis-aligned rectangle with the given edges.
  static func box(_ left: Double, _ top: Double, _ right: Double, _ bottom: Double) -> Path {
    .polygon(at(left, top), at(right, top), at(right, bottom), at(left, bottom))
  }

  /// A part of an ellipse; see `around` for the angles.
  static func arc(_ center: Vector, _ radii: Vector, from: Double, to: Double) -> Path {
    let count = max(4, Int(abs(to - from) / 6))
    return Path(
      points: (0...count).map {
        around(center, radii, from + (to - from) * Double($0) / Double(count))
      })
  }

  /// A whole ellipse.
  static func ellipse(_ center: Vector, _ radii: Vector) -> Path {
    Path(points: (0..<60).map { around(center, radii, Double($0) * 6) }, isClosed: true)
  }

  /// A whole circle.
  static func circle(_ center: Vector, _ radius: Double) -> Path {
    .ellipse(center, at(radius, radius))
  }

  /// A curve from `start` to `end` that bulges to its left by `height` times their distance.
  static func bow(_ start: Vector, _ end: Vector, _ height: Double) -> Path {
    let (along, aside) = (end - start, (end - start).left * height)
    return Path(
      points: (0...24).map {
        let u = Double($0) / 24
        // Flat curves are parabolas, high ones half ellipses, like the bumps of a cloud.
        return abs(height) < 0.3
          ? start + along * u + aside * (4 * u * (1 - u))
          : start + along * ((1 - cos(.pi * u)) / 2) + aside * sin(.pi * u)
      })
  }

  /// A smooth curve through `places` (Catmull and Rom 1974,
  /// doi:10.1016/B978-0-12-079050-0.50020-5).
  static func curve(_ places: [Vector], closed: Bool = false) -> Path {
    let count = places.count
    func place(_ index: Int) -> Vector {
      closed ? places[(index + count) % count] : places[min(max(index, 0), count - 1)]
    }
    var points: [Vector] = []
    for index in 0..<(closed ? count : count - 1) {
      let (a, b, c, d) = (place(index - 1), place(index), place(index + 1), place(index + 2))
      for step in 0..<12 {
        let u = Double(step) / 12
        let (linear, square, cubic) = (c - a, a * 2 - b * 5 + c * 4 - d, b * 3 - a - c * 3 + d)
        points.append((b * 2 + linear * u + square * (u * u) + cubic * (u * u * u)) / 2)
      }
    }
    if !closed { points.append(place(count - 1)) }
    return Path(points: points, isClosed: closed)
  }

  /// A smooth curve through `places`.
  static func curve(_ places: Vector..., closed: Bool = false) -> Path {
    .curve(places, closed: closed)
  }

  /// A sine wave of `waves` periods from `start` to `end`.
  static func wave(_ start: Vector, _ end: Vector, waves: Double, height: Double) -> Path {
    let count = max(16, Int(waves * 20))
    let aside = (end - start).left * height
    return Path(
      points: (0...count).map {
        let u = Double($0) / Double(count)
        return start + (end - start) * u + aside * sin(2 * .pi * waves * u)
      })
  }

  /// A spiral from the radius `inner` out to `outer`.
  static func spiral(
    _ center: Vector, inner: Double, outer: Double, turns: Double, from: Double
  ) -> Path {
    let count = Int(abs(turns) * 48)
    return Path(
      points: (0...count).map {
        let u = Double($0) / Double(count)
        let radius = inner + (outer - inner) * u
        return around(center, at(radius, radius), from + 360 * turns * u)
      })
  }

  /// Round bumps along an ellipse, one between each two adjacent `degrees`.
  static func bumps(_ center: Vector, _ radii: Vector, at degrees: [Double], height: Double) -> Path
  {
    let places = degrees.map { around(center, radii, $0) }
    return zip(places, places.dropFirst()).reduce(Path(points: [])) {
      $0 + .bow($1.0, $1.1, height)
    }
  }

  /// The two paths joined, with a straight line between them if they do not meet.
  static func + (first: Path, second: Path) -> Path {
    guard let end = first.points.last, let start = second.points.first,
      (end - start).length < 1e-9
    else { return Path(points: first.points + second.points) }
    return Path(points: first.points + second.points.dropFirst())
  }

  /// The same path, closed.
  var closed: Path {
    var result = self
    result.isClosed = true
    if let first = points.first, let last = points.last, points.count > 2,
      (first - last).length < 1e-9
    {
      result.points.removeLast()
    }
    return result
  }

  /// The same path, which may start at either end.
  var symmetric: Path {
    var result = self
    result.isSymmetric = true
    return result
  }

  /// The same path, reversed.
  var reversed: Path {
    var result = self
    result.points.reverse()
    return result
  }

  /// The path mirrored at the line x = `axis`.
  func mirrored(axis: Double = 0.5) -> Path {
    map { at(2 * axis - $0.x, $0.y) }
  }

  /// The path rotated clockwise about `center`.
  func turned(degrees: Double, about center: Vector = at(0.5, 0.5)) -> Path {
    map { center + ($0 - center).turned(degrees: degrees) }
  }

  /// The path with every point mapped.
  func map(_ transform: (Vector) -> Vector) -> Path {
    Path(points: points.map(transform), isClosed: isClosed, isSymmetric: isSymmetric)
  }
}
