internal import ArgumentParser
internal import NeuralNetwork
internal import Recognition
internal import Support
internal import Training

/// How a model is trained: options of `train` and `cross-validate`.
struct TrainingOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "A YAML file of settings; options win over it. --print-config shows what it can have.",
      valueName: "file.yaml"))
  var config: String?
  @Option(
    name: .customLong("set"),
    help: ArgumentHelp(
      "Change one of these settings; may come several times.", valueName: "key=value"))
  var assignments: [String] = []
  @Flag(help: "Print the settings in force, as a file for --config, and do nothing else.")
  var printConfig = false
  @Option(
    help: """
      A model whose embedding is kept and only taught the drawings, or with --epochs trained \
      further.
      """)
  var base: String?
  @Flag(
    inversion: .prefixedNo,
    help: "With --base: adapt to the drawings, where that is better for those left out in turn.")
  var adapt: Bool?
  @OptionGroup var head: HeadOptions
  @OptionGroup var refusal: RefusalOption
  @Option(
    help: """
      How often every drawing is seen in training; where not given, \
      \(EmbeddingRecipe.standard.epochs) without --base, and with it 0: its embedding is kept.
      """, in: 0...TrainingRecipe.Limits.epochs)
  var epochs: Int?
  @Flag(
    help: "Keep the network of the epoch that is best on the validation drawings, not the last.")
  var keepBest = false
  @Option(
    help: """
      Another seed, another training; the same seed, the same model, which also tells its \
      --threads. \(TrainingSettings(hasBase: false).seed) where not given
      """, in: .seeds)
  var seed: UInt64?
  @OptionGroup var threads: ThreadOption
  @OptionGroup var kernels: KernelOption

  func validate() throws {
    guard base != nil || epochs != 0 else {
      throw ValidationError("--epochs 0 goes with --base: without one there is nothing to keep.")
    }
    guard base != nil || adapt != false else {
      throw ValidationError("--no-adapt goes with --base: only what a base knows is adapted.")
    }
  }

  /// With a base that is kept there is nothing to follow or resume.
  static let noTraining = ValidationError(
    "With --base no embedding is trained: leave out --resume, --validation, --keep-best, --log, "
      + "--tensorboard and --report, or add --epochs to train it further.")

  /// The settings in force: the standard ones, those of the file, those of --set, and over all what
  /// other options say.
  ///
  /// - Throws: What reading the file throws.
  func settings() throws -> TrainingSettings {
    var settings =
      try config.map {
        try TrainingSettings(path: $0, hasBase: base != nil)
      } ?? TrainingSettings(hasBase: base != nil)
    for assignment in assignments { try settings.set(assignment, hasBase: base != nil) }
    try head.set(&settings)
    if let rate = refusal.rate { settings.refuse = rate }
    if let adapt { settings.adapt = adapt }
    if let epochs { settings.training.epochs = epochs }
    if keepBest { settings.keepBest = true }
    if let seed { settings.seed = seed }
    return settings
  }

  /// Prints the settings if they were asked for; whether they were.
  ///
  /// - Throws: `FileError` when they cannot be printed.
  func prints(_ settings: TrainingSettings) throws -> Bool {
    if printConfig { try printToStandardOutput(settings.yaml(hasBase: base != nil)) }
    return printConfig
  }
}
