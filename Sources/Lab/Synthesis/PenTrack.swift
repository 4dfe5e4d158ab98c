internal import CLibrary
internal import Numbers

/// A stroke being turned from ideal to hand-drawn: points at small even steps, and its corners.
struct PenTrack {
  /// The points, about `step` apart.
  var points: [Vector]
  /// Indices of the first point, of every corner, and of the last point; ascending.
  private(set) var knots: [Int]

  /// The distance between neighbors, as a fraction of the shape's size.
  static let step = 0.008
  /// The minimum turn of a corner, in degrees.
  private static let cornerDegrees = 32.0

  /// Resamples an open path, or an opened one, of two points or more.
  init(_ path: [Vector]) {
    var corners = [0]
    for index in path.indices.dropFirst().dropLast()
    where Self.turn(path[index - 1], path[index], path[index + 1]) > Self.cornerDegrees {
      corners.append(index)
    }
    corners.append(path.count - 1)
    points = [path[0]]
    knots = [0]
    for (start, end) in zip(corners, corners.dropFirst()) {
      points += Self.even(path[start...end]).dropFirst()
      knots.append(points.count - 1)
    }
  }

  /// The angle in degrees by which the path a–b–c turns at b.
  static func turn(_ a: Vector, _ b: Vector, _ c: Vector) -> Double {
    let (u, v) = (b - a, c - b)
    let (cross, dot) = (u.x * v.y - u.y * v.x, u.x * v.x + u.y * v.y)
    return abs(atan2(cross, dot)) * 180 / .pi
  }

  /// A section of the path resampled at equal steps, keeping its ends.
  private static func even(_ path: ArraySlice<Vector>) -> [Vector] {
    var lengths = [0.0]
    for (a, b) in zip(path, path.dropFirst()) {
      lengths.append(lengths[lengths.count - 1] + (b - a).length)
    }
    let total = lengths[lengths.count - 1]
    let count = max(1, Int((total / step).rounded()))
    var segment = 0
    return (0...count).map { index in
      let target = total * Double(index) / Double(count)
      while segment < lengths.count - 2, lengths[segment + 1] < target { segment += 1 }
      let (a, b) = (path[path.startIndex + segment], path[path.startIndex + segment + 1])
      let width = lengths[segment + 1] - lengths[segment]
      return a + (b - a) * (width > 0 ? min(1, (target - lengths[segment]) / width) : 0)
    }
  }

  /// The length of the line.
  var length: Double { zip(points, points.dropFirst()).reduce(0) { $0 + ($1.1 - $1.0).length } }

  /// Displaces the corners and ends at random; the lines between them follow and bend.
  mutating func displaceCorners(
    by corners: Double, bow: Double, using generator: inout SeededGenerator
  ) {
    let runs = zip(knots, knots.dropFirst()).map { Double($1 - $0) * Self.step }
    let shifts = knots.indices.map { knot in
      let reach = min(
        knot > 0 ? runs[knot - 1] : runs[0], knot < runs.count ? runs[knot] : runs[knot - 1], 0.6)
      return at(
        generator.normal(deviation: corners * reach), generator.normal(deviation: corners * reach))
    }
    let original = points
    for run in runs.indices {
      let (start, end) = (knots[run], knots[run + 1])
      let aside = (original[end] - original[start]).left
      let (arch, swing) = (generator.normal(deviation: bow), generator.normal(deviation: bow / 2))
      for index in start...end {
        let u = end > start ? Double(index - start) / Double(end - start) : 0
        points[index] =
          original[index] + shifts[run] * (1 - u) + shifts[run + 1] * u
          + aside * (arch * 4 * u * (1 - u) + swing * sin(2 * .pi * u))
      }
    }
  }

  /// Rounds corners as fast drawing does; `width` is the reach of the rounding.
  mutating func round(_ width: Double) {
    let reach = width / Self.step
    guard reach > 0.3, points.count > 4 else { return }
    let radius = min(Int((reach * 3).rounded(.up)), points.count - 1)
    let weights = (-radius...radius).map { exp(-0.5 * pow(Double($0) / reach, 2)) }
    let last = points.count - 1
    let original = points
    for index in points.indices {
      var (sum, total) = (Vector.zero, 0.0)
      for (offset, weight) in zip(-radius...radius, weights) {
        let other = index + offset
        // Beyond the ends the line is continued by point reflection, so that the ends stay in
        // place.
        let place =
          other < 0
          ? original[0] * 2 - original[min(-other, last)]
          : other > last ? original[last] * 2 - original[max(0, 2 * last - other)] : original[other]
        sum += place * weight
        total += weight
      }
      points[index] = sum / total
    }
  }

  /// Extends the end by `length` in its direction, or shortens it if `length` is negative.
  mutating func extend(by length: Double) {
    let steps = Int((abs(length) / Self.step).rounded())
    guard steps > 0, points.count > 3 else { return }
    if length < 0 {
      points.removeLast(min(steps, points.count / 8))
    } else {
      let last = points[points.count - 1]
      let direction = last - points[points.count - 1 - min(4, points.count - 1)]
      guard direction.length > 1e-9 else { return }
      let unit = direction / direction.length
      for step in 1...steps { points.append(last + unit * (Self.step * Double(step))) }
    }
    knots = knots.filter { $0 < points.count - 1 } + [points.count - 1]
  }

  /// Maps every point.
  mutating func move(_ transform: (Int, Vector) -> Vector) {
    for index in points.indices { points[index] = transform(index, points[index]) }
  }
}
