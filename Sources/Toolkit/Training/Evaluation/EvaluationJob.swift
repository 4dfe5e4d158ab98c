package import Datasets
internal import Ink
package import Recognition
internal import Report
internal import Text

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

    /// What each model answered to each drawing.
    package var answers: AnswerFile {
      AnswerFile(answers: evaluations.map { (.model($0.summary.facts.modelPath), $0.records) })
    }

    /// The report for the terminal.
    package var lines: [String] { comparison?.lines() ?? evaluations[0].summary.lines() }
  }

  /// Evaluates the models on `samples`.
  ///
  /// - Throws: `FileError` for a file that is no model, `JobProblem` if the models were
  ///   taught all samples, and `CancellationError`.
  package func run(
    on samples: SampleSet, progress: @escaping JobProgress
  ) async throws -> Result {
    let opened = try models.map { path in
      let file = try ModelFile.open(path)
      return (file.recognizer, fingerprint: file.fingerprint)
    }
    return try await run(opened, on: samples, progress: progress)
  }

  /// Evaluates models in memory, which have the names `models`, on `samples`.
  ///
  /// - Parameters:
  ///   - opened: The models, each with the SHA-256 of its file.
  ///   - samples: What they are judged by.
  ///   - progress: Receives events.
  /// - Returns: The evaluations, in the models' order.
  ///
  /// - Throws: As for files.
  package func run(
    _ opened: [(Recognizer, fingerprint: String)], on samples: SampleSet,
    progress: @escaping JobProgress
  ) async throws -> Result {
    let recognizers = opened.map(\.0)
    for (path, recognizer) in zip(models, recognizers) where recognizer.labels.isEmpty {
      throw JobProblem("\(path) knows no label: teach it some drawings first")
    }
    let seen = samples.seen(by: recognizers)
    let judged = includesTaught ? samples : try samples.leavingOut(seen, of: recognizers, progress)
    if includesTaught, !seen.isEmpty {
      progress(
        .note(
          "\(grouped(seen.count)) of \(grouped(samples.count)) drawings are known to "
            + (models.count > 1 ? "one of the models" : "the model")
            + ": the result is too optimistic."))
    }
    for (path, recognizer) in zip(models, recognizers) {
      noteTrainedLabels(of: recognizer, at: path, in: judged, progress)
    }
    var evaluations: [Evaluation] = []
    for (path, (recognizer, fingerprint)) in zip(models, opened) {
      let started = ContinuousClock.now
      reportUnknownLabels(
        of: judged, to: recognizer, named: models.count > 1 ? path : "the model", progress)
      let records = try await recognizer.evaluate(judged, threads: threads, progress)
      let summary = try EvaluationSummary(
        records: records, labels: recognizer.labels,
        facts: RunFacts(
          modelPath: path, modelFingerprint: fingerprint,
          dataPaths: paths, dataFingerprint: judged.fingerprint,
          head: recognizer.head.configuration.name, seed: recognizer.provenance.seed,
          threads: threads, date: date, seconds: (ContinuousClock.now - started) / .seconds(1),
          skippedCount: skipped,
          knownJudged: includesTaught ? samples.seen(by: [recognizer]).count : 0,
          knownLeftOut: includesTaught ? 0 : seen.count))
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

/// Says where a model may have been taught or trained on the samples, though it does not name them:
/// it was imported, or trained on a stream.
func noteTrainedLabels(
  of recognizer: Recognizer, at path: String, in samples: SampleSet, _ progress: JobProgress
) {
  let origin = recognizer.provenance
  if origin.isImported {
    progress(
      .note(
        "\(path) was imported, and does not name the drawings that it was taught or trained on: if "
          + "it was taught these, the result is too optimistic."))
  }
  let trained = recognizer.memory.trained
  let named = trained.fittedDigests.reduce(0) { $0 + $1.count }
  // Drawings with the same ink are named once.
  let namesMost = named >= origin.trainingDrawings / 2
  let known = zip(trained.labels, trained.fittedDigests).filter { namesMost && !$1.isEmpty }
  let count = recognizer.embeddingLabels.subtracting(known.map(\.0))
    .intersection(samples.classes).count
  guard count > 0 else { return }
  progress(
    .note(
      "The embedding of \(path) was trained on \(counted(origin.trainingDrawings, "drawing")), "
        + "of which it names \(grouped(named)), and on \(count) of the \(samples.classes.count) "
        + "labels: the result is too optimistic, even more if these drawings trained it."))
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
  package func evaluate(
    _ samples: SampleSet, threads: Int, _ progress: @escaping JobProgress
  ) async throws -> [EvaluationRecord] {
    let answers = try await classify(samples.drawings, threads: threads) {
      progress(.progress("Evaluating", done: $0, of: $1))
    }
    return zip(samples.drawings.enumerated(), answers).map { sample, answer in
      EvaluationRecord(
        of: samples, at: sample.offset,
        truth: LabelRule.spelling(of: sample.element.label ?? "", among: labels),
        decision: answer.decision, candidates: answer.candidates)
    }
  }
}

extension SampleSet {
  /// The indices of the samples that a model was taught, or that trained its embedding, as far as
  /// it names them.
  package func seen(by models: [Recognizer]) -> Set<Int> {
    let known = models.reduce(into: Set<String>()) { $0.formUnion($1.memory.knownDigests) }
    return Set(drawings.indices.filter { known.contains(drawings[$0].digest) })
  }

  /// The samples that no model has seen, with a note of how many that leaves out.
  ///
  /// - Throws: `JobProblem` if none is left.
  func leavingOut(
    _ seen: Set<Int>, of models: [Recognizer], _ progress: JobProgress
  ) throws -> SampleSet {
    let isComparison = models.count > 1
    if !seen.isEmpty {
      let whom = isComparison ? "one of the models" : "the model"
      progress(
        .note(
          "\(grouped(seen.count)) of \(grouped(count)) drawings were taught to \(whom), or trained "
            + "its embedding, and are left out."))
    }
    guard seen.count < count else {
      throw JobProblem(
        (isComparison
          ? "each of the \(grouped(count)) drawings was taught to one of the models or trained it, "
            + "so they cannot judge them"
          : "the model was taught or trained on all \(grouped(count)) drawings, so they cannot "
            + "judge it") + "; give others, train with --hold-out, or add --include-taught")
    }
    return subset(drawings.indices.filter { !seen.contains($0) })
  }
}
