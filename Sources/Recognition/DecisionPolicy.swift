/// When a prediction is good enough to be said aloud.
///
/// A drawing is recognised when it is near enough to some taught sample of the answer's label, and no other
/// label has a sample that is much nearer. Both thresholds come from the taught samples themselves, each
/// compared with the others: so that only a small share of them would be refused under their own label.
public struct DecisionPolicy: Hashable, Sendable, Codable {
  /// The farthest a drawing may be from the nearest sample of its label: a distance of unit vectors, in 0...2.
  public var maximumDistance: Float
  /// The least by which the nearest sample of any other label must be farther, in -2...2; where labels
  /// look much alike it is below 0.
  public var minimumMargin: Float

  /// A policy with the given thresholds.
  public init(maximumDistance: Float, minimumMargin: Float) {
    self.maximumDistance = maximumDistance
    self.minimumMargin = minimumMargin
  }

  /// Thresholds for when there are too few samples to measure any: vectors at most 60° apart.
  public static let untaught = DecisionPolicy(maximumDistance: 1, minimumMargin: 0)

  /// The share of the taught samples that may lie beyond each threshold.
  static let refusedShare = 0.02
  /// Fewer leave-one-out distances than this say nothing about their tail.
  static let fewestDistances = 10

  /// The policy for a memory: what all but a small share of its samples keep to when left out.
  public init(for memory: SampleMemory) {
    self = .untaught
    let rows = memory.rowsForCalibration.filter { memory.nearestSame[$0] > -1 }
    guard rows.count >= Self.fewestDistances else { return }
    let last = Double(rows.count - 1)
    let distances = rows.map { chord(memory.nearestSame[$0]) }.sorted()
    maximumDistance = distances[Int((last * (1 - Self.refusedShare)).rounded())]
    guard memory.labels.count > 1 else { return }
    let margins = rows.map { chord(memory.nearestOther[$0]) - chord(memory.nearestSame[$0]) }
      .sorted()
    minimumMargin = margins[Int((last * Self.refusedShare).rounded())]
  }

  /// Recognised or not.
  ///
  /// - Parameters:
  ///   - best: The most believed label, nil for a model without labels.
  ///   - evidence: How near the taught samples are.
  /// - Returns: The decision on `best`.
  public func decide(_ best: Candidate?, evidence: Evidence) -> Decision {
    guard let best, evidence.distance <= maximumDistance, evidence.margin >= minimumMargin else {
      return .unrecognized(best: best)
    }
    return .recognized(best)
  }
}

/// How near the taught samples are to a drawing.
public struct Evidence: Hashable, Sendable, Codable {
  /// The distance to the nearest sample of the answer's label, in 0...2.
  public var distance: Float
  /// The distance to the nearest sample of any other label, in 0...2; 2 where there is none.
  public var otherDistance: Float

  /// Distances of unit vectors.
  public init(distance: Float, otherDistance: Float) {
    self.distance = distance
    self.otherDistance = otherDistance
  }

  /// By how much the nearest sample of another label is farther, in -2...2.
  public var margin: Float { otherDistance - distance }
}

/// A label and how much it is believed.
public struct Candidate: Hashable, Sendable, Codable {
  /// The label.
  public var label: String
  /// In 0...1; all labels of a model add up to 1.
  public var confidence: Double

  /// A label with its confidence.
  public init(label: String, confidence: Double) {
    self.label = label
    self.confidence = confidence
  }
}

/// What a recogniser says about one drawing.
public enum Decision: Hashable, Sendable {
  /// It is this.
  case recognized(Candidate)
  /// Nothing fits well enough; `best` is what would have come first, nil for a model without labels.
  case unrecognized(best: Candidate?)

  /// The candidate, whether said aloud or not.
  public var best: Candidate? {
    switch self {
    case .recognized(let best): best
    case .unrecognized(let best): best
    }
  }

  /// Whether something fits.
  public var isRecognized: Bool {
    if case .recognized = self { true } else { false }
  }
}

extension SampleMemory {
  /// The rows whose neighbours tell how new drawings will lie: those the embedding was not fitted to, if
  /// there are enough of them, for fitted ones lie closer together than new ones ever will.
  var rowsForCalibration: [Int] {
    let fresh = samples.indices.filter { !samples[$0].wasFitted }
    return fresh.count >= 30 ? fresh : Array(samples.indices)
  }
}
