internal import CLibrary
public import Ink
public import Vectorizing

/// Finds a sheet of paper in a photo: four straight edges that enclose what looks like a rectangle
/// from an angle.
///
/// The steps: lines by the Hough transform of the edges (Duda and Hart, "Use of the Hough
/// Transformation to Detect Lines and Curves in Pictures", 1972, DOI 10.1145/361237.361242), each
/// edge voting for the direction of its gradient alone; quadrilaterals of two pairs of lines; the
/// one with the largest area for which the picture has an edge along all four sides; its sides
/// fitted again, at full size.
public struct PageFinder: Sendable, Equatable {
  /// The least ratio of the shorter sides to the longer ones.
  public var minimumAspectRatio: Double
  /// The least length of a side, as a share of the picture's smaller side.
  public var minimumSize: Double
  /// How far a corner may be from a right angle, in degrees.
  public var quadratureTolerance: Double
  /// The least confidence in a page: the share of its outline along which the picture has an edge.
  public var minimumConfidence: Double

  /// A finder; the limits are those of the page as it looks in the picture.
  public init(
    minimumAspectRatio: Double = 0.5, minimumSize: Double = 0.2, quadratureTolerance: Double = 20,
    minimumConfidence: Double = 0.5
  ) {
    self.minimumAspectRatio = minimumAspectRatio
    self.minimumSize = minimumSize
    self.quadratureTolerance = quadratureTolerance
    self.minimumConfidence = minimumConfidence
  }

  /// A sheet of paper in a picture.
  public struct Page: Sendable, Equatable {
    /// Its corners in the picture's pixels, clockwise from the one that is nearest to the
    /// picture's top left corner.
    public var corners: [Point]
    /// How sure it is that this is a page, in 0...1.
    public var confidence: Double
  }

  /// The rows or columns to which a picture is reduced before lines are sought.
  private static let side = 360

  /// The page in a picture that is largest and surest; nil if it shows none within the limits.
  public func callAsFunction(_ picture: GrayPicture) -> Page? {
    let small = picture.reduced(toSide: Self.side)
    guard small.width > 16, small.height > 16 else { return nil }
    let edges = EdgePicture(small)
    let lines = edges.lines()
    var best: (corners: [Point], confidence: Double, worth: Double)?
    let whole = Double(small.width * small.height)
    for corners in Self.quadrilaterals(of: lines, in: small) where isAllowed(corners, in: small) {
      let size = 0.3 + (corners.polygonArea / whole).squareRoot()
      // Full edge support could not beat the best.
      if let best, size <= best.worth { continue }
      let sides = Self.sides(of: corners).map { edges.support(from: $0, to: $1) }
      let confidence = sides.reduce(0, +) / 4
      // A side that is not there at all is not made up for by others.
      guard confidence >= minimumConfidence, let least = sides.min(), least > 0.25 else { continue }
      // Sides that are a little askew enclose more, but follow the edges less.
      let worth = confidence * confidence * size
      guard best.map({ worth > $0.worth }) ?? true, Self.isPaper(corners, in: small) else {
        continue
      }
      best = (corners, confidence, worth)
    }
    guard let best else { return nil }
    let factor = (
      Double(picture.width) / Double(small.width), Double(picture.height) / Double(small.height)
    )
    let scaled = best.corners.map { Point(x: $0.x * factor.0, y: $0.y * factor.1) }
    let corners = Self.refined(scaled, in: picture, reach: 2.5 * factor.0)
    guard corners.isConvex, isAllowed(corners, in: picture) else { return nil }
    let origin = Point(x: 0, y: 0)
    let first =
      corners.indices.min {
        corners[$0].distance(to: origin) < corners[$1].distance(to: origin)
      } ?? 0
    return Page(
      corners: Array(corners[first...] + corners[..<first]), confidence: best.confidence)
  }

  /// Whether what is within a quadrilateral differs in tone from what is around it: paper from what
  /// it lies on. Print, and a line that is drawn, have paper on both sides.
  private static func isPaper(_ corners: [Point], in picture: GrayPicture) -> Bool {
    // Ink lies within the bright tones of a band along a side.
    func bright(from start: Point, to end: Point, _ offsets: [Double]) -> Double {
      let length = start.distance(to: end)
      let normal = Point(x: -(end.y - start.y) / length, y: (end.x - start.x) / length)
      let tones = stride(from: 0.1, to: 0.9, by: 0.02).flatMap { share in
        offsets.map { offset in
          picture.tone(
            at: Point(
              x: start.x + share * (end.x - start.x) + offset * normal.x,
              y: start.y + share * (end.y - start.y) + offset * normal.y))
        }
      }.sorted()
      return tones[tones.count * 4 / 5]
    }
    // The fourth side may lie on something as bright.
    return sides(of: corners).count { start, end in
      abs(bright(from: start, to: end, [3, 5, 7]) - bright(from: start, to: end, [-3, -5, -7])) > 8
    } >= 3
  }

  private static func sides(of corners: [Point]) -> [(Point, Point)] {
    corners.indices.map { (corners[$0], corners[($0 + 1) % corners.count]) }
  }

  /// Quadrilaterals between two lines in about one direction and two across, clockwise.
  private static func quadrilaterals(
    of lines: [EdgePicture.Line], in picture: GrayPicture
  ) -> [[Point]] {
    var pairs: [(EdgePicture.Line, EdgePicture.Line)] = []
    for (index, line) in lines.enumerated() {
      for other in lines[(index + 1)...] where line.angle(to: other) < 45 {
        pairs.append((line, other))
      }
    }
    var found: [[Point]] = []
    let room = 0.05 * Double(max(picture.width, picture.height))
    let (width, height) = (Double(picture.width), Double(picture.height))
    for (index, one) in pairs.enumerated() {
      for other in pairs[(index + 1)...] where one.0.angle(to: other.0) > 45 {
        let crossings = [
          one.0.crossing(with: other.0), one.0.crossing(with: other.1),
          one.1.crossing(with: other.1), one.1.crossing(with: other.0),
        ].compactMap(\.self)
        guard crossings.count == 4,
          crossings.allSatisfy({
            $0.x > -room && $0.y > -room && $0.x < width + room && $0.y < height + room
          })
        else { continue }
        let corners = crossings.clockwise()
        if corners.isConvex { found.append(corners) }
      }
    }
    return found
  }

  /// Whether a quadrilateral keeps the limits of aspect, size and angles.
  private func isAllowed(_ corners: [Point], in picture: GrayPicture) -> Bool {
    let lengths = Self.sides(of: corners).map { $0.distance(to: $1) }
    let (across, down) = (lengths[0] + lengths[2], lengths[1] + lengths[3])
    guard min(across, down) >= minimumAspectRatio * max(across, down),
      let least = lengths.min(),
      least >= minimumSize * Double(min(picture.width, picture.height))
    else { return false }
    return corners.indices.allSatisfy { index in
      let (a, b, c) = (corners[index], corners[(index + 1) % 4], corners[(index + 2) % 4])
      let (u, v) = ((a.x - b.x, a.y - b.y), (c.x - b.x, c.y - b.y))
      let cosine =
        (u.0 * v.0 + u.1 * v.1) / (hypot(u.0, u.1) * hypot(v.0, v.1))
      return abs(90 - acos(max(-1, min(1, cosine))) * 180 / .pi) <= quadratureTolerance
    }
  }

  /// The corners where lines cross that are fitted to the steepest places near the sides.
  private static func refined(
    _ corners: [Point], in picture: GrayPicture, reach: Double
  ) -> [Point] {
    var lines: [EdgePicture.Line] = []
    for (start, end) in sides(of: corners) {
      guard let line = edge(from: start, to: end, in: picture, reach: reach) else {
        return corners
      }
      lines.append(line)
    }
    // A side and the one before it meet at the corner that the side begins with.
    let crossings = corners.indices.map { lines[($0 + 3) % 4].crossing(with: lines[$0]) }
    return zip(corners, crossings).map { corner, crossing in
      guard let crossing, crossing.distance(to: corner) < 3 * reach else { return corner }
      return crossing
    }
  }

  /// The line through the steepest places near a side.
  private static func edge(
    from start: Point, to end: Point, in picture: GrayPicture, reach: Double
  ) -> EdgePicture.Line? {
    let length = start.distance(to: end)
    guard length > 8 else { return nil }
    let normal = Point(x: -(end.y - start.y) / length, y: (end.x - start.x) / length)
    let steps = Int((2 * reach).rounded(.up))
    // Corners are rounder than the sides between them.
    var places: [Point] = []
    for number in 3...57 {
      let share = Double(number) / 60
      let middle = Point(
        x: start.x + share * (end.x - start.x), y: start.y + share * (end.y - start.y))
      func tone(_ offset: Double) -> Double {
        picture.tone(
          at: Point(x: middle.x + offset * normal.x, y: middle.y + offset * normal.y))
      }
      var (steepest, place) = (0.0, 0.0)
      for step in -steps...steps {
        let offset = Double(step) / 2
        let slope = abs(tone(offset + 1) - tone(offset - 1))
        if slope > steepest { (steepest, place) = (slope, offset) }
      }
      if steepest > 8 {
        places.append(Point(x: middle.x + place * normal.x, y: middle.y + place * normal.y))
      }
    }
    return EdgePicture.Line(through: places)
  }
}
