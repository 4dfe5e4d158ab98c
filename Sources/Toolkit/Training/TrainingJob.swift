package import Datasets
internal import Evaluation
internal import Files
internal import Ink
internal import JSON
package import NeuralNetwork
package import Recognition
internal import Report
internal import Text

/// Trains a model file from labeled drawings, with checkpoints.
package struct TrainingJob: Sendable {
  var output: String
  var base: String?
  var settings: TrainingSettings
  var threads: Int
  var resumes: Bool
  /// A sharded set that is read in every epoch, if it does not fit in memory; `run` then gets only
  /// some drawings of each label, whose lines are their numbers in the set, from 1.
  package var stream: ShardedDrawings?
  /// Drawings that judge each epoch; nil for a tenth of the others.
  package var validation: SampleSet?
  /// The processes that train an embedding, and embed drawings, together.
  package var reducer: any GradientReducer = OneProcess()

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
    /// The accuracy on the same drawings with the base's embedding as it was; null where none was
    /// trained further.
    @OrNull var baseValidationAccuracy: Double?
    /// The mean of the labels' recalls; null where they have equally many validation drawings.
    @OrNull var validationMacroRecall: Double?
    var epochs: Int
    var seed: UInt64
    var threads: Int
    var dataFingerprint: String
    /// The fingerprint of the drawings of --validation; null without it.
    @OrNull var validationFingerprint: String?
    var seconds: Double
    var modelBytes: Int
    var peakMemoryBytes: Int
    @OrNull var adaptation: AdaptationSummary?
    /// The expected error rates on new drawings.
    var rates: AcceptanceRates
    /// Drawings that look like another label than theirs; null where the embedding was trained on
    /// them, and with another head than plda, which would take long.
    @OrNull var labelDoubts: LabelDoubts?
    /// The first of `curves`.
    var curve: LearningCurve
    /// The results of all epochs of each network, also of those before a training was resumed; empty
    /// for a network that an earlier run had finished.
    var curves: [LearningCurve]
  }

  private var checkpoint: TrainingCheckpointFile { TrainingCheckpointFile(output: output) }

  /// The further training of the base; nil if it is kept, or without one.
  private func fineTuning() throws -> FineTuning? {
    guard let base, settings.training.epochs > 0 else { return nil }
    var tuning = try FineTuning(of: base, by: settings)
    tuning.reducer = reducer
    return tuning
  }

  /// The files that are kept beside the output until the training is done.
  ///
  /// - Returns: Finished networks of the embedding, and checkpoints.
  /// - Throws: What reading the base throws.
  package func ownFiles() throws -> (networks: [String], checkpoints: [String]) {
    let networks = try fineTuning()?.files(beside: output) ?? []
    let trained = base == nil ? [output] : networks
    return (networks, trained.map { TrainingCheckpointFile(output: $0).path })
  }

  /// What the user can do after stopping the training.
  package func hintAfterInterruption() -> String {
    guard let files = try? ownFiles(), !files.checkpoints.isEmpty else {
      return "nothing was written"
    }
    return TrainingCheckpointFile.hintAfterInterruption(
      hasFiles: (files.networks + files.checkpoints).contains(where: AtomicFile.exists))
  }

  /// Trains and writes the model.
  package func run(
    on all: SampleSet, progress: @escaping JobProgress
  ) async throws -> Report {
    let started = ContinuousClock.now
    let replacement = Replacement(of: output, reading: base.map { [$0] } ?? [])
    let own = try ownFiles()
    let fitted = try await fit(to: all, keepsFiles: true, progress)
    guard reducer.isFirst else { throw RankIsDone() }
    let recognizer = fitted.recognizer
    var doubts: LabelDoubts?
    if !settings.trainsEmbedding(hasBase: base != nil),
      recognizer.head.configuration == .twoCovariance
    {
      doubts = LabelDoubts(try await recognizer.leaveOneOutRecords(of: all, progress))
    }
    let written = try ModelFile.write(recognizer, to: output, replacing: replacement)
    for path in own.networks + own.checkpoints { AtomicFile.remove(path) }
    return Report(
      model: output, fingerprint: written.fingerprint,
      labels: recognizer.labels.count, samples: recognizer.memory.samples.count,
      head: recognizer.head.configuration.name,
      heldOut: fitted.heldOut, trainingDrawings: fitted.trainingDrawings,
      validationDrawings: fitted.validationDrawings,
      validationAccuracy: fitted.validationAccuracy,
      baseValidationAccuracy: fitted.baseValidationAccuracy,
      validationMacroRecall: fitted.validationMacroRecall,
      epochs: settings.training.epochs, seed: settings.seed, threads: threads,
      dataFingerprint: stream?.fingerprint ?? all.fingerprint,
      validationFingerprint: validation?.fingerprint,
      seconds: (ContinuousClock.now - started) / .seconds(1),
      modelBytes: written.byteCount,
      peakMemoryBytes: Resources.peakMemoryBytes, adaptation: fitted.adaptation,
      rates: recognizer.acceptanceRates(), labelDoubts: doubts,
      curve: fitted.curves.first ?? LearningCurve(network: nil, epochs: []),
      curves: fitted.curves)
  }

  /// A trained model, and how it was trained.
  package struct Fitted: Sendable {
    package var recognizer: Recognizer
    /// How many drawings were held out.
    var heldOut: Int
    /// How many drawings the embedding was fitted to and validated on; 0 if a base's was kept.
    var trainingDrawings = 0
    var validationDrawings = 0
    var validationAccuracy: Double?
    var validationMacroRecall: Double?
    /// The accuracy on the validation drawings with the base's embedding as it was.
    var baseValidationAccuracy: Double?
    /// The epochs of each network's training; empty if a base's embedding was kept.
    var curves: [LearningCurve] = []
    var adaptation: AdaptationSummary?
  }

  /// Trains a model, and writes no file but `ownFiles()`.
  ///
  /// - Parameters:
  ///   - all: The drawings; a share of each label is held out, as the settings say.
  ///   - keepsFiles: Whether the state of an embedding's training is kept in files.
  ///   - progress: Receives events.
  /// - Returns: The model and how it was trained.
  /// - Throws: `ModelError` for drawings that cannot be used, and what reading the base throws.
  package func fit(
    to all: SampleSet, keepsFiles: Bool = false, _ progress: @escaping JobProgress
  ) async throws -> Fitted {
    try settings.requireUsed(hasBase: base != nil)
    do throws(ModelError) { try ModelLimits.check(ids: all.drawings.lazy.map(\.id)) } catch {
      throw JobProblem("these drawings cannot be taught: \(error)")
    }
    if base == nil {
      try all.requireTwoClasses()
      try ModelLimits.requireCapacity(forLabels: all.classes.count)
    }
    let split = Splitter(
      validation: validation == nil ? Self.validationShare : 0, test: settings.holdOut,
      seed: settings.seed
    ).byDrawing(all)
    let training = all.subset(split.train)
    let validation =
      try validation.map { try usable($0, beside: all, progress) }
      ?? all.subset(split.validation)
    if settings.keepBest, validation.count == 0 {
      throw JobProblem(
        "there are too few drawings to choose the best epoch: give others with --validation, or "
          + "leave out --keep-best")
    }
    try reducer.agree {
      try settings.facts() + [
        ("training drawings", training.fingerprint),
        ("validation drawings", validation.fingerprint), ("kernels", KernelChoice.inUse),
      ]
    }
    var fitted: Fitted
    var ranks: any Ranks = reducer
    if let tuning = try fineTuning() {
      fitted = try await train(
        tuning, training, validation, heldOut: split.test.count, keepsFiles: keepsFiles, progress)
      // The others have ended with the training.
      ranks = OneProcess()
    } else if let base {
      let model = try ModelFile.read(base)
      try reducer.agree { [("base models", model.embedding.fingerprint)] }
      fitted = Fitted(
        recognizer: model.untaught(head: settings.head(standard: .standard(for: model))),
        heldOut: split.test.count)
    } else {
      fitted = try await train(
        training, validation, all.subset(split.test),
        keepsFiles ? checkpoint : nil, progress)
    }
    if let policy = settings.policy { fitted.recognizer.policy = policy }
    try await fitted.recognizer.update(
      with: training.drawings + validation.drawings, threads: threads, sharedBy: ranks
    ) {
      progress(.progress("Teaching", done: $0, of: $1))
    }
    guard ranks.isFirst else { return fitted }
    if base != nil, settings.adapt {
      fitted.adaptation = AdaptationSummary(
        try fitted.recognizer.adapt { progress(.progress("Adapting", done: $0, of: $1)) })
    }
    return fitted
  }

  /// The drawings of a validation set that can judge: of the same labels as those that are trained
  /// on, and no copies of them.
  private func usable(
    _ validation: SampleSet, beside all: SampleSet, _ progress: JobProgress
  ) throws(JobProblem) -> SampleSet {
    let (known, trained) = (Set(all.classes), CopyIndex(all.drawings))
    let isKnown = validation.drawings.indices.filter {
      known.contains(validation.classes[validation.classIndices[$0]])
    }
    let isOther = isKnown.filter { !trained.hasCopy(of: validation.drawings[$0]) }
    for (count, reason) in [
      (validation.count - isKnown.count, "of labels that are not trained"),
      (isKnown.count - isOther.count, "also among the others"),
    ] where count > 0 {
      progress(.note("\(counted(count, "validation drawing")) left out: \(reason)"))
    }
    guard !isOther.isEmpty else {
      throw JobProblem(
        "no drawing of --validation is usable: each has another label, or is also trained on")
    }
    return validation.subset(isOther)
  }

  /// Trains a base's embedding further; the recognizer has no taught samples yet.
  private func train(
    _ tuning: FineTuning, _ training: SampleSet, _ validation: SampleSet, heldOut: Int,
    keepsFiles: Bool, _ progress: @escaping JobProgress
  ) async throws -> Fitted {
    let outcome = try await tuning.run(
      on: training, validation: validation, settings: settings, threads: threads,
      output: keepsFiles ? output : nil, resumes: resumes, progress)
    func accuracy(of model: Recognizer) async throws -> Double? {
      guard validation.count > 0 else { return nil }
      var model = model.untaught(head: settings.head(standard: .standard(for: model)))
      try await model.update(with: training.drawings, threads: threads)
      if settings.adapt { try model.adapt() }
      let records = try await model.evaluate(validation, threads: threads, progress)
      return Double(records.count(where: \.isRight)) / Double(records.count)
    }
    let recognizer = outcome.recognizer
    return Fitted(
      recognizer: recognizer.untaught(head: settings.head(standard: .standard(for: recognizer))),
      heldOut: heldOut, trainingDrawings: training.count, validationDrawings: validation.count,
      validationAccuracy: try await accuracy(of: recognizer),
      baseValidationAccuracy: try await accuracy(of: tuning.base), curves: outcome.curves)
  }

  /// Trains an embedding; the recognizer has no taught samples yet.
  private func train(
    _ training: SampleSet, _ validation: SampleSet, _ heldOut: SampleSet,
    _ checkpoint: TrainingCheckpointFile?, _ progress: @escaping JobProgress
  ) async throws -> Fitted {
    let seed = settings.seed
    let (examples, recipe, trainingCount) = try examples(training, validation, heldOut)
    if stream == nil { adviseBase(training, progress) }
    let checkpoint = reducer.isFirst ? checkpoint : nil
    var trainer = EmbeddingTrainer(recipe)
    trainer.reducer = reducer
    let outcome = try await trainer.fit(
      examples, validation: validation.drawings, seed: seed, threads: threads,
      resumingFrom: try checkpoint?.read(resumes: resumes, epochs: recipe.training.epochs, progress)
    ) { event in
      progress(.training(event, network: nil))
      if case .checkpoint(let state) = event, let checkpoint {
        try state.write(to: checkpoint.path)
      }
    }
    let kept = settings.keepBest ? outcome.history.best : outcome.history.last
    let recognizer = Recognizer(
      embedding: outcome.embedding, trained: outcome.trained.fitted(to: training.drawings),
      prior: try await .unlessTooFew(
        of: outcome.embedding, base: training.drawings, fresh: validation.drawings, seed: seed,
        threads: threads, sharedBy: reducer),
      head: settings.head(standard: .linear(penalty: settings.penalty)),
      provenance: Provenance(
        software: Version.text, seed: seed, threads: threads,
        dataFingerprint: stream?.fingerprint ?? training.fingerprint,
        trainingDrawings: trainingCount, validationDrawings: validation.count,
        validationAccuracy: kept?.validationAccuracy, recipes: [recipe]))
    return Fitted(
      recognizer: recognizer, heldOut: heldOut.count, trainingDrawings: trainingCount,
      validationDrawings: validation.count,
      validationAccuracy: kept?.validationAccuracy,
      validationMacroRecall: kept?.validationMacroRecall,
      curves: [
        LearningCurve(network: nil, epochs: outcome.history, keepsBest: settings.keepBest)
      ])
  }

  /// What an embedding is trained on and how, and the number of drawings.
  private func examples(
    _ training: SampleSet, _ validation: SampleSet, _ heldOut: SampleSet
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
    let drawings = StreamedDrawings(
      stream, classes: stream.labels.map(\.label).sorted(),
      leavingOut: validation.drawings + heldOut.drawings,
      numbers: Set(
        (validation.origins + heldOut.origins).filter { $0.path == stream.path }
          .compactMap(\.line).map { $0 - 1 }), seed: settings.seed)
    guard drawings.count > 0 else { throw ModelError.noSamples }
    let recipe = settings.embeddingRecipe(
      describedAs: try jsonText(augmentation), drawings: drawings.count)
    let examples = drawings.examples(
      perEpoch: settings.training.examplesPerEpoch ?? drawings.count,
      fingerprint: try jsonText(
        [stream.fingerprint, recipe.augmentation])
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
          + "\(Self.fewDrawings) drawings to train on, the fewest \(fewest): with --base, a model "
          + "learns more from so few."))
  }
}

extension TrainingSettings {
  /// Each setting by its name, such as "settings (training.epochs)", after the list of names.
  fileprivate func facts() throws -> [(name: String, value: String)] {
    func values(of value: JSONValue, _ name: String) -> [(name: String, value: String)] {
      guard let members = value.members else {
        return [("settings (\(name))", String(decoding: value.bytes, as: UTF8.self))]
      }
      return members.flatMap { values(of: $0.value, name.isEmpty ? $0.key : "\(name).\($0.key)") }
    }
    let all = values(of: try JSONDocument(Array(jsonText(self).utf8)).root, "")
    return [("settings", "\(all.map(\.name))")] + all
  }
}

extension PLDAPrior {
  /// The prior of a trained embedding; nil if there are too few drawings.
  ///
  /// - Throws: What the initializer throws otherwise.
  static func unlessTooFew(
    of embedding: Embedding, base: [Drawing], fresh: [Drawing], seed: UInt64, threads: Int,
    sharedBy ranks: any Ranks = OneProcess()
  ) async throws -> PLDAPrior? {
    do {
      return try await PLDAPrior(
        of: embedding, base: base, fresh: fresh, seed: seed, threads: threads, sharedBy: ranks)
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
        gauge: gauge, sentence: range ?? Markup("Too few drawings to validate on some of them."),
        cards: [
          ("Labels", grouped(labels), "that the model knows"),
          ("Trained on", grouped(trainingDrawings), "drawings, changed at random"),
          ("Held out", grouped(heldOut), "drawings, neither trained on nor taught"),
        ]), title: number, curves: curves,
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
          } ?? "")
          + (baseValidationAccuracy.map {
            ", \(percent($0)) with the embedding of the base as it was"
          } ?? "") + (validationMacroRecall.map { ", macro recall \(percent($0))" } ?? ""))
    }
    for curve in curves {
      guard let kept = curve.keptEpoch else { continue }
      lines.append(
        "  \(curve.network.map { "\($0): " } ?? "")the network of epoch \(kept) is kept, the best "
          + "on the validation drawings, so their accuracy is slightly too optimistic")
    }
    if heldOut > 0 {
      lines.append("  \(counted(heldOut, "drawing")) held out for 'drawml evaluate'")
    }
    lines += ((adaptation?.lines ?? []) + rates.lines).map { "  " + $0 }
    if trainingDrawings > 0, rates.knownRefused == nil {
      lines.append(
        "  How many new drawings will be refused is unknown: too few were held out from training.")
    }
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
