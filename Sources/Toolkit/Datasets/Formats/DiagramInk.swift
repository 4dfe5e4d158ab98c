internal import CLibrary
internal import Ink
internal import Text

/// The strokes of diagrams, whose programs keep shapes by their corners.
struct DiagramInk {
  typealias Place = SIMD2<Double>

  /// The maximum number of strokes of a file: far above any diagram's, and few enough for the
  /// promise about memory in `docs/security.md`, as outlines have more points than corners.
  private static let mostStrokes = 1 << 15

  /// The strokes added since they were last taken.
  private var strokes: [Stroke] = []
  /// The number of all strokes that were added.
  private var count = 0

  /// Takes the strokes of a drawing; those of the next begin.
  mutating func takeStrokes() -> [Stroke] {
    defer { strokes = [] }
    return strokes
  }

  /// Adds a line through `places`, mapped by `transform`, as a stroke; nothing for no place.
  ///
  /// - Throws: `FormatFault` for a place out of the range of files, and too many strokes.
  mutating func add(_ places: [Place], _ transform: Transform = .identity) throws(FormatFault) {
    guard !places.isEmpty else { return }
    guard count < Self.mostStrokes else {
      throw FormatFault("it has more than \(grouped(Self.mostStrokes)) strokes")
    }
    var points: [Point] = []
    points.reserveCapacity(places.count)
    for place in places {
      let mapped = transform.applied(to: place)
      guard Point.readable.contains(mapped.x), Point.readable.contains(mapped.y) else {
        throw FormatFault(
          "stroke \(strokes.count), point \(points.count) is not within -1e100 to 1e100")
      }
      points.append(Point(x: mapped.x, y: mapped.y).flushed)
    }
    strokes.append(Stroke(points))
    count += 1
  }
}

/// Places along the outlines and curves of diagrams, in the order in which a pen draws them; closed
/// outlines end where they begin.
enum DiagramOutline {
  typealias Place = SIMD2<Double>

  /// The number of line segments of an ellipse: within about a thousandth of its width.
  private static let ellipseLines = 48
  /// The number of line segments of an arc.
  private static let arcLines = 16
  /// The number of line segments of a rounded corner.
  private static let cornerLines = 4

  /// An ellipse in a box from (0, 0) to `size`, from its right end clockwise.
  static func ellipse(_ size: Place) -> [Place] {
    (0...ellipseLines).map { index in
      let angle = 2 * Double.pi * Double(index % ellipseLines) / Double(ellipseLines)
      return size / 2 + size / 2 * Place(cos(angle), sin(angle))
    }
  }

  /// A polygon, given by its corners.
  static func polygon(_ corners: [Place]) -> [Place] { corners + corners.prefix(1) }

  /// A rectangle from (0, 0) to `size`.
  static func rectangle(_ size: Place) -> [Place] {
    polygon([.zero, Place(size.x, 0), size, Place(0, size.y)])
  }

  /// A polygon whose corners are rounded by curves that begin `radius` before them.
  static func rounded(_ corners: [Place], radius: Double) -> [Place] {
    guard radius > 0, corners.count > 2 else { return polygon(corners) }
    func toward(_ from: Place, _ to: Place) -> Place {
      let length = distance(from, to)
      return length > 0 ? from + (to - from) * min(radius / length, 0.5) : from
    }
    var places: [Place] = []
    for (index, corner) in corners.enumerated() {
      let before = toward(corner, corners[(index + corners.count - 1) % corners.count])
      let after = toward(corner, corners[(index + 1) % corners.count])
      for part in 0...cornerLines {
        let t = Double(part) / Double(cornerLines)
        let s = 1 - t
        places.append(before * (s * s) + corner * (2 * s * t) + after * (t * t))
      }
    }
    return polygon(places)
  }

  /// A smooth curve through `places`, the finer the fewer they are.
  ///
  /// Source: Catmull and Rom, "A class of local interpolating splines", Computer Aided Geometric
  /// Design, 1974, doi:10.1016/B978-0-12-079050-0.50020-5.
  static func curve(through places: [Place]) -> [Place] {
    guard places.count > 2 else { return places }
    let lines = max(1, min(16, 64 / (places.count - 1)))
    var curve = [places[0]]
    for index in 1..<places.count {
      let (a, b) = (places[index - 1], places[index])
      let before = places[max(0, index - 2)]
      let after = places[min(places.count - 1, index + 1)]
      let (first, second) = (a + (b - before) / 6, b - (after - a) / 6)
      for part in 1..<lines {
        let t = Double(part) / Double(lines)
        let s = 1 - t
        let sum = a * (s * s * s) + first * (3 * s * s * t) + second * (3 * s * t * t)
        curve.append(sum + b * (t * t * t))
      }
      curve.append(b)
    }
    return curve
  }

  /// The circular arc from `start` through `middle`, which is equidistant from both ends, to `end`;
  /// straight lines if the three points are nearly collinear.
  static func arc(from start: Place, by middle: Place, to end: Place) -> [Place] {
    let half = (end - start) / 2
    let rise = middle - (start + half)
    let (chord, height) = (distance(.zero, half), distance(.zero, rise))
    guard chord > 0, height > 0 else { return [start, end] }
    // The angle at the center between the middle and an end.
    let angle = 2 * atan2(height, chord)
    let radius = chord / sin(angle)
    guard radius.isFinite, abs(sin(angle)) > 1e-9 else { return [start, middle, end] }
    let center = middle - rise / height * radius
    return (0...arcLines).map { index in
      if index == 0 { return start }
      if index == arcLines { return end }
      let turn = angle * (2 * Double(index) / Double(arcLines) - 1)
      return center + radius * (rise / height * cos(turn) + half / chord * sin(turn))
    }
  }

  /// The head of an arrow that ends at the last of `places`.
  ///
  /// - Parameters:
  ///   - kind: Its name in Excalidraw or tldraw; an unknown one is drawn as two barbs.
  ///   - places: The arrow's shaft.
  ///   - size: The length of the barbs; at most half of the shaft's last line.
  /// - Returns: The head's line; none for a shaft without a direction.
  static func arrowhead(_ kind: String, of places: [Place], size: Double) -> [Place] {
    guard let tip = places.last, let from = places.last(where: { $0 != tip }) else { return [] }
    let length = distance(from, tip)
    let along = (from - tip) / length * min(size, length / 2)
    let across = Place(-along.y, along.x)
    // 20 degrees to either side.
    let barbs = (tip + along * 0.94 + across * 0.342, tip + along * 0.94 - across * 0.342)
    switch kind {
    case "bar", "pipe": return [tip + across / 2, tip - across / 2]
    case "dot", "circle", "circle_outline":
      let diameter = distance(.zero, along)
      let corner = tip + along / 2 - Place(diameter, diameter) / 2
      return ellipse(Place(diameter, diameter)).map { $0 + corner }
    case "diamond", "diamond_outline":
      return polygon([tip, tip + along / 2 + across / 3, tip + along, tip + along / 2 - across / 3])
    case "square":
      return polygon([
        tip + across / 2, tip + along + across / 2, tip + along - across / 2, tip - across / 2,
      ])
    case "triangle", "triangle_outline": return polygon([barbs.0, tip, barbs.1])
    case "inverted":
      return polygon([tip + across * 0.342, tip + along * 0.94, tip - across * 0.342])
    default: return [barbs.0, tip, barbs.1]
    }
  }

  /// The distance between two places.
  static func distance(_ a: Place, _ b: Place) -> Double {
    let d = b - a
    return (d.x * d.x + d.y * d.y).squareRoot()
  }

  /// The smallest box around `places`: its upper left and lower right corners; nil for none.
  static func box(of places: [Place]) -> (lower: Place, upper: Place)? {
    guard let first = places.first else { return nil }
    return places.reduce((first, first)) {
      (pointwiseMin($0.0, $1), pointwiseMax($0.1, $1))
    }
  }
}
