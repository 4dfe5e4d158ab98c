package import Datasets
internal import Ink
package import Recognition
internal import Report
internal import Support

/// Evaluates a model on labeled drawings.
package struct EvaluationJob: Sendable {
  var model: String
  var paths: [String]
  /// Whether drawings that the model was taught are evaluated too.
  var includesTaught: Bool
  var threads: Int
  /// The number of drawings that could not be read.
  var skipped: Int
  /// When it runs.
  var date: String

  package init(
    model: String, paths: [String], includesTaught: Bool, threads: Int, skipped: Int, date: String
  ) {
    (self.model, self.paths, self.includesTaught) = (model, paths, includesTaught)
    (self.threads, self.skipped, self.date) = (threads, skipped, date)
  }

  package struct Result: Sendable {
    package var summary: EvaluationSummary
    var records: [EvaluationRecord]

    /// The page of the report.
    package func page() throws -> String {
      try EvaluationPage.html(summary: summary, records: records)
    }
  }

  /// Evaluates the model on `samples`.
  package func run(
    on samples: SampleSet, progress: @escaping JobProgress
  ) async throws -> Result {
    let started = ContinuousClock.now
    let recognizer = try ModelFile.read(model)
    let judged = includesTaught ? samples : try samples.untaught(to: [recognizer], progress)
    reportUnknownLabels(of: judged, to: recognizer, progress)
    let records = try await recognizer.evaluate(judged, threads: threads, progress)
    let summary = try EvaluationSummary(
      records: records, labels: recognizer.labels,
      facts: RunFacts(
        drawmlVersion: Version.text, swiftVersion: Version.swift, modelPath: model,
        modelFingerprint: try ModelFile.fingerprint(of: recognizer), dataPaths: paths,
        dataFingerprint: judged.fingerprint, head: recognizer.head.configuration.name,
        seed: recognizer.provenance.seed, threads: threads, machine: Resources.processorName,
        date: date, seconds: (ContinuousClock.now - started) / .seconds(1),
        peakMemoryBytes: Resources.peakMemoryBytes, skippedCount: skipped))
    return Result(summary: summary, records: records)
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
  /// The head for a model that is taught few drawings: PLDA if the model has a prior.
  package static func standard(for model: Recognizer) -> HeadConfiguration {
    model.memory.prior == nil ? .classMeans : .twoCovariance
  }

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
