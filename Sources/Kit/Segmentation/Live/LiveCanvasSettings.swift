internal import CLibrary
internal import Text

extension LiveCanvas {
  /// The waiting times and limits of a live canvas.
  public struct Settings: Hashable, Sendable, Codable {
    /// The initial settle time in milliseconds, until the writer's own tempo is known: the pause
    /// after which a shape is finished, modified by the settings below.
    public var settleMilliseconds = 850.0
    /// Whether the settle time adapts to the writer's pauses within shapes.
    public var adapts = true
    /// The range of the settle time, in milliseconds.
    public var settleRange = 400.0...2500.0
    /// The pause in milliseconds after which a surely recognized shape of several strokes is
    /// finished, unless the settle time is shorter.
    public var quickMilliseconds = 500.0
    /// Settle-time multiplier for shapes that are recognized, but not surely.
    public var unsureFactor = 1.5
    /// Settle-time multiplier for unrecognized shapes, which may not be finished yet.
    public var unrecognizedFactor = 2.0
    /// A stroke can still join a finished shape until this many milliseconds after the shape's last
    /// ink.
    public var reopenMilliseconds = 5000.0
    /// A shape is closed after this many later strokes of other shapes.
    public var reach = 64
    /// The maximum number of strokes compared at a time: shapes are closed before there are more.
    public var mostOpenStrokes = 256
    /// The maximum number of points in shapes that can still get strokes, equal to that of a stored
    /// drawing: shapes are closed before there are more. A stroke with more points is a separate
    /// shape.
    public var mostOpenPoints = 50_000
    /// The number of steps that can be undone: at most 1,000, and at most 65,536 /
    /// `mostOpenStrokes`, because a step stores data of each compared stroke: about 13 KB for 36
    /// strokes without a recognizer.
    public var undoDepth = 100
    /// The maximum number of points in all strokes that can be undone; the oldest ones are dropped.
    public var undoPoints = 1_000_000

    /// The usual settings.
    public init() {}

    /// Decodes settings; missing ones have their default values.
    public init(from decoder: any Decoder) throws {
      let values = try decoder.container(keyedBy: CodingKeys.self)
      func read<Value: Decodable>(_ key: CodingKeys, _ usual: Value) throws -> Value {
        try values.decodeIfPresent(Value.self, forKey: key) ?? usual
      }
      settleMilliseconds = try read(.settleMilliseconds, settleMilliseconds)
      adapts = try read(.adapts, adapts)
      if let ends = try values.decodeIfPresent([Double].self, forKey: .settleRange) {
        guard ends.count == 2, ends[0] <= ends[1] else {
          throw DecodingError.dataCorruptedError(
            forKey: .settleRange, in: values,
            debugDescription: "must be two numbers, the smaller first")
        }
        settleRange = ends[0]...ends[1]
      }
      quickMilliseconds = try read(.quickMilliseconds, quickMilliseconds)
      unsureFactor = try read(.unsureFactor, unsureFactor)
      unrecognizedFactor = try read(.unrecognizedFactor, unrecognizedFactor)
      reopenMilliseconds = try read(.reopenMilliseconds, reopenMilliseconds)
      reach = try read(.reach, reach)
      mostOpenStrokes = try read(.mostOpenStrokes, mostOpenStrokes)
      mostOpenPoints = try read(.mostOpenPoints, mostOpenPoints)
      undoDepth = try read(.undoDepth, undoDepth)
      undoPoints = try read(.undoPoints, undoPoints)
      if let (key, problem) = fault {
        throw DecodingError.dataCorruptedError(forKey: key, in: values, debugDescription: problem)
      }
    }

    /// Whether all numbers are in range: times in 0...1e12, multipliers in 1...100, and counts
    /// small enough to bound the memory that a log can take.
    public var isSound: Bool { fault == nil }

    private enum CodingKeys: String, CodingKey {
      case settleMilliseconds, adapts, settleRange, quickMilliseconds
      case unsureFactor = "caution"
      case unrecognizedFactor = "patience"
      case reopenMilliseconds, reach
      case mostOpenStrokes, mostOpenPoints, undoDepth, undoPoints
    }

    private typealias Fault = (key: CodingKeys, problem: String)

    /// The first setting out of range, and its range; nil for valid settings.
    private var fault: Fault? {
      func fault<Value: WrittenNumber>(
        _ key: CodingKeys, _ value: Value, _ range: ClosedRange<Value>
      ) -> Fault? {
        range.contains(value) ? nil : (key, "is \(value.text); it must be from \(range.text)")
      }
      let times = 0...1e12
      let ofTimes: Fault? =
        fault(.settleMilliseconds, settleMilliseconds, times)
        ?? fault(.settleRange, settleRange.lowerBound, times)
        ?? fault(.settleRange, settleRange.upperBound, times)
        ?? fault(.quickMilliseconds, quickMilliseconds, times)
        ?? fault(.reopenMilliseconds, reopenMilliseconds, times)
        ?? fault(.unsureFactor, unsureFactor, 1.0...100.0)
        ?? fault(.unrecognizedFactor, unrecognizedFactor, 1.0...100.0)
      let ofCounts: Fault? =
        fault(.reach, reach, 1...256)
        ?? fault(.mostOpenStrokes, mostOpenStrokes, (2 * reach)...512)
        ?? fault(.undoDepth, undoDepth, 0...min(1000, 65_536 / mostOpenStrokes))
        ?? fault(.undoPoints, undoPoints, 0...4_000_000)
        ?? fault(.mostOpenPoints, mostOpenPoints, 0...200_000)
      return ofTimes ?? ofCounts
    }
  }

  /// The writer's tempo: the mean and deviation of the logarithms of pauses within shapes, with
  /// exponentially decaying weights.
  struct Tempo: Hashable, Sendable {
    private var weight = Self.priorWeight
    private var sum: Double
    private var squares: Double

    /// How many pauses the prior counts as.
    private static let priorWeight = 4.0
    /// The prior standard deviation of pauses' logarithms.
    private static let priorDeviation = 0.6
    /// A pause this many deviations above the usual one ends a shape.
    private static let deviations = 1.5
    /// The decay of the weights of earlier pauses: about the last 40 count.
    private static let memory = 1 - 1.0 / 40

    init(settle: Double) {
      let mean = log(max(1, settle)) - Self.deviations * Self.priorDeviation
      sum = Self.priorWeight * mean
      squares = Self.priorWeight * (mean * mean + Self.priorDeviation * Self.priorDeviation)
    }

    /// Adds a pause between two strokes of a shape, in milliseconds.
    mutating func add(_ pause: Double) {
      let value = log(max(20, min(1e5, pause)))
      weight = weight * Self.memory + 1
      sum = sum * Self.memory + value
      squares = squares * Self.memory + value * value
    }

    /// The settle time in milliseconds.
    var settle: Double {
      let mean = sum / weight
      let deviation = max(0, squares / weight - mean * mean).squareRoot()
      return exp(mean + Self.deviations * deviation)
    }
  }
}
