/// What became of training on the user's own samples.
public struct AdaptationReport: Hashable, Sendable {
  /// Whether the model has changed, and why not.
  public enum Outcome: String, Hashable, Sendable, Codable {
    /// It has: more certain on left-out samples, and right no less often.
    case accepted
    /// Nothing that was tried was better on left-out samples; the model only knows the samples.
    case noGain
    /// There are fewer than two labels with two samples or more that did not train the embedding.
    case tooFewSamples
    /// The model does not know how labels differ in general.
    case noPrior
    /// The head does not ask how drawings of one label differ: all it learns, it learns from the
    /// samples at once.
    case otherHead
  }

  /// What the left-out samples of one label say.
  public struct Change: Hashable, Sendable {
    /// The label.
    public var label: String
    /// How many of its samples were left out in turn.
    public var count: Int
    /// How many of them were right before.
    public var rightBefore: Int
    /// How many of them were right after.
    public var rightAfter: Int
  }

  /// Whether the model has changed.
  public var outcome: Outcome
  /// Each label's left-out samples before and with the best of what was tried, accepted or not; in
  /// ascending order of labels. Empty where nothing was tried.
  public var changes: [Change] = []
  /// The mean of minus the logarithm of the confidence in the right label, before; nil where
  /// nothing was tried.
  public var logLossBefore: Double?
  /// The same with the best of what was tried.
  public var logLossAfter: Double?
  /// As how many drawings the prior counts in the best of what was tried.
  public var priorWeight: Double?
}

extension Recognizer {
  /// Trains on the taught samples: adapts how far drawings of one label may differ to the user's
  /// own hand.
  ///
  /// A few weights of the prior against the samples are tried. Each is judged by the samples:
  /// every one is left out of its label, and of the covariance with a fifth of the others. One is
  /// accepted if it is right as often as before and its log loss is lower by half a standard error
  /// of the difference or more; a whole one, where labels have fewer than ten samples. The best of
  /// those is kept, else the model is as it was taught. Because the same samples choose and judge,
  /// what the report says of an accepted one is a little too good; with three alternatives that are
  /// much alike, little. What it gave on labels held out from the base: see `models/README.md`.
  ///
  /// The result follows from the samples alone: an earlier adaptation does not count. Teaching and
  /// forgetting go on as exact as before; the weight stays as it was chosen until the next call, or
  /// until too few samples are left.
  ///
  /// - Parameter progress: Told how many of the trials are done.
  /// - Returns: What got better and worse.
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
    let before = LeftOutTrial(of: samples, in: plain)
    var chosen: (adaptation: Adaptation?, trial: LeftOutTrial?, isBetter: Bool) = (nil, nil, false)
    for (index, weight) in Adaptation.priorWeights.enumerated() {
      try Task.checkCancellation()
      progress?(index + 1, trials)
      var candidate = plain
      do throws(ModelError) {
        try candidate.adapt(Adaptation(priorWeight: weight, samples: samples))
      } catch ModelError.noStatistics {
        continue
      }
      let trial = LeftOutTrial(of: samples, in: candidate)
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

/// How a memory judges its own samples, each left out.
struct LeftOutTrial {
  private struct Answer {
    let label: String
    let isRight: Bool
    let logLoss: Double
  }

  /// In the order of the memory's samples.
  private let answers: [Answer]
  /// The mean of minus the logarithm of the confidence in the right label, as the head would give
  /// it.
  let logLoss: Double

  /// So much of the gain's standard error must be gained, or it may be chance: more where labels
  /// have few samples. Measured on labels held out from the base: with 20 samples a label a whole
  /// one would refuse half of what helps, with 5 half of one lets pass what does not.
  private var leastGain: Double {
    let labels = Set(answers.map(\.label)).count
    return answers.count >= Self.manySamples * labels ? 0.5 : 1
  }

  private static let manySamples = 10

  /// Less than this many nats a sample is nothing that anyone would notice; and where all but one
  /// sample gain nothing, the gain of that one is as large as its standard error, however small it
  /// is.
  private static let leastMeanGain = 1e-3

  /// Leaves each of `samples` out that has another of its label.
  init(of samples: Set<TaughtSample>, in memory: SampleMemory) {
    let rows = memory.labels.indices.flatMap { label in
      LeftOutScores.rows(of: label, in: memory) { samples.contains(memory.samples[$0]) }
        .map { (label, $0.scores) }
    }
    // The prior's own: one fitted to samples that are all right would have no end.
    let temperature = TwoCovariance.temperature(in: memory)
    answers = rows.map { label, scores in
      Answer(
        label: memory.labels[label], isRight: BestScore(scores)?.label == label,
        logLoss: negativeLogLikelihood(
          scores, truths: [label], labels: memory.labels.count, scale: 1 / temperature))
    }
    logLoss = answers.reduce(0) { $0 + $1.logLoss } / Double(max(1, answers.count))
  }

  /// Whether it is right as often as `other`, which judged the same samples, and surely more
  /// certain.
  func isBetter(than other: LeftOutTrial) -> Bool {
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

  /// What got better and worse, label by label.
  func changes(to other: LeftOutTrial) -> [AdaptationReport.Change] {
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
