public import Files
internal import Ink

/// Statistics of a sharded set, by reading it once in bounded memory. Copies and odd drawings are
/// not looked for: `SampleSummary` does that, for sets that fit in memory.
public struct ShardedSummary: Codable, Hashable, Sendable {
  /// The number of drawings.
  public var drawings: Int
  /// The classes, sorted by label.
  public var classes: [SampleSummary.ClassCount]
  /// The number of drawings per class.
  public var drawingsPerClass: SampleSummary.Quantiles
  /// The number of strokes per drawing.
  public var strokesPerDrawing: SampleSummary.Quantiles
  /// The number of points per drawing.
  public var pointsPerDrawing: SampleSummary.Quantiles
  /// The number of drawings in which a point has no time.
  public var withoutTimes = 0
  /// The number of drawings that Quick, Draw! did not recognize.
  public var notGuessed = 0
  /// The number of shards.
  public var shards: Int
  /// The length of all shards in bytes.
  public var bytes: Int
  /// The set's fingerprint.
  public var fingerprint: String

  /// Reads all drawings of a set, which checks all its blocks.
  ///
  /// - Parameters:
  ///   - set: The set.
  ///   - progress: Called after every ten thousandth drawing with the number read.
  /// - Throws: `FileError` for a shard that cannot be read or changed.
  public init(_ set: ShardedDrawings, progress: (Int) -> Void = { _ in }) throws(FileError) {
    var (strokes, points): ([Int: Int], [Int: Int]) = ([:], [:])
    var (withoutTimes, notGuessed) = (0, 0)
    for number in 0..<set.count {
      let drawing = try set.drawing(number)
      strokes[drawing.strokes.count, default: 0] += 1
      points[drawing.pointCount, default: 0] += 1
      if SampleSummary.lacksTimes(drawing) { withoutTimes += 1 }
      if drawing.wasGuessed == false { notGuessed += 1 }
      if (number + 1).isMultiple(of: 10_000) { progress(number + 1) }
    }
    drawings = set.count
    classes = set.labels.sorted { $0.label < $1.label }.map {
      .init(label: $0.label, drawings: $0.drawings)
    }
    drawingsPerClass = .init(set.labels.map(\.drawings))
    (strokesPerDrawing, pointsPerDrawing) = (.init(ofTally: strokes), .init(ofTally: points))
    (self.withoutTimes, self.notGuessed) = (withoutTimes, notGuessed)
    (shards, bytes, fingerprint) = (set.shardCount, set.byteCount, set.fingerprint)
  }
}
