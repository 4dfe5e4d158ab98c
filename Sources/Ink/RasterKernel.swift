internal import CKernels

/// A straight piece of a stroke, in pixels.
struct InkSegment {
  var start: SIMD2<Float>
  var way: SIMD2<Float>
  /// The squared length; 0 for a dot.
  var square: Float
  /// How round the ink is about the segment's start: 1 at a stroke's end and at sharp corners, 2
  /// for a dot. Negative for a blunt corner: there the neighboring segment says where the edge is.
  var startBend: Float
  var endBend: Float

  /// The same for `CKernels`.
  @inline(__always)
  fileprivate var forKernel: drawml_segment {
    drawml_segment(
      x: start.x, y: start.y, dx: way.x, dy: way.y, square: square, startBend: startBend,
      endBend: endBend)
  }

  /// The bend where `a` ends and `b` starts.
  static func bend(_ a: InkSegment, _ b: InkSegment) -> Float {
    let lengths = (a.square * b.square).squareRoot()
    let bend = min(1, 1 - (a.way.x * b.way.x + a.way.y * b.way.y) / lengths)
    return bend > 0.5 ? bend : min(-bend, -1e-6)
  }
}

/// The segments of a drawing, and how they become pixels.
///
/// For each pixel it finds the way from the nearest point on any segment to the pixel's center, and
/// the way from the nearest point on the other side of a corner or of a gap, if there is one. The
/// coverage by one edge is the exact area of the pixel's square within the strip that runs at that
/// distance across that way, and two edges are joined as half-planes that meet at the angle between
/// them. So straight edges are exact; where edges meet, ends and tight curves are approximations.
///
/// The loops are in `CKernels` (`raster.c`): it cuts the raster into tiles of 4 × 4 pixels, whose
/// numbers stand side by side, lists which segments may be near which tile, and looks at those
/// alone; the ways that it finds for the nearest ink it keeps for the nearest ink in another
/// direction. The result is the same, to the bit, on processors with narrow and with wide vectors.
struct RasterKernel: Sendable {
  /// How wide the vectors of this processor are.
  static let levelHere = drawml_vector_level()

  private let level: Int32
  /// The strokes' segments, and room for more behind them.
  private var segments: [drawml_segment] = []
  private var count = 0
  private var flows: [Float] = []
  private var scratch = [Float](repeating: 0, count: Int(drawml_raster_scratch))
  /// Memory for more segments than this is given back: no usual drawing has so many.
  private static let segmentsKept = 1 << 16

  /// A kernel for vectors of a width that this processor has.
  init(level: Int32 = Self.levelHere) { self.level = level }

  /// Forgets the strokes of a drawing that was not finished.
  mutating func begin() {
    count = 0
    if segments.count > Self.segmentsKept { segments = [] }
  }

  /// Draws a stroke whose points `fit` places in the raster.
  mutating func add(_ stroke: Stroke, _ fit: Fit) {
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
    // A segment is kept back until the one behind it is known, which says how sharp the corner
    // between them is.
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
        placed[used] = open.forKernel
        used += 1
      }
      open = next
      start = end
    }
    placed[used] = open.forKernel
    count = used + 1
  }

  /// Writes every pixel, shape [height, width, channels], from element `offset` on, and forgets the
  /// strokes.
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

  /// For every segment the cosine and sine of twice its angle, and how much of the ink is drawn
  /// when the pen is in its middle, as -1 … 1. Twice the angle, for a line is the same drawn either
  /// way.
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
