internal import Ink
internal import Numbers

/// A smooth random displacement over the unit square: a uniform cubic B-spline surface through
/// random control vectors, as in free-form deformation (Rueckert et al. 1999,
/// doi:10.1109/42.796284).
struct WarpField {
  private let cells: Int
  /// Row-major, shape [cells + 3, cells + 3].
  private let control: [SIMD2<Double>]

  /// A field whose vectors have components within ± `strength`.
  init(cells: Int, strength: Double, using generator: inout SeededGenerator) {
    self.cells = cells
    var control: [SIMD2<Double>] = []
    control.reserveCapacity((cells + 3) * (cells + 3))
    for _ in 0..<((cells + 3) * (cells + 3)) {
      control.append(strength * generator.symmetricPair())
    }
    self.control = control
  }

  /// The displacement at `place`; outside the unit square, that at the nearest edge.
  ///
  /// The weights are positive and sum to 1, so no component is larger than the strength.
  func callAsFunction(at place: SIMD2<Double>) -> SIMD2<Double> {
    let (column, across) = cell(place.x)
    let (row, down) = cell(place.y)
    var sum = SIMD2<Double>.zero
    for i in 0..<4 {
      let base = (row + i) * (cells + 3) + column
      var line = SIMD2<Double>.zero
      for j in 0..<4 { line += across[j] * control[base + j] }
      sum += down[i] * line
    }
    return sum
  }

  private func cell(_ value: Double) -> (index: Int, weights: SIMD4<Double>) {
    // In this argument order, NaN becomes 1.
    let scaled = max(0, min(1, value)) * Double(cells)
    let index = min(cells - 1, Int(scaled))
    let f = scaled - Double(index)
    let g = 1 - f
    let weights = SIMD4(
      g * g * g, 3 * f * f * f - 6 * f * f + 4, 3 * g * g * g - 6 * g * g + 4, f * f * f)
    return (index, weights / 6)
  }
}

/// Hand tremor: random displacements at even steps along the pen's path, interpolated smoothly.
struct Wobble {
  private let strength: Double
  private let spacing: Double
  private var knot = 0
  private var left: SIMD2<Double>
  private var right: SIMD2<Double>

  /// Displacements with components within ± `strength`, independent after a path length of
  /// `spacing`.
  init(strength: Double, spacing: Double, using generator: inout SeededGenerator) {
    self.strength = strength
    self.spacing = spacing
    left = strength * generator.symmetricPair()
    right = strength * generator.symmetricPair()
  }

  /// The displacement after the path length `way`, which must not decrease from call to call.
  mutating func callAsFunction(
    at way: Double, using generator: inout SeededGenerator
  ) -> SIMD2<Double> {
    // In this argument order, NaN becomes 2^52.
    let steps = min(0x1p52, way / spacing)
    let index = Int(steps)
    if index != knot {
      left = index == knot + 1 ? right : strength * generator.symmetricPair()
      right = strength * generator.symmetricPair()
      knot = index
    }
    let f = steps - Double(index)
    return left + f * f * (3 - 2 * f) * (right - left)
  }
}

/// A linear map of the plane.
struct Affine {
  let columns: (SIMD2<Double>, SIMD2<Double>)

  /// The displacement of `vector` by the map: exactly zero for the identity.
  func move(of vector: SIMD2<Double>) -> SIMD2<Double> {
    vector.x * (columns.0 - SIMD2(1, 0)) + vector.y * (columns.1 - SIMD2(0, 1))
  }
}

/// A bounding box as vectors.
struct PointBounds {
  let low: SIMD2<Double>
  let high: SIMD2<Double>

  /// The box around all points, or nil if there are no points.
  init?(_ strokes: some Sequence<Stroke>) {
    var low = SIMD2<Double>(repeating: .infinity)
    var high = -low
    for stroke in strokes {
      for point in stroke.points {
        low = SIMD2(min(low.x, point.x), min(low.y, point.y))
        high = SIMD2(max(high.x, point.x), max(high.y, point.y))
      }
    }
    guard low.x <= high.x, low.y <= high.y else { return nil }
    self.low = low
    self.high = high
  }

  /// The larger side.
  var size: Double { max(high.x - low.x, high.y - low.y) }

  var center: SIMD2<Double> { low / 2 + high / 2 }

  /// Whether a few sums and products of its coordinates, and quotients of such sizes, stay finite.
  var isModest: Bool {
    let limit = 1e150
    return (size == 0 || size > 1 / limit)
      && max(abs(low.x), abs(low.y)) < limit && max(abs(high.x), abs(high.y)) < limit
  }
}

extension SeededGenerator {
  /// A uniform number in -1..<1.
  mutating func symmetric() -> Double {
    Double(Int64(bitPattern: next()) >> 10) * 0x1p-53
  }

  /// Two independent uniform numbers, from one draw.
  mutating func symmetricPair() -> SIMD2<Double> {
    let bits = next()
    let high = Int32(truncatingIfNeeded: bits >> 32)
    let low = Int32(truncatingIfNeeded: bits)
    return SIMD2(Double(high), Double(low)) * 0x1p-31
  }
}
