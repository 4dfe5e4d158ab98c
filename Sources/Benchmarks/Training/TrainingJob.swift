package import Datasets
internal import Evaluation
internal import Ink
internal import NeuralNetwork
internal import Recognition
internal import Report
internal import Support

/// Trains a model file from labeled drawings, with checkpoints.
package struct TrainingJob: Sendable {
  var output: String
  var base: String?
  var settings: TrainingSettings
  var threads: Int
  var resumes: Bool
  /// How to read the drawings from files in every epoch, if they do not fit in memory; `run` then
  /// gets only some drawings of each label.
  package var stream: StreamedDrawings.Settings?
  /// The fingerprint of all drawings of the stream.
  package var streamFingerprint: String?

  package init(
    output: String, base: String?, settings: TrainingSettings, threads: Int, resumes: Bool
  ) {
    (self.output, self.base, self.settings) = (output, base, settings)
    (self.threads, self.resumes) = (threads, resumes)
  }

  /// The validation share of the drawings that are not held out.
  static let validationShare = 0.1

  package struct Report: Encodable {
    var model: String
    var fingerprint: String
    var labels: Int
    var samples: Int
    var head: String
    var heldOut: Int
    var trainingDrawings: Int
    var validationDrawings: Int
    @OrNull var validationAccuracy: Double?
    /// The mean of the labels' recalls; null where they have equally many validation drawings.
    @OrNull var validationMacroRecall: Double?
    var epochs: Int
    var seed: UInt64
    var threads: Int
    var dataFingerprint: String
    var seconds: Double
    var modelBytes: Int
    var peakMemoryBytes: Int
    @OrNull var adaptation: AdaptationSummary?
    /// The expected error rates on new drawings.
    var rates: AcceptanceRates
    /// Drawings that look like another label than theirs; null without a base, whose embedding knows
    /// no drawing, and with another head than plda, which would take long.
    @OrNull var labelDoubts: LabelDoubts?
    /// The results of all epochs, also of those before a training was resumed.
    var curve: LearningCurve
  }

  private var checkpoint: TrainingCheckpointFile { TrainingCheckpointFile(output: output) }

  /// What the user can do after stopping the training.
  package func hintAfterInterruption() -> String {
    guard base == nil else { return "nothing was written" }
    return checkpoint.hintAfterInterruption
  }

  /// Trains and writes the model.
  package func run(
    on all: SampleSet, progress: @escaping JobProgress
  ) async throws -> Report {
    let started = ContinuousClock.now
    let checkpoint = checkpoint
    let replacement = Replacement(of: output, reading: base.map { [$0] } ?? [])
    let fitted = try await fit(to: all, checkpoint: base == nil ? checkpoint : nil, progress)
    let recognizer = fitted.recognizer
    var doubts: LabelDoubts?
    if base != nil, recognizer.head.configuration == .twoCovariance {
      doubts = LabelDoubts(try await recognizer.leaveOneOutRecords(of: all, progress))
    }
    let written = try ModelFile.write(recognizer, to: output, replacing: replacement)
    if base == nil { checkpoint.remove() }
    return Report(
      model: output, fingerprint: written.fingerprint,
      labels: recognizer.labels.count, samples: recognizer.memory.samples.count,
      head: recognizer.head.configuration.name,
      heldOut: fitted.heldOut, trainingDrawings: fitted.trainingDrawings,
      validationDrawings: fitted.validationDrawings,
      validationAccuracy: fitted.history.last?.validationAccuracy,
      validationMacroRecall: fitted.history.last?.validationMacroRecall,
      epochs: base == nil ? settings.training.epochs : 0, seed: settings.seed, threads: threads,
      dataFingerprint: streamFingerprint ?? all.fingerprint,
      seconds: (ContinuousClock.now - started) / .seconds(1),
      modelBytes: written.byteCount,
      peakMemoryBytes: Resources.peakMemoryBytes, adaptation: fitted.adaptation,
      rates: recognizer.acceptanceRates(), labelDoubts: doubts,
      curve: LearningCurve(network: nil, epochs: fitted.history))
  }

  /// A trained model, and how it was trained.
  struct Fitted: Sendable {
    var recognizer: Recognizer
    /// How many drawings were held out.
    var heldOut: Int
    /// How many drawings the embedding was fitted to and validated on; 0 with a base.
    var trainingDrawings = 0
    var validationDrawings = 0
    /// The epochs of the embedding's training; empty with a base.
    var history: [TrainingLoop.EpochSummary] = []
    var adaptation: AdaptationSummary?
  }

  /// Trains a model, and writes no file but the checkpoint.
  ///
  /// - Parameters:
  ///   - all: The drawings; a share of each label is held out, as the settings say.
  ///   - checkpoint: Where to keep the training's state; nil to keep none.
  ///   - progress: Receives events.
  /// - Returns: The model and how it was trained.
  /// - Throws: `ModelError` for drawings that cannot be used, and what reading the base throws.
  func fit(
    to all: SampleSet, checkpoint: TrainingCheckpointFile?, _ progress: @escaping JobProgress
  ) async throws -> Fitted {
    do throws(ModelError) { try ModelLimits.check(ids: all.drawings.lazy.map(\.id)) } catch {
      throw JobProblem("no model can be taught these drawings: \(error)")
    }
    if base == nil {
      try all.requireTwoClasses()
      try ModelLimits.requireCapacity(forLabels: all.classes.count)
    }
    let split = Splitter(
      validation: Self.validationShare, test: settings.holdOut, seed: settings.seed
    ).byDrawing(all)
    let (training, validation) = (all.subset(split.train), all.subset(split.validation))
    var fitted: Fitted
    if let base {
      let model = try ModelFile.read(base)
      fitted = Fitted(
        recognizer: model.untaught(head: settings.head(standard: .standard(for: model))),
        heldOut: split.test.count)
    } else {
      fitted = try await train(
        training, validation, all.subset(split.test).drawings, checkpoint, progress)
    }
    if let policy = settings.policy { fitted.recognizer.policy = policy }
    try await fitted.recognizer.update(
      with: training.drawings + validation.drawings, threads: threads
    ) {
      progress(.progress("Teaching", done: $0, of: $1))
    }
    if base != nil, settings.adapt {
      fitted.adaptation = AdaptationSummary(
        try fitted.recognizer.adapt { progress(.progress("Adapting", done: $0, of: $1)) })
    }
    return fitted
  }

  /// Trains an embedding; the recognizer has no taught samples yet.
  private func train(
    _ training: SampleSet, _ validation: SampleSet, _ heldOut: [Drawing],
    _ checkpoint: TrainingCheckpointFile?, _ progress: @escaping JobProgress
  ) async throws -> Fitted {
    let seed = settings.seed
    let (examples, recipe, trainingCount) = try examples(training, validation, heldOut)
    if stream == nil { adviseBase(training, progress) }
    let outcome = try await EmbeddingTrainer(recipe).fit(
      examples, validation: validation.drawings, seed: seed, threads: threads,
      resumingFrom: try checkpoint?.read(resumes: resumes, progress)
    ) { event in
      progress(.training(event, network: nil))
      if case .checkpoint(let state) = event, let checkpoint {
        try state.write(to: checkpoint.path)
      }
    }
    let recognizer = Recognizer(
      embedding: outcome.embedding, trained: outcome.trained.fitted(to: training.drawings),
      prior: try await prior(outcome.embedding, training, validation),
      head: settings.head(standard: .linear(penalty: settings.penalty)),
      provenance: Provenance(
        software: Version.text, seed: seed, threads: threads,
        dataFingerprint: streamFingerprint ?? training.fingerprint,
        trainingDrawings: trainingCount, validationDrawings: validation.count,
        validationAccuracy: outcome.history.last?.validationAccuracy, recipes: [recipe]))
    return Fitted(
      recognizer: recognizer, heldOut: heldOut.count, trainingDrawings: trainingCount,
      validationDrawings: validation.count, history: outcome.history)
  }

  /// What an embedding is trained on and how, and the number of drawings.
  private func examples(
    _ training: SampleSet, _ validation: SampleSet, _ heldOut: [Drawing]
  ) throws -> (TrainingExamples, EmbeddingRecipe, Int) {
    let augmentation = settings.augmentation
    guard let stream else {
      let sampling = ExampleSampler.Settings(
        balance: settings.balance, augmentation: augmentation)
      let sampler = ExampleSampler([(training, .init())], settings: sampling)
      return (
        TrainingExamples(
          sampler, count: settings.training.examplesPerEpoch ?? sampler.count, stratified: true),
        settings.embeddingRecipe(
          describedAs: try jsonText(sampling), drawings: sampler.count),
        sampler.count
      )
    }
    let drawings = try StreamedDrawings(
      stream, classes: Set(training.classes + validation.classes).sorted(),
      leavingOut: validation.drawings + heldOut, seed: settings.seed)
    guard drawings.count > 0 else { throw ModelError.noSamples }
    let recipe = settings.embeddingRecipe(
      describedAs: try jsonText(augmentation), drawings: drawings.count)
    let examples = drawings.examples(
      perEpoch: settings.training.examplesPerEpoch ?? drawings.count,
      fingerprint: try jsonText(
        ["\(streamFingerprint ?? "")", "\(stream.buffer)", recipe.augmentation])
    ) { drawing, generator in
      let changed = augmentation(drawing, using: &generator)
      return AugmentedDrawing(
        changed, strokeWidthFactor: augmentation.strokeWidthFactor(using: &generator))
    }
    return (examples, recipe, drawings.count)
  }

  /// Below this many drawings of a label, a base model is usually better: see
  /// `docs/research/unequal.md`.
  private static let fewDrawings = 100

  /// Says that a base model learns more from few drawings.
  private func adviseBase(_ training: SampleSet, _ progress: JobProgress) {
    let few = training.counts.count { $0 < Self.fewDrawings }
    guard few > 0, let fewest = training.counts.min() else { return }
    progress(
      .note(
        "\(few) of \(counted(training.classes.count, "label")) have fewer than "
          + "\(Self.fewDrawings) drawings to train on, the fewest \(fewest): a base model learns "
          + "more from so few, with --base."))
  }

  /// The PLDA prior fitted to the drawings; nil if there are too few.
  private func prior(
    _ embedding: Embedding, _ training: SampleSet, _ validation: SampleSet
  ) async throws -> PLDAPrior? {
    do {
      return try await PLDAPrior(
        of: embedding, base: training.drawings, fresh: validation.drawings, seed: settings.seed,
        threads: threads)
    } catch ModelError.noStatistics {
      return nil
    }
  }
}

extension TrainingJob.Report {
  /// The page with the learning curves.
  ///
  /// - Parameters:
  ///   - dataPaths: The paths of the drawings as they were given.
  ///   - date: When it ran.
  /// - Returns: A whole HTML document.
  /// - Throws: `EvaluationError`, never for results of a training.
  package func page(dataPaths: [String], date: String) throws -> String {
    typealias Numbers = ReportNumbers
    let accuracy = validationAccuracy
    let gauge = try accuracy.map { accuracy in
      (
        name: "Validation accuracy", value: accuracy,
        interval: try ConfidenceInterval.wilson(
          successes: Int((accuracy * Double(validationDrawings)).rounded()),
          trials: validationDrawings)
      )
    }
    let number = accuracy.map { Numbers.percent($0) } ?? counted(epochs, "epoch")
    let range = gauge.map {
      PageParts.sentence(
        "With 95\u{202f}% confidence the accuracy lies between ", PageParts.both($0.interval),
        ". Drawings that are held out judge the whole model: drawml evaluate.")
    }
    return TrainingPage.html(
      header: PageParts.header(
        brand: "training", number: number,
        text: accuracy == nil
          ? "of training" : "right of \(counted(validationDrawings, "validation drawing"))",
        gauge: gauge, sentence: range ?? Markup("Too few drawings to judge it by some of them."),
        cards: [
          ("Labels", grouped(labels), "that the model knows"),
          ("Trained on", grouped(trainingDrawings), "drawings, changed at random"),
          ("Held out", grouped(heldOut), "drawings, neither trained on nor taught"),
        ]), title: number, curves: [curve],
      facts: RunFacts(
        modelPath: model, modelFingerprint: fingerprint, dataPaths: dataPaths,
        dataFingerprint: dataFingerprint, head: head, seed: seed, threads: threads, date: date,
        seconds: seconds, peakMemoryBytes: peakMemoryBytes))
  }

  /// A few lines for people.
  package var lines: [String] {
    var lines = [
      "\(model): knows \(counted(labels, "label")) from \(counted(samples, "sample"))"
    ]
    if trainingDrawings > 0 {
      lines.append(
        "  trained on \(counted(trainingDrawings, "drawing")) for \(counted(epochs, "epoch"))"
          + (validationAccuracy.map {
            "; \(percent($0)) right of \(counted(validationDrawings, "validation drawing"))"
          } ?? "") + (validationMacroRecall.map { ", macro recall \(percent($0))" } ?? ""))
    }
    if heldOut > 0 {
      lines.append("  \(counted(heldOut, "drawing")) held out for 'drawml evaluate'")
    }
    lines += ((adaptation?.lines ?? []) + rates.lines).map { "  " + $0 }
    if let labelDoubts, !labelDoubts.doubts.isEmpty {
      lines += labelDoubts.lines(rows: 3, more: "'drawml dataset check' shows them")
        .map { "  " + $0 }
    }
    return lines
      + runLines(
        seconds, threads: threads, peakMemoryBytes, modelBytes, seed: seed, data: dataFingerprint,
        model: fingerprint)
  }
}
