import Ink

/// The plain rasterizer that the fast one is held against: it asks at `samples` × `samples` places
/// in every pixel whether any segment is within half a stroke's width.
struct ReferenceRasterizer {
  var rasterizer: Rasterizer
  var samples = 16

  func callAsFunction(_ drawing: Drawing) -> Raster {
    let (width, height) = (rasterizer.width, rasterizer.height)
    var raster = Raster(width: width, height: height)
    guard let box = drawing.boundingBox else { return raster }
    let inset = rasterizer.margin + rasterizer.strokeWidth / 2
    let scale = min(
      (Double(width) - 2 * inset) / box.width, (Double(height) - 2 * inset) / box.height)
    func place(_ point: Point) -> Point {
      guard scale.isFinite else { return Point(x: Double(width) / 2, y: Double(height) / 2) }
      return Point(
        x: (point.x - box.x - box.width / 2) * scale + Double(width) / 2,
        y: (point.y - box.y - box.height / 2) * scale + Double(height) / 2)
    }
    var segments: [(Point, Point)] = []
    for stroke in drawing.strokes {
      let points = stroke.points.map(place)
      guard let last = points.last else { continue }
      segments += zip(points, points.dropFirst())
      if points.count == 1 { segments.append((last, last)) }
    }
    let radius = rasterizer.strokeWidth / 2
    for row in 0..<height {
      for column in 0..<width {
        let near = segments.filter {
          distance(Point(x: Double(column) + 0.5, y: Double(row) + 0.5), $0.0, $0.1) < radius + 0.75
        }
        guard !near.isEmpty else { continue }
        var hits = 0
        for index in 0..<(samples * samples) {
          let (i, j) = index.quotientAndRemainder(dividingBy: samples)
          let sample = Point(
            x: Double(column) + (Double(i) + 0.5) / Double(samples),
            y: Double(row) + (Double(j) + 0.5) / Double(samples))
          if near.contains(where: { distance(sample, $0.0, $0.1) <= radius }) { hits += 1 }
        }
        raster.values[row * width + column] = Float(hits) / Float(samples * samples)
      }
    }
    return raster
  }
}

/// The distance from `p` to the segment from `a` to `b`, the plain way.
func distance(_ p: Point, _ a: Point, _ b: Point) -> Double {
  let (dx, dy) = (b.x - a.x, b.y - a.y)
  let square = dx * dx + dy * dy
  let t = square > 0 ? max(0, min(1, ((p.x - a.x) * dx + (p.y - a.y) * dy) / square)) : 0
  return p.distance(to: Point(x: a.x + t * dx, y: a.y + t * dy))
}
