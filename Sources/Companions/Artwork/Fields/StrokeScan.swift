/// A point of a line with the line's half width there, in pixels.
struct LinePoint: Sendable {
  var place: SIMD2<Float>
  var radius: Float

  init(_ place: SIMD2<Float>, radius: Float) { (self.place, self.radius) = (place, radius) }
}

/// Visits the pixels of lines with round caps and joins.
enum StrokeScan {
  /// Calls `visit` for each pixel within `reach` pixels of a line's edge, once per segment that is
  /// so near.
  ///
  /// - Parameters:
  ///   - line: The line; one point is a dot.
  ///   - columns: The columns that may be visited, within the picture.
  ///   - rows: The rows that may be visited, within the picture.
  ///   - side: Columns of the picture.
  ///   - reach: How far outside of the line pixels are visited.
  ///   - visit: Gets the pixel's index, the distance of its center from the line's edge (negative
  ///     inside), and the segment's unit direction (0 for a dot).
  @inline(__always)
  static func visit(
    _ line: [LinePoint], columns: Range<Int>, rows: Range<Int>, side: Int, reach: Float = 0.5,
    _ visit: (_ index: Int, _ distance: Float, _ direction: SIMD2<Float>) -> Void
  ) {
    guard let first = line.first else { return }
    let segments = line.count > 1 ? line.count - 1 : 1
    for segment in 0..<segments {
      let start = segment == 0 ? first : line[segment]
      let end = line.count > 1 ? line[segment + 1] : first
      let step = end.place - start.place
      let square = step.x * step.x + step.y * step.y
      let inverse = square > 0 ? 1 / square : 0
      let direction = square > 0 ? step / square.squareRoot() : .zero
      let extent = max(start.radius, end.radius) + reach
      let (top, bottom) = (min(start.place.y, end.place.y), max(start.place.y, end.place.y))
      let first = max(rows.lowerBound, Int(max(0, top - extent - 0.5)))
      let last = min(rows.upperBound - 1, Int(max(-1, bottom + extent - 0.5)))
      guard first <= last else { continue }
      for y in first...last {
        // The part of the segment whose distance from this row is at most `extent`.
        let height = Float(y) + 0.5 - start.place.y
        var (a, b): (Float, Float) = (0, 1)
        if abs(step.y) > 0.01 {
          let (enter, leave) = ((height - extent) / step.y, (height + extent) / step.y)
          (a, b) = (max(0, min(enter, leave)), min(1, max(enter, leave)))
          guard a <= b else { continue }
        }
        let (left, right) = (start.place.x + step.x * a, start.place.x + step.x * b)
        let from = max(columns.lowerBound, Int(max(0, min(left, right) - extent - 0.5)))
        let to = min(columns.upperBound - 1, Int(max(-1, max(left, right) + extent - 0.5)))
        guard from <= to else { continue }
        for x in from...to {
          let width = Float(x) + 0.5 - start.place.x
          let t = min(1, max(0, (width * step.x + height * step.y) * inverse))
          let (dx, dy) = (width - step.x * t, height - step.y * t)
          let distance = (dx * dx + dy * dy).squareRoot() - mix(start.radius, end.radius, t)
          if distance < reach { visit(y * side + x, distance, direction) }
        }
      }
    }
  }
}

/// Paints strokes one after another, each pixel of a stroke once.
struct StrokePainter {
  private let columns: Range<Int>
  private let rows: Range<Int>
  private let side: Int
  private var coverage: [Float]
  private var directions: [SIMD2<Float>]
  private var touched: [Int32] = []

  /// A painter of the pixels of `frame`'s canvas.
  init(_ frame: SketchFrame) {
    self.init(side: frame.side, columns: frame.columns, rows: frame.rows)
  }

  /// A painter of some pixels of a picture of `side` × `side`.
  init(side: Int, columns: Range<Int>, rows: Range<Int>) {
    (self.side, self.columns, self.rows) = (side, columns, rows)
    coverage = [Float](repeating: 0, count: side * side)
    directions = [SIMD2<Float>](repeating: .zero, count: side * side)
  }

  /// Calls `paint` once for each pixel that a stroke touches.
  ///
  /// - Parameters:
  ///   - lines: The parts of the stroke. Lines thinner than a pixel are drawn one pixel wide, and
  ///     paler.
  ///   - paint: Gets the pixel's index, the covered share of it, above 0 to 1, and the direction of
  ///     the nearest segment.
  @inline(__always)
  mutating func stroke(
    _ lines: [[LinePoint]],
    paint: (_ index: Int, _ coverage: Float, _ direction: SIMD2<Float>) -> Void
  ) {
    touched.removeAll(keepingCapacity: true)
    for line in lines {
      let widest = line.reduce(0) { max($0, $1.radius) }
      let strength = min(1, 2 * widest)
      let drawn =
        widest < 0.5 ? line.map { LinePoint($0.place, radius: 0.5) } : line
      StrokeScan.visit(drawn, columns: columns, rows: rows, side: side) {
        index, distance, direction in
        let new = min(1, 0.5 - distance) * strength
        let old = coverage[index]
        guard new > old else { return }
        if old == 0 { touched.append(Int32(index)) }
        coverage[index] = new
        directions[index] = direction
      }
    }
    for index in touched {
      paint(Int(index), coverage[Int(index)], directions[Int(index)])
      coverage[Int(index)] = 0
    }
  }
}
