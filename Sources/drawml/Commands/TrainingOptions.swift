internal import ArgumentParser
internal import NeuralNetwork
internal import Recognition
internal import Training

/// How a model is trained: options of `train` and `cross-validate`.
struct TrainingOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "A YAML file of settings; options override it. --print-config shows all settings.",
      valueName: "file.yaml"))
  var config: String?
  @Option(
    name: .customLong("set"),
    help: ArgumentHelp(
      "Change one of these settings; can be repeated.", valueName: "key=value"))
  var assignments: [String] = []
  @Flag(help: "Print all settings in effect, as a file for --config, and exit.")
  var printConfig = false
  @Option(
    help: """
      A model whose embedding to keep, and teach the drawings, or with --epochs to train further.
      """)
  var base: String?
  @Flag(
    inversion: .prefixedNo,
    help: "With --base: adapt the prior to the drawings, if cross-validation finds that better.")
  var adapt: Bool?
  @OptionGroup var head: HeadOptions
  @OptionGroup var refusal: RefusalOption
  @Option(
    help: """
      How often training sees every drawing (default: \
      \(EmbeddingRecipe.standard.training.epochs) without --base; with --base 0, which keeps its \
      embedding).
      """, in: 0...TrainingRecipe.Limits.epochs)
  var epochs: Int?
  @Flag(
    help: "Keep the network of the epoch with the best validation accuracy, not the last.")
  var keepBest = false
  @Option(
    help: """
      The seed of the training; the same seed gives the same model, which also records --threads \
      (default: \(TrainingSettings(hasBase: false).seed))
      """, in: .seeds)
  var seed: UInt64?
  @OptionGroup var threads: ThreadOption
  @OptionGroup var kernels: KernelOption

  func validate() throws {
    guard base != nil || epochs != 0 else {
      throw ValidationError("--epochs 0 goes with --base: else there is no embedding to keep.")
    }
    guard base != nil || adapt != false else {
      throw ValidationError("--no-adapt goes with --base: only a base model's prior is adapted.")
    }
  }

  /// With a base that is kept there is nothing to follow or resume.
  static let noTraining = ValidationError(
    "With --base no embedding is trained: leave out --resume, --validation, --keep-best, --log, "
      + "--tensorboard and --report, or add --epochs to train it further.")

  /// The settings in effect: defaults, overridden by the file, by --set, and by other options, in
  /// this order.
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
