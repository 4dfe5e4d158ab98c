/// How much of a pixel's square a stroke covers, from where its nearest point is.
struct StripEdge {
  /// Half the stroke's width, in pixels.
  private let radius: Float
  /// How much less than a half-plane a disc of this radius covers at its edge, as a distance, for a chord of
  /// length 1 through the pixel: the mean of s² / 2r for s in -½...½. It grows with the chord's square.
  private let discShift: Float
  /// How much of a strip as wide as the disc the disc fills, where it is smaller than a pixel.
  private let discFill: Float

  init(radius: Float) {
    self.radius = radius
    discFill = min(1, .pi / 2 * radius)
    discShift = max(0, min(1, (radius - 0.4) / 0.3)) / (24 * max(0.4, radius))
  }

  /// The part of a pixel's square that the stroke covers.
  ///
  /// - Parameters:
  ///   - square: The squared distance from the pixel's centre to the nearest point on the stroke's middle line.
  ///   - x: The way from that point to the centre, horizontally.
  ///   - y: The same, vertically.
  ///   - bend: How round the ink is there: 0 straight, 1 (or -1) a round end, 2 a dot.
  /// - Returns: The coverage, in 0...1.
  @inline(__always)
  func coverage(_ square: Lanes, _ x: Lanes, _ y: Lanes, _ bend: Lanes) -> Lanes {
    let distance = square.squareRoot()
    let (sizeX, sizeY) = (x.magnitudes, y.magnitudes)
    let scale = 1 / distance.atLeast(1e-12)
    let a = (sizeX.atLeast(sizeY) * scale).atLeast(0.5)
    let b = sizeX.atMost(sizeY) * scale
    let roundness = bend.magnitudes.atMost(.one)
    let end = (a + b) * 0.5
    let room = (end - (radius - distance).magnitudes).atLeast(0) / (a * b.atLeast(1e-6))
    let chord = room.atMost(1 / a)
    // Towards the square's corner the chord moves away from where the disc touches the edge.
    let aside = (1 - chord * a) * (a - b) * 0.5
    let shift = roundness * (chord * chord + 12 * aside * aside) * discShift
    let strip =
      Self.area(radius - distance - shift, a, b) - Self.area(-radius - distance, a, b)
    // Half of what is about a stroke's end is still its straight part.
    let share = (distance + 0.5).atLeast(bend - 1).atMost(.one) * roundness
    let covered: Lanes = strip * (1 - share * (1 - discFill))
    return covered.atLeast(0).atMost(.one).replacing(with: 0, where: square .== .infinity)
  }

  /// The area, within a unit square, of the half-plane whose edge lies `offset` beyond the square's centre.
  ///
  /// A box filter seen along the edge's normal is a trapezoid; this is its integral. `a` and `b` are the larger
  /// and the smaller part of the unit normal, without signs.
  @inline(__always)
  private static func area(_ offset: Lanes, _ a: Lanes, _ b: Lanes) -> Lanes {
    let end = (a + b) * 0.5
    let distance = offset.magnitudes.atMost(end)
    let rest = end - distance
    let flat = 0.5 - distance / a
    let ramp = rest * rest / (2 * a * b.atLeast(1e-6))
    let beyond = ramp.replacing(with: flat, where: distance .<= (a - b) * 0.5)
    return (1 - beyond).replacing(with: beyond, where: offset .< 0)
  }

  /// What two edges cover together.
  ///
  /// Half-planes that meet in the square's centre at the angle φ between their normals overlap by
  /// ½ - φ / 2π: linear in φ between the least overlap that is possible, independence, and the most.
  @inline(__always)
  static func union(
    _ first: Lanes, _ second: Lanes, _ dot: Lanes, _ square: Lanes, _ secondSquare: Lanes
  ) -> Lanes {
    let lengths = (square * secondSquare).squareRoot()
    let cosine = (dot / lengths.atLeast(1e-12)).atLeast(-.one).atMost(.one)
    let size = cosine.magnitudes
    // Abramowitz and Stegun, Handbook of Mathematical Functions, 4.4.45; as a part of a right angle.
    var polynomial: Lanes = 0.074_261 - size * 0.018_729_3
    polynomial = size * polynomial - 0.212_114_4
    polynomial = size * polynomial + 1.570_728_8
    let away: Lanes = 1 - (1 - size).squareRoot() * polynomial * Float(2 / Double.pi)
    let independent = first * second
    let most = first.atMost(second)
    let least = (first + second - 1).atLeast(0)
    let bound = least.replacing(with: most, where: cosine .> 0)
    let overlap = independent + (bound - independent) * away
    return (first + second - overlap).replacing(with: first, where: secondSquare .== .infinity)
  }
}

// The standard library's `pointwiseMin`, `pointwiseMax` and `clamped` go lane by lane.
extension Lanes {
  static var one: Lanes { Lanes(repeating: 1) }

  /// Each lane without its sign.
  @inline(__always)
  var magnitudes: Lanes { atLeast(-self) }

  /// The larger of each pair of lanes.
  @inline(__always)
  func atLeast(_ bound: Lanes) -> Lanes { replacing(with: bound, where: self .< bound) }

  /// The larger of each lane and `bound`.
  @inline(__always)
  func atLeast(_ bound: Float) -> Lanes { atLeast(Lanes(repeating: bound)) }

  /// The smaller of each pair of lanes.
  @inline(__always)
  func atMost(_ bound: Lanes) -> Lanes { replacing(with: bound, where: self .> bound) }
}
