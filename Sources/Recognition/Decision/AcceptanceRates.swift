internal import Evaluation
internal import Support

/// What new drawings can hope for at a model's refusal rate, as far as what it was taught tells.
///
/// Taught drawings stand for new ones: each is left out of its label, and asked about again as if
/// its label had never been taught. A few drawings of each label are asked, 256 or somewhat more in
/// all.
public struct AcceptanceRates: Hashable, Sendable, Codable {
  /// How often something happened.
  public struct Rate: Hashable, Sendable, Codable {
    /// How often it happened.
    public var count: Int
    /// How often it could have; at least 1.
    public var of: Int
    /// Where the true share lies, with a probability of 95 %, in 0...1: Wilson's interval for
    /// drawings, or that of a bootstrap over labels where it reaches further.
    public var lower: Double
    /// Where the interval ends.
    public var upper: Double

    /// The share, in 0...1.
    public var share: Double { Double(count) / Double(of) }
  }

  /// Drawings of taught labels that are refused; nil where no label has two drawings.
  public var knownRefused: Rate?
  /// Drawings of labels that were not taught that are accepted; nil with fewer than two labels.
  /// Labels that trained the embedding are not asked: it tells them apart better than any new one.
  public var unknownAccepted: Rate?
}

extension AcceptanceRates.Rate {
  /// The rate among drawings of several labels; nil for none.
  init?(ofLabels labels: [(count: Int, of: Int)]) {
    let labels = labels.filter { $0.of > 0 }
    let (count, total) = labels.reduce((0, 0)) { ($0.0 + $1.count, $0.1 + $1.of) }
    guard let drawings = try? ConfidenceInterval.wilson(successes: count, trials: total) else {
      return nil
    }
    (self.count, of, lower, upper) = (count, total, drawings.lower, drawings.upper)
    var generator = SeededGenerator(seed: 0)
    let byLabel = try? ConfidenceInterval.bootstrap(count: labels.count, using: &generator) {
      let (count, of) = $0.reduce((0, 0)) { ($0.0 + labels[$1].count, $0.1 + labels[$1].of) }
      return Double(count) / Double(of)
    }
    if let byLabel { (lower, upper) = (min(lower, byLabel.lower), max(upper, byLabel.upper)) }
  }
}

extension Recognizer {
  /// How many drawings of taught labels this model refuses, and how many of others it accepts.
  ///
  /// - Complexity: O(samples asked × labels): the scores are known.
  public func acceptanceRates() -> AcceptanceRates {
    let least = Float(policy.refusalRate)
    let rows = memory.leftOut.byLabel
    let refused = rows.map { rows in
      rows.compactMap { BestScore($0.scores) }
        .map { acceptance.typicality(ofLeftOut: $0) < least }
    }
    let others = Acceptance(of: memory, labels: max(1, labels.count - 1))
    let trained = Set(memory.trained.labels)
    let accepted = rows.enumerated().map { label, rows in
      guard labels.count > 1, !trained.contains(labels[label]) else { return [Bool]() }
      return rows.compactMap { row in
        var scores = row.scores
        scores.remove(at: label)
        return BestScore(scores).map { others.typicality(of: $0) >= least }
      }
    }
    func rate(of labels: [[Bool]]) -> AcceptanceRates.Rate? {
      .init(ofLabels: labels.map { said in (said.count { $0 }, said.count) })
    }
    return AcceptanceRates(knownRefused: rate(of: refused), unknownAccepted: rate(of: accepted))
  }
}
