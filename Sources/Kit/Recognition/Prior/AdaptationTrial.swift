/// The result of adapting to the user's samples.
public struct AdaptationReport: Hashable, Sendable {
  /// Whether the model has changed, and why not.
  public enum Outcome: String, Hashable, Sendable, Codable {
    /// Yes: the log loss on left-out samples is lower, and the accuracy no lower.
    case accepted
    /// No candidate was better on left-out samples; the model is not adapted.
    case noGain
    /// There are fewer than two labels with two samples or more that did not train the embedding.
    case tooFewSamples
    /// The model does not know how labels differ in general.
    case noPrior
    /// The head does not use the within-label covariance; teaching already fits it to the samples.
    case otherHead
  }

  /// The leave-one-out results of one label.
  public struct Change: Encodable, Hashable, Sendable {
    /// The label.
    public var label: String
    /// How many of its samples were left out in turn.
    public var count: Int
    /// How many of them were classified correctly before.
    public var rightBefore: Int
    /// How many of them were classified correctly after.
    public var rightAfter: Int
  }

  /// Whether the model has changed.
  public var outcome: Outcome
  /// Each label's leave-one-out results before and with the best candidate, accepted or not; in
  /// ascending order of labels. Empty without candidates.
  public var changes: [Change] = []
  /// The mean log loss of left-out samples before; nil without candidates.
  public var logLossBefore: Double?
  /// The same with the best candidate.
  public var logLossAfter: Double?
  /// The prior's weight in drawings in the best candidate.
  public var priorWeight: Double?
}

extension Recognizer {
  /// Adapts the within-label covariance to the taught samples.
  ///
  /// A few weights of the prior against the samples are tried. Each is cross-validated: every
  /// sample is left out of its label and, with a fifth of the others, of the covariance. A weight
  /// is accepted if the accuracy is no lower than before and the log loss is lower by at least half
  /// a standard error of the difference, or a whole one if labels have fewer than ten samples. The
  /// best accepted weight is kept; otherwise the model is not adapted. The same samples select and
  /// evaluate, so the report on an accepted weight is slightly optimistic. For results on labels
  /// held out from the base, see `models/README.md`.
  ///
  /// The result depends on the samples alone, not on an earlier adaptation. Teaching and forgetting
  /// remain exact; the chosen weight stays until the next call, or until too few samples are left.
  ///
  /// - Parameter progress: Called with the numbers of trials done and in total.
  /// - Returns: The outcome, with the changes label by label.
  /// - Throws: `CancellationError`; nothing has changed then.
  /// - Complexity: Under a second for 10 labels × 20 samples on one core.
  @discardableResult
  public mutating func adapt(
    progress: ((_ done: Int, _ total: Int) -> Void)? = nil
  ) throws -> AdaptationReport {
    guard head.configuration == .twoCovariance else { return AdaptationReport(outcome: .otherHead) }
    guard memory.prior != nil else { return AdaptationReport(outcome: .noPrior) }
    let samples = memory.samplesToAdaptTo
    let trials = Adaptation.priorWeights.count + 1
    var plain = memory
    try plain.adapt(nil)
    let before = LeaveOneOutTrial(of: samples, in: plain)
    var chosen: (adaptation: Adaptation?, trial: LeaveOneOutTrial?, isBetter: Bool) = (
      nil, nil, false
    )
    for (index, weight) in Adaptation.priorWeights.enumerated() {
      try Task.checkCancellation()
      progress?(index + 1, trials)
      var candidate = plain
      do throws(ModelError) {
        try candidate.adapt(Adaptation(priorWeight: weight, samples: samples))
      } catch ModelError.noStatistics {
        continue
      }
      let trial = LeaveOneOutTrial(of: samples, in: candidate)
      let isBetter = trial.isBetter(than: before)
      if let best = chosen.trial,
        (chosen.isBetter ? 1 : 0, -best.logLoss) >= (isBetter ? 1 : 0, -trial.logLoss)
      {
        continue
      }
      chosen = (Adaptation(priorWeight: weight, samples: samples), trial, isBetter)
    }
    try Task.checkCancellation()
    try adapt(to: chosen.isBetter ? chosen.adaptation : nil)
    progress?(trials, trials)
    guard let trial = chosen.trial else { return AdaptationReport(outcome: .tooFewSamples) }
    return AdaptationReport(
      outcome: chosen.isBetter ? .accepted : .noGain, changes: before.changes(to: trial),
      logLossBefore: before.logLoss, logLossAfter: trial.logLoss,
      priorWeight: chosen.adaptation?.priorWeight)
  }
}

/// The leave-one-out evaluation of a memory on its own samples.
struct LeaveOneOutTrial {
  private struct Answer {
    let label: String
    let isRight: Bool
    let logLoss: Double
  }

  /// In the order of the memory's samples.
  private let answers: [Answer]
  /// The mean log loss, with the prior's temperature and without penalties.
  let logLoss: Double

  /// The minimum gain in standard errors, higher if labels have few samples. Measured on labels
  /// held out from the base: with 20 samples per label, a whole one would reject half of the
  /// adaptations that help; with 5, half of one accepts some that do not.
  private var leastGain: Double {
    let labels = Set(answers.map(\.label)).count
    return answers.count >= Self.manySamples * labels ? 0.5 : 1
  }

  private static let manySamples = 10

  /// The minimum mean gain in nats per sample; less is negligible. If only one sample gains, the
  /// mean gain equals its standard error, however small it is.
  private static let leastMeanGain = 1e-3

  /// Leaves out, one at a time, each of `samples` whose label has another one.
  init(of samples: Set<TaughtSample>, in memory: SampleMemory) {
    // Label by label: of all samples at once the vectors would take much memory.
    let rows = memory.labels.indices.flatMap { label in
      LeaveOneOutScores.rows(of: [label], in: memory) { samples.contains(memory.samples[$0]) }[0]
        .map { (label, $0.scores) }
    }
    // The prior's temperature: one fitted to samples that are all classified correctly would tend
    // to 0.
    let temperature = TwoCovariance.baseTemperature(in: memory)
    answers = rows.map { label, scores in
      Answer(
        label: memory.labels[label], isRight: BestScore(scores)?.label == label,
        logLoss: negativeLogLikelihood(
          scores, truths: [label], labels: memory.labels.count, scale: 1 / temperature))
    }
    logLoss = answers.reduce(0) { $0 + $1.logLoss } / Double(max(1, answers.count))
  }

  /// Whether the accuracy is no lower than in `other`, on the same samples, and the log loss
  /// significantly lower.
  func isBetter(than other: LeaveOneOutTrial) -> Bool {
    guard answers.count(where: \.isRight) >= other.answers.count(where: \.isRight) else {
      return false
    }
    let gains = zip(other.answers, answers).map { $0.logLoss - $1.logLoss }
    let count = Double(gains.count)
    guard count > 1 else { return false }
    let mean = gains.reduce(0, +) / count
    let variance = gains.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / (count - 1)
    return mean >= Self.leastMeanGain && mean >= leastGain * (variance / count).squareRoot()
  }

  /// The changes, label by label.
  func changes(to other: LeaveOneOutTrial) -> [AdaptationReport.Change] {
    var changes: [AdaptationReport.Change] = []
    for (before, after) in zip(answers, other.answers) {
      if changes.last?.label != before.label {
        changes.append(.init(label: before.label, count: 0, rightBefore: 0, rightAfter: 0))
      }
      changes[changes.count - 1].count += 1
      changes[changes.count - 1].rightBefore += before.isRight ? 1 : 0
      changes[changes.count - 1].rightAfter += after.isRight ? 1 : 0
    }
    return changes
  }
}
