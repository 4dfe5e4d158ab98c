/// How much of a pixel's square a stroke covers, from where its nearest point is.
struct StripEdge {
  /// Half the stroke's width, in pixels.
  private let radius: Float
  /// How much less than a half-plane a disc of this radius covers at its edge, as a distance: the mean of
  /// s² / 2r for s in -½...½.
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
  @inline(__always)
  func coverage(_ square: Lanes, _ x: Lanes, _ y: Lanes, _ bend: Lanes) -> Lanes {
    let distance = square.squareRoot()
    let (sizeX, sizeY) = (x.magnitudes, y.magnitudes)
    let scale = 1 / pointwiseMax(distance, Lanes(repeating: 1e-12))
    let a = pointwiseMax(pointwiseMax(sizeX, sizeY) * scale, Lanes(repeating: 0.5))
    let b = pointwiseMin(sizeX, sizeY) * scale
    let roundness = pointwiseMin(bend.magnitudes, .one)
    let shift = roundness * discShift
    let strip =
      Self.area(radius - distance - shift, a, b) - Self.area(-radius - distance, a, b)
    // Half of what is about a stroke's end is still its straight part.
    let share = pointwiseMin(pointwiseMax(distance + 0.5, bend - 1), .one) * roundness
    let covered = strip * (1 - share * (1 - discFill))
    return covered.clamped(lowerBound: .zero, upperBound: .one)
      .replacing(with: 0, where: square .== .infinity)
  }

  /// The area, within a unit square, of the half-plane whose edge lies `offset` beyond the square's centre.
  ///
  /// A box filter seen along the edge's normal is a trapezoid; this is its integral. `a` and `b` are the larger
  /// and the smaller part of the unit normal, without signs.
  @inline(__always)
  private static func area(_ offset: Lanes, _ a: Lanes, _ b: Lanes) -> Lanes {
    let end = (a + b) / 2
    let distance = pointwiseMin(offset.magnitudes, end)
    let rest = end - distance
    let flat = 0.5 - distance / a
    let ramp = rest * rest / (2 * a * pointwiseMax(b, Lanes(repeating: 1e-6)))
    let beyond = ramp.replacing(with: flat, where: distance .<= (a - b) / 2)
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
    let cosine = (dot / pointwiseMax(lengths, Lanes(repeating: 1e-12)))
      .clamped(lowerBound: -.one, upperBound: .one)
    let size = cosine.magnitudes
    // Abramowitz and Stegun, Handbook of Mathematical Functions, 4.4.45; as a part of a right angle.
    let polynomial = 1.570_728_8 + size * (-0.212_114_4 + size * (0.074_261 - size * 0.018_729_3))
    let away = 1 - (1 - size).squareRoot() * polynomial * (2 / .pi)
    let independent = first * second
    let most = pointwiseMin(first, second)
    let least = pointwiseMax(first + second - 1, .zero)
    let bound = least.replacing(with: most, where: cosine .> 0)
    let overlap = independent + (bound - independent) * away
    return (first + second - overlap).replacing(with: first, where: secondSquare .== .infinity)
  }
}

extension Lanes {
  static var one: Lanes { Lanes(repeating: 1) }

  /// Each lane without its sign.
  @inline(__always)
  var magnitudes: Lanes { pointwiseMax(self, -self) }
}
