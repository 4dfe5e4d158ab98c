internal import Glibc
internal import Ink
internal import Recognition

/// How much likelier the answer about a shape is right than the shape a stranger. On a canvas
/// strangers are common, which the recogniser by itself does not know.
struct TrustModel: Codable, Sendable, Equatable {
  /// Shape [TrustModel.featureCount].
  var weights: [Float]

  /// How many numbers `features` gives.
  static let featureCount = 9

  /// What is looked at.
  ///
  /// - Parameters:
  ///   - reading: What the recogniser says of the group.
  ///   - strokes: How many strokes the group has.
  ///   - labels: How many labels the recogniser was taught.
  /// - Returns: Shape [featureCount]; nil without an answer.
  static func features(
    _ reading: Reading, strokes: Int, labels: Int
  ) -> [Float]? {
    guard let answer = reading.answer, let evidence = answer.evidence,
      let best = answer.candidates.first
    else { return nil }
    // One label of many fits by chance more easily.
    let score = max(-40, min(40, evidence.score - log(Double(max(1, labels))))) / 10
    let values = [
      1, strokes == 1 ? 1 : 0, log(Double(strokes)), Double(reading.wholeness), score,
      max(0, score), log(max(0, evidence.typicality) + 0.01), best.confidence,
      max(-3, min(3, (evidence.margin ?? 0) / 10)),
    ]
    return values.map { Float($0) }
  }

  /// The logarithm of how much likelier a right answer is than a stranger.
  func logOdds(_ features: [Float]) -> Float {
    zip(weights, features).reduce(0) { $0 + $1.0 * $1.1 }
  }

  /// Whether an answer is said aloud.
  ///
  /// With the usual policy an answer is said that is likelier right than a stranger. A policy that
  /// may refuse twice as many of the drawings of taught labels asks for twice the odds, and one
  /// that may refuse none lets all pass.
  func decide(_ answer: Answer, _ features: [Float], _ policy: DecisionPolicy)
    -> Recognition.Decision
  {
    guard let best = answer.candidates.first, let evidence = answer.evidence else {
      return answer.decision
    }
    let odds = policy.refusalRate / DecisionPolicy.standard.refusalRate
    if logOdds(features) >= Float(log(odds)) { return .recognized(best) }
    if let refusal = answer.decision.refusal {
      return .unrecognized(best: best, because: refusal)
    }
    guard evidence.isBetweenLabels, let rival = evidence.rival else {
      return .unrecognized(best: best, because: .likeNothingTaught)
    }
    return .unrecognized(best: best, because: .betweenLabels(evidence.label, rival))
  }
}
