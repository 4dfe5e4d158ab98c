internal import Ink

/// What a set of samples is made of, for a look before training on it.
public struct SampleSummary: Codable, Hashable, Sendable {
  /// How some counts are distributed: the value below which 0, 25, 50, 75 and 100 % of them lie
  /// (the nearest rank, so each is one of the counts).
  public struct Quantiles: Codable, Hashable, Sendable {
    /// The smallest.
    public var minimum: Int
    /// A quarter is not above it.
    public var lowerQuartile: Int
    /// Half are not above it.
    public var median: Int
    /// Three quarters are not above it.
    public var upperQuartile: Int
    /// The largest.
    public var maximum: Int

    /// The quantiles of `counts`; all zero when there are none.
    public init(_ counts: [Int]) {
      let sorted = counts.sorted()
      func rank(_ quarters: Int) -> Int {
        guard !sorted.isEmpty else { return 0 }
        return sorted[max(0, (sorted.count * quarters + 3) / 4 - 1)]
      }
      minimum = rank(0)
      lowerQuartile = rank(1)
      median = rank(2)
      upperQuartile = rank(3)
      maximum = rank(4)
    }
  }

  /// A class and how many drawings it has.
  public struct ClassCount: Codable, Hashable, Sendable {
    /// The label.
    public var label: String
    /// The number of drawings with it.
    public var drawings: Int
  }

  /// A drawing that someone should look at.
  public struct Finding: Codable, Hashable, Sendable {
    /// What is odd about it.
    public enum Kind: String, Codable, Sendable, CaseIterable {
      /// It is one point.
      case onePoint
      /// All its points are in one place.
      case noExtent
      /// A time is before that of the point drawn earlier.
      case timeRunsBackwards
      /// It has more than `manyPoints` points.
      case manyPoints
      /// Another class has a drawing with the same strokes.
      case sameStrokesOtherLabel
    }

    /// The drawing's id.
    public var id: String
    /// The drawing's label.
    public var label: String
    /// What is odd about it.
    public var kind: Kind
  }

  /// More points than this are a finding: people draw tens to a few thousand.
  public static let manyPoints = 10_000

  /// The number of drawings.
  public var drawings: Int
  /// Drawings that repeated another's id, label and strokes and were left out.
  public var repeats: Int
  /// The classes in order of their labels.
  public var classes: [ClassCount]
  /// The number of drawings of a class.
  public var drawingsPerClass: Quantiles
  /// The number of strokes of a drawing.
  public var strokesPerDrawing: Quantiles
  /// The number of points of a drawing.
  public var pointsPerDrawing: Quantiles
  /// Drawings in which a point has no time.
  public var withoutTimes: Int
  /// Drawings that the game which collected them did not guess.
  public var notGuessed: Int
  /// Drawings of a class that have the same strokes as an earlier one of it, under another id.
  public var duplicates: Int
  /// Drawings to look at, in the set's order.
  public var findings: [Finding]
  /// The set's fingerprint.
  public var fingerprint: String

  /// The summary of `samples`.
  public init(_ samples: SampleSet) {
    drawings = samples.count
    repeats = samples.repeats
    let counts = samples.counts
    classes = zip(samples.classes, counts).map { ClassCount(label: $0, drawings: $1) }
    drawingsPerClass = Quantiles(counts)
    strokesPerDrawing = Quantiles(samples.drawings.map(\.strokes.count))
    pointsPerDrawing = Quantiles(samples.drawings.map(\.pointCount))
    withoutTimes = samples.drawings.count { drawing in
      drawing.strokes.contains { $0.points.contains { $0.t == nil } }
    }
    notGuessed = samples.drawings.count { $0.wasGuessed == false }
    fingerprint = samples.fingerprint

    var classesOf: [String: Set<Int>] = [:]
    var duplicates = 0
    for (digest, classIndex) in zip(samples.strokeDigests, samples.classIndices)
    where !classesOf[digest, default: []].insert(classIndex).inserted {
      duplicates += 1
    }
    self.duplicates = duplicates
    var findings: [Finding] = []
    for (index, drawing) in samples.drawings.enumerated() {
      var kinds = Self.kinds(of: drawing)
      if classesOf[samples.strokeDigests[index], default: []].count > 1 {
        kinds.append(.sameStrokesOtherLabel)
      }
      let label = samples.classes[samples.classIndices[index]]
      findings += kinds.map { Finding(id: drawing.id, label: label, kind: $0) }
    }
    self.findings = findings
  }

  private static func kinds(of drawing: Drawing) -> [Finding.Kind] {
    var kinds: [Finding.Kind] = []
    let count = drawing.pointCount
    let box = drawing.boundingBox
    if count == 1 {
      kinds.append(.onePoint)
    } else if let box, box.width == 0, box.height == 0 {
      kinds.append(.noExtent)
    }
    var last = -Double.infinity
    let runsBackwards = drawing.strokes.contains { stroke in
      stroke.points.contains { point in
        guard let time = point.t else { return false }
        defer { last = time }
        return time < last
      }
    }
    if runsBackwards { kinds.append(.timeRunsBackwards) }
    if count > manyPoints { kinds.append(.manyPoints) }
    return kinds
  }
}
