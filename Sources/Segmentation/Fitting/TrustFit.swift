internal import Glibc
internal import Recognition

extension TrustModel {
  /// An answer about a group of a canvas with a known truth.
  struct Example: Sendable {
    /// Shape [featureCount].
    var features: [Float]
    var outcome: Outcome
  }

  /// What an answer turned out to be.
  enum Outcome: Sendable {
    /// The group is one whole shape, and has the label.
    case right
    /// It is one whole shape of another label that was taught.
    case misnamed
    /// It is one whole shape of a label that was not taught.
    case stranger
    /// It is no whole shape, or several.
    case noShape
  }

  /// Fits a logistic regression to the right answers and those to strangers: the others are wrong
  /// whatever is said.
  init(fittedTo all: [Example], penalty: Float = 1e-3) {
    let examples = all.filter { $0.outcome == .right || $0.outcome == .stranger }
    let start = [Float](repeating: 0, count: Self.featureCount)
    weights = LBFGS(iterations: 200).minimum(from: start) {
      Self.loss($0, examples, penalty: penalty)
    }
  }

  /// The mean logistic loss, with its gradient.
  static func loss(
    _ point: [Float], _ examples: [Example], penalty: Float
  ) -> (value: Double, gradient: [Float]) {
    var gradient = point.map { penalty * $0 }
    var value = point.reduce(0.0) { $0 + Double(penalty * $1 * $1) / 2 }
    let share = 1 / Float(max(1, examples.count))
    for example in examples {
      let score = TrustModel(weights: point).logOdds(example.features)
      let signed = (example.outcome == .right) ? score : -score
      let loss = signed > 0 ? log1pf(expf(-signed)) : log1pf(expf(signed)) - signed
      value += Double(loss * share)
      let slope = (1 / (1 + expf(-score)) - ((example.outcome == .right) ? 1 : 0)) * share
      for k in gradient.indices { gradient[k] += slope * example.features[k] }
    }
    return (value, gradient)
  }
}
