/// A straight piece of a stroke, in pixels.
struct InkSegment {
  var start: SIMD2<Float>
  var way: SIMD2<Float>
  /// The squared length; 0 for a dot.
  var square: Float
  /// How round the ink is about the segment's start: 1 at a stroke's end and at sharp corners, 2 for
  /// a dot. Negative for a blunt corner: there the neighbouring segment says where the edge is.
  var startBend: Float
  var endBend: Float

  /// The bend where `a` ends and `b` starts.
  static func bend(_ a: InkSegment, _ b: InkSegment) -> Float {
    let lengths = (a.square * b.square).squareRoot()
    let bend = min(1, 1 - (a.way.x * b.way.x + a.way.y * b.way.y) / lengths)
    return bend > 0.5 ? bend : min(-bend, -1e-6)
  }
}

/// One segment's numbers, spread over the lanes once.
struct Brush: Sendable {
  /// The way from the segment's start to the centres of pixels 0 and 1 of a row, and 2 and 3.
  let x: (even: Lanes, odd: Lanes)
  let y, dx, dy, inverse, startBend, endBend, normalX, normalY: Lanes
  /// Which segment of the drawing it is.
  let number: Lanes

  init(_ segment: InkSegment, number: Int32) {
    self.number = Lanes(repeating: Float(number))
    x.even = Lanes(0.5, 1.5, 0.5, 1.5) - segment.start.x
    x.odd = Lanes(2.5, 3.5, 2.5, 3.5) - segment.start.x
    y = Lanes(repeating: 0.5 - segment.start.y)
    dx = Lanes(repeating: segment.way.x)
    dy = Lanes(repeating: segment.way.y)
    inverse = Lanes(repeating: segment.square > 0 ? 1 / segment.square : 0)
    startBend = Lanes(repeating: segment.startBend)
    endBend = Lanes(repeating: segment.endBend)
    // A way this short changes no distance and still says the direction.
    let scale = segment.square > 0 ? 1e-4 / segment.square.squareRoot() : 0
    normalX = Lanes(repeating: segment.way.y * scale)
    normalY = Lanes(repeating: -segment.way.x * scale)
  }

  /// From the nearest point of a segment to a tile's pixels.
  struct Way {
    var x: Lanes
    var y: Lanes
    /// The squared length.
    var square: Lanes
    /// See `InkSegment.startBend`; 0 beside the segment.
    var bend: Lanes
  }

  @inline(__always)
  func way(to tile: Tiling.Corner) -> Way {
    let px = ((tile.isOdd ? x.odd : x.even) + tile.x).together
    let py = (y + tile.y).together
    let along = (px * dx + py * dy) * inverse
    let t = along.atLeast(Lanes.zero).atMost(Lanes.one)
    var wayX = (px - t * dx).together
    var wayY = (py - t * dy).together
    let isBefore = along <= Lanes.zero
    let isBehind = Lanes.one <= along
    let bend = isBehind.choose(endBend, isBefore.choose(startBend))
    var square = (wayX * wayX).together + wayY * wayY
    let onLine = !(isBefore | isBehind) & (square < Lanes(repeating: 1e-8))
    if onLine.isAny {
      wayX = onLine.choose(normalX, wayX)
      wayY = onLine.choose(normalY, wayY)
      square = (wayX * wayX).together + wayY * wayY
    }
    return Way(x: wayX, y: wayY, square: square, bend: bend)
  }
}
