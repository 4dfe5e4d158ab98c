/// Four neighbours of a row, side by side.
typealias Lanes = SIMD4<Float>

/// The pixels and the ink near them.
///
/// For each pixel it keeps the way from the nearest point on any segment to the pixel's centre, and the way
/// from the nearest point on the other side of a corner or of a gap, if there is one. At the end, the
/// coverage by one edge is the exact area of the pixel's square within the strip that runs at that distance
/// across that way, and two edges are joined as half-planes that meet at the angle between them. So straight edges are
/// exact; where edges meet, ends and tight curves are approximations.
struct RasterKernel: Sendable {
  /// What is known about four pixels.
  private struct Cell {
    /// Squared distance to the nearest ink.
    var square = Lanes(repeating: .infinity)
    /// The way from there to the pixel's centre.
    var x = Lanes.zero
    var y = Lanes.zero
    /// See `Segment.startBend`; 0 beside a segment.
    var bend = Lanes.zero
    /// The nearest segment's number, -1 for none.
    var segment = SIMD4<Int32>(repeating: -1)
    /// The same for the nearest ink in another direction.
    var secondSquare = Lanes(repeating: .infinity)
    var secondX = Lanes.zero
    var secondY = Lanes.zero
    var secondBend = Lanes.zero
  }

  private struct Segment {
    var x: Float
    var y: Float
    var dx: Float
    var dy: Float
    /// How round the ink is about the segment's start: 1 at a stroke's end and at sharp corners, 2 for
    /// a dot. Negative for a blunt corner: there the neighbouring segment says where the edge is.
    var startBend: Float
    var endBend: Float
  }

  private var width = 0
  private var height = 0
  private var cellsPerRow = 0
  private var radius: Float = 0
  private var cells: [Cell] = []
  private var segments: [Segment] = []

  /// How far from a pixel's centre ink may be and still touch its square: half its diagonal.
  private static let halfDiagonal: Float = 0.707_106_8
  /// Two ways differ when the angle between them is above 20 degrees; this is the square of its cosine.
  private static let sameDirection: Float = 0.883

  mutating func prepare(width: Int, height: Int, radius: Float) {
    self.width = width
    self.height = height
    self.radius = radius
    cellsPerRow = (width + 3) / 4
    segments.removeAll(keepingCapacity: true)
    let count = cellsPerRow * height
    if cells.count == count {
      var cells = cells.mutableSpan
      for index in 0..<count { cells[index] = Cell() }
    } else {
      cells = [Cell](repeating: Cell(), count: count)
    }
  }

  /// Draws a stroke whose points `fit` places in the raster.
  mutating func add(_ stroke: Stroke, _ fit: Fit) {
    guard let first = stroke.points.first else { return }
    let start = fit(first)
    var (x, y) = (Float(start.x), Float(start.y))
    // A segment is kept back until the one behind it is known, which says how sharp the corner between them is.
    var open: Segment?
    for point in stroke.points.dropFirst() {
      let place = fit(point)
      let (endX, endY) = (Float(place.x), Float(place.y))
      let (dx, dy) = (endX - x, endY - y)
      // Leaving out what is this near moves no edge by more than a hundredth of a pixel.
      guard dx * dx + dy * dy > 1e-4 else { continue }
      var next = Segment(x: x, y: y, dx: dx, dy: dy, startBend: 1, endBend: 1)
      if var last = open {
        let bend = Self.bend(last, next)
        (last.endBend, next.startBend) = (bend, bend)
        segments.append(last)
      }
      open = next
      (x, y) = (endX, endY)
    }
    segments.append(open ?? Segment(x: x, y: y, dx: 0, dy: 0, startBend: 2, endBend: 2))
  }

  private static func bend(_ a: Segment, _ b: Segment) -> Float {
    let lengths = ((a.dx * a.dx + a.dy * a.dy) * (b.dx * b.dx + b.dy * b.dy)).squareRoot()
    let bend = min(1, 1 - (a.dx * b.dx + a.dy * b.dy) / lengths)
    return bend > 0.5 ? bend : min(-bend, -1e-6)
  }

  private mutating func draw(_ number: Int, isFirstPass: Bool) {
    let segment = segments[number]
    let reach = radius + Self.halfDiagonal
    let (endX, endY) = (segment.x + segment.dx, segment.y + segment.dy)
    let firstRow = max(0, Int(min(segment.y, endY) - reach))
    let lastRow = min(height - 1, Int(max(segment.y, endY) + reach))
    let brush = Brush(
      x: segment.x, y: segment.y, dx: segment.dx, dy: segment.dy, startBend: segment.startBend,
      endBend: segment.endBend, limit: reach * reach, number: number)
    // How far x goes along the segment while y goes one row; without bound for a horizontal one.
    let slope = segment.dy == 0 ? 0 : segment.dx / segment.dy
    var row = firstRow
    while row <= lastRow {
      // The part of the segment that is within reach of the centres of this row's pixels.
      var (fromX, toX) = (segment.x, endX)
      if abs(slope) < 1e3, segment.dy != 0 {
        let fromStart = Float(row) + 0.5 - segment.y
        let (low, high) = segment.dy > 0 ? (0, segment.dy) : (segment.dy, 0)
        fromX = segment.x + slope * max(low, min(high, fromStart - reach))
        toX = segment.x + slope * max(low, min(high, fromStart + reach))
      }
      let first = max(0, Int(min(fromX, toX) - reach)) / 4
      let last = min(width - 1, Int(max(fromX, toX) + reach)) / 4
      brush.stroke(
        row: row, from: first, to: last, cells: &cells, base: row * cellsPerRow,
        isFirstPass: isFirstPass)
      row += 1
    }
  }

  /// One segment's numbers, spread over the lanes once.
  private struct Brush {
    let x, y, dx, dy, inverse, startBend, endBend, limit, normalX, normalY: Lanes
    let number: SIMD4<Int32>

    init(
      x: Float, y: Float, dx: Float, dy: Float, startBend: Float, endBend: Float, limit: Float,
      number: Int
    ) {
      self.number = SIMD4(repeating: Int32(truncatingIfNeeded: number))
      self.x = Lanes(0.5, 1.5, 2.5, 3.5) - x
      self.y = Lanes(repeating: 0.5 - y)
      self.dx = Lanes(repeating: dx)
      self.dy = Lanes(repeating: dy)
      let square = dx * dx + dy * dy
      inverse = Lanes(repeating: square > 0 ? 1 / square : 0)
      self.startBend = Lanes(repeating: startBend)
      self.endBend = Lanes(repeating: endBend)
      self.limit = Lanes(repeating: limit)
      // A way this short changes no distance and still says the direction.
      let scale = square > 0 ? 1e-4 / square.squareRoot() : 0
      normalX = Lanes(repeating: dy * scale)
      normalY = Lanes(repeating: -dx * scale)
    }

    @inline(__always)
    func stroke(
      row: Int, from first: Int, to last: Int, cells: inout [Cell], base: Int, isFirstPass: Bool
    ) {
      let py = y + Float(row)
      var index = first
      while index <= last {
        let px = x + Float(index * 4)
        let along = (px * dx + py * dy) * inverse
        let t = along.atLeast(0).atMost(.one)
        var wayX = px - t * dx
        var wayY = py - t * dy
        let isBefore = along .<= 0
        let isBehind = along .>= 1
        let isBeside = .!(isBefore .| isBehind)
        let bend = Lanes.zero.replacing(with: startBend, where: isBefore)
          .replacing(with: endBend, where: isBehind)
        let onLine = isBeside .& ((wayX * wayX + wayY * wayY) .< 1e-8)
        wayX.replace(with: normalX, where: onLine)
        wayY.replace(with: normalY, where: onLine)
        let square = wayX * wayX + wayY * wayY
        var cell = cells[base + index]
        if isFirstPass {
          let isCloser = (square .< limit) .& (square .< cell.square)
          cell.square.replace(with: square, where: isCloser)
          cell.x.replace(with: wayX, where: isCloser)
          cell.y.replace(with: wayY, where: isCloser)
          cell.bend.replace(with: bend, where: isCloser)
          cell.segment.replace(with: number, where: isCloser)
        } else {
          let dot = wayX * cell.x + wayY * cell.y
          let differs =
            (dot .<= 0) .| (dot * dot .< square * cell.square * RasterKernel.sameDirection)
          let isSecond =
            differs .& (bend .>= 0) .& (square .< limit) .& (square .< cell.secondSquare)
          cell.secondSquare.replace(with: square, where: isSecond)
          cell.secondX.replace(with: wayX, where: isSecond)
          cell.secondY.replace(with: wayY, where: isSecond)
          cell.secondBend.replace(with: bend, where: isSecond)
        }
        cells[base + index] = cell
        index += 1
      }
    }
  }

  /// Writes every pixel, shape [height, width, channels], from element `offset` on.
  mutating func finish(
    into batch: inout MutableSpan<Float>, at offset: Int, channels: Rasterizer.Channels
  ) {
    // Which ink lies in another direction depends on which is nearest, so that must be known first; else
    // the order of strokes would show.
    for index in segments.indices { draw(index, isFirstPass: true) }
    for index in segments.indices { draw(index, isFirstPass: false) }
    let edge = StripEdge(radius: radius)
    let inside = max(0, radius - Self.halfDiagonal)
    let flows = channels == .ink ? [] : flows()
    let cells = cells.span
    for row in 0..<height {
      for index in 0..<cellsPerRow {
        let cell = cells[row * cellsPerRow + index]
        var coverage = Lanes.zero
        if any(cell.square .< .infinity) {
          if all(cell.square .< inside * inside) {
            coverage = .one
          } else {
            coverage = edge.coverage(cell.square, cell.x, cell.y, cell.bend)
            if any((cell.secondSquare .< .infinity) .& (coverage .< 1)) {
              let second = edge.coverage(
                cell.secondSquare, cell.secondX, cell.secondY, cell.secondBend)
              coverage = StripEdge.union(
                coverage, second, cell.x * cell.secondX + cell.y * cell.secondY,
                cell.square, cell.secondSquare)
            }
          }
        }
        let start = offset + (row * width + index * 4) * channels.count
        for lane in 0..<min(4, width - index * 4) {
          guard channels == .inkAndFlow else {
            batch[start + lane] = coverage[lane]
            continue
          }
          let number = Int(cell.segment[lane])
          let flow = number < 0 ? SIMD3<Float>.zero : flows[number]
          let pixel = start + lane * 4
          batch[pixel] = coverage[lane]
          for part in 0..<3 { batch[pixel + 1 + part] = coverage[lane] * flow[part] }
        }
      }
    }
  }

  /// For every segment the cosine and sine of twice its angle, and how much of the ink is drawn when the pen is in
  /// its middle, as -1 … 1. Twice the angle, for a line is the same drawn either way.
  private func flows() -> [SIMD3<Float>] {
    let lengths = segments.map { ($0.dx * $0.dx + $0.dy * $0.dy).squareRoot() }
    let total = max(lengths.reduce(0, +), .leastNormalMagnitude)
    var drawn: Float = 0
    return zip(segments, lengths).map { segment, length in
      defer { drawn += length }
      let order = 2 * (drawn + length / 2) / total - 1
      guard length > 0 else { return SIMD3(0, 0, order) }
      let (x, y) = (segment.dx / length, segment.dy / length)
      return SIMD3(x * x - y * y, 2 * x * y, order)
    }
  }
}
