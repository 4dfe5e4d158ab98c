internal import Datasets
internal import Files
internal import Ink
internal import NeuralNetwork
internal import Recognition
internal import Report

/// Trains one network of an embedding, and keeps it in a file next to the output until all are done.
package struct MemberTraining: Sendable {
  var member: TrainingRecipe.Member
  /// The recorded hyper-parameters, including sampling, augmentation and teacher.
  var plan: EmbeddingRecipe
  var sampler: ExampleSampler
  /// The trained network whose weights the training begins with; nil for random ones.
  var start: Network?
  var teacher: Embedding?
  var tasks: FewShotTasks?
  /// Labeled drawings that judge its classifier after every epoch.
  var validation: [Drawing] = []
  /// Whether each epoch's examples are spread evenly over the drawings.
  var isStratified = false
  /// The path of the model that it becomes a part of; nil to keep no file.
  var output: String?
  var provenance: Provenance
  var resumes: Bool
  /// The processes that train it together.
  var reducer: any GradientReducer = OneProcess()

  /// The path of the finished member, a model file of its own; nil if none is kept.
  var path: String? { output.map { Self.path(of: member, beside: $0) } }

  /// The path of a finished member of the base model at `output`. The extension keeps a recipe,
  /// which chooses the name, from overwriting a file of the user.
  package static func path(of member: TrainingRecipe.Member, beside output: String) -> String {
    "\(output).\(member.name).member"
  }

  private var checkpoint: TrainingCheckpointFile? {
    path.map { TrainingCheckpointFile(output: $0) }
  }

  /// Reports files that a training by an older DrawML left: they had names without that extension.
  private func checkOldNames() throws {
    guard let output, let path, let checkpoint else { return }
    let old = "\(output).\(member.name)"
    for (old, new) in [(old, path), (old + ".checkpoint", checkpoint.path)]
    where AtomicFile.exists(old) && !AtomicFile.exists(new) {
      throw JobProblem(
        """
        to continue a training of an older DrawML, rename \(old) to \(new); or leave out --resume
        """
      )
    }
  }

  /// The trained member and its epochs; read from its file, without epochs, if an interrupted
  /// training had finished it. Nil on all ranks but the first, which keeps the files.
  func run(
    _ progress: @escaping JobProgress
  ) async throws -> (Recognizer, history: [TrainingLoop.EpochSummary])? {
    if resumes, reducer.isFirst { try checkOldNames() }
    // Another rank may find an older file.
    let isFinished = reducer.isFirst && resumes && path.map(AtomicFile.exists) == true
    var skips = [isFinished ? 1.0 : 0]
    try reducer.broadcast(&skips)
    guard reducer.isFirst || skips == [0] else { return nil }
    if isFinished, let path {
      let done = try ModelFile.read(path)
      if done.provenance.settings(epochs: 1) == provenance.settings(epochs: 1),
        let before = done.provenance.recipes.first?.training.epochs, before != plan.training.epochs
      {
        throw JobProblem(
          """
          \(path) was trained for \(counted(before, "epoch")), not \(plan.training.epochs): \
          continue with --epochs \(before), or leave out --resume to train all networks from scratch
          """
        )
      }
      guard done.provenance.settings() == provenance.settings() else {
        throw JobProblem(
          """
          \(path) is of a training with other drawings or settings: remove it, or leave out --resume
          """
        )
      }
      progress(.note("\(member.name): already trained, in \(path)"))
      return (done, [])
    }
    let outcome = try await train(progress)
    guard reducer.isFirst else { return nil }
    var provenance = provenance
    provenance.validationAccuracy = outcome.history.last?.measured
    let recognizer = Recognizer(
      embedding: outcome.embedding, trained: outcome.trained, head: .classMeans,
      provenance: provenance)
    if let path { try ModelFile.write(recognizer, to: path, replacesLinks: true) }
    checkpoint?.remove()
    return (recognizer, outcome.history)
  }

  /// Removes the files that an interrupted training would resume from.
  func removeFiles() {
    if let path { AtomicFile.remove(path) }
    checkpoint?.remove()
  }

  private func train(
    _ progress: @escaping JobProgress
  ) async throws -> EmbeddingTrainer.Outcome {
    let examples = TrainingExamples(
      sampler, count: member.training.examplesPerEpoch ?? sampler.count, stratified: isStratified)
    let (checkpoint, name) = (reducer.isFirst ? checkpoint : nil, member.name)
    var trainer = EmbeddingTrainer(plan, from: start, teacher: teacher)
    trainer.reducer = reducer
    return try await trainer.fit(
      examples, validation: validation, tasks: tasks, seed: provenance.seed,
      threads: provenance.threads,
      resumingFrom: try checkpoint?.read(resumes: resumes, epochs: plan.training.epochs, progress)
    ) { event in
      progress(.training(event, network: name))
      if case .checkpoint(let state) = event, let checkpoint {
        try state.write(to: checkpoint.path)
      }
    }
  }
}

extension Provenance {
  /// The settings that a finished member must match: without the training's results, and without
  /// labels, which a base model of this member alone, renamed for reuse here, also records.
  ///
  /// - Parameter epochs: The number of epochs to put in place of those of each recipe.
  /// - Returns: The settings.
  fileprivate func settings(epochs: Int? = nil) -> Provenance {
    var settings = self
    for index in recipes.indices {
      settings.recipes[index].training.epochs = epochs ?? recipes[index].training.epochs
    }
    settings.validationAccuracy = nil
    settings.labels = nil
    // The number of threads does not affect the result, to the bit.
    settings.threads = 1
    return settings
  }
}

/// The checkpoint of a training, next to the model's file.
package struct TrainingCheckpointFile: Sendable {
  package let path: String

  /// The checkpoint next to `output`.
  package init(output: String) {
    path = output + ".checkpoint"
  }

  /// The checkpoint to resume from; nil if it does not exist or `resumes` is false. Notes a case
  /// that the user may not expect.
  ///
  /// - Parameters:
  ///   - resumes: Whether to go on from it.
  ///   - epochs: How many epochs are asked for now.
  ///   - progress: Receives the notes.
  /// - Returns: The checkpoint.
  /// - Throws: What reading it throws.
  func read(
    resumes: Bool, epochs: Int, _ progress: JobProgress
  ) throws -> TrainingCheckpoint? {
    guard resumes else {
      if exists {
        progress(
          .note(
            "There is a checkpoint of an unfinished training, \(path), which this training will "
              + "replace. To continue it instead, stop now and add --resume."))
      }
      return nil
    }
    do {
      let checkpoint = try TrainingCheckpoint(reading: path)
      let before = checkpoint.configuration.epochs
      if before < epochs {
        progress(
          .note(
            "\(path) was planned for \(counted(before, "epoch")) and has \(checkpoint.epoch); it "
              + "continues to \(epochs). The learning rate now falls more slowly, so the model "
              + "differs from one trained for \(epochs) epochs from the start."))
      }
      return checkpoint
    } catch let error as FileError where error.isMissingFile {
      progress(.note("There is no checkpoint at \(path): starting from the beginning."))
      return nil
    }
  }

  /// Removes it when the model is done.
  func remove() {
    AtomicFile.remove(path)
  }

  /// Whether the file exists.
  var exists: Bool { AtomicFile.exists(path) }

  /// What the user can do after stopping a training, which has files to go on from or none.
  static func hintAfterInterruption(hasFiles: Bool) -> String {
    hasFiles
      ? "continue with the same command and --resume"
      : "there was no checkpoint yet, so nothing was kept"
  }
}
