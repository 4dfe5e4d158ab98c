/// When a prediction is good enough to be said aloud.
///
/// A drawing is recognised when it is near enough to some taught sample and clearly nearer to one label
/// than to the next. Both thresholds come from the taught samples themselves, each compared with the others.
public struct DecisionPolicy: Hashable, Sendable, Codable {
  /// The farthest a drawing may be from its nearest taught sample: a distance of unit vectors, in 0...2.
  public var maximumDistance: Float
  /// The least by which the first label's confidence must exceed the second's, in 0...1.
  public var minimumMargin: Float

  /// A policy with the given thresholds.
  public init(maximumDistance: Float, minimumMargin: Float) {
    self.maximumDistance = maximumDistance
    self.minimumMargin = minimumMargin
  }

  /// Thresholds for when there are too few samples to measure any: the distance is that of vectors 60° apart.
  public static let untaught = DecisionPolicy(maximumDistance: 1, minimumMargin: 0.05)

  /// The share of the taught samples that may lie beyond the distance threshold.
  static let refusedShare = 0.02
  /// Fewer leave-one-out distances than this say nothing about their tail.
  static let fewestDistances = 10

  /// The policy for a memory: the distance that all but a small share of its samples keep to their
  /// nearest neighbour of the same label.
  public init(for memory: SampleMemory) {
    self = .untaught
    let distances = memory.rowsForCalibration
      .filter { memory.nearestSame[$0] > -1 }
      .map { chord(memory.nearestSame[$0]) }
      .sorted()
    guard distances.count >= Self.fewestDistances else { return }
    let last = Double(distances.count - 1)
    maximumDistance = distances[Int((last * (1 - Self.refusedShare)).rounded())]
  }

  /// Recognised or not.
  ///
  /// - Parameters:
  ///   - candidates: The labels, most believed first.
  ///   - nearestDistance: The distance to the nearest taught sample, nil where there is none.
  /// - Returns: The decision on the first candidate.
  public func decide(_ candidates: [Candidate], nearestDistance: Float?) -> Decision {
    guard let best = candidates.first, let nearestDistance else { return .unrecognized(best: nil) }
    let second = candidates.dropFirst().first?.confidence ?? 0
    return nearestDistance <= maximumDistance && best.confidence - second >= Double(minimumMargin)
      ? .recognized(best) : .unrecognized(best: best)
  }
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
