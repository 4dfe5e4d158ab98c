internal import Benchmarks
internal import Datasets
internal import NeuralNetwork
internal import Recognition
internal import Support

/// Trains one network of a base model's embedding, and keeps it beside the output until all are
/// done.
struct MemberTraining: Sendable {
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
  static func path(of member: TrainingRecipe.Member, beside output: String) -> String {
    "\(output).\(member.name).member"
  }

  private var checkpoint: TrainingCheckpointFile { TrainingCheckpointFile(output: path) }

  /// Says what a training that an older DrawML began has left: its files had other names, under
  /// which a recipe's author could name any file.
  private func checkOldNames() throws {
    let old = "\(output).\(member.name)"
    for (old, new) in [(old, path), (old + ".checkpoint", checkpoint.path)]
    where AtomicFile.exists(old) && !AtomicFile.exists(new) {
      throw CommandProblem(
        "to go on with what an older DrawML has left, rename \(old) to \(new); or leave out --resume"
      )
    }
  }

  /// The trained member, from its file where a stopped training had finished it.
  func run() async throws -> Recognizer {
    if resumes { try checkOldNames() }
    if resumes, AtomicFile.exists(path) {
      let done = try ModelFile.read(path)
      guard done.provenance.settings == provenance.settings else {
        throw CommandProblem(
          "\(path) is of a training with other drawings or settings: remove it, or leave out --resume"
        )
      }
      printToStandardError("\(member.name): already trained, in \(path)")
      return done
    }
    let outcome = try await train()
    var provenance = provenance
    provenance.validationAccuracy = outcome.history.last?.measured
    let recognizer = Recognizer(
      embedding: outcome.embedding, trained: outcome.trained, head: .classMeans,
      provenance: provenance)
    try ModelFile.write(recognizer, to: path)
    checkpoint.remove()
    return recognizer
  }

  /// Removes what a stopped training would go on from.
  func removeFiles() {
    AtomicFile.remove(path)
    checkpoint.remove()
  }

  private func train() async throws -> EmbeddingTrainer.Outcome {
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
    let progress = TrainingProgressDisplay()
    defer { progress.finish() }
    let checkpoint = checkpoint
    return try await EmbeddingTrainer(plan, teacher: teacher).fit(
      examples, tasks: tasks, seed: provenance.seed, threads: provenance.threads,
      resumingFrom: try checkpoint.read(resumes: resumes)
    ) { event in
      progress.show(event)
      if case .checkpoint(let state) = event { try checkpoint.write(state) }
    }
  }
}

extension Provenance {
  /// The same without what the training found.
  fileprivate var settings: Provenance {
    var settings = self
    settings.validationAccuracy = nil
    // The same bits come out of any number of threads.
    settings.threads = 1
    return settings
  }
}
