internal import ArgumentParser
internal import Datasets
internal import Files
internal import Recognition
internal import Training

/// Options for training on more drawings than fit in memory.
struct StreamOptions: ParsableArguments {
  @Flag(
    inversion: .prefixedNo,
    help: "Read drawings, best packed by 'dataset pack', when needed: few stay in memory.")
  var stream: Bool?
  @Option(
    help: ArgumentHelp(
      """
      With --stream: how many drawings of each label stay in memory (default: \
      \(TrainingSettings(hasBase: false).keep)).
      """, valueName: "count"), in: TrainingSettings.Limits.keep)
  var keep: Int?
  @Option(
    help: ArgumentHelp(
      "With --stream: examples per epoch (default: as many as drawings).",
      valueName: "count"), in: TrainingRecipe.Limits.examples)
  var examplesPerEpoch: Int?

  /// Puts what was given into settings.
  func set(_ settings: inout TrainingSettings) {
    if let stream { settings.stream = stream }
    if let keep { settings.keep = keep }
    if let examplesPerEpoch { settings.training.examplesPerEpoch = examplesPerEpoch }
  }

  /// A sharded set, and some drawings of each label.
  struct Opened {
    let set: ShardedDrawings
    let kept: SampleSet
    /// Has the set, if it was packed for this training alone.
    let folder: PrivateTemporaryFolder?
  }

  /// Opens the sharded set that `samples` name; other drawings are first packed into a temporary
  /// folder.
  ///
  /// - Throws: What packing throws, and `FileError`.
  static func open(
    _ samples: SampleArguments, _ settings: TrainingSettings
  ) async throws -> Opened {
    var path = samples.samples[0]
    var folder: PrivateTemporaryFolder?
    if samples.samples.count > 1 || !ShardedDrawings.isSet(path) {
      let temporary = try PrivateTemporaryFolder()
      path = temporary.path + "/shards"
      folder = temporary
      _ = try await DatasetPackCommand.pack(
        samples, to: path, hint: "'drawml dataset pack' does this once for all trainings")
    }
    let set = try ShardedDrawings(path)
    let kept = try set.sample(ofEachLabel: settings.keep, seed: settings.seed)
    return Opened(
      set: set,
      kept: try SampleSet(
        kept.drawings, origins: kept.numbers.map { .init(path: set.path, line: $0 + 1) }),
      folder: folder)
  }
}
