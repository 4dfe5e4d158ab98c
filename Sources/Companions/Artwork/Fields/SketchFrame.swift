internal import Ink

/// How a canvas fits into a square picture: scaled with its aspect kept, and centered.
struct SketchFrame: Sendable {
  /// Columns and rows of the picture.
  let side: Int
  /// Pixels per unit of the canvas.
  let scale: Double
  /// The pixels that the canvas covers.
  let columns: Range<Int>
  let rows: Range<Int>
  private let left: Double
  private let top: Double

  /// The frame of a canvas in a picture of `side` × `side` pixels.
  init(_ canvas: Drawing.Canvas, side: Int) {
    (self.side, scale) = (side, Double(side) / canvas.longerSide)
    let (width, height) = (canvas.width * scale, canvas.height * scale)
    (left, top) = ((Double(side) - width) / 2, (Double(side) - height) / 2)
    columns = Int(left.rounded())..<Int((left + width).rounded())
    rows = Int(top.rounded())..<Int((top + height).rounded())
  }

  /// The parts of a sketch's line that are on or near the picture, with half of its pen's width.
  func placed(_ line: Sketch.Line) -> [[LinePoint]] {
    let width = line.pen.width * scale
    // An eighth of the picture is the maximum that files may give.
    let radius = width > 0 ? Float(min(width / 2, Double(side) / 16)) : 0
    return placed(line.stroke).map { $0.map { LinePoint($0, radius: radius) } }
  }

  /// The parts of a stroke that are on or near the picture, in pixels. Points less than a third of a
  /// pixel apart are merged; points that are not finite are dropped.
  func placed(_ stroke: Stroke) -> [[SIMD2<Float>]] {
    let points = stroke.points.lazy
      .map { SIMD2(($0.x * scale) + left, ($0.y * scale) + top) }
      .filter { $0.x.isFinite && $0.y.isFinite }
    guard var last = points.first else { return [] }
    var lines: [[SIMD2<Float>]] = []
    var line: [SIMD2<Float>] = []
    if let (dot, _) = clipped(last, last) { line = [SIMD2<Float>(dot)] }
    for point in points.dropFirst() {
      if let (start, end) = clipped(last, point) {
        if line.isEmpty || start != last {
          if !line.isEmpty { lines.append(line) }
          line = [SIMD2<Float>(start)]
        }
        let step = SIMD2<Float>(end) - line[line.count - 1]
        if step.x * step.x + step.y * step.y > 0.1 { line.append(SIMD2<Float>(end)) }
      }
      last = point
    }
    if !line.isEmpty { lines.append(line) }
    return lines
  }

  /// The part of a segment that is in the picture or less than a quarter of its side away; nil if
  /// there is none (Liang and Barsky 1984, doi:10.1145/357332.357333).
  private func clipped(
    _ start: SIMD2<Double>, _ end: SIMD2<Double>
  ) -> (SIMD2<Double>, SIMD2<Double>)? {
    let (low, high) = (-Double(side) / 4, Double(side) * 1.25)
    var (enter, leave) = (0.0, 1.0)
    let step = end - start
    for axis in 0..<2 {
      guard step[axis] != 0 else {
        guard (low...high).contains(start[axis]) else { return nil }
        continue
      }
      let (a, b) = ((low - start[axis]) / step[axis], (high - start[axis]) / step[axis])
      enter = max(enter, min(a, b))
      leave = min(leave, max(a, b))
    }
    guard enter <= leave else { return nil }
    return (enter == 0 ? start : start + step * enter, leave == 1 ? end : start + step * leave)
  }
}
