package import Datasets
internal import Ink
internal import NeuralNetwork
package import Recognition
internal import Report
internal import Support

/// Trains a model file from labeled drawings, with checkpoints.
package struct TrainingJob: Sendable {
  var output: String
  var base: String?
  /// The head to use, given the standard one.
  var head: @Sendable (_ standard: HeadConfiguration) -> HeadConfiguration
  /// The decision policy; nil for the standard one, or that of the base.
  var policy: DecisionPolicy?
  var recipe: EmbeddingRecipe
  var seed: UInt64
  var threads: Int
  /// The share of each label's drawings that are held out.
  var holdOut: Double
  var resumes: Bool
  /// Whether a model with a base is adapted to the samples.
  var adapts: Bool
  var augmentation = Augmentation.standard
  /// How to read the drawings from files in every epoch, if they do not fit in memory; `run` then
  /// gets only some drawings of each label.
  package var stream: StreamedDrawings.Settings?
  /// The fingerprint of all drawings of the stream.
  package var streamFingerprint: String?
  /// Examples per epoch of a streamed training; nil for the number of drawings.
  package var examplesPerEpoch: Int?

  package init(
    output: String, base: String?,
    head: @escaping @Sendable (_ standard: HeadConfiguration) -> HeadConfiguration,
    policy: DecisionPolicy?, recipe: EmbeddingRecipe, seed: UInt64, threads: Int, holdOut: Double,
    resumes: Bool, adapts: Bool
  ) {
    (self.output, self.base, self.head, self.policy) = (output, base, head, policy)
    (self.recipe, self.seed, self.threads) = (recipe, seed, threads)
    (self.holdOut, self.resumes, self.adapts) = (holdOut, resumes, adapts)
  }

  /// The validation share of the drawings that are not held out.
  static let validationShare = 0.1

  package struct Report: Encodable {
    var model: String
    var fingerprint: String
    var labels: Int
    var samples: Int
    var heldOut: Int
    var trainingDrawings: Int
    var validationDrawings: Int
    var validationAccuracy: Nullable<Double>
    var epochs: Int
    var seed: UInt64
    var threads: Int
    var dataFingerprint: String
    var seconds: Double
    var modelBytes: Int
    var peakMemoryBytes: Int
    var adaptation: Nullable<AdaptationSummary>
    /// The expected error rates on new drawings.
    var rates: AcceptanceRates
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
    if base == nil {
      try all.requireTwoClasses()
      try ModelLimits.requireCapacity(forLabels: all.classes.count)
    }
    let split = Splitter(validation: Self.validationShare, test: holdOut, seed: seed).byDrawing(all)
    let (training, validation) = (all.subset(split.train), all.subset(split.validation))
    let taught = training.drawings + validation.drawings

    var recognizer: Recognizer
    var trainingCount = training.count
    if let base {
      let model = try ModelFile.read(base)
      recognizer = model.untaught(head: head(.standard(for: model)))
    } else {
      let heldOut = all.subset(split.test).drawings
      (recognizer, trainingCount) = try await train(training, validation, heldOut, progress)
    }
    if let policy { recognizer.policy = policy }
    try await recognizer.update(with: taught, threads: threads) {
      progress(.progress("Teaching", done: $0, of: $1))
    }
    var adaptation: AdaptationSummary?
    if base != nil, adapts {
      adaptation = AdaptationSummary(
        try recognizer.adapt { progress(.progress("Adapting", done: $0, of: $1)) })
    }
    let written = try ModelFile.write(recognizer, to: output)
    if base == nil { checkpoint.remove() }
    let provenance = recognizer.provenance
    return Report(
      model: output, fingerprint: written.fingerprint,
      labels: recognizer.labels.count, samples: recognizer.memory.samples.count,
      heldOut: split.test.count, trainingDrawings: base == nil ? trainingCount : 0,
      validationDrawings: base == nil ? validation.count : 0,
      validationAccuracy: Nullable(value: base == nil ? provenance.validationAccuracy : nil),
      epochs: base == nil ? recipe.epochs : 0, seed: seed, threads: threads,
      dataFingerprint: streamFingerprint ?? all.fingerprint,
      seconds: (ContinuousClock.now - started) / .seconds(1),
      modelBytes: written.byteCount,
      peakMemoryBytes: Resources.peakMemoryBytes, adaptation: Nullable(value: adaptation),
      rates: recognizer.acceptanceRates())
  }

  /// Trains an embedding, and returns a recognizer without taught samples and the number of
  /// training drawings.
  private func train(
    _ training: SampleSet, _ validation: SampleSet, _ heldOut: [Drawing],
    _ progress: @escaping JobProgress
  ) async throws -> (Recognizer, Int) {
    var recipe = recipe
    recipe.augmentation = try json(augmentation, pretty: false)
    let (augmentation, checkpoint) = (augmentation, checkpoint)
    let augment: EmbeddingTrainer.Augment = { drawing, generator in
      let changed = augmentation(drawing, using: &generator)
      return AugmentedDrawing(
        changed, strokeWidthFactor: augmentation.strokeWidthFactor(using: &generator))
    }
    let trainer = EmbeddingTrainer(recipe, augment: augment)
    let started = try checkpoint.read(resumes: resumes, progress)
    let onEvent: @Sendable (TrainingLoop.Event) throws -> Void = { event in
      progress(.training(event))
      if case .checkpoint(let state) = event { try state.write(to: checkpoint.path) }
    }
    var trainingCount = training.count
    let outcome: EmbeddingTrainer.Outcome
    if let stream {
      let drawings = try StreamedDrawings(
        stream, classes: Set(training.classes + validation.classes).sorted(),
        leavingOut: validation.drawings + heldOut, seed: seed)
      trainingCount = drawings.count
      guard trainingCount > 0 else { throw ModelError.noSamples }
      outcome = try await trainer.fit(
        drawings.examples(
          perEpoch: examplesPerEpoch ?? trainingCount,
          fingerprint: try json(
            ["\(streamFingerprint ?? "")", "\(stream.buffer)", recipe.augmentation], pretty: false),
          augment),
        validation: validation.drawings, seed: seed, threads: threads, resumingFrom: started,
        onEvent: onEvent)
    } else {
      outcome = try await trainer.fit(
        training: training.drawings, validation: validation.drawings, seed: seed,
        threads: threads, resumingFrom: started, onEvent: onEvent)
    }
    let recognizer = Recognizer(
      embedding: outcome.embedding, trained: outcome.trained.fitted(to: training.drawings),
      prior: try await prior(outcome.embedding, training, validation),
      head: head(.linear(penalty: 1e-3)),
      provenance: Provenance(
        software: Version.text, seed: seed, threads: threads,
        dataFingerprint: streamFingerprint ?? training.fingerprint,
        trainingDrawings: trainingCount, validationDrawings: validation.count,
        validationAccuracy: outcome.history.last?.validationAccuracy, recipes: [recipe]))
    return (recognizer, trainingCount)
  }

  /// The PLDA prior fitted to the drawings; nil if there are too few.
  private func prior(
    _ embedding: Embedding, _ training: SampleSet, _ validation: SampleSet
  ) async throws -> PLDAPrior? {
    do {
      return try await PLDAPrior(
        of: embedding, base: training.drawings, fresh: validation.drawings, seed: seed,
        threads: threads)
    } catch ModelError.noStatistics {
      return nil
    }
  }
}

extension TrainingJob.Report {
  /// A few lines for people.
  package var lines: [String] {
    var lines = [
      "\(model): knows \(counted(labels, "label")) from \(counted(samples, "sample"))"
    ]
    if trainingDrawings > 0 {
      lines.append(
        "  trained on \(counted(trainingDrawings, "drawing")) for \(counted(epochs, "epoch"))"
          + (validationAccuracy.value.map {
            "; \(percent($0)) right of \(counted(validationDrawings, "validation drawing"))"
          } ?? ""))
    }
    if heldOut > 0 {
      lines.append("  \(counted(heldOut, "drawing")) held out for 'drawml evaluate'")
    }
    lines += ((adaptation.value?.lines ?? []) + rates.lines).map { "  " + $0 }
    return lines
      + runLines(
        seconds, threads: threads, peakMemoryBytes, modelBytes, seed: seed, data: dataFingerprint,
        model: fingerprint)
  }
}
