internal import ArgumentParser
internal import Datasets
internal import Foundation
internal import NeuralNetwork
internal import Recognition
internal import Training

struct TrainCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "train",
    abstract: "Train a model on labeled drawings.",
    discussion: """
      Without --base, the embedding is trained on the drawings, which takes minutes for thousands \
      of them. With --base, the embedding of another model is kept and only taught the drawings, \
      which takes seconds. Its prior (how drawings of one label differ) is then adapted to your \
      drawings, if cross-validation finds that better; --no-adapt keeps it. With --base and \
      --epochs, the embedding is first trained further (fine-tuning), which takes minutes: with \
      about a hundred drawings or more of each label, more answers may be right, and more drawings \
      are refused.

      Without --base the head is linear, which uses what the training learned of the labels; with \
      --base it is plda, which needs few samples. --head chooses another.

      During training, a checkpoint is written beside the output. After Ctrl-C, a crash or a power \
      cut, the same command with --resume continues from it, and gives the same bytes as an \
      uninterrupted training.

      --stream is for more drawings than fit into memory: 'dataset pack' puts them into a folder \
      of shards, from which each step reads its own (other files are packed first, each time). Only \
      --keep drawings of each label stay in memory, to teach and to judge the model.

      --config reads all settings from a YAML file, also those without an option. --log and \
      --tensorboard write each step and epoch during training, --report the learning curves at the \
      end.

      Examples:
        drawml train datasets/starter --output shapes.drawml
        drawml train datasets/starter --output shapes.drawml --print-config > train.yaml
        drawml train datasets/starter --output shapes.drawml --config train.yaml \
      --log train.jsonl --tensorboard runs/shapes --report curves.html
        drawml train quickdraw/ --output m.drawml --hold-out 0.1 --seed 7
        drawml train my-shapes.ndjson --base m.drawml --head knn --output mine.drawml
        drawml train my-shapes.ndjson --base m.drawml --epochs 10 --output mine.drawml
        drawml train quickdraw-shards --stream --examples-per-epoch 1000000 --output large.drawml
      """)

  @OptionGroup var samples: SampleArguments
  @Option(name: .shortAndLong, help: "Where to write the model.")
  var output: String
  @OptionGroup var training: TrainingOptions
  @Option(
    help: ArgumentHelp(
      """
      The share of each label's drawings to hold out for 'evaluate' (default: 0). With --stream, \
      the share of the drawings in memory.
      """, valueName: "share"), in: TrainingSettings.Limits.holdOut)
  var holdOut: Double?
  @Option(
    help: ArgumentHelp(
      """
      Drawings to validate every epoch on, in place of a tenth of the others. Like that tenth, \
      they also choose the thresholds, and are taught at the end. Can be repeated.
      """, valueName: "samples"))
  var validation: [String] = []
  @Flag(help: "Continue from the checkpoint beside the output, if there is one.")
  var resume = false
  @OptionGroup var stream: StreamOptions
  @OptionGroup var logs: LogOptions
  @OptionGroup var page: PageOutput

  func run() async throws {
    training.kernels.select()
    let (base, threads) = (training.base, training.threads.count)
    var settings = try training.settings()
    if let holdOut { settings.holdOut = holdOut }
    stream.set(&settings)
    try check(settings)
    if try training.prints(settings) { return }
    let reducer = try SharedRun.join()
    var job = TrainingJob(
      output: output, base: base, settings: settings, threads: threads, resumes: resume)
    job.reducer = reducer
    let log = reducer.isFirst ? try prepareOutputs(of: job) : nil
    let drawings: SampleSet
    let opened = settings.stream ? try await StreamOptions.open(samples, settings) : nil
    defer { withExtendedLifetime(opened) {} }
    if let opened {
      (job.stream, drawings) = (opened.set, opened.kept)
    } else {
      drawings = try samples.readSamples().samples
    }
    if !validation.isEmpty {
      job.validation =
        try SampleArguments.named(validation, skipInvalid: samples.skipInvalid).readSamples()
        .samples
    }
    try log?.begin(job, data: job.stream?.fingerprint ?? drawings.fingerprint)
    let result = try await showing(hint: job.hintAfterInterruption, log: log) { [job] in
      try await job.run(on: drawings, progress: $0)
    }
    // The model is written: a log that is not to be written must not fail the command.
    do { try log?.end(result) } catch { printToStandardError("\(error): the log lacks its end") }
    try page.finish(
      result, result.lines,
      page: result.page(dataPaths: samples.samples, date: Date.now.formatted(.iso8601)),
      outputs: [output, logs.log])
  }

  /// Checks that the files can be written, and opens the log.
  private func prepareOutputs(of job: TrainingJob) throws -> TrainingLog? {
    let (overwrite, base) = (page.overwrite, training.base.map { [$0] } ?? [])
    try overwrite.check(output, for: .model, reading: base)
    try page.check()
    let own = try job.ownFiles()
    for path in own.networks { try overwrite.check(ownName: path, for: .model) }
    for path in own.checkpoints { try overwrite.check(ownName: path, for: .checkpoint) }
    try OverwriteOption.requireDistinct(
      [output, logs.log, page.report] + own.networks + own.checkpoints)
    if resume { try overwrite.requireUnfinished(output, own.networks + own.checkpoints) }
    let config = training.config.map { [$0] } ?? []
    return try logs.open(
      overwrite, reading: samples.samples + validation + config + base, of: output,
      resumes: resume)
  }

  private func check(_ settings: TrainingSettings) throws {
    guard
      settings.trainsEmbedding(hasBase: training.base != nil)
        || (!resume && logs.given.isEmpty && page.report == nil && validation.isEmpty
          && !settings.keepBest)
    else { throw TrainingOptions.noTraining }
    guard (samples.samples + validation).count(where: { $0 == "-" }) < 2 else {
      throw ValidationError("'-', standard input, can be read only once.")
    }
    guard !settings.stream || training.base == nil else {
      throw ValidationError("--stream trains an embedding: leave out --base.")
    }
    guard settings.stream || settings.training.examplesPerEpoch == nil else {
      throw ValidationError("--examples-per-epoch goes with --stream.")
    }
    guard settings.stream || stream.keep == nil else {
      throw ValidationError("--keep goes with --stream.")
    }
  }
}
