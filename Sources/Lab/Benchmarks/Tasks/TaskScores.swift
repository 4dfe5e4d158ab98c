internal import Evaluation
internal import Numbers

/// The numbers of some tasks. The JSON keys must not change; they are the properties' names, except
/// "strangersAccepted". Rates are fractions in 0...1.
///
/// Accuracy, AUROC, FPR95, OSCR and the risk-coverage area are means over tasks, with Student's
/// interval of the mean. Shares and calibration error are over all tasks' answers, with the
/// percentile bootstrap over tasks. Numbers that need unknowns are absent without them.
struct TaskScores: Codable, Equatable, Sendable {
  /// One task's numbers.
  struct Task: Codable, Equatable, Sendable {
    /// The share of queries whose best label is correct.
    var accuracy: Double
    /// See `TaskScores.auroc`.
    var auroc: Double?
    /// See `TaskScores.fpr95`.
    var fpr95: Double?
    /// See `TaskScores.oscr`.
    var oscr: Double?
    /// See `TaskScores.aurc`.
    var aurc: Double
    /// See `TaskScores.rightRefused`; absent if no query was answered correctly.
    var rightRefused: Double?
    /// See `TaskScores.knownRefused`.
    var knownRefused: Double
    /// See `TaskScores.unknownsAccepted`.
    var unknownsAccepted: Double?

    private enum CodingKeys: String, CodingKey {
      case accuracy, auroc, fpr95, oscr, aurc, rightRefused, knownRefused
      case unknownsAccepted = "strangersAccepted"
    }
  }

  /// The 95 % confidence intervals of the numbers with the same names.
  struct Intervals: Codable, Equatable, Sendable {
    /// The interval of the accuracy for other labels of the same kind, by the bootstrap over
    /// labels; absent for fewer than ten.
    var accuracyOverLabels: ConfidenceInterval?
    var auroc: ConfidenceInterval?
    var fpr95: ConfidenceInterval?
    var oscr: ConfidenceInterval?
    var aurc: ConfidenceInterval
    var ece: ConfidenceInterval
    var rightRefused: ConfidenceInterval?
    var knownRefused: ConfidenceInterval
    var unknownsAccepted: ConfidenceInterval?

    private enum CodingKeys: String, CodingKey {
      case accuracyOverLabels, auroc, fpr95, oscr, aurc, ece, rightRefused, knownRefused
      case unknownsAccepted = "strangersAccepted"
    }
  }

  /// The answers that give labels with the same number of taught drawings.
  struct OfSamples: Codable, Equatable, Sendable {
    /// That number.
    var samples: Int
    /// Accepted unknowns per task and label; absent without unknowns.
    var unknownsPerLabel: Double?
    /// Of the queries whose best label is one of these, the share for which that is correct;
    /// absent without such queries.
    var accuracy: Double?
    /// The mean confidence of the same queries.
    var confidence: Double?
  }

  /// The number of tasks.
  var episodes: Int
  /// The share of queries whose best label is correct, accepted or not.
  var accuracy: Double
  /// The interval of the accuracy.
  var confidenceInterval95: ConfidenceInterval
  /// The detection of queries against unknowns by nearness.
  var auroc: Double?
  /// The share of unknowns accepted at the threshold that accepts 95 % of the queries.
  var fpr95: Double?
  /// The area under the curve of correctly classified queries against accepted unknowns.
  var oscr: Double?
  /// The area under the risk-coverage curve of the queries' confidences.
  var aurc: Double
  /// Expected calibration error of the queries' confidences, 15 bins of equal width.
  var ece: Double
  /// Of the queries whose best label is correct, the share refused by the model's own threshold.
  var rightRefused: Double?
  /// Of all queries, the share refused by the model's own threshold.
  var knownRefused: Double
  /// Of the unknowns, the share accepted by the model's own threshold.
  var unknownsAccepted: Double?
  /// The share of drawings of taught labels that may be refused, to compare `knownRefused` with.
  var dialTarget: Double
  /// By the number of taught drawings, ascending; absent if all labels have the same.
  var bySamples: [OfSamples]?
  /// The intervals of the numbers above.
  var intervals95: Intervals
  /// Each task.
  var tasks: [Task]

  private enum CodingKeys: String, CodingKey {
    case episodes, accuracy, confidenceInterval95, auroc, fpr95, oscr, aurc, ece, rightRefused
    case knownRefused, dialTarget, bySamples, intervals95, tasks
    case unknownsAccepted = "strangersAccepted"
  }

  /// The number of bootstrap resamples.
  private static let resamples = 1000
  private static let binCount = 15
  /// The minimum number of labels for an interval over labels.
  private static let leastLabels = 10

  /// Sums up tasks.
  ///
  /// - Parameters:
  ///   - outcomes: At least one, each with at least one query.
  ///   - dialTarget: The share of drawings of taught labels that may be refused, in 0...1.
  /// - Throws: `EvaluationError`.
  init(_ outcomes: [TaskRunner.Outcome], dialTarget: Double) throws {
    let tasks = try outcomes.map { try Task($0) }
    self.tasks = tasks
    self.dialTarget = dialTarget
    episodes = outcomes.count
    (accuracy, confidenceInterval95) = try Self.mean(tasks.map(\.accuracy))
    let accuracyOverLabels = try Self.accuracyOverLabels(outcomes)
    let auroc = try Self.meanOfSome(tasks.map(\.auroc))
    let fpr95 = try Self.meanOfSome(tasks.map(\.fpr95))
    let oscr = try Self.meanOfSome(tasks.map(\.oscr))
    let aurc = try Self.mean(tasks.map(\.aurc))

    let right = outcomes.map { $0.queries.filter(\.isRight) }
    let rightRefused = try Self.share(
      right.map { ($0.count { !$0.isRecognized }, $0.count) }, stream: 1)
    let knownRefused = try Self.share(
      outcomes.map { ($0.queries.count { !$0.isRecognized }, $0.queries.count) }, stream: 2)
    let unknownsAccepted = try Self.share(
      outcomes.map { ($0.unknowns.count { $0.isRecognized }, $0.unknowns.count) }, stream: 3)
    let ece = try Self.calibrationError(outcomes)
    bySamples = Self.bySamples(outcomes)

    (self.auroc, self.fpr95, self.oscr) = (auroc?.value, fpr95?.value, oscr?.value)
    (self.aurc, self.ece) = (aurc.value, ece.value)
    self.rightRefused = rightRefused?.value
    self.knownRefused = knownRefused?.value ?? 0
    self.unknownsAccepted = unknownsAccepted?.value
    intervals95 = Intervals(
      accuracyOverLabels: accuracyOverLabels, auroc: auroc?.interval, fpr95: fpr95?.interval,
      oscr: oscr?.interval,
      aurc: aurc.interval, ece: ece.interval, rightRefused: rightRefused?.interval,
      knownRefused: knownRefused?.interval ?? Self.anything,
      unknownsAccepted: unknownsAccepted?.interval)
  }

  private static func bySamples(_ outcomes: [TaskRunner.Outcome]) -> [OfSamples]? {
    let numbers = Set(outcomes.flatMap(\.taught.values)).sorted()
    guard numbers.count > 1 else { return nil }
    let hasUnknowns = outcomes.contains { !$0.unknowns.isEmpty }
    return numbers.map { samples in
      let labels = outcomes.reduce(0) { $0 + $1.taught.values.count { $0 == samples } }
      let accepted = outcomes.reduce(0) { sum, outcome in
        sum + outcome.unknowns.count { $0.isRecognized && outcome.taught[$0.label] == samples }
      }
      let queries = outcomes.flatMap { outcome in
        outcome.queries.filter { outcome.taught[$0.label] == samples }
      }
      func mean(_ value: (TaskRunner.Answer) -> Double) -> Double? {
        queries.isEmpty ? nil : queries.reduce(0) { $0 + value($1) } / Double(queries.count)
      }
      return OfSamples(
        samples: samples,
        unknownsPerLabel: hasUnknowns ? Double(accepted) / Double(labels) : nil,
        accuracy: mean { $0.isRight ? 1 : 0 }, confidence: mean(\.shownConfidence))
    }
  }

  private typealias Estimate = (value: Double, interval: ConfidenceInterval)

  /// The interval of a rate from a single task: no information.
  private static let anything = ConfidenceInterval(lower: 0, upper: 1)

  /// The mean of rates over tasks; the interval is clamped to 0...1.
  private static func mean(_ values: [Double]) throws -> Estimate {
    let interval = try ConfidenceInterval.mean(of: values)
    return (
      values.reduce(0, +) / Double(values.count),
      ConfidenceInterval(lower: max(0, interval.lower), upper: min(1, interval.upper))
    )
  }

  private static func meanOfSome(_ values: [Double?]) throws -> Estimate? {
    let values = values.compactMap(\.self)
    return values.isEmpty ? nil : try mean(values)
  }

  /// The bootstrap interval over the labels of all tasks: tasks share their labels, so the interval
  /// over tasks does not apply to other labels.
  private static func accuracyOverLabels(
    _ outcomes: [TaskRunner.Outcome]
  ) throws -> ConfidenceInterval? {
    var counts: [String: (hits: Int, trials: Int)] = [:]
    for query in outcomes.lazy.flatMap(\.queries) {
      let count = counts[query.truth ?? ""] ?? (0, 0)
      counts[query.truth ?? ""] = (count.hits + (query.isRight ? 1 : 0), count.trials + 1)
    }
    guard counts.count >= leastLabels else { return nil }
    return try share(counts.sorted { $0.key < $1.key }.map(\.value), stream: 5)?.interval
  }

  /// The share of (hits, trials) of all tasks together.
  private static func share(_ counts: [(hits: Int, trials: Int)], stream: Int) throws -> Estimate? {
    let counts = counts.filter { $0.trials > 0 }
    func rate(_ tasks: some Sequence<Int>) -> Double {
      let (hits, trials) = tasks.reduce((0, 0)) {
        ($0.0 + counts[$1].hits, $0.1 + counts[$1].trials)
      }
      return Double(hits) / Double(trials)
    }
    guard !counts.isEmpty else { return nil }
    return (rate(counts.indices), try interval(counts.count, stream, rate))
  }

  /// The expected calibration error of all tasks' queries together.
  private static func calibrationError(_ outcomes: [TaskRunner.Outcome]) throws -> Estimate {
    // Bin each task's answers once, so that a resample only adds bins, which do not depend on the
    // other tasks.
    let gaps = try outcomes.map { outcome in
      try ReliabilityDiagram(
        confidences: outcome.queries.map(\.shownConfidence),
        correct: outcome.queries.map(\.isRight), binning: .equalWidth(binCount)
      ).bins.map { Double($0.count) * ($0.accuracy - $0.meanConfidence) }
    }
    let counts = outcomes.map(\.queries.count)
    func error(_ tasks: some Sequence<Int>) -> Double {
      var (sums, total) = ([Double](repeating: 0, count: binCount), 0)
      for task in tasks {
        for bin in 0..<binCount { sums[bin] += gaps[task][bin] }
        total += counts[task]
      }
      return sums.reduce(0) { $0 + abs($1) } / Double(total)
    }
    return (error(outcomes.indices), try interval(outcomes.count, 4, error))
  }

  private static func interval(
    _ count: Int, _ stream: Int, _ statistic: ([Int]) -> Double
  ) throws -> ConfidenceInterval {
    guard count > 1 else { return anything }
    var generator = SeededGenerator(seed: 95, stream: stream)
    return try .bootstrap(
      count: count, resamples: resamples, using: &generator, statistic: statistic)
  }
}

extension TaskScores.Task {
  /// The numbers of one task.
  init(_ outcome: TaskRunner.Outcome) throws {
    let (queries, unknowns) = (outcome.queries, outcome.unknowns)
    func share(_ hits: Int, of trials: Int) -> Double { Double(hits) / Double(trials) }
    let right = queries.filter(\.isRight)
    accuracy = share(right.count, of: queries.count)
    aurc =
      try RiskCoverageCurve(confidences: queries.map(\.confidence), correct: queries.map(\.isRight))
      .area
    rightRefused =
      right.isEmpty ? nil : share(right.count { !$0.isRecognized }, of: right.count)
    knownRefused = share(queries.count { !$0.isRecognized }, of: queries.count)
    guard !unknowns.isEmpty else { return }
    let curve = try outcome.detection
    auroc = curve.areaUnderROC
    fpr95 = curve.falsePositiveRate(atTruePositiveRate: 0.95)
    oscr = try outcome.openSet.area
    unknownsAccepted = share(unknowns.count { $0.isRecognized }, of: unknowns.count)
  }
}

extension TaskRunner.Outcome {
  /// The detection of queries against unknowns by nearness.
  var detection: DetectionCurve {
    get throws {
      try DetectionCurve(
        positives: queries.map(\.nearness), negatives: unknowns.map(\.nearness))
    }
  }

  /// The share of queries classified correctly at each share of unknowns accepted.
  var openSet: OpenSetCurve {
    get throws {
      try OpenSetCurve(
        knownScores: queries.map(\.nearness), correct: queries.map(\.isRight),
        unknownScores: unknowns.map(\.nearness))
    }
  }
}

extension TaskRunner.Answer {
  /// The confidence clamped to 0...1, which rounding may leave; NaN propagates.
  var shownConfidence: Double { confidence.isNaN ? confidence : min(1, max(0, confidence)) }
}
