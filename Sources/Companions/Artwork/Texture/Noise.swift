internal import Numbers

/// Random textures that depend only on a seed.
///
/// Value noise: random numbers on a grid, smoothly interpolated, summed over octaves (Perlin, "An
/// image synthesizer", 1985, doi:10.1145/325165.325247, gives the sum over octaves).
struct Noise: Sendable {
  private let seed: UInt64

  /// The textures of `seed`; `stream` tells several textures of one picture apart.
  init(seed: UInt64, stream: Int) {
    var generator = SeededGenerator(seed: seed, stream: stream)
    self.seed = generator.next()
  }

  /// A random number in 0..<1 for a pair of whole numbers.
  @inline(__always)
  func unit(_ x: Int, _ y: Int) -> Float {
    var z = UInt32(truncatingIfNeeded: x) &* 0x9e37_79b1 ^ UInt32(truncatingIfNeeded: seed)
    z = (z ^ z >> 15) &+ UInt32(truncatingIfNeeded: y) &* 0x85eb_ca77
    z = (z ^ z >> 15) &* 0x2c1b_3c6d
    z = (z ^ z >> 12) &* 0x297a_2d39 ^ UInt32(truncatingIfNeeded: seed >> 32)
    z ^= z >> 15
    return Float(z >> 8) * 0x1p-24
  }

  /// Smooth noise.
  ///
  /// - Parameters:
  ///   - side: Columns and rows.
  ///   - cell: The distance between grid points of the first octave, in pixels; each further octave
  ///     has half of it, and half of the weight.
  ///   - octaves: How many octaves are summed.
  ///   - stretch: Grid cells are this many times as wide as high.
  /// - Returns: Numbers in 0...1, mean 0.5.
  func plane(side: Int, cell: Float, octaves: Int = 1, stretch: Float = 1) -> Plane {
    var plane = Plane(side: side)
    var (size, weight, total): (Float, Float, Float) = (cell, 1, 0)
    for octave in 0..<octaves {
      add(weight, cell: size, stretch: stretch, offset: octave * 7919, to: &plane)
      total += weight
      (size, weight) = (size / 2, weight / 2)
    }
    let scale = 1 / total
    var values = plane.values.mutableSpan
    for index in values.indices { values[index] *= scale }
    return plane
  }

  private func add(
    _ weight: Float, cell: Float, stretch: Float, offset: Int, to plane: inout Plane
  ) {
    let side = plane.side
    let columns = Int(Float(side) / (cell * stretch)) + 2
    var (upper, lower) = ([Float](), (0..<columns).map { unit($0 + offset, offset) * weight })
    var row = -1
    // Where each pixel is in its grid cell.
    var places = [Int](repeating: 0, count: side)
    var fractions = [Float](repeating: 0, count: side)
    for x in 0..<side {
      let place = (Float(x) + 0.5) / (cell * stretch)
      places[x] = Int(place)
      fractions[x] = smoothstep(0, 1, place - Float(Int(place)))
    }
    var blended = [Float](repeating: 0, count: columns)
    var out = plane.values.mutableSpan
    for y in 0..<side {
      let place = (Float(y) + 0.5) / cell
      while row < Int(place) {
        row += 1
        upper = lower
        lower = (0..<columns).map { unit($0 + offset, row + 1 + offset) * weight }
      }
      let fraction = smoothstep(0, 1, place - Float(row))
      for column in 0..<columns { blended[column] = mix(upper[column], lower[column], fraction) }
      for x in 0..<side {
        out[y * side + x] += mix(blended[places[x]], blended[places[x] + 1], fractions[x])
      }
    }
  }
}
