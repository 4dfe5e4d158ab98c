/// When a prediction is good enough to be said aloud.
///
/// The user says how often a drawing of a taught label may be refused; the answers to such
/// drawings, as far as they can be known, say where that is (see `Classification.evidence`). Two
/// more drawings are always refused: one with too little ink to be anything, and one whose best
/// label is hardly believed.
public struct DecisionPolicy: Hashable, Sendable, Codable {
  /// The share of the drawings of taught labels that may be refused, in 0...0.5.
  public let refusalRate: Double

  /// One in ten.
  public static let standard = DecisionPolicy(refusalRate: 0.1)
  /// The rates that there are.
  public static let rates = 0.0...0.5
  /// A label that is believed less than this is never said aloud.
  public static let leastConfidence = 0.05

  /// A policy that refuses a share of the drawings of taught labels, in `rates`.
  public init(refusalRate: Double) {
    precondition(
      Self.rates.contains(refusalRate), "a refusal rate is in 0...0.5, got \(refusalRate)")
    self.refusalRate = refusalRate
  }

  /// A policy read back from a file.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    refusalRate = try container.decode(Double.self, forKey: .refusalRate)
    guard Self.rates.contains(refusalRate) else {
      throw DecodingError.dataCorruptedError(
        forKey: .refusalRate, in: container, debugDescription: "not in 0...0.5")
    }
  }

  /// Recognised or not.
  ///
  /// - Parameters:
  ///   - candidates: The labels, most believed first; none for a model without labels.
  ///   - evidence: What else speaks for the answer; nil for a drawing that could not be compared.
  ///   - hasInk: Whether there is enough ink to be a drawing.
  /// - Returns: The decision on the first candidate.
  func decide(_ candidates: [Candidate], evidence: Evidence?, hasInk: Bool) -> Decision {
    guard hasInk else { return .unrecognized(best: candidates.first, because: .tooLittleInk) }
    guard let best = candidates.first, let evidence else {
      return .unrecognized(best: candidates.first, because: .nothingTaught)
    }
    if evidence.typicality < refusalRate {
      guard evidence.isBetweenLabels, let rival = evidence.rival else {
        return .unrecognized(best: best, because: .likeNothingTaught)
      }
      return .unrecognized(best: best, because: .betweenLabels(evidence.label, rival))
    }
    if best.confidence < Self.leastConfidence, candidates.count > 1 {
      return .unrecognized(best: best, because: .betweenLabels(best.label, candidates[1].label))
    }
    return .recognized(best)
  }
}

extension DecisionPolicy {
  /// What this policy says where another one gave `answer`: how many past drawings it would refuse
  /// can be told without asking anew.
  public func decision(on answer: Answer) -> Decision {
    if case .unrecognized(_, because: .tooLittleInk) = answer.decision { return answer.decision }
    return decide(answer.candidates, evidence: answer.evidence, hasInk: true)
  }
}

extension Classification {
  /// What was said, without the drawing.
  public var answer: Answer {
    Answer(decision: decision, candidates: candidates, evidence: evidence)
  }
}

/// How well a drawing fits what was taught, whatever the head believes.
public struct Evidence: Hashable, Sendable, Codable {
  /// The label that the drawing fits best.
  public var label: String
  /// The logarithm of how much likelier the drawing is as one of that label's than as one of a
  /// label that was never taught.
  public var score: Double
  /// The label that it fits second best; nil for a model of one label.
  public var rival: String?
  /// By how much that label's score is lower, ≥ 0; nil for a model of one label.
  public var margin: Double?
  /// The share of the drawings of taught labels that fit worse, in 0...1; what is below the
  /// policy's refusal rate is refused.
  public var typicality: Double

  /// A lead over the second label below which a drawing fits both alike: the best label is less
  /// than three times as likely.
  static let clearMargin = 1.1

  /// Whether it fits two labels better than nothing, and both alike.
  public var isBetweenLabels: Bool { score > 0 && (margin ?? .infinity) < Self.clearMargin }
}

/// Why a drawing is not recognised.
public enum Refusal: Hashable, Sendable {
  /// The model has no labels.
  case nothingTaught
  /// No point, all in one place, hardly any of the canvas, or numbers that are none.
  case tooLittleInk
  /// It fits no label as drawings of taught labels do.
  case likeNothingTaught
  /// It fits two labels alike.
  case betweenLabels(String, String)
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
  /// Nothing fits well enough; `best` is what would have come first, nil where nothing could.
  case unrecognized(best: Candidate?, because: Refusal)

  /// The candidate, whether said aloud or not.
  public var best: Candidate? {
    switch self {
    case .recognized(let best): best
    case .unrecognized(let best, _): best
    }
  }

  /// Whether something fits.
  public var isRecognized: Bool {
    if case .recognized = self { true } else { false }
  }

  /// Why nothing fits; nil where something does.
  public var refusal: Refusal? {
    if case .unrecognized(_, let refusal) = self { refusal } else { nil }
  }
}
