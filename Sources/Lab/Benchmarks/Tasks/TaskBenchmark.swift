package import Datasets
internal import Evaluation
internal import Ink
internal import JSON
internal import NeuralNetwork
internal import Recognition
internal import Report
package import Training

/// Few-shot tasks with unknown drawings: what `benchmark few-shot` and `benchmark open-set` run.
package struct TaskBenchmark: Sendable {
  var runner: TaskRunner
  /// The sources of samples and tasks.
  var samplesPath: String
  var tasksPlace: String
  var seed: UInt64?

  package init(_ runner: TaskRunner, samplesPath: String, tasksPlace: String, seed: UInt64?) {
    (self.runner, self.samplesPath) = (runner, samplesPath)
    (self.tasksPlace, self.seed) = (tasksPlace, seed)
  }

  /// The keys are those of the guide, including those of the scores.
  package struct Report: Encodable, Sendable {
    var scores: TaskScores
    /// Labels per task and taught drawings per label, if all tasks have the same.
    var ways: Int?
    var shots: Int?
    /// The share of tasks whose recognizer was adapted to the taught drawings; absent if it was not
    /// tried.
    var adapted: Double?
    var head: String
    var samplesFingerprint: String
    var facts: RunFacts

    private enum CodingKeys: CodingKey {
      case ways, shots, adapted, head, samplesFingerprint, facts
    }

    package func encode(to encoder: any Encoder) throws {
      try scores.encode(to: encoder)
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encodeIfPresent(ways, forKey: .ways)
      try container.encodeIfPresent(shots, forKey: .shots)
      try container.encodeIfPresent(adapted, forKey: .adapted)
      try container.encode(head, forKey: .head)
      try container.encode(samplesFingerprint, forKey: .samplesFingerprint)
      try container.encode(facts, forKey: .facts)
    }
  }

  /// A report and what its page shows.
  package struct Result: Sendable {
    package var report: Report
    var outcomes: [TaskRunner.Outcome]
    var samples: SampleSet

    /// What `benchmark open-set --format json` prints: the keys of few-shot, and the reliability
    /// diagram.
    package var openSetReport: some Encodable {
      get throws { Joined(report, ["reliability": try TaskPage.reliability(outcomes).bins]) }
    }

    /// The page of `benchmark few-shot`.
    package func fewShotPage() throws -> String { try FewShotPage.html(self) }

    /// The page of `benchmark open-set`.
    package func openSetPage() throws -> String { try OpenSetPage.html(self) }
  }

  /// Throws unless all ranks are to run the same tasks.
  package func agree(on episodes: Episodes, of samples: SampleSet) throws {
    try runner.ranks.agree {
      [
        ("models", runner.modelFingerprint), ("drawings", samples.fingerprint),
        ("tasks", try jsonText(episodes)), ("kernels", KernelChoice.inUse),
        ("settings", "\(runner.base.head.configuration) \(runner.base.policy) \(runner.adapts)"),
      ]
    }
  }

  /// Runs the tasks.
  package func run(
    _ episodes: Episodes, on samples: SampleSet, progress: @escaping JobProgress
  ) async throws -> Result {
    let started = ContinuousClock.now
    let fingerprint = samples.fingerprint
    let outcomes = try await runner.run(
      episodes, on: samples, from: (tasksPlace, samplesPath), progress: progress)
    let facts = RunFacts(
      of: runner, data: [samplesPath], fingerprint: fingerprint, seed: seed, since: started)
    let report = Report(
      scores: try TaskScores(outcomes, dialTarget: runner.base.policy.refusalRate),
      ways: Self.ways(episodes),
      shots: Self.shots(episodes),
      adapted: runner.adapts
        ? Double(outcomes.count { $0.isAdapted == true }) / Double(outcomes.count) : nil,
      head: runner.headName, samplesFingerprint: fingerprint,
      facts: facts)
    return Result(report: report, outcomes: outcomes, samples: samples)
  }

  private static func ways(_ episodes: Episodes) -> Int? {
    same(episodes.episodes.map { Set($0.support.map(\.label)).count })
  }

  private static func shots(_ episodes: Episodes) -> Int? {
    same(
      episodes.episodes.flatMap { episode in
        Dictionary(grouping: episode.support, by: \.label).values.map(\.count)
      })
  }

  private static func same(_ numbers: [Int]) -> Int? {
    Set(numbers).count == 1 ? numbers[0] : nil
  }
}

extension RunFacts {
  /// The facts of a benchmark that ends now.
  init(
    of runner: TaskRunner, data: [String], fingerprint: String, seed: UInt64?,
    since started: ContinuousClock.Instant
  ) {
    self.init(
      modelPath: runner.modelPath, modelFingerprint: runner.modelFingerprint, dataPaths: data,
      dataFingerprint: fingerprint, head: runner.headName, seed: seed, threads: runner.threads,
      date: runner.date, seconds: (ContinuousClock.now - started) / .seconds(1))
  }
}

extension TaskRunner {
  /// The head's name.
  var headName: String { base.head.configuration.name }
}

extension TaskBenchmark.Report {
  /// A few lines for people.
  package var lines: [String] {
    var lines = [
      "accuracy            \(rate(scores.accuracy, scores.confidenceInterval95))"
        + "  \(counted(scores.episodes, "task"))\(shape), \(head)\(adaptation)"
    ]
    if let interval = scores.intervals95.accuracyOverLabels {
      lines.append(
        "  for other labels  \(percent(interval.lower)) to \(percent(interval.upper))"
          + " (95 %, by the labels' differences)")
    }
    lines += refusal + calibration + (scores.bySamples ?? []).map(Self.line)
    if let reference {
      lines += [
        "", "\(PublishedRows.fewShotHeading): \(reference.name)",
        "  3 nearest neighbors, as it ships   accuracy \(percent(reference.neighbors))"
          + (reference.auroc.map { ", AUROC \(decimal(Float($0)))" } ?? ""),
        "  its embedding with class means      accuracy \(percent(reference.classMeans))"
          + (reference.bestAUROC.map { ", best AUROC \(decimal(Float($0)))" } ?? ""),
        "  (Apple's updatable drawing classifier on 100 other Quick, Draw! classes)",
      ]
    }
    return lines
  }

  /// The same, with the refusal numbers first.
  package var refusalLines: [String] {
    var lines = refusal
    if let oscr = scores.oscr, let interval = scores.intervals95.oscr {
      lines.append("OSCR                \(number(oscr, interval))")
    }
    lines.append("risk-coverage area  \(number(scores.aurc, scores.intervals95.aurc))")
    lines += calibration
    lines.append(
      "accuracy            \(rate(scores.accuracy, scores.confidenceInterval95))"
        + "  \(counted(scores.episodes, "task"))\(shape), \(head)\(adaptation)")
    return lines
  }

  /// The reference at the same ways and shots, if it was measured there.
  var reference: PublishedRows.FewShotRow? {
    PublishedRows.fewShot.first { $0.ways == ways && $0.shots == shots }
  }

  /// ", 10-way 5-shot", if all tasks are alike.
  private var shape: String {
    guard let ways, let shots else { return "" }
    return ", \(ways)-way \(shots)-shot"
  }

  /// ", adapted in 40.0 % of the tasks", if that was tried.
  private var adaptation: String {
    adapted.map { ", adapted in \(percent($0)) of the tasks" } ?? ""
  }

  private var refusal: [String] {
    var lines: [String] = []
    if let auroc = scores.auroc, let interval = scores.intervals95.auroc {
      lines.append("AUROC of unknowns   \(number(auroc, interval))")
    }
    if let fpr95 = scores.fpr95, let interval = scores.intervals95.fpr95 {
      lines.append(
        "FPR95               \(rate(fpr95, interval))  unknowns accepted when 95 % of the known are"
      )
    }
    if let accepted = scores.unknownsAccepted, let interval = scores.intervals95.unknownsAccepted {
      lines.append("unknowns accepted   \(rate(accepted, interval))  at the model's threshold")
    }
    lines.append(
      "known ones refused  \(rate(scores.knownRefused, scores.intervals95.knownRefused))  "
        + "drawings of taught labels; target: \(percent(scores.dialTarget))")
    if let refused = scores.rightRefused, let interval = scores.intervals95.rightRefused {
      lines.append("right ones refused  \(rate(refused, interval))  whose best label is right")
    }
    return lines
  }

  private static func line(_ part: TaskScores.OfSamples) -> String {
    var facts: [String] = []
    if let unknowns = part.unknownsPerLabel {
      facts.append("\(decimal(Float(unknowns))) unknowns accepted per label and task")
    }
    if let accuracy = part.accuracy, let confidence = part.confidence {
      facts.append("\(percent(accuracy)) of answers right, \(percent(confidence)) sure")
    }
    return "labels of \(counted(part.samples, "drawing")): " + facts.joined(separator: "; ")
  }

  private var calibration: [String] {
    ["calibration error   \(number(scores.ece, scores.intervals95.ece))"]
  }

  private func rate(_ value: Double, _ interval: ConfidenceInterval) -> String {
    "\(percent(value)) (95 %: \(percent(interval.lower)) to \(percent(interval.upper)))"
  }

  private func number(_ value: Double, _ interval: ConfidenceInterval) -> String {
    "\(decimal(Float(value))) (95 %: \(decimal(Float(interval.lower))) to "
      + "\(decimal(Float(interval.upper))))"
  }
}
