internal import CKernels

/// A straight piece of a stroke, in pixels.
struct InkSegment {
  var start: SIMD2<Float>
  var way: SIMD2<Float>
  /// The squared length; 0 for a dot.
  var square: Float
  /// How round the ink is at the segment's start: 1 at a stroke's end and at sharp corners, 2 for a
  /// dot. Negative for a blunt corner: there the neighboring segment determines the edge.
  var startBend: Float
  var endBend: Float

  /// The C representation.
  @inline(__always)
  fileprivate var forKernel: drawml_segment {
    drawml_segment(
      x: start.x, y: start.y, dx: way.x, dy: way.y, square: square, startBend: startBend,
      endBend: endBend)
  }

  /// The roundness at the corner where `a` ends and `b` starts.
  static func bend(_ a: InkSegment, _ b: InkSegment) -> Float {
    let lengths = (a.square * b.square).squareRoot()
    let bend = min(1, 1 - (a.way.x * b.way.x + a.way.y * b.way.y) / lengths)
    return bend > 0.5 ? bend : min(-bend, -1e-6)
  }
}

/// Rasterizes the segments of a drawing.
///
/// For each pixel it finds the vector from the nearest point on any segment to the pixel's center,
/// and the vector from the nearest point on the other side of a corner or of a gap, if there is
/// one. The coverage by one edge is the exact area of the pixel's square within the strip at that
/// distance perpendicular to that vector; two edges are combined as half-planes that meet at the
/// angle between them. Straight edges are exact; junctions of edges, ends and tight curves are
/// approximations.
///
/// The loops are in `CKernels` (`raster.c`). They cut the raster into tiles of 4 × 4 pixels, stored
/// contiguously, and test only the segments that may be near a tile; the vectors computed for the
/// nearest ink are reused to find the nearest ink in another direction. The result is bit-identical
/// for all vector widths.
struct RasterKernel: Sendable {
  /// The vector level of this processor.
  static let levelHere = drawml_vector_level()

  private let level: Int32
  /// The strokes' segments, followed by spare capacity.
  private var segments: [drawml_segment] = []
  private var count = 0
  private var flows: [Float] = []
  private var scratch = [Float](repeating: 0, count: Int(drawml_raster_scratch))
  /// The maximum number of segments whose memory is kept: no usual drawing has more.
  private static let segmentsKept = 1 << 16

  /// A kernel for a vector level that this processor supports.
  init(level: Int32 = Self.levelHere) { self.level = level }

  /// Discards the strokes of an unfinished drawing.
  mutating func begin() {
    count = 0
    if segments.count > Self.segmentsKept { segments = [] }
  }

  /// Adds a stroke; `fit` maps its points to the raster.
  mutating func add(_ stroke: Stroke, _ fit: DrawingFit) {
    let points = stroke.points.span
    guard points.count > 0 else { return }
    var used = count
    let room = used + points.count
    if segments.count < room {
      segments.append(
        contentsOf: repeatElement(drawml_segment(), count: max(room, 64) * 2 - segments.count))
    }
    var placed = segments.mutableSpan
    var start = fit.place(points[0])
    // A segment is added once the next one is known, which determines how sharp their corner is.
    var open = InkSegment(start: start, way: .zero, square: 0, startBend: 2, endBend: 2)
    var index = 1
    while index < points.count {
      let end = fit.place(points[index])
      index += 1
      let way = end - start
      let square = way.x * way.x + way.y * way.y
      // Dropping a point this close moves no edge by more than a hundredth of a pixel.
      guard square > 1e-4 else { continue }
      var next = InkSegment(start: start, way: way, square: square, startBend: 1, endBend: 1)
      if open.square > 0 {
        let bend = InkSegment.bend(open, next)
        (open.endBend, next.startBend) = (bend, bend)
        placed[used] = open.forKernel
        used += 1
      }
      open = next
      start = end
    }
    placed[used] = open.forKernel
    count = used + 1
  }

  /// Writes every pixel, shape [height, width, channels], from element `offset` on, and discards
  /// the strokes.
  mutating func finish(
    into batch: inout MutableSpan<Float>, at offset: Int, width: Int, height: Int, radius: Float,
    channels: Rasterizer.Channels
  ) {
    let hasFlow = channels == .inkAndFlow
    if hasFlow { findFlows() }
    precondition(
      offset >= 0 && offset <= batch.count - width * height * channels.count,
      "a raster of \(width * height * channels.count) elements does not fit at \(offset) of "
        + "\(batch.count)")
    Self.draw(
      segments, count: count, hasFlow ? flows : nil, into: &batch, at: offset, width: width,
      height: height, radius: radius, level: level, &scratch)
    begin()
  }

  /// Computes for every segment the cosine and sine of twice its angle, and the share of the ink
  /// drawn when the pen is at its middle, mapped to -1 … 1. Doubling the angle makes it independent
  /// of the drawing direction.
  private mutating func findFlows() {
    let segments = segments.prefix(count)
    var total: Float = 0
    for segment in segments { total += segment.square.squareRoot() }
    total = max(total, .leastNormalMagnitude)
    flows.removeAll(keepingCapacity: count <= Self.segmentsKept)
    flows.reserveCapacity(segments.count * 3)
    var drawn: Float = 0
    for segment in segments {
      let length = segment.square.squareRoot()
      let order = 2 * (drawn + length / 2) / total - 1
      drawn += length
      let (x, y) = length > 0 ? (segment.dx / length, segment.dy / length) : (0, 0)
      flows.append(x * x - y * y)
      flows.append(2 * x * y)
      flows.append(order)
    }
  }
}
