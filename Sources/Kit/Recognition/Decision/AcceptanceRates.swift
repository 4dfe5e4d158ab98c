internal import Evaluation
internal import Numbers

/// Expected error rates at a model's refusal rate, estimated by cross-validation on its samples.
///
/// Each sample is left out of its label to estimate refusals, and classified without its label to
/// estimate false acceptances. A few samples of each label are used, about 256 in all.
public struct AcceptanceRates: Hashable, Sendable, Codable {
  /// A proportion with its confidence interval.
  public struct Rate: Hashable, Sendable, Codable {
    /// The number of errors.
    public var count: Int
    /// The number of trials, at least 1.
    public var of: Int
    /// The lower end of the 95 % interval, in 0...1: the wider of Wilson's interval over drawings
    /// of which those of a label are alike and a bootstrap over labels, at each end.
    public var lower: Double
    /// The upper end of the 95 % interval.
    public var upper: Double

    /// The share, in 0...1.
    public var share: Double { Double(count) / Double(of) }
  }

  /// Drawings of taught labels that are refused; nil if no label has two drawings, and if too few
  /// drawings are left that did not train the embedding: it knows those that did too well.
  public var knownRefused: Rate?
  /// Drawings of labels that were not taught that are accepted; nil with fewer than two labels.
  /// Labels that trained the embedding are left out: it separates them better than new labels.
  public var unknownAccepted: Rate?
}

extension AcceptanceRates {
  /// How alike the results of drawings of one label are: which labels are taken for taught ones
  /// differs widely, and the taught labels represent all others. Chosen so that the intervals hold:
  /// `docs/research/acceptance.md`.
  fileprivate static let (knownCorrelation, unknownCorrelation) = (0.1, 0.6)
}

extension AcceptanceRates.Rate {
  /// The rate among drawings of several labels; nil if there are no drawings.
  ///
  /// - Parameters:
  ///   - labels: The errors and trials of each label.
  ///   - correlation: The intraclass correlation of drawings of one label, in 0...1.
  init?(ofLabels labels: [(count: Int, of: Int)], correlation: Double) {
    let labels = labels.filter { $0.of > 0 }
    (count, of) = labels.reduce((0, 0)) { ($0.0 + $1.count, $0.1 + $1.of) }
    let groups = labels.map { (successes: $0.count, trials: $0.of) }
    guard
      let drawings = try? ConfidenceInterval.wilson(groups: groups, correlation: correlation)
    else { return nil }
    (lower, upper) = (drawings.lower, drawings.upper)
    var generator = SeededGenerator(seed: 0)
    let byLabel = try? ConfidenceInterval.bootstrap(count: labels.count, using: &generator) {
      let (count, of) = $0.reduce((0, 0)) { ($0.0 + labels[$1].count, $0.1 + labels[$1].of) }
      return Double(count) / Double(of)
    }
    if let byLabel { (lower, upper) = (min(lower, byLabel.lower), max(upper, byLabel.upper)) }
  }
}

extension Recognizer {
  /// How many drawings of taught labels this model refuses, and how many of other labels it
  /// accepts.
  ///
  /// - Complexity: O(samples used × labels): the scores are already computed.
  public func acceptanceRates() -> AcceptanceRates {
    let least = Float(policy.refusalRate)
    let rows = memory.leftOut.byLabel.enumerated().map { label, rows in
      rows.map { memory.leftOut.estimate($0, label: label) }
    }
    let refused = rows.map { rows in
      rows.compactMap { BestScore($0) }
        .map { acceptance.typicality(of: $0, leavingOut: $0) < least }
    }
    let others = Acceptance(of: memory, labels: max(1, labels.count - 1))
    let trained = Set(memory.trained.labels)
    let accepted = rows.enumerated().map { label, rows in
      guard labels.count > 1, !trained.contains(labels[label]) else { return [Bool]() }
      return rows.compactMap { row in
        var scores = row
        scores.remove(at: label)
        return BestScore(scores).map { others.typicality(of: $0) >= least }
      }
    }
    func rate(of labels: [[Bool]], _ correlation: Double) -> AcceptanceRates.Rate? {
      .init(
        ofLabels: labels.map { errors in (errors.count { $0 }, errors.count) },
        correlation: correlation)
    }
    return AcceptanceRates(
      knownRefused: memory.leftOut.isFresh
        ? rate(of: refused, AcceptanceRates.knownCorrelation) : nil,
      unknownAccepted: rate(of: accepted, AcceptanceRates.unknownCorrelation))
  }
}
