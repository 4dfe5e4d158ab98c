/// The pixels and the ink near them.
///
/// For each pixel it finds the way from the nearest point on any segment to the pixel's centre, and the way
/// from the nearest point on the other side of a corner or of a gap, if there is one. The
/// coverage by one edge is the exact area of the pixel's square within the strip that runs at that distance
/// across that way, and two edges are joined as half-planes that meet at the angle between them. So straight edges are
/// exact; where edges meet, ends and tight curves are approximations.
///
/// The raster is cut into tiles of 2 × 2 pixels. Each tile has a list of the segments that may be near it, and
/// only tiles with such a list are looked at, each once.
struct RasterKernel: Sendable {
  /// A segment that may be near a tile, and the visit of the same tile before this one, -1 for none.
  private struct Visit {
    var brush: Int32
    var next: Int32
  }

  private var tiling = Tiling(width: 0, height: 0, reach: 0)
  private var radius: Float = 0
  private var brushes: [Brush] = []
  /// Each tile's last visit, row-major; all are -1 between drawings.
  private var heads: [Int32] = []
  private var visits: [Visit] = []
  private var visitCount = 0
  /// The tiles that have visits, and room for all.
  private var touched: [Tiling.Tile] = []
  private var touchedCount = 0
  /// What is known of the pixels of the touched tiles, in their order.
  private var pixels: [TilePixels] = []
  /// Where in `pixels` those stand with ink in another direction.
  private var joints: [Joint] = []

  /// How far from a pixel's centre ink may be and still touch its square: half its diagonal.
  private static let halfDiagonal: Float = 0.707_106_8
  /// Two ways differ when the angle between them is above 20 degrees; this is the square of its cosine.
  private static let sameDirection: Float = 0.883
  /// Memory for more visits than this is given back: no usual drawing has so many.
  private static let visitsKept = 1 << 20

  private var reach: Float { radius + Self.halfDiagonal }

  mutating func prepare(width: Int, height: Int, radius: Float) {
    self.radius = radius
    let tiling = Tiling(width: width, height: height, reach: reach)
    if self.tiling != tiling {
      self.tiling = tiling
      let count = tiling.columns * tiling.rows
      heads = [Int32](repeating: -1, count: count)
      touched = [Tiling.Tile](repeating: Tiling.Tile(row: 0, column: 0), count: count + 1)
    }
  }

  /// Draws a stroke whose points `fit` places in the raster.
  mutating func add(_ stroke: Stroke, _ fit: Fit) {
    let points = stroke.points.span
    guard points.count > 0 else { return }
    var start = fit.place(points[0])
    // A segment is kept back until the one behind it is known, which says how sharp the corner between them is.
    var open = InkSegment(start: start, way: .zero, square: 0, startBend: 2, endBend: 2)
    var index = 1
    while index < points.count {
      let end = fit.place(points[index])
      index += 1
      let way = end - start
      let square = way.x * way.x + way.y * way.y
      // Leaving out what is this near moves no edge by more than a hundredth of a pixel.
      guard square > 1e-4 else { continue }
      var next = InkSegment(start: start, way: way, square: square, startBend: 1, endBend: 1)
      if open.square > 0 {
        let bend = InkSegment.bend(open, next)
        (open.endBend, next.startBend) = (bend, bend)
        add(open)
      }
      open = next
      start = end
    }
    add(open)
  }

  private mutating func add(_ segment: InkSegment) {
    let number = Int32(truncatingIfNeeded: brushes.count)
    brushes.append(Brush(segment, number: number))
    let cover = tiling.cover(segment)
    if visits.count < visitCount + cover.count {
      visits += [Visit](
        repeating: Visit(brush: 0, next: -1), count: max(cover.count, visits.count, 1024))
    }
    Self.list(
      number, cover, tilesPerRow: tiling.columns, &heads, &visits, &visitCount, &touched,
      &touchedCount)
  }

  /// Puts a segment on the lists of the tiles that it may be near.
  private static func list(
    _ number: Int32, _ cover: Tiling.Cover, tilesPerRow: Int, _ heads: inout [Int32],
    _ visits: inout [Visit], _ visitCount: inout Int, _ touched: inout [Tiling.Tile],
    _ touchedCount: inout Int
  ) {
    var (visit, touch) = (visitCount, touchedCount)
    var heads = heads.mutableSpan
    var visits = visits.mutableSpan
    var touched = touched.mutableSpan
    var row = cover.firstRow
    while row <= cover.lastRow {
      let columns = cover.columns(inTileRow: row)
      var column = columns.first
      let base = row &* tilesPerRow
      while column <= columns.last {
        let before = heads[base &+ column]
        heads[base &+ column] = Int32(truncatingIfNeeded: visit)
        visits[visit] = Visit(brush: number, next: before)
        visit &+= 1
        touched[touch] = Tiling.Tile(row: row, column: column)
        touch &+= before < 0 ? 1 : 0
        column &+= 1
      }
      row &+= 1
    }
    (visitCount, touchedCount) = (visit, touch)
  }

  /// Writes every pixel, shape [height, width, channels], from element `offset` on.
  mutating func finish(
    into batch: inout MutableSpan<Float>, at offset: Int, channels: Rasterizer.Channels
  ) {
    // Step by step over all tiles: the work of one tile alone is a chain in which each number waits for the last.
    findNearest()
    coverNearest()
    findJoints()
    coverJoints()
    for index in offset..<(offset + tiling.width * tiling.height * channels.count) {
      batch[index] = 0
    }
    switch channels {
    case .ink: writeInk(into: &batch, at: offset)
    case .inkAndFlow: writeFlow(into: &batch, at: offset)
    }
    brushes.removeAll(keepingCapacity: visitCount <= Self.visitsKept)
    if visitCount > Self.visitsKept { visits = [] }
    (visitCount, touchedCount) = (0, 0)
  }

  /// What is known about a tile's pixels.
  private struct TilePixels: Sendable {
    var nearest: Nearest
    var coverage = Lanes.zero
    /// The tile's last visit.
    var head: Int32
  }

  /// Ink in another direction than the nearest.
  private struct Joint: Sendable {
    var index: Int
    var nearest: Nearest
  }

  /// The way to some ink from a tile's pixels.
  private struct Nearest: Sendable {
    /// Its squared length.
    var square: Lanes
    /// From there to the pixel's centre.
    var x = Lanes.zero
    var y = Lanes.zero
    /// See `InkSegment.startBend`; 0 beside a segment.
    var bend = Lanes.zero
    /// The segment's number.
    var brush = Lanes.zero

    init(limit: Float) { square = Lanes(repeating: limit) }

    @inline(__always)
    mutating func take(_ way: Brush.Way, _ number: Lanes, where isCloser: LaneMask) {
      square = isCloser.choose(way.square, square)
      x = isCloser.choose(way.x, x)
      y = isCloser.choose(way.y, y)
      bend = isCloser.choose(way.bend, bend)
      brush = isCloser.choose(number, brush)
    }
  }

  /// Finds the ink nearest to each pixel of each touched tile, and clears the tiles' lists.
  private mutating func findNearest() {
    let limit = reach * reach
    pixels.removeAll(keepingCapacity: true)
    pixels.reserveCapacity(touchedCount)
    for number in 0..<touchedCount {
      let tile = touched[number]
      let corner = tile.corner
      let place = Int(tile.row) * tiling.columns + Int(tile.column)
      var pixels = TilePixels(nearest: Nearest(limit: limit), head: heads[place])
      heads[place] = -1
      var index = pixels.head
      while index >= 0 {
        let visit = visits[Int(index)]
        let brush = brushes[Int(visit.brush)]
        let way = brush.way(to: corner)
        // Visits come last to first; of segments equally near the first counts.
        pixels.nearest.take(
          way, brush.number,
          where: (way.square <= pixels.nearest.square) & (way.square < Lanes(repeating: limit)))
        index = visit.next
      }
      self.pixels.append(pixels)
    }
  }

  /// How much of each pixel the nearest ink covers.
  private mutating func coverNearest() {
    let edge = StripEdge(radius: radius)
    let limit = Lanes(repeating: reach * reach)
    var pixels = pixels.mutableSpan
    for index in 0..<pixels.count {
      let nearest = pixels[index].nearest
      pixels[index].coverage = (nearest.square < limit)
        .choose(edge.coverage(nearest.square, nearest.x, nearest.y, nearest.bend))
    }
  }

  /// Finds the nearest ink in another direction.
  ///
  /// Which lies in another direction depends on which is nearest, so that must be known first; else the order of
  /// strokes would show.
  private mutating func findJoints() {
    let limit = Lanes(repeating: reach * reach)
    joints.removeAll(keepingCapacity: true)
    for number in 0..<touchedCount {
      let pixels = pixels[number]
      let nearest = pixels.nearest
      let isEdge = (nearest.square < limit) & (pixels.coverage < Lanes.one)
      // To ink right in a pixel's centre there is no way, so it is in another direction than itself.
      let isAlone = visits[Int(pixels.head)].next < 0 && !(nearest.square <= Lanes.zero).isAny
      guard !isAlone, isEdge.isAny else { continue }
      let corner = touched[number].corner
      var joint = Joint(index: number, nearest: Nearest(limit: reach * reach))
      var index = pixels.head
      while index >= 0 {
        let visit = visits[Int(index)]
        let brush = brushes[Int(visit.brush)]
        let way = brush.way(to: corner)
        let dot = ((way.x * nearest.x).together + way.y * nearest.y).together
        let differs =
          (dot <= Lanes.zero) | (dot * dot < way.square * nearest.square * Self.sameDirection)
        joint.nearest.take(
          way, brush.number,
          where: differs & (Lanes.zero <= way.bend) & (way.square <= joint.nearest.square)
            & (way.square < limit))
        index = visit.next
      }
      guard (isEdge & (joint.nearest.square < limit)).isAny else { continue }
      joints.append(joint)
    }
  }

  /// Adds what the ink in another direction covers.
  private mutating func coverJoints() {
    let edge = StripEdge(radius: radius)
    let limit = Lanes(repeating: reach * reach)
    let joints = joints
    var pixels = pixels.mutableSpan
    for joint in joints {
      let (first, second) = (pixels[joint.index].nearest, joint.nearest)
      let coverage = pixels[joint.index].coverage
      let other = edge.coverage(second.square, second.x, second.y, second.bend)
      let dot = ((first.x * second.x).together + first.y * second.y).together
      let joined = StripEdge.union(coverage, other, dot, first.square, second.square)
      pixels[joint.index].coverage = ((second.square < limit) & (coverage < Lanes.one))
        .choose(joined, coverage)
    }
  }

  private func writeInk(into batch: inout MutableSpan<Float>, at offset: Int) {
    let (width, height) = (tiling.width, tiling.height)
    for number in 0..<touchedCount {
      let (tile, coverage) = (touched[number], pixels[number].coverage)
      let (row, column) = (Int(tile.row) * 2, Int(tile.column) * 2)
      let start = offset + row * width + column
      let isWide = column + 1 < width
      batch[start] = coverage[0]
      if isWide { batch[start + 1] = coverage[1] }
      guard row + 1 < height else { continue }
      batch[start + width] = coverage[2]
      if isWide { batch[start + width + 1] = coverage[3] }
    }
  }

  private func writeFlow(into batch: inout MutableSpan<Float>, at offset: Int) {
    let flows = flows()
    let limit = reach * reach
    for number in 0..<touchedCount {
      let (tile, pixels) = (touched[number], pixels[number])
      for lane in 0..<4 {
        let (row, column) = (Int(tile.row) * 2 + lane / 2, Int(tile.column) * 2 + lane % 2)
        guard row < tiling.height, column < tiling.width, pixels.nearest.square[lane] < limit else {
          continue
        }
        let start = offset + (row * tiling.width + column) * 4
        let coverage = pixels.coverage[lane]
        let flow = flows[min(flows.count - 1, Int(pixels.nearest.brush[lane]))]
        batch[start] = coverage
        for part in 0..<3 { batch[start + 1 + part] = coverage * flow[part] }
      }
    }
  }

  /// For every segment the cosine and sine of twice its angle, and how much of the ink is drawn when the pen is in
  /// its middle, as -1 … 1. Twice the angle, for a line is the same drawn either way.
  private func flows() -> [SIMD3<Float>] {
    let lengths = brushes.map { ($0.dx[0] * $0.dx[0] + $0.dy[0] * $0.dy[0]).squareRoot() }
    let total = max(lengths.reduce(0, +), .leastNormalMagnitude)
    var drawn: Float = 0
    return zip(brushes, lengths).map { brush, length in
      defer { drawn += length }
      let order = 2 * (drawn + length / 2) / total - 1
      guard length > 0 else { return SIMD3(0, 0, order) }
      let (x, y) = (brush.dx[0] / length, brush.dy[0] / length)
      return SIMD3(x * x - y * y, 2 * x * y, order)
    }
  }
}
