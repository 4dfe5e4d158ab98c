internal import ArgumentParser
internal import Benchmarks
internal import Datasets
internal import Recognition
internal import Report
internal import Support

struct TrainCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "train",
    abstract: "Train a model on labeled drawings.",
    discussion: """
      Without --base the embedding is trained from the drawings themselves, which takes minutes \
      for thousands of them; with --base the embedding of another model is kept and only taught \
      the drawings, which takes seconds. What it knows of how drawings of one label differ is then \
      adapted to yours, if that is better for drawings left out in turn; --no-adapt leaves it as \
      it is.

      The head is linear where the embedding is trained, for it uses what training learned of the \
      labels; with --base it is plda, which needs few samples. --head chooses another.

      While it trains, a checkpoint lies beside the output. After Ctrl-C, a crash or a power cut, \
      the same command with --resume goes on from it and gives the same bytes as if it had not \
      stopped.

      With --stream the drawings may be more than the memory holds: they are read from their files \
      (shards of NDJSON or HDF5) again in every epoch, in an order shuffled by --shuffle-buffer, \
      and only --keep of each label stay in memory, which the model is taught and judged by.

      Examples:
        drawml train datasets/starter --output shapes.drawml
        drawml train quickdraw/ --output m.drawml --hold-out 0.1 --seed 7
        drawml train my-shapes.ndjson --base m.drawml --head knn --output mine.drawml
        drawml train quickdraw-50M/ --stream --examples-per-epoch 1000000 --output large.drawml
      """)

  @OptionGroup var samples: SampleArguments
  @Option(name: .shortAndLong, help: "Where to write the model.")
  var output: String
  @Option(help: "A model whose embedding is kept and only taught the drawings.")
  var base: String?
  @Flag(
    inversion: .prefixedNo,
    help: "With --base: adapt to the drawings, where that is better for those left out in turn.")
  var adapt = true
  @OptionGroup var head: HeadOptions
  @OptionGroup var refusal: RefusalOption
  @Option(
    help: "How often every drawing is seen; \(EmbeddingRecipe.standard.epochs) where not given.",
    in: 1...TrainingRecipe.Limits.epochs)
  var epochs: Int?
  @Option(help: "Another seed, another training; the same seed, the same bytes.", in: .seeds)
  var seed: UInt64 = 1
  @OptionGroup var threads: ThreadOption
  @OptionGroup var kernels: KernelOption
  @Option(
    help: ArgumentHelp(
      "The share of each label's drawings to leave out, for 'evaluate' to judge by.",
      valueName: "share"), in: 0...0.8)
  var holdOut = 0.0
  @Flag(help: "Go on from the checkpoint beside the output, if there is one.")
  var resume = false
  @OptionGroup var stream: StreamOptions
  @OptionGroup var overwrite: OverwriteOption
  @OptionGroup var format: FormatOption

  func validate() throws {
    guard !stream.stream || base == nil else {
      throw ValidationError("--stream trains an embedding: leave out --base.")
    }
    guard !stream.stream || !samples.samples.contains("-") else {
      throw ValidationError("--stream reads files more than once, and '-' can be read only once.")
    }
    guard base == nil || (epochs == nil && !resume) else {
      throw ValidationError("With --base no embedding is trained: leave out --epochs and --resume.")
    }
    guard base != nil || adapt else {
      throw ValidationError("--no-adapt goes with --base: only what a base knows is adapted.")
    }
  }

  func run() async throws {
    kernels.select()
    try overwrite.check(output, for: .model, reading: base.map { [$0] } ?? [])
    if base == nil { try overwrite.checkCheckpoint(beside: output) }
    var recipe = EmbeddingRecipe.standard
    if let epochs { recipe.epochs = epochs }
    var job = TrainingJob(
      output: output, base: base,
      head: { [head] in head.configuration(standard: $0) }, policy: refusal.policy, recipe: recipe,
      seed: seed,
      threads: threads.count, holdOut: holdOut, resumes: resume, adapts: adapt)
    let drawings: SampleSet
    if stream.stream {
      let survey = try stream.survey(samples, seed: seed)
      drawings = try SampleSet(survey.drawings, origins: survey.origins)
      job.stream = stream.settings(for: samples)
      job.streamFingerprint = survey.fingerprint
      job.examplesPerEpoch = stream.examplesPerEpoch
    } else {
      drawings = try samples.readSamples().samples
    }
    let report = try await showing(hint: job.hintAfterInterruption) { [job] in
      try await job.run(on: drawings, progress: $0)
    }
    try format.print(report, report.lines)
  }
}
