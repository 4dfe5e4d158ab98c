internal import CLibrary
internal import Ink
internal import Text

/// Lines and curves as SVG draws them, which become polylines once the size of all is known.
struct SVGOutline {
  typealias Place = SIMD2<Double>

  /// A piece of a line; it begins where the piece before it ends.
  private enum Piece {
    case move(Place)
    case line(Place)
    /// A cubic Bézier curve with two control points.
    case curve(Place, Place, Place)
    /// A line to where the subpath began, which ends it.
    case close(Place)
  }

  /// The maximum number of pieces and of points of all strokes: far above any drawing's, and few
  /// enough for the promise about memory in `docs/security.md`.
  private static let mostPieces = 1 << 18
  private static let mostPoints = 1 << 19

  private var pieces: [Piece] = []
  /// The number of pieces before each shape.
  private var beginnings: [Int] = []
  /// The times of a stroke's points in milliseconds, by the index of its first piece.
  private var times: [Int: [Double]] = [:]
  private var lower = Place(repeating: .infinity)
  private var upper = Place(repeating: -.infinity)

  /// Where the pen is in the current element's coordinates, and where its subpath began.
  private(set) var pen = Place.zero
  private var start = Place.zero
  /// Whether the subpath was closed: what is drawn then is a new one, from the same start.
  private var isClosed = false
  /// The map from the current element's coordinates to the picture's.
  var transform = Transform.identity

  /// Begins a shape, to which what is drawn belongs; shapes are numbered from 0.
  mutating func beginShape() {
    beginnings.append(pieces.count)
    (pen, start, isClosed) = (.zero, .zero, false)
  }

  mutating func move(to place: Place) throws(FormatFault) {
    (pen, start, isClosed) = (place, place, false)
    try append(.move(mapped(place)))
  }

  mutating func line(to place: Place) throws(FormatFault) {
    try beginAgain()
    try append(.line(mapped(place)))
    pen = place
  }

  mutating func curve(_ first: Place, _ second: Place, to place: Place) throws(FormatFault) {
    try beginAgain()
    try append(.curve(mapped(first), mapped(second), mapped(place)))
    pen = place
  }

  /// A quadratic Bézier curve, as the cubic one that equals it.
  mutating func curve(_ control: Place, to place: Place) throws(FormatFault) {
    try curve(pen + (control - pen) * (2 / 3), place + (control - place) * (2 / 3), to: place)
  }

  /// An elliptic arc as cubic curves, a quarter of the ellipse each at most.
  ///
  /// Source: Scalable Vector Graphics 2, appendix B.2, "Elliptical arc parameterization".
  mutating func arc(
    radii: Place, degrees: Double, isLarge: Bool, isClockwise: Bool, to end: Place
  ) throws(FormatFault) {
    var (rx, ry) = (abs(radii.x), abs(radii.y))
    guard end != pen else { return }
    guard rx > 0, ry > 0 else { return try line(to: end) }
    let tilt = degrees * .pi / 180
    let turned = Transform.rotation(tilt)
    let half = Transform.rotation(-tilt).applied(to: (pen - end) / 2)
    // In units of the radii, so that their squares stay in range. Radii that are too small to reach
    // are scaled up.
    var unit = Place(half.x / rx, half.y / ry)
    var reach = unit.x * unit.x + unit.y * unit.y
    guard reach > 0, reach.isFinite else { return try line(to: end) }
    if reach > 1 {
      let factor = reach.squareRoot()
      (rx, ry, unit, reach) = (rx * factor, ry * factor, unit / factor, 1)
    }
    let sign: Double = isLarge == isClockwise ? -1 : 1
    let offset =
      Place(rx * unit.y, -ry * unit.x) * (sign * max(0, 1 / reach - 1).squareRoot())
    let center = turned.applied(to: offset) + (pen + end) / 2
    func angle(_ place: Place) -> Double { atan2(place.y / ry, place.x / rx) }
    let first = angle(half - offset)
    var sweep = angle(-half - offset) - first
    if isClockwise, sweep < 0 { sweep += 2 * .pi }
    if !isClockwise, sweep > 0 { sweep -= 2 * .pi }
    guard sweep.isFinite, center.x.isFinite, center.y.isFinite else { return try line(to: end) }
    let count = max(1, Int((abs(sweep) / (.pi / 2) - 1e-9).rounded(.up)))
    let step = sweep / Double(count)
    let handle = 4 / 3 * tan(step / 4)
    for index in 0..<count {
      let (from, to) = (first + step * Double(index), first + step * Double(index + 1))
      func place(_ angle: Double, handle: Double) -> Place {
        let (sine, cosine) = (sin(angle), cos(angle))
        return center
          + turned.applied(to: Place(rx * (cosine - handle * sine), ry * (sine + handle * cosine)))
      }
      try curve(
        place(from, handle: handle), place(to, handle: -handle),
        to: index == count - 1 ? end : place(to, handle: 0))
    }
  }

  /// Returns to the start of the subpath and ends it.
  mutating func close() throws(FormatFault) {
    try beginAgain()
    try append(.close(mapped(start)))
    (pen, isClosed) = (start, true)
  }

  /// Begins a subpath where a closed one began.
  private mutating func beginAgain() throws(FormatFault) {
    if isClosed { try move(to: start) }
  }

  /// An ellipse, from its right end clockwise.
  mutating func ellipse(center: Place, radii: Place) throws(FormatFault) {
    try move(to: center + Place(radii.x, 0))
    for end in [center - Place(radii.x, 0), start] {
      try arc(radii: radii, degrees: 0, isLarge: false, isClockwise: true, to: end)
    }
    try close()
  }

  /// How many pieces there are.
  var count: Int { pieces.count }

  /// Gives the stroke that begins with piece `index` the times of its points, in milliseconds; does
  /// nothing if no stroke begins there.
  mutating func setTimes(_ times: [Double], ofStrokeAt index: Int) {
    if index < pieces.count, isMove(index) { self.times[index] = times }
  }

  /// The polylines: one for each subpath, with curves as lines that are off by at most a thousandth
  /// of the longer side of all, or of the picture if that is shorter.
  ///
  /// A subpath in one place has one point, unless two times were given for it.
  func lines(pictureSize: Double?) throws(FormatFault) -> [SVGLine] {
    let size = upper - lower
    let tolerance = min(max(size.x, size.y), pictureSize ?? .infinity) / 1000
    var lines: [SVGLine] = []
    var (count, index, shape) = (0, 0, -1)
    while index < pieces.count {
      while shape + 1 < beginnings.count, beginnings[shape + 1] <= index { shape += 1 }
      let first = index
      var (places, isClosed): ([Place], Bool) = ([], false)
      repeat {
        switch pieces[index] {
        case .move(let place), .line(let place): places.append(place)
        case .curve(let a, let b, let end):
          let from = places.last ?? end
          let parts = Self.parts(from, a, b, end, tolerance)
          for part in 1...parts {
            let t = Double(part) / Double(parts)
            places.append(part == parts ? end : Self.place(from, a, b, end, t))
          }
        case .close(let place):
          if places.last != place { places.append(place) }
          isClosed = true
        }
        guard count + places.count <= Self.mostPoints else {
          throw FormatFault(
            "its lines have more than \(grouped(Self.mostPoints)) points", isLimit: true)
        }
        index += 1
      } while index < pieces.count && !isMove(index)
      count += places.count
      let times = times[first]
      // A line from a place to itself is how SVG draws a dot.
      let isDot = places.count > 1 && places.allSatisfy { $0 == places[0] }
      let isDrawn = index - first > 1 || times != nil
      if isDot, times?.count != places.count { places = [places[0]] }
      guard isDrawn else { continue }
      lines.append(
        SVGLine(
          points: places.enumerated().map { number, place in
            let t = times?.count == places.count ? times?[number] : nil
            return Point(x: place.x, y: place.y, t: t).flushed
          }, isClosed: isClosed, isTimed: times != nil, shape: shape))
    }
    return lines
  }

  private func isMove(_ index: Int) -> Bool {
    if case .move = pieces[index] { true } else { false }
  }

  private mutating func append(_ piece: Piece) throws(FormatFault) {
    let places: [Place] =
      switch piece {
      case .move(let place), .line(let place), .close(let place): [place]
      case .curve(let a, let b, let end): [a, b, end]
      }
    for place in places {
      guard Point.readable.contains(place.x), Point.readable.contains(place.y) else {
        throw FormatFault("a place is not within -1e100 to 1e100", isLimit: true)
      }
      (lower, upper) = (pointwiseMin(lower, place), pointwiseMax(upper, place))
    }
    guard pieces.count < Self.mostPieces else {
      throw FormatFault(
        "it has more than \(grouped(Self.mostPieces)) lines and curves", isLimit: true)
    }
    pieces.append(piece)
  }

  private func mapped(_ place: Place) -> Place { transform.applied(to: place) }

  /// The number of lines that keep to a curve within `tolerance`: a curve with second derivatives
  /// of at most 6 m is off a chord of 1 / n of its parameter by at most 6 m / (8 n²).
  private static func parts(
    _ from: Place, _ a: Place, _ b: Place, _ end: Place, _ tolerance: Double
  ) -> Int {
    func length(_ place: Place) -> Double { (place.x * place.x + place.y * place.y).squareRoot() }
    let bend = max(length(from - 2 * a + b), length(a - 2 * b + end))
    let parts = (0.75 * bend / tolerance).squareRoot().rounded(.up)
    return parts.isNaN ? 1 : Int(min(64, max(1, parts)))
  }

  private static func place(
    _ from: Place, _ a: Place, _ b: Place, _ end: Place, _ t: Double
  ) -> Place {
    let s = 1 - t
    return from * (s * s * s) + a * (3 * s * s * t) + b * (3 * s * t * t) + end * (t * t * t)
  }
}

extension Transform {
  func applied(to place: SIMD2<Double>) -> SIMD2<Double> {
    SIMD2(a * place.x + c * place.y + x, b * place.x + d * place.y + y)
  }
}
