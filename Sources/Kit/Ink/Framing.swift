extension Rasterizer {
  /// Draws the part of some strokes that is visible in a frame around a box.
  ///
  /// The box is placed in the raster like a drawing of its extent, so the margin shows its
  /// surroundings.
  ///
  /// - Parameters:
  ///   - strokes: What to draw; ink outside the raster is clipped.
  ///   - box: The box to frame. A box without extent has no scale: all ink is then drawn at the
  ///     center.
  ///   - batch: Ink coverage, row-major, shape [N, height, width].
  ///   - offset: The first element to write; the height · width from there on are overwritten.
  ///   - scratch: Working memory, reused from call to call.
  /// - Throws: `InkError.invalidNumber` for a coordinate that is not finite.
  public func draw(
    _ strokes: [Stroke], around box: BoundingBox, into batch: inout MutableSpan<Float>,
    at offset: Int = 0, using scratch: inout Scratch
  ) throws(InkError) {
    precondition(
      offset >= 0 && offset <= batch.count - width * height,
      "a raster of \(width * height) elements does not fit at \(offset) of \(batch.count)")
    let fit = DrawingFit(
      left: box.x, right: box.x + box.width, top: box.y, bottom: box.y + box.height,
      width: Double(width), height: Double(height), inset: margin + strokeWidth / 2)
    let window = Window(width: width, height: height, border: strokeWidth)
    scratch.kernel.begin()
    for (number, stroke) in strokes.enumerated() {
      try stroke.checkFinite(number)
      for piece in window.pieces(of: stroke, fit) { scratch.kernel.add(piece, .identity) }
    }
    scratch.kernel.finish(
      into: &batch, at: offset, width: width, height: height, radius: Float(strokeWidth / 2),
      channels: .ink)
  }
}

/// The part of the plane that a raster shows, in its pixels.
private struct Window {
  let least: Double
  let right: Double
  let bottom: Double

  init(width: Int, height: Int, border: Double) {
    least = -border
    (right, bottom) = (Double(width) + border, Double(height) + border)
  }

  /// The visible pieces, in pixels, of a stroke placed by `fit`; possibly none.
  func pieces(of stroke: Stroke, _ fit: DrawingFit) -> [Stroke] {
    var pieces: [Stroke] = []
    var open: [Point] = []
    var last: Point?
    for point in stroke.points {
      let (x, y) = fit(point)
      let next = Point(x: x, y: y)
      defer { last = next }
      guard let (start, end) = clip(last ?? next, next) else { continue }
      if open.last != start {
        if !open.isEmpty { pieces.append(Stroke(open)) }
        open = [start]
      }
      if end != start { open.append(end) }
    }
    if !open.isEmpty { pieces.append(Stroke(open)) }
    return pieces
  }

  /// The part of a line that lies within (Liang and Barsky 1984, doi:10.1145/357332.357333).
  private func clip(_ a: Point, _ b: Point) -> (Point, Point)? {
    let (dx, dy) = (b.x - a.x, b.y - a.y)
    var (first, last) = (0.0, 1.0)
    for (way, room) in [
      (-dx, a.x - least), (dx, right - a.x), (-dy, a.y - least), (dy, bottom - a.y),
    ] {
      if way == 0 {
        guard room >= 0 else { return nil }
      } else if way < 0 {
        first = max(first, room / way)
      } else {
        last = min(last, room / way)
      }
    }
    // Also fails if the differences overflow.
    guard first <= last, dx.isFinite, dy.isFinite else { return nil }
    return (
      first == 0 ? a : Point(x: a.x + first * dx, y: a.y + first * dy),
      last == 1 ? b : Point(x: a.x + last * dx, y: a.y + last * dy)
    )
  }
}

extension Stroke {
  /// Checks that all coordinates are finite; `number` is the stroke's in errors.
  ///
  /// - Throws: `InkError.invalidNumber`.
  package func checkFinite(_ number: Int) throws(InkError) {
    for (index, point) in points.enumerated() where !(point.x + point.y).isFinite {
      guard point.x.isFinite else { throw .invalidNumber(stroke: number, point: index, axis: .x) }
      guard point.y.isFinite else { throw .invalidNumber(stroke: number, point: index, axis: .y) }
    }
  }
}
