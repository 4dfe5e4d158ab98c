@testable import Ink

/// The plain twin of the rasterizer: for every pixel it looks at every segment, one number at a
/// time.
///
/// It says the same with the same formulas; only what the fast one leaves out, batches and rounds
/// otherwise differs. It costs some thousand times more.
struct PlainRasterKernel {
  var rasterizer: Rasterizer

  private struct Way {
    var x: Float
    var y: Float
    var bend: Float
    var segment: Int

    var square: Float { x * x + y * y }
  }

  private var radius: Float { Float(rasterizer.strokeWidth / 2) }

  /// Pixels, row-major, shape [height, width, channels].
  func callAsFunction(_ drawing: Drawing) throws -> [Float] {
    let fit = try DrawingFit(
      drawing, width: rasterizer.width, height: rasterizer.height,
      inset: rasterizer.margin + rasterizer.strokeWidth / 2)
    let segments = drawing.strokes.flatMap { self.segments($0, fit) }
    let flows = self.flows(segments)
    var values: [Float] = []
    for row in 0..<rasterizer.height {
      for column in 0..<rasterizer.width {
        let (value, nearest) = pixel(Float(column) + 0.5, Float(row) + 0.5, segments)
        values.append(value)
        guard rasterizer.channels == .inkAndFlow else { continue }
        let flow = nearest.map { flows[$0] } ?? [0, 0, 0]
        values += flow.map { $0 * value }
      }
    }
    return values
  }

  private func segments(_ stroke: Stroke, _ fit: DrawingFit) -> [InkSegment] {
    guard let first = stroke.points.first else { return [] }
    var start = fit.place(first)
    var segments: [InkSegment] = []
    for point in stroke.points.dropFirst() {
      let end = fit.place(point)
      let way = end - start
      let square = way.x * way.x + way.y * way.y
      guard square > 1e-4 else { continue }
      segments.append(
        InkSegment(start: start, way: way, square: square, startBend: 1, endBend: 1))
      start = end
    }
    for index in segments.indices.dropFirst() {
      let bend = InkSegment.bend(segments[index - 1], segments[index])
      segments[index - 1].endBend = bend
      segments[index].startBend = bend
    }
    return segments.isEmpty
      ? [InkSegment(start: start, way: .zero, square: 0, startBend: 2, endBend: 2)] : segments
  }

  private func flows(_ segments: [InkSegment]) -> [[Float]] {
    let lengths = segments.map { $0.square.squareRoot() }
    let total = max(lengths.reduce(0, +), .leastNormalMagnitude)
    var drawn: Float = 0
    return zip(segments, lengths).map { segment, length in
      defer { drawn += length }
      let order = 2 * (drawn + length / 2) / total - 1
      guard length > 0 else { return [0, 0, order] }
      let (x, y) = (segment.way.x / length, segment.way.y / length)
      return [x * x - y * y, 2 * x * y, order]
    }
  }

  private func pixel(_ x: Float, _ y: Float, _ segments: [InkSegment]) -> (Float, Int?) {
    let limit = (radius + 0.707_106_8) * (radius + 0.707_106_8)
    let ways = segments.indices.map { self.way(x, y, segments[$0], $0) }.filter {
      $0.square < limit
    }
    guard let first = nearest(ways) else { return (0, nil) }
    let coverage = self.coverage(first)
    let others = ways.filter { way in
      let dot = way.x * first.x + way.y * first.y
      return way.bend >= 0 && (dot <= 0 || dot * dot < way.square * first.square * 0.883)
    }
    guard coverage < 1, let second = nearest(others) else { return (coverage, first.segment) }
    return (union(coverage, self.coverage(second), first, second), first.segment)
  }

  private func nearest(_ ways: [Way]) -> Way? {
    ways.reduce(nil) { best, way in best.map { way.square < $0.square ? way : $0 } ?? way }
  }

  private func way(_ x: Float, _ y: Float, _ segment: InkSegment, _ number: Int) -> Way {
    let (px, py) = (x - segment.start.x, y - segment.start.y)
    let (dx, dy) = (segment.way.x, segment.way.y)
    let along = segment.square > 0 ? (px * dx + py * dy) * (1 / segment.square) : 0
    let t = max(0, min(1, along))
    var way = Way(x: px - t * dx, y: py - t * dy, bend: 0, segment: number)
    if along <= 0 {
      way.bend = segment.startBend
    } else if along >= 1 {
      way.bend = segment.endBend
    } else if way.square < 1e-8 {
      let scale = 1e-4 / segment.square.squareRoot()
      (way.x, way.y) = (dy * scale, -dx * scale)
    }
    return way
  }

  private func coverage(_ way: Way) -> Float {
    let fill = min(1, .pi / 2 * radius)
    let discShift = max(0, min(1, (radius - 0.4) / 0.3)) / (24 * max(0.4, radius))
    let distance = way.square.squareRoot()
    let scale = 1 / max(1e-12, distance)
    let a = max(0.5, max(abs(way.x), abs(way.y)) * scale)
    let b = min(abs(way.x), abs(way.y)) * scale
    let roundness = min(1, abs(way.bend))
    let room = max(0, (a + b) / 2 - abs(radius - distance)) / (a * max(1e-6, b))
    let chord = min(room, 1 / a)
    let aside = (1 - chord * a) * (a - b) / 2
    let shift = roundness * (chord * chord + 12 * aside * aside) * discShift
    let strip = area(radius - distance - shift, a, b) - area(-radius - distance, a, b)
    let share = min(1, max(way.bend - 1, distance + 0.5)) * roundness
    return max(0, min(1, strip * (1 - share * (1 - fill))))
  }

  private func area(_ offset: Float, _ a: Float, _ b: Float) -> Float {
    let end = (a + b) / 2
    let distance = min(end, abs(offset))
    let rest = end - distance
    let beyond =
      distance <= (a - b) / 2 ? 0.5 - distance / a : rest * rest / (2 * a * max(1e-6, b))
    return offset < 0 ? beyond : 1 - beyond
  }

  private func union(_ first: Float, _ second: Float, _ a: Way, _ b: Way) -> Float {
    let lengths = (a.square * b.square).squareRoot()
    let cosine = max(-1, min(1, (a.x * b.x + a.y * b.y) / max(1e-12, lengths)))
    let size = abs(cosine)
    var polynomial = 0.074_261 - size * 0.018_729_3
    polynomial = size * polynomial - 0.212_114_4
    polynomial = size * polynomial + 1.570_728_8
    let away = 1 - (1 - size).squareRoot() * polynomial * Float(2 / Double.pi)
    let bound = cosine > 0 ? min(first, second) : max(0, first + second - 1)
    let independent = first * second
    return first + second - (independent + (bound - independent) * away)
  }
}
