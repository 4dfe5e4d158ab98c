/// The pixels near the ink and how far it is from each.
///
/// For every pixel within reach of a segment it keeps the squared distance from the pixel's centre to the
/// nearest point on any segment, and which segment that is. At the end, a pixel's coverage is the exact
/// area of its square within the strip of the stroke's width that runs at that distance, across the
/// direction to that point: the integral of a box filter over a half-plane.
struct RasterKernel: Sendable {
  private struct Segment {
    var x: Float
    var y: Float
    var dx: Float
    var dy: Float
    /// 1 / length², or 0 for a dot.
    var inverse: Float
  }

  private var width = 0
  private var height = 0
  private var radius: Float = 0
  private var segments: [Segment] = []
  /// Squared distance from a pixel's centre to the nearest segment; shape [height, width].
  private var distances: [Float] = []
  /// The nearest segment; shape [height, width].
  private var nearest: [Int32] = []

  /// How far from a pixel's centre ink may be and still touch its square: half its diagonal.
  private static let halfDiagonal: Float = 0.707_106_8

  mutating func prepare(width: Int, height: Int, radius: Float) {
    let count = width * height
    if distances.count != count {
      distances = [Float](repeating: .infinity, count: count)
      nearest = [Int32](repeating: 0, count: count)
    } else {
      for index in 0..<count { distances[index] = .infinity }
    }
    self.width = width
    self.height = height
    self.radius = radius
    segments.removeAll(keepingCapacity: true)
  }

  mutating func add(_ stroke: Stroke, _ fit: Fit) {
    guard let first = stroke.points.first else { return }
    let start = fit(first)
    var (x, y) = (Float(start.x), Float(start.y))
    var isDot = true
    for point in stroke.points.dropFirst() {
      let place = fit(point)
      let (endX, endY) = (Float(place.x), Float(place.y))
      let (dx, dy) = (endX - x, endY - y)
      let square = dx * dx + dy * dy
      // What is this short moves no coverage by more than its length.
      guard square > 1e-6 else { continue }
      add(Segment(x: x, y: y, dx: dx, dy: dy, inverse: 1 / square))
      (x, y, isDot) = (endX, endY, false)
    }
    if isDot { add(Segment(x: x, y: y, dx: 0, dy: 0, inverse: 0)) }
  }

  private mutating func add(_ segment: Segment) {
    let index = Int32(truncatingIfNeeded: segments.count)
    segments.append(segment)
    let reach = radius + Self.halfDiagonal
    let limit = reach * reach
    let (top, bottom) = (
      min(segment.y, segment.y + segment.dy), max(segment.y, segment.y + segment.dy)
    )
    let firstRow = max(0, Int(top - reach))
    let lastRow = min(height - 1, Int(bottom + reach))
    guard firstRow <= lastRow else { return }
    for row in firstRow...lastRow {
      let cy = Float(row) + 0.5
      // The part of the segment that is within reach of the row's centres.
      var (from, to): (Float, Float) = (0, 1)
      if segment.dy != 0 {
        let (a, b) = ((cy - reach - segment.y) / segment.dy, (cy + reach - segment.y) / segment.dy)
        from = max(0, min(a, b))
        to = min(1, max(a, b))
        guard from <= to else { continue }
      }
      let (x0, x1) = (segment.x + segment.dx * from, segment.x + segment.dx * to)
      let firstColumn = max(0, Int(min(x0, x1) - reach))
      let lastColumn = min(width - 1, Int(max(x0, x1) + reach))
      guard firstColumn <= lastColumn else { continue }
      let py = cy - segment.y
      for column in firstColumn...lastColumn {
        let px = Float(column) + 0.5 - segment.x
        let along = (px * segment.dx + py * segment.dy) * segment.inverse
        let t = max(0, min(1, along))
        let (ox, oy) = (px - t * segment.dx, py - t * segment.dy)
        let square = ox * ox + oy * oy
        let pixel = row * width + column
        if square < limit, square < distances[pixel] {
          distances[pixel] = square
          nearest[pixel] = index
        }
      }
    }
  }

  /// Writes the coverage of every pixel, shape [height, width].
  func finish(into slot: inout MutableSpan<Float>) {
    let inside = max(0, radius - Self.halfDiagonal)
    let full = inside * inside
    for pixel in 0..<(width * height) {
      let square = distances[pixel]
      slot[pixel] =
        square == .infinity
        ? 0 : square < full ? 1 : coverage(of: pixel, distance: square.squareRoot())
    }
  }

  private func coverage(of pixel: Int, distance: Float) -> Float {
    let segment = segments[Int(nearest[pixel])]
    let (row, column) = pixel.quotientAndRemainder(dividingBy: width)
    let (px, py) = (Float(column) + 0.5 - segment.x, Float(row) + 0.5 - segment.y)
    let t = max(0, min(1, (px * segment.dx + py * segment.dy) * segment.inverse))
    var (nx, ny) = (px - t * segment.dx, py - t * segment.dy)
    if distance < 1e-3 { (nx, ny) = (segment.dy, -segment.dx) }
    let length = (nx * nx + ny * ny).squareRoot()
    let (a, b) = length > 0 ? (abs(nx) / length, abs(ny) / length) : (1, 0)
    let edge = HalfPlane(max(a, b), min(a, b))
    return max(0, min(1, edge.area(radius - distance) - edge.area(-radius - distance)))
  }
}

/// The part of a unit square on one side of a line.
struct HalfPlane {
  /// The larger and smaller component of the line's unit normal, both without sign.
  private let a: Float
  private let b: Float

  init(_ larger: Float, _ smaller: Float) {
    a = larger
    b = smaller
  }

  /// The area within the square of the half-plane whose edge lies `offset` beyond the square's centre.
  ///
  /// A box filter seen along the normal is a trapezoid; this is its integral.
  @inline(__always)
  func area(_ offset: Float) -> Float {
    let distance = abs(offset)
    let end = (a + b) / 2
    guard distance < end else { return offset < 0 ? 0 : 1 }
    let flat = (a - b) / 2
    let rest: Float
    if distance <= flat {
      rest = 0.5 - distance / a
    } else {
      // Only reached with b above 0.
      rest = (end - distance) * (end - distance) / (2 * a * b)
    }
    return offset < 0 ? rest : 1 - rest
  }
}
