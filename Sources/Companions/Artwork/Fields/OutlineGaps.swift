/// Closes gaps of outlines with invisible walls: from one end of a stroke to the other, and
/// from an end to another stroke nearby.
struct OutlineGaps {
  let frame: SketchFrame
  /// The stroke of each pixel; -1 without ink.
  let owners: [Int16]

  /// The largest gap between an end and another stroke, in pixels of a picture of 1,024.
  private static let reach = 28
  /// The largest gap between ends of two strokes, in pixels.
  private static let maxEndGap: Float = 52
  /// The largest gap between the ends of one stroke: a share of its length, and pixels.
  private static let maxShare: Float = 0.1
  private static let maxOwnGap: Float = 100

  /// Adds walls for `strokes`.
  func close(_ strokes: [SketchFields.Placed], _ isWall: inout [Bool]) {
    let ends = strokes.enumerated().filter { $1.tool != .eraser }.flatMap { index, stroke in
      stroke.lines.flatMap { [$0[0].place, $0[$0.count - 1].place] }.map { (index, $0) }
    }
    for (index, stroke) in strokes.enumerated() where stroke.tool != .eraser {
      for line in stroke.lines where line.count > 2 {
        let (first, last) = (line[0].place, line[line.count - 1].place)
        let length = zip(line, line.dropFirst())
          .reduce(0) { $0 + Self.distance($1.0.place, $1.1.place) }
        if Self.distance(first, last) < min(length * Self.maxShare, Self.maxOwnGap) {
          build(from: first, to: last, &isWall)
        } else {
          for end in [first, last] {
            let near = ends.filter { $0.0 != index }.map(\.1).min {
              Self.distance($0, end) < Self.distance($1, end)
            }
            if let other = neighbor(of: end, of: index) {
              build(from: end, to: other, &isWall)
            } else if let near, Self.distance(near, end) < Self.maxEndGap {
              build(from: end, to: near, &isWall)
            }
          }
        }
      }
    }
  }

  /// The nearest pixel of another stroke, if it is within reach.
  private func neighbor(of end: SIMD2<Float>, of stroke: Int) -> SIMD2<Float>? {
    let picture = 0..<Float(frame.side)
    guard picture.contains(end.x), picture.contains(end.y) else { return nil }
    let (x, y) = (Int(end.x), Int(end.y))
    let rows = max(0, y - Self.reach)..<min(frame.side, y + Self.reach + 1)
    let columns = max(0, x - Self.reach)..<min(frame.side, x + Self.reach + 1)
    var (best, found) = (Self.reach * Self.reach, SIMD2<Float>?.none)
    for row in rows {
      for column in columns {
        let owner = Int(owners[row * frame.side + column])
        let square = (column - x) * (column - x) + (row - y) * (row - y)
        guard owner >= 0, owner != stroke, square < best else { continue }
        (best, found) = (square, SIMD2(Float(column), Float(row)))
      }
    }
    return found
  }

  private func build(from start: SIMD2<Float>, to end: SIMD2<Float>, _ isWall: inout [Bool]) {
    let wall = [start, end].map { LinePoint($0, radius: 1.5) }
    StrokeScan.visit(wall, columns: frame.columns, rows: frame.rows, side: frame.side) {
      index, _, _ in isWall[index] = true
    }
  }

  private static func distance(_ a: SIMD2<Float>, _ b: SIMD2<Float>) -> Float {
    ((a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y)).squareRoot()
  }
}
