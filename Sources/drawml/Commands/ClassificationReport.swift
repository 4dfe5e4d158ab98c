internal import Ink
internal import JSON
internal import Recognition
internal import Report

/// A classification as `classify` prints it; the keys are those of the guide.
struct ClassificationReport: Encodable {
  struct Neighbor: Encodable {
    var id: String
    var label: String
    var distance: Float
  }

  /// Why the drawing is recognized, or not.
  struct Explanation: Encodable {
    var why: String
    @OrNull var label: String?
    @OrNull var score: Double?
    /// The lowest score that is recognized with this lead over the rival.
    @OrNull var leastScore: Double?
    /// The same without a lead, as 'info' prints it.
    @OrNull var leastScoreWithoutLead: Double?
    @OrNull var rival: String?
    @OrNull var margin: Double?
    var refusalRate: Double
    var neighbors: [Neighbor]
  }

  private enum CodingKeys: CodingKey { case explanation, truth }

  var classification: Classification
  /// What the drawing is labeled with, as the model spells it; nil if it has no label.
  var truth: String?
  var explanation: Explanation?

  /// The message that the requirements prescribe (F-013).
  static let refusalMessage = "Couldn’t classify that drawing."

  init(_ classification: Classification, truth: String?, explanation: Explanation?) {
    self.classification = classification
    self.truth = truth
    self.explanation = explanation
  }

  func encode(to encoder: any Encoder) throws {
    try classification.encode(to: encoder)
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(truth, forKey: .truth)
    try container.encodeIfPresent(explanation, forKey: .explanation)
  }

  /// A line for people, and the explanation below it.
  var lines: [String] {
    let (id, decision) = (classification.id, classification.decision)
    let best = decision.best.map { "\($0.label)  \(percent($0.confidence))" }
    var lines = [
      decision.isRecognized
        ? "\(id): \(best ?? "")"
        : "\(id): \(Self.refusalMessage)" + (best.map { " Closest: \($0)" } ?? "")
    ]
    let others = classification.candidates.dropFirst().map {
      "\($0.label) \(percent($0.confidence))"
    }
    if !others.isEmpty { lines.append("  then " + others.joined(separator: ", ")) }
    if let explanation { lines += explanation.lines }
    return lines
  }
}

extension ClassificationReport.Explanation {
  /// Collects the basis of the decision.
  init(_ result: Classification, by recognizer: Recognizer) {
    let evidence = result.evidence
    why = Self.why(result, rate: recognizer.policy.refusalRate)
    label = evidence?.label
    score = evidence?.score
    leastScore = evidence.map(recognizer.leastScore)
    leastScoreWithoutLead = evidence == nil ? nil : recognizer.leastScore
    rival = evidence?.rival
    margin = evidence?.margin
    refusalRate = recognizer.policy.refusalRate
    neighbors = result.neighbors.map {
      .init(id: $0.sample.id, label: $0.sample.label, distance: $0.distance)
    }
  }

  private static func why(_ result: Classification, rate: Double) -> String {
    let share = percent(result.evidence?.typicality ?? 0)
    switch result.decision.refusal {
    case nil:
      return "accepted: typicality \(share) (threshold \(percent(rate)))"
    case .nothingTaught: return "refused: the model was taught nothing"
    case .tooLittleInk: return "refused: there is too little ink to be a drawing of anything"
    case .likeNothingTaught:
      return "refused: it resembles nothing taught; typicality \(share) "
        + "(threshold \(percent(rate)))"
    case .betweenLabels(let first, let second):
      return "refused: it could be \(first) or \(second)"
    }
  }

  /// Lines for people, below the one of the drawing.
  var lines: [String] {
    var lines = ["  \(why)"]
    if let label, let score, let least = leastScore {
      let alone = leastScoreWithoutLead ?? least
      var threshold = "threshold \(decimal(Float(alone)))"
      if let rival {
        let lead = decimal(Float(margin ?? 0))
        threshold += ", or \(decimal(Float(least))) with its lead of \(lead) over \(rival)"
      }
      lines.append("  score for \(label): \(decimal(Float(score))) (\(threshold))")
    }
    guard !neighbors.isEmpty else { return lines }
    lines.append("  nearest taught drawings:")
    lines += neighbors.map { "    \(decimal($0.distance))  \($0.label)  \($0.id)" }
    return lines
  }
}
