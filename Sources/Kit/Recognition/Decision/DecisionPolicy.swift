/// Decides whether a prediction is reported or refused.
///
/// The user sets how often a drawing of a taught label may be refused; `Acceptance` finds the
/// threshold. Drawings with too little ink, and those whose best label has hardly any confidence,
/// are always refused.
public struct DecisionPolicy: Hashable, Sendable, Codable {
  /// The share of the drawings of taught labels that may be refused, in 0...0.5.
  public let refusalRate: Double

  /// 10 %.
  public static let standard = DecisionPolicy(refusalRate: 0.1)
  /// The possible rates.
  public static let rates = 0.0...0.5
  /// A label with less confidence is never reported.
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

  /// Reports or refuses the first candidate.
  ///
  /// - Parameters:
  ///   - candidates: The labels by descending confidence; empty for a model without labels.
  ///   - evidence: How well the drawing fits; nil for a drawing that could not be compared.
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
  /// The decision of this policy on a past answer, without classifying again.
  public func decision(on answer: Answer) -> Decision {
    if case .unrecognized(_, because: .tooLittleInk) = answer.decision { return answer.decision }
    return decide(answer.candidates, evidence: answer.evidence, hasInk: true)
  }
}

extension Classification {
  /// The answer without the drawing.
  public var answer: Answer {
    Answer(decision: decision, candidates: candidates, evidence: evidence)
  }
}

/// How well a drawing fits the taught labels, independent of the head.
public struct Evidence: Hashable, Sendable, Codable {
  /// The label that the drawing fits best.
  public var label: String
  /// The log-likelihood ratio of that label against an untaught label, lowered for a label with
  /// fewer samples than others.
  public var score: Double
  /// The second-best label; nil for a model of one label.
  public var rival: String?
  /// By how much that label's score is lower, ≥ 0; nil for a model of one label.
  public var margin: Double?
  /// The share of the drawings of taught labels that fit worse, in 0...1; a drawing below the
  /// policy's refusal rate is refused.
  public var typicality: Double

  /// Below this lead a drawing fits two labels about equally: a likelihood ratio below three.
  static let clearMargin = 1.1

  /// Whether it fits two labels, and both about equally.
  public var isBetweenLabels: Bool { score > 0 && (margin ?? .infinity) < Self.clearMargin }
}

/// Why a drawing is not recognized.
public enum Refusal: Hashable, Sendable {
  /// The model has no labels.
  case nothingTaught
  /// No points, coincident points, too small, or non-finite coordinates.
  case tooLittleInk
  /// It fits every label worse than drawings of taught labels do.
  case likeNothingTaught
  /// It fits two labels about equally.
  case betweenLabels(String, String)
}

/// A label and its confidence.
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

/// A recognizer's answer to one drawing.
public enum Decision: Hashable, Sendable {
  /// The reported label.
  case recognized(Candidate)
  /// Nothing fits well enough; `best` is the closest label, nil if nothing was compared.
  case unrecognized(best: Candidate?, because: Refusal)

  /// The best candidate, reported or not.
  public var best: Candidate? {
    switch self {
    case .recognized(let best): best
    case .unrecognized(let best, _): best
    }
  }

  /// Whether a label is reported.
  public var isRecognized: Bool {
    if case .recognized = self { true } else { false }
  }

  /// Why nothing is reported; nil for a recognized drawing.
  public var refusal: Refusal? {
    if case .unrecognized(_, let refusal) = self { refusal } else { nil }
  }
}
