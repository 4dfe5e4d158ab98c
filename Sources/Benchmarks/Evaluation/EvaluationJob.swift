package import Datasets
internal import Ink
internal import Recognition
internal import Report
internal import Support

/// Evaluates one or more models on the same labeled drawings.
package struct EvaluationJob: Sendable {
  var models: [String]
  var paths: [String]
  /// Whether drawings that a model was taught are evaluated too.
  var includesTaught: Bool
  var threads: Int
  /// The number of drawings that could not be read.
  var skipped: Int
  /// When it runs.
  var date: String

  package init(
    models: [String], paths: [String], includesTaught: Bool, threads: Int, skipped: Int,
    date: String
  ) {
    (self.models, self.paths, self.includesTaught) = (models, paths, includesTaught)
    (self.threads, self.skipped, self.date) = (threads, skipped, date)
  }

  /// What a model answered.
  struct Evaluation: Sendable {
    var summary: EvaluationSummary
    var records: [EvaluationRecord]
  }

  /// What all models answered.
  package struct Result: Sendable {
    var evaluations: [Evaluation]
    /// The comparison of the models; nil for one.
    var comparison: EvaluationComparison?

    /// The page of the report.
    package func page() throws -> String {
      if let comparison { return ComparisonPage.html(comparison) }
      return try EvaluationPage.html(
        summary: evaluations[0].summary, records: evaluations[0].records)
    }

    /// The report for the terminal.
    package var lines: [String] { comparison?.lines() ?? evaluations[0].summary.lines() }
  }

  /// Evaluates the models on `samples`.
  ///
  /// - Throws: `FileError` for a file that is no model, `EvaluationJobError` if the models were
  ///   taught all samples, and `CancellationError`.
  package func run(
    on samples: SampleSet, progress: @escaping JobProgress
  ) async throws -> Result {
    let recognizers = try models.map { try ModelFile.read($0) }
    let judged = includesTaught ? samples : try samples.untaught(to: recognizers, progress)
    var evaluations: [Evaluation] = []
    for (path, recognizer) in zip(models, recognizers) {
      let started = ContinuousClock.now
      reportUnknownLabels(
        of: judged, to: recognizer, named: models.count > 1 ? path : "the model", progress)
      let records = try await recognizer.evaluate(judged, threads: threads, progress)
      let summary = try EvaluationSummary(
        records: records, labels: recognizer.labels,
        facts: RunFacts(
          drawmlVersion: Version.text, swiftVersion: Version.swift, modelPath: path,
          modelFingerprint: try ModelFile.fingerprint(of: recognizer), dataPaths: paths,
          dataFingerprint: judged.fingerprint, head: recognizer.head.configuration.name,
          seed: recognizer.provenance.seed, threads: threads, machine: Resources.processorName,
          date: date, seconds: (ContinuousClock.now - started) / .seconds(1),
          peakMemoryBytes: Resources.peakMemoryBytes, skippedCount: skipped))
      evaluations.append(Evaluation(summary: summary, records: records))
    }
    return Result(
      evaluations: evaluations,
      comparison: models.count > 1 ? EvaluationComparison(evaluations) : nil)
  }
}

extension EvaluationJob.Result: Encodable {
  /// The numbers of the only model, or the comparison.
  package func encode(to encoder: any Encoder) throws {
    if let comparison { return try comparison.encode(to: encoder) }
    try evaluations[0].summary.encode(to: encoder)
  }
}

/// Reports labels of the samples that a model does not have, which count as wrong.
func reportUnknownLabels(
  of samples: SampleSet, to recognizer: Recognizer, named name: String = "the model",
  _ progress: JobProgress
) {
  let known = Set(recognizer.labels)
  let unknown = samples.classes.filter {
    !known.contains(LabelRule.spelling(of: $0, among: recognizer.labels))
  }
  guard !unknown.isEmpty else { return }
  let count = samples.drawings.count { unknown.contains($0.label ?? "") }
  progress(
    .note(
      "\(counted(count, "drawing")) of \(counted(unknown.count, "label")) that \(name) was not "
        + "taught count as wrong: " + listed(unknown)))
}

extension Recognizer {
  /// What it answers to each of the samples, in their order.
  func evaluate(
    _ samples: SampleSet, threads: Int, _ progress: @escaping JobProgress
  ) async throws -> [EvaluationRecord] {
    let answers = try await classify(samples.drawings, threads: threads) {
      progress(.progress("Evaluating", done: $0, of: $1))
    }
    return zip(samples.drawings, answers).map { drawing, answer in
      EvaluationRecord(
        drawing: drawing, truth: LabelRule.spelling(of: drawing.label ?? "", among: labels),
        recognized: answer.decision.isRecognized,
        label: answer.decision.best?.label ?? "", confidence: answer.decision.best?.confidence ?? 0,
        candidates: answer.candidates.map { ($0.label, $0.confidence) })
    }
  }
}

extension SampleSet {
  /// The samples that no model was taught.
  ///
  /// - Throws: `EvaluationJobError.allTaught` if none is left.
  func untaught(to models: [Recognizer], _ progress: JobProgress) throws -> SampleSet {
    let taught = Set(models.flatMap { $0.memory.samples.map(\.digest) })
    let kept = drawings.indices.filter { !taught.contains(drawings[$0].digest) }
    let left = count - kept.count
    if left > 0 {
      let whom = models.count > 1 ? "one of the models" : "the model"
      progress(
        .note(
          "\(grouped(left)) of \(grouped(count)) drawings were taught to \(whom) and are left out."
        ))
    }
    guard !kept.isEmpty else { throw EvaluationJobError.allTaught(count) }
    return subset(kept)
  }
}

/// Why there is nothing to evaluate.
package enum EvaluationJobError: Error, CustomStringConvertible {
  case allTaught(Int)

  package var description: String {
    switch self {
    case .allTaught(let count):
      "the model was taught all \(grouped(count)) drawings, so they cannot judge it; give others, "
        + "train with --hold-out, or say --include-taught"
    }
  }
}

extension HeadConfiguration {
  /// The head's name on the command line.
  var shortName: String {
    switch self {
    case .nearestNeighbors: "knn"
    case .classMeans: "prototype"
    case .linear: "linear"
    case .twoCovariance: "plda"
    }
  }

  /// The head's name with its hyper-parameters.
  var name: String {
    switch self {
    case .nearestNeighbors(let count, let weights):
      "\(shortName) (\(count) neighbors, \(weights == .uniform ? "uniform" : "inverse distance"))"
    case .linear(let penalty): "\(shortName) (penalty \(penalty))"
    case .classMeans, .twoCovariance: shortName
    }
  }
}
