internal import Datasets
internal import NeuralNetwork
internal import Recognition
internal import Support

/// Trains one network of a base model's embedding, and keeps it beside the output until all are
/// done.
package struct MemberTraining: Sendable {
  var member: TrainingRecipe.Member
  /// How drawings are chosen and changed, and by whom they are taught; recorded.
  var plan: EmbeddingRecipe
  var sampler: ExampleSampler
  var teacher: Embedding?
  var tasks: FewShotTasks?
  /// Where the base model goes.
  var output: String
  var provenance: Provenance
  var resumes: Bool

  /// Where the finished member waits: a model file of its own.
  var path: String { Self.path(of: member, beside: output) }

  /// Where a finished member of the base model at `output` waits. Its ending keeps the recipe's
  /// author, who chose the name, from naming a file of the user's.
  package static func path(of member: TrainingRecipe.Member, beside output: String) -> String {
    "\(output).\(member.name).member"
  }

  private var checkpoint: TrainingCheckpointFile { TrainingCheckpointFile(output: path) }

  /// Says what a training that an older DrawML began has left: its files had other names, under
  /// which a recipe's author could name any file.
  private func checkOldNames() throws {
    let old = "\(output).\(member.name)"
    for (old, new) in [(old, path), (old + ".checkpoint", checkpoint.path)]
    where AtomicFile.exists(old) && !AtomicFile.exists(new) {
      throw JobProblem(
        """
        to go on with what an older DrawML has left, rename \(old) to \(new); or leave out --resume
        """
      )
    }
  }

  /// The trained member, from its file where a stopped training had finished it.
  func run(_ progress: @escaping JobProgress) async throws -> Recognizer {
    if resumes { try checkOldNames() }
    if resumes, AtomicFile.exists(path) {
      let done = try ModelFile.read(path)
      guard done.provenance.settings == provenance.settings else {
        throw JobProblem(
          """
          \(path) is of a training with other drawings or settings: remove it, or leave out --resume
          """
        )
      }
      progress(.note("\(member.name): already trained, in \(path)"))
      return done
    }
    let outcome = try await train(progress)
    var provenance = provenance
    provenance.validationAccuracy = outcome.history.last?.measured
    let recognizer = Recognizer(
      embedding: outcome.embedding, trained: outcome.trained, head: .classMeans,
      provenance: provenance)
    try ModelFile.write(recognizer, to: path, isMadeUp: true)
    checkpoint.remove()
    return recognizer
  }

  /// Removes what a stopped training would go on from.
  func removeFiles() {
    AtomicFile.remove(path)
    checkpoint.remove()
  }

  private func train(
    _ progress: @escaping JobProgress
  ) async throws -> EmbeddingTrainer.Outcome {
    let examples = TrainingExamples(
      classes: sampler.classes, count: member.training.examplesPerEpoch,
      fingerprint: sampler.fingerprint
    ) { _, generator in
      let example = sampler.example(using: &generator)
      return (
        AugmentedDrawing(example.drawing, strokeWidthFactor: example.strokeWidthFactor),
        example.label
      )
    }
    let checkpoint = checkpoint
    return try await EmbeddingTrainer(plan, teacher: teacher).fit(
      examples, tasks: tasks, seed: provenance.seed, threads: provenance.threads,
      resumingFrom: try checkpoint.read(resumes: resumes, progress)
    ) { event in
      progress(.training(event))
      if case .checkpoint(let state) = event { try state.write(to: checkpoint.path) }
    }
  }
}

extension Provenance {
  /// The same without what the training found; a base model of this member alone, which can be
  /// renamed to join others, also says its labels.
  fileprivate var settings: Provenance {
    var settings = self
    settings.validationAccuracy = nil
    settings.labels = nil
    // The same bits come out of any number of threads.
    settings.threads = 1
    return settings
  }
}

/// The checkpoint of a training, beside the model that it will become.
package struct TrainingCheckpointFile: Sendable {
  package let path: String

  /// The checkpoint beside `output`.
  package init(output: String) {
    path = output + ".checkpoint"
  }

  /// The checkpoint to go on from, nil where there is none or none is wanted; says so where that
  /// may surprise.
  func read(resumes: Bool, _ progress: JobProgress) throws -> TrainingCheckpoint? {
    guard resumes else {
      if exists {
        progress(
          .note(
            "A training that was not finished left \(path). Stop now and add --resume to go on "
              + "from it; this training starts anew and will replace it."))
      }
      return nil
    }
    do {
      return try TrainingCheckpoint(reading: path)
    } catch let error as FileError where error.isMissingFile {
      progress(.note("There is no checkpoint at \(path): starting from the beginning."))
      return nil
    }
  }

  /// Removes it, for the model is done.
  func remove() {
    AtomicFile.remove(path)
  }

  /// Whether there is one.
  var exists: Bool { AtomicFile.exists(path) }

  /// What the user can do after stopping the training.
  var hintAfterInterruption: String {
    exists
      ? "go on with the same command and --resume"
      : "there was no checkpoint yet, so nothing was kept"
  }
}
