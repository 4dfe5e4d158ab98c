public import Ink

/// Statistics of a set of samples, to check it before training.
public struct SampleSummary: Codable, Hashable, Sendable {
  /// The quartiles of some counts, by nearest rank, so that each is one of the counts.
  public struct Quantiles: Codable, Hashable, Sendable {
    /// The minimum.
    public var minimum: Int
    /// The 25 % quantile.
    public var lowerQuartile: Int
    /// The 50 % quantile.
    public var median: Int
    /// The 75 % quantile.
    public var upperQuartile: Int
    /// The maximum.
    public var maximum: Int

    /// The quantiles of `counts`; all zero if `counts` is empty.
    public init(_ counts: [Int]) {
      self.init(ofTally: counts.reduce(into: [:]) { $0[$1, default: 0] += 1 })
    }

    /// The quantiles of counts, weighted by how often each occurs; all 0 without counts.
    init(ofTally tally: [Int: Int]) {
      let (sorted, total) = (tally.sorted { $0.key < $1.key }, tally.values.reduce(0, +))
      func rank(_ quarters: Int) -> Int {
        var left = max(1, (total * quarters + 3) / 4)
        return sorted.first {
          left -= $0.value
          return left <= 0
        }?.key ?? 0
      }
      minimum = rank(0)
      lowerQuartile = rank(1)
      median = rank(2)
      upperQuartile = rank(3)
      maximum = rank(4)
    }
  }

  /// A class and its number of drawings.
  public struct ClassCount: Codable, Hashable, Sendable {
    /// The label.
    public var label: String
    /// The number of drawings with it.
    public var drawings: Int
  }

  /// A suspicious drawing that should be reviewed.
  public struct Finding: Codable, Hashable, Sendable {
    /// The reason why it is suspicious.
    public enum Kind: String, Codable, Sendable, CaseIterable {
      /// It is a single point.
      case onePoint
      /// All its points coincide.
      case noExtent
      /// A point's time is before that of the previous point.
      case timeRunsBackwards
      /// It has more than `manyPoints` points.
      case manyPoints
      /// Another class has a drawing with the same strokes.
      case sameStrokesOtherLabel
      /// Another class has a drawing with nearly the same strokes.
      case nearlySameStrokesOtherLabel
    }

    /// The drawing's id.
    public var id: String
    /// The drawing's label; empty if no drawing has one.
    public var label: String
    /// The reason why it is suspicious.
    public var kind: Kind
  }

  /// A drawing with the strokes of an earlier one of its class, or nearly the same.
  public struct Copy: Codable, Hashable, Sendable {
    /// Its id.
    public var id: String
    /// The id of the earlier one.
    public var of: String
    /// The label of both; empty if no drawing has one.
    public var label: String
    /// Whether the strokes are the same.
    public var isExact: Bool
  }

  /// The threshold for `Finding.Kind.manyPoints`: people draw tens to a few thousand points.
  public static let manyPoints = 10_000

  /// The number of drawings.
  public var drawings: Int
  /// The number of further drawings without a label, which are otherwise ignored.
  public var unlabeled: Int
  /// The number of drawings dropped because another one has the same id, label and strokes.
  public var repeats: Int
  /// The classes, sorted by label; empty if no drawing has one.
  public var classes: [ClassCount]
  /// The number of drawings per class.
  public var drawingsPerClass: Quantiles
  /// The number of strokes per drawing.
  public var strokesPerDrawing: Quantiles
  /// The number of points per drawing.
  public var pointsPerDrawing: Quantiles
  /// The number of drawings in which a point has no time.
  public var withoutTimes: Int
  /// The number of drawings that Quick, Draw! did not recognize.
  public var notGuessed: Int
  /// The number of drawings with the same class and strokes as an earlier one, but another id.
  public var duplicates: Int
  /// The number of further drawings that are nearly the same as an earlier one of their class, such
  /// as a copy that was moved, or saved with rounded points.
  public var nearDuplicates: Int
  /// These and the `duplicates`, in the set's order.
  public var copies: [Copy]
  /// Suspicious drawings, in the set's order.
  public var findings: [Finding]
  /// The set's fingerprint.
  public var fingerprint: String

  /// The summary of `samples`; `unlabeled` counts the set's drawings without a label.
  public init(_ samples: SampleSet, unlabeled: Int = 0) {
    self.unlabeled = unlabeled
    drawings = samples.count
    repeats = samples.repeats
    let counts = samples.counts
    classes = zip(samples.classes, counts).map { ClassCount(label: $0, drawings: $1) }
    drawingsPerClass = Quantiles(counts)
    strokesPerDrawing = Quantiles(samples.drawings.map(\.strokes.count))
    pointsPerDrawing = Quantiles(samples.drawings.map(\.pointCount))
    withoutTimes = samples.drawings.count(where: Self.lacksTimes)
    notGuessed = samples.drawings.count { $0.wasGuessed == false }
    fingerprint = samples.fingerprint

    var index = CopyIndex()
    // Of each drawing the first with the same strokes, or else nearly the same, and its class.
    var (earlierOf, near): ([Int: Int], Set<Int>) = ([:], [])
    // The digests of what other classes have.
    var (sameOthers, nearOthers): (Set<String>, Set<String>) = ([], [])
    for (later, drawing) in samples.drawings.enumerated() {
      let (digest, group) = (samples.strokeDigests[later], samples.classIndices[later])
      let found = index.copies(of: drawing, digest: digest)
      func isOwn(_ earlier: Int) -> Bool { samples.classIndices[earlier] == group }
      if let first = found.same.first(where: isOwn) {
        earlierOf[later] = first
      } else if let first = found.near.first(where: isOwn) {
        earlierOf[later] = first
        near.insert(later)
      }
      if !found.same.allSatisfy(isOwn) { sameOthers.insert(digest) }
      let others = found.near.filter { !isOwn($0) }
      if !others.isEmpty {
        nearOthers.formUnion((others + [later]).map { samples.strokeDigests[$0] })
      }
      index.insert(drawing, digest: digest, as: later, group: group)
    }
    duplicates = earlierOf.count - near.count
    nearDuplicates = near.count
    copies = earlierOf.sorted { $0.key < $1.key }.map { later, earlier in
      Copy(
        id: samples.drawings[later].id, of: samples.drawings[earlier].id,
        label: samples.classes[samples.classIndices[later]],
        isExact: !near.contains(later))
    }
    var findings: [Finding] = []
    for (index, drawing) in samples.drawings.enumerated() {
      var kinds = Self.kinds(of: drawing)
      let digest = samples.strokeDigests[index]
      if sameOthers.contains(digest) {
        kinds.append(.sameStrokesOtherLabel)
      } else if nearOthers.contains(digest) {
        kinds.append(.nearlySameStrokesOtherLabel)
      }
      let label = samples.classes[samples.classIndices[index]]
      findings += kinds.map { Finding(id: drawing.id, label: label, kind: $0) }
    }
    self.findings = findings
  }

  /// The summary of drawings without labels.
  ///
  /// - Throws: `SampleSetError` for no drawings, or an id shared by two of them.
  public init(
    unlabeled drawings: [Drawing], origins: [SampleSet.Origin] = []
  ) throws(SampleSetError) {
    var drawings = drawings
    // A set needs labels; with the same label for all, it finds duplicates.
    for index in drawings.indices { drawings[index].label = "-" }
    self.init(try SampleSet(drawings, origins: origins))
    (classes, drawingsPerClass) = ([], Quantiles([]))
    for index in findings.indices { findings[index].label = "" }
    for index in copies.indices { copies[index].label = "" }
  }

  /// Whether a point of a drawing has no time.
  static func lacksTimes(_ drawing: Drawing) -> Bool {
    drawing.strokes.contains { $0.points.contains { $0.t == nil } }
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
