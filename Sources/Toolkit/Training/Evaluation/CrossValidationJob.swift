package import Datasets
internal import Evaluation
internal import Files
internal import Ink
internal import Recognition
internal import Report
internal import Text

/// Cross-validation: for each of k folds, a model is trained on the other folds and judged on this
/// one, so that each drawing is judged exactly once, by a model that was not taught it.
package struct CrossValidationJob: Sendable {
  var folds: Int
  var base: String?
  var settings: TrainingSettings
  /// The seed of the folds; nil for that of the settings.
  var foldSeed: UInt64?
  var paths: [String]
  var threads: Int
  /// The number of drawings that could not be read.
  var skipped: Int
  /// When it runs.
  var date: String

  package init(
    folds: Int, base: String?, settings: TrainingSettings, paths: [String], threads: Int,
    skipped: Int, date: String
  ) {
    (self.folds, self.base, self.settings, self.paths) = (folds, base, settings, paths)
    (self.threads, self.skipped, self.date) = (threads, skipped, date)
  }

  /// The results of one fold.
  struct Fold: Encodable, Equatable, Sendable {
    /// Counted from 1.
    var fold: Int
    /// The number of drawings.
    var count: Int
    /// The share whose best label is right.
    var accuracy: Double
    /// The share of drawings that were not refused.
    var recognizedShare: Double
    /// The SHA-256 of the model that judged them.
    var modelFingerprint: String
  }

  /// The results. Its JSON keys are those of an evaluation, over all drawings, and the properties'
  /// names.
  package struct Result: Encodable, Sendable {
    var folds: [Fold]
    /// The standard deviation of the folds' accuracies.
    var accuracyStandardDeviation: Double
    var summary: EvaluationSummary
    /// Those of the first fold, then those of the next.
    var records: [EvaluationRecord]
    /// Drawings whose label may be wrong, of labels that the judging model knows.
    var doubts: LabelDoubts

    private enum CodingKeys: CodingKey { case folds, accuracyStandardDeviation }

    package func encode(to encoder: any Encoder) throws {
      try summary.encode(to: encoder)
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(folds, forKey: .folds)
      try container.encode(accuracyStandardDeviation, forKey: .accuracyStandardDeviation)
    }
  }

  /// Trains and judges the models; none is written.
  ///
  /// - Throws: `JobProblem` for too few drawings, what training throws, and `CancellationError`.
  package func run(
    on samples: SampleSet, progress: @escaping JobProgress
  ) async throws -> Result {
    let started = ContinuousClock.now
    let parts = Splitter(seed: foldSeed ?? settings.seed).folds(samples, count: folds)
    guard parts.allSatisfy({ !$0.isEmpty }) else {
      throw JobProblem(
        "\(counted(folds, "fold")) need as many different drawings; there are too few: give "
          + "more, or ask for fewer folds")
    }
    try noteTaught(to: base, of: samples, progress)
    let job = TrainingJob(
      output: "", base: base, settings: settings, threads: threads, resumes: false)
    var records: [EvaluationRecord] = []
    var results: [Fold] = []
    var labels: Set<String> = []
    // Those of labels that the fold's model knows.
    var answered: [EvaluationRecord] = []
    var head = ""
    for (number, part) in parts.enumerated() {
      progress(.note("Fold \(number + 1) of \(folds)"))
      let judged = Set(part)
      let training = samples.subset(samples.drawings.indices.filter { !judged.contains($0) })
      let test = samples.subset(part)
      let model = try await job.fit(to: training, progress).recognizer
      reportUnknownLabels(of: test, to: model, progress)
      let answers = try await model.evaluate(test, threads: threads, progress)
      let count = Double(answers.count)
      results.append(
        Fold(
          fold: number + 1, count: answers.count,
          accuracy: Double(answers.count { $0.isRight }) / count,
          recognizedShare: Double(answers.count { $0.recognized }) / count,
          modelFingerprint: try ModelFile.fingerprint(of: model)))
      records += answers
      let known = Set(model.labels)
      answered += answers.filter { known.contains($0.truth) }
      labels.formUnion(model.labels)
      head = model.head.configuration.name
    }
    var models = Fingerprint()
    for result in results { models.update(result.modelFingerprint) }
    let deviation = results.map(\.accuracy).sampleVariance.squareRoot()
    let summary = try EvaluationSummary(
      records: records, labels: labels.sorted(),
      facts: RunFacts(
        modelPath: "\(folds)-fold cross-validation" + (base.map { " with the base \($0)" } ?? ""),
        modelFingerprint: models.hexadecimal(), dataPaths: paths,
        dataFingerprint: samples.fingerprint, head: head, seed: settings.seed, threads: threads,
        date: date, seconds: (ContinuousClock.now - started) / .seconds(1), skippedCount: skipped))
    return Result(
      folds: results, accuracyStandardDeviation: deviation, summary: summary,
      records: records, doubts: LabelDoubts(answered))
  }
}

/// Says how many of the drawings a base model has seen: its embedding may know them.
///
/// - Throws: What reading the base throws.
package func noteTaught(to base: String?, of samples: SampleSet, _ progress: JobProgress) throws {
  guard let base else { return }
  let recognizer = try ModelFile.read(base)
  noteTrainedLabels(of: recognizer, at: base, in: samples, progress)
  let count = samples.seen(by: [recognizer]).count
  guard count > 0 else { return }
  progress(
    .note(
      "\(grouped(count)) of \(grouped(samples.count)) drawings were taught to \(base), or "
        + "trained its embedding: the numbers may be too good."))
}

extension CrossValidationJob.Result {
  private typealias Numbers = ReportNumbers

  /// What the model of each fold answered to each of its drawings.
  package var answers: AnswerFile {
    var rest = records[...]
    return AnswerFile(
      answers: folds.map { fold in
        defer { rest = rest.dropFirst(fold.count) }
        return (.fold(fold.fold), Array(rest.prefix(fold.count)))
      })
  }

  /// The page: the evaluation's, with the folds.
  package func page() throws -> String {
    let table = PageParts.table(
      ["Fold", "Drawings", "Accuracy", "Recognized", "Model’s SHA-256"],
      folds.map { fold in
        (
          name: Markup("\(fold.fold)"),
          cells: [
            PageParts.cell(grouped(fold.count)),
            PageParts.bar(fold.accuracy, Numbers.percent(fold.accuracy)),
            PageParts.cell(Numbers.percent(fold.recognizedShare)),
            PageParts.words(String(fold.modelFingerprint.prefix(12))),
          ]
        )
      }, words: [4])
    return try EvaluationPage.html(
      summary: summary, records: records,
      first: PageParts.section("folds", "Fold by fold", introduction, table))
  }

  private var introduction: String {
    "Each drawing was judged once, by a model trained on the other folds. The standard deviation "
      + "of the folds’ accuracies is \(Numbers.percent(accuracyStandardDeviation))."
  }

  /// Drawings whose label may be wrong; none of models that are often wrong themselves.
  private var doubtLines: [String] {
    guard summary.accuracy >= 0.8 else { return [] }
    return [""] + doubts.lines(rows: 5, more: "--report or --answers shows them")
  }

  /// The report for the terminal: the folds, then all drawings together.
  package var lines: [String] {
    var table = TextTable([
      ("fold", .left), ("drawings", .right), ("accuracy", .right), ("recognized", .right),
    ])
    for fold in folds {
      table.add([
        "\(fold.fold)", grouped(fold.count), Numbers.percent(fold.accuracy),
        Numbers.percent(fold.recognizedShare),
      ])
    }
    return table.lines
      + ["standard deviation of the accuracy: \(Numbers.percent(accuracyStandardDeviation))", ""]
      + summary.lines()
      + doubtLines
  }
}
