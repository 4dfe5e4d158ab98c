/// One number per pixel of a square: row-major, shape [side, side].
struct Plane: Sendable {
  /// Columns and rows.
  let side: Int
  /// The numbers, row-major.
  var values: [Float]

  /// A plane of one value.
  init(side: Int, repeating value: Float = 0) {
    (self.side, values) = (side, [Float](repeating: value, count: side * side))
  }

  /// A plane made pixel by pixel; `index` is `y * side + x`.
  @inline(__always)
  init(side: Int, _ value: (_ x: Int, _ y: Int, _ index: Int) -> Float) {
    self.side = side
    values = [Float](repeating: 0, count: side * side)
    var out = values.mutableSpan
    var index = 0
    for y in 0..<side {
      for x in 0..<side {
        out[index] = value(x, y, index)
        index += 1
      }
    }
  }

  /// The number of a pixel by its index.
  @inline(__always)
  subscript(index: Int) -> Float { values[index] }

  /// The number of the pixel nearest to (x, y), which may be outside.
  @inline(__always)
  subscript(clamped x: Int, y: Int) -> Float {
    values[min(side - 1, max(0, y)) * side + min(side - 1, max(0, x))]
  }

  /// The bilinear interpolation at a place in units of pixels; pixel centers are at halves.
  @inline(__always)
  func sample(_ x: Float, _ y: Float) -> Float {
    let limit = Float(side - 1)
    let (u, v) = (min(limit, max(0, x - 0.5)), min(limit, max(0, y - 0.5)))
    let (column, row) = (Int(u), Int(v))
    let (s, t) = (u - Float(column), v - Float(row))
    let right = column + 1 < side ? 1 : 0
    let start = row * side + column
    let below = row + 1 < side ? start + side : start
    return mix(
      mix(values[start], values[start + right], s), mix(values[below], values[below + right], s), t)
  }

  /// The plane at half the side: means of 2 × 2 pixels. The side must be even.
  func halved() -> Plane {
    Plane(side: side / 2) { x, y, _ in
      let start = 2 * y * side + 2 * x
      return 0.25
        * ((values[start] + values[start + 1]) + (values[start + side] + values[start + side + 1]))
    }
  }

  /// The plane at twice the side, bilinearly interpolated.
  func doubled() -> Plane {
    Plane(side: side * 2) { x, y, _ in sample(Float(x) * 0.5 + 0.25, Float(y) * 0.5 + 0.25) }
  }

  /// The plane blurred `passes` times by a box of 2 × `radius` + 1 pixels a side; two passes or more
  /// come close to a Gaussian. Outside the plane, its edge goes on.
  ///
  /// - Complexity: O(pixels × passes), whatever the radius.
  func blurred(radius: Int, passes: Int = 2) -> Plane {
    var plane = self
    for _ in 0..<passes {
      plane.blurRows(radius)
      plane.blurColumns(radius)
    }
    return plane
  }

  private mutating func blurRows(_ radius: Int) {
    let side = side
    var row = [Float](repeating: 0, count: side + 2 * radius + 1)
    let scale = 1 / Float(2 * radius + 1)
    var out = values.mutableSpan
    for y in 0..<side {
      let start = y * side
      for x in row.indices { row[x] = out[start + min(side - 1, max(0, x - radius))] }
      var sum: Float = 0
      for x in 0..<2 * radius { sum += row[x] }
      for x in 0..<side {
        sum += row[x + 2 * radius]
        out[start + x] = sum * scale
        sum -= row[x]
      }
    }
  }

  private mutating func blurColumns(_ radius: Int) {
    let source = values
    var sums = [Float](repeating: 0, count: side)
    let scale = 1 / Float(2 * radius + 1)
    for y in -radius..<radius { Self.add(source, min(side - 1, max(0, y)) * side, 1, to: &sums) }
    for y in 0..<side {
      Self.add(source, min(side - 1, y + radius) * side, 1, to: &sums)
      for x in 0..<side { values[y * side + x] = sums[x] * scale }
      Self.add(source, max(0, y - radius) * side, -1, to: &sums)
    }
  }

  @inline(__always)
  private static func add(
    _ values: [Float], _ start: Int, _ factor: Float, to sums: inout [Float]
  ) {
    for x in sums.indices { sums[x] += values[start + x] * factor }
  }
}
