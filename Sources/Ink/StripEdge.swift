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
    let distance = square.roots.together
    let scale = (1 / distance.atLeast(1e-12)).together
    let (sizeX, sizeY) = (x.magnitudes, y.magnitudes)
    let a = (sizeX.atLeast(sizeY) * scale).atLeast(0.5)
    let b = (sizeX.atMost(sizeY) * scale).together
    let slant = Slant(a, b)
    let roundness = bend.magnitudes.atMost(Lanes.one)
    let room = (slant.end - (radius - distance).magnitudes).atLeast(0) * slant.inverseProduct
    let chord = room.atMost(slant.inverse)
    // Towards the square's corner the chord moves away from where the disc touches the edge.
    let aside = ((1 - chord * a) * slant.middle).together
    let shift = (roundness * (chord * chord + (aside * 12).together * aside)).together * discShift
    var strip = slant.area(radius - distance - shift)
    // The far edge of a wide strip is in no pixel whose centre is on this side of its middle line.
    if radius < 0.708 { strip -= slant.area(-radius - distance) }
    // Half of what is about a stroke's end is still its straight part.
    let share = (distance + 0.5).atLeast(bend - 1).atMost(Lanes.one) * roundness
    return (strip * (1 - share * (1 - discFill))).atLeast(0).atMost(Lanes.one)
  }

  /// How an edge lies to a unit square.
  private struct Slant {
    /// The larger and the smaller part of the unit normal, without signs.
    let a, b: Lanes
    /// The distance from the square's centre at which the edge leaves the square.
    let end: Lanes
    /// The distance from the square's centre up to which the edge runs from side to side.
    let middle: Lanes
    /// 1 / a.
    let inverse: Lanes
    /// 1 / ab.
    let inverseProduct: Lanes

    @inline(__always)
    init(_ a: Lanes, _ b: Lanes) {
      (self.a, self.b) = (a, b)
      end = ((a + b) * 0.5).together
      middle = ((a - b) * 0.5).together
      let least = b.atLeast(1e-6)
      inverseProduct = (1 / (a * least)).together
      inverse = (1 / a).together
    }

    /// The area, within the square, of the half-plane whose edge lies `offset` beyond the square's centre.
    ///
    /// A box filter seen along the edge's normal is a trapezoid; this is its integral.
    @inline(__always)
    func area(_ offset: Lanes) -> Lanes {
      let distance = offset.magnitudes.atMost(end)
      let rest = (end - distance).together
      let flat = 0.5 - distance * inverse
      let ramp = rest * rest * (inverseProduct * 0.5)
      let beyond = (distance <= middle).choose(flat, ramp)
      return (offset < Lanes.zero).choose(beyond, 1 - beyond)
    }
  }

  /// What two edges cover together.
  ///
  /// Half-planes that meet in the square's centre at the angle φ between their normals overlap by
  /// ½ - φ / 2π: linear in φ between the least overlap that is possible, independence, and the most.
  @inline(__always)
  static func union(
    _ first: Lanes, _ second: Lanes, _ dot: Lanes, _ square: Lanes, _ secondSquare: Lanes
  ) -> Lanes {
    let lengths = (square * secondSquare).together.roots.together
    let cosine = (dot / lengths.atLeast(1e-12)).atLeast(-1).atMost(Lanes.one)
    let size = cosine.magnitudes
    // Abramowitz and Stegun, Handbook of Mathematical Functions, 4.4.45; as a part of a right angle.
    var polynomial: Lanes = 0.074_261 - size * 0.018_729_3
    polynomial = size * polynomial - 0.212_114_4
    polynomial = (size * polynomial + 1.570_728_8).together
    let away: Lanes = 1 - (1 - size).together.roots * polynomial * Float(2 / Double.pi)
    let independent = first * second
    let most = first.atMost(second)
    let least = (first + second - 1).atLeast(0)
    let bound = (Lanes.zero < cosine).choose(most, least)
    let overlap = independent + (bound - independent) * away
    return first + second - overlap
  }
}
