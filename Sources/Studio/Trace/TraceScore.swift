internal import Foundation
public import Ink

/// How well a trace follows its template.
///
/// Lines are near each other if they are close and have about the same direction, so crossing lines
/// do not count.
public struct TraceScore: Hashable, Sendable, Codable {
  /// The share of the template's lines that the trace is near, by length, in 0...1.
  public let cover: Double
  /// The share of the trace's lines that the template is near, by length, in 0...1.
  public let precision: Double

  /// How close counts as near, as a fraction of the larger side of the template.
  public static let tolerance = 0.04

  /// The maximum number of strokes of a trace, and of a template.
  public static let mostStrokes = 1_024

  /// The mean of cover and precision in percent, in 0...100.
  public var percent: Double { 50 * (cover + precision) }

  fileprivate static func check(_ strokes: [Stroke]) throws(InkError) {
    guard strokes.contains(where: { !$0.points.isEmpty }) else { throw .emptyDrawing }
    guard strokes.count <= mostStrokes else {
      throw .tooManyStrokes(count: strokes.count, limit: mostStrokes)
    }
    for (index, stroke) in strokes.enumerated() { try stroke.checkFinite(index) }
  }
}

/// Scores traces over one template.
public struct TraceScorer: Sendable {
  private let frame: ScoreFrame
  private let wanted: Lines

  /// - Throws: `InkError.emptyDrawing` for a template without points, `.tooManyStrokes` for one of
  ///   more than `TraceScore.mostStrokes`, or `.invalidNumber` for a coordinate that is not finite.
  public init(_ template: [Stroke]) throws(InkError) {
    try TraceScore.check(template)
    guard let box = BoundingBox(template.lazy.flatMap(\.points)) else { throw .emptyDrawing }
    frame = ScoreFrame(around: box)
    wanted = try frame.lines(of: template)
  }

  /// The score of a trace in the units of the template.
  ///
  /// - Throws: As for a template.
  /// - Complexity: O(points).
  public func score(_ trace: [Stroke]) throws(InkError) -> TraceScore {
    try TraceScore.check(trace)
    let drawn = try frame.lines(of: trace)
    return TraceScore(cover: wanted.share(near: drawn), precision: drawn.share(near: wanted))
  }
}

/// A straight piece of a line, in pixels of a frame.
private struct Piece {
  var start: Point
  var end: Point

  /// The number of directions, each of 15 degrees.
  static let directions = 12

  /// The direction, in 0..<`directions`; nil for a dot, which has none.
  var direction: Int? {
    guard start != end else { return nil }
    let turn = atan2(end.y - start.y, end.x - start.x) / .pi
    return Int(((turn < 0 ? turn + 1 : turn) * Double(Self.directions)).rounded(.down))
      % Self.directions
  }
}

/// The lines of a drawing in pieces, and the pixels that are near to them.
private struct Lines {
  var pieces: [Piece]
  /// The thickened pieces of each direction; dots are in all.
  var layers: [Raster]

  /// The share of the pieces' length that is near `others`; a dot has the length of a pixel.
  func share(near others: Lines) -> Double {
    var (missed, total) = (0.0, 0.0)
    for piece in pieces {
      let length = max(piece.start.distance(to: piece.end), 1)
      let steps = 4
      total += length
      for step in 0..<steps {
        let point = piece.start.interpolated(to: piece.end, (Double(step) + 0.5) / Double(steps))
        if !others.areNear(point, piece.direction) { missed += length / Double(steps) }
      }
    }
    return max(0, 1 - missed / total)
  }

  /// Whether a point is near to lines of about `direction`, any for a dot.
  private func areNear(_ point: Point, _ direction: Int?) -> Bool {
    let pixels = 0..<Double(ScoreFrame.side)
    guard pixels.contains(point.x), pixels.contains(point.y) else { return false }
    let (row, column) = (Int(point.y), Int(point.x))
    let near = direction.map { $0 - 2...$0 + 2 } ?? 0...(Piece.directions - 1)
    return near.contains { layer in
      layers[(layer + Piece.directions) % Piece.directions][row, column] >= 0.5
    }
  }
}

/// A square of pixels around a template, in which lines are drawn as thick as what is near to them.
private struct ScoreFrame {
  /// The larger side of the template, in pixels: the tolerance is 8.
  private static let size = 8 / TraceScore.tolerance
  private static let strokeWidth = 16.0
  private static let margin = 20.0
  static let side = Int(size + strokeWidth + 2 * margin)
  private static let rasterizer = Rasterizer(
    width: side, height: side, strokeWidth: strokeWidth, margin: margin)
  /// What the template's middle square is in pixels.
  private static let box = BoundingBox(
    x: strokeWidth / 2 + margin, y: strokeWidth / 2 + margin, width: size, height: size)

  private let placement: Transform

  init(around box: BoundingBox) {
    // A dot has no size, so that it gets one.
    let larger = max(box.width, box.height)
    let middle = Double(Self.side) / 2
    placement = Transform.translation(x: -box.x - box.width / 2, y: -box.y - box.height / 2)
      .then(.scale(Self.size / (larger > 0 ? larger : 1)))
      .then(.translation(x: middle, y: middle))
  }

  func lines(of strokes: [Stroke]) throws(InkError) -> Lines {
    let pieces = pieces(of: strokes)
    return Lines(pieces: pieces, layers: try layers(of: pieces))
  }

  /// The strokes in pieces of four pixels; more ink than any sensible drawing has in longer ones.
  private func pieces(of strokes: [Stroke]) -> [Piece] {
    strokes.flatMap { stroke in
      let points = stroke.transformed(by: placement)
        .resampled(spacing: 4, limit: (1 << 16) / strokes.count).points
      return points.count == 1
        ? [Piece(start: points[0], end: points[0])]
        : zip(points, points.dropFirst()).map { Piece(start: $0, end: $1) }
    }
  }

  private func layers(of pieces: [Piece]) throws(InkError) -> [Raster] {
    var strokes = [[Stroke]](repeating: [], count: Piece.directions)
    for piece in pieces {
      for direction in piece.direction.map({ $0...$0 }) ?? 0...(Piece.directions - 1) {
        strokes[direction].append(Stroke([piece.start, piece.end]))
      }
    }
    var scratch = Rasterizer.Scratch()
    var layers: [Raster] = []
    for strokes in strokes {
      var raster = Raster(width: Self.side, height: Self.side)
      defer { layers.append(raster) }
      guard !strokes.isEmpty else { continue }
      var pixels = raster.values.mutableSpan
      try Self.rasterizer.draw(strokes, around: Self.box, into: &pixels, using: &scratch)
    }
    return layers
  }
}
