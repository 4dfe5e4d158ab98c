internal import ArgumentParser
internal import Datasets
internal import Recognition
internal import Text
internal import Training

/// Options for training on more drawings than fit in memory.
struct StreamOptions: ParsableArguments {
  @Flag(
    inversion: .prefixedNo,
    help: "Read the drawings of a folder by 'dataset pack' when needed: few stay in memory.")
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

  /// The set that `samples` names, and some drawings of each label.
  ///
  /// - Throws: `ValidationError` for anything but a folder of shards, and `FileError`.
  static func open(
    _ samples: SampleArguments, _ settings: TrainingSettings
  ) throws -> (set: ShardedDrawings, kept: SampleSet) {
    guard samples.samples.count == 1, ShardedDrawings.isSet(samples.samples[0]) else {
      throw ValidationError(
        "--stream reads one folder of shards: make it with 'drawml dataset pack "
          + samples.samples.map(\.shellWord).joined(separator: " ") + " --output DIR'.")
    }
    let set = try ShardedDrawings(samples.samples[0])
    let kept = try set.sample(ofEachLabel: settings.keep, seed: settings.seed)
    return (
      set,
      try SampleSet(
        kept.drawings, origins: kept.numbers.map { .init(path: set.path, line: $0 + 1) })
    )
  }
}
