internal import ArgumentParser
internal import Datasets
internal import Foundation
internal import Recognition
internal import Report
internal import Support
internal import Training

struct TrainCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "train",
    abstract: "Train a model on labeled drawings.",
    discussion: """
      Without --base the embedding is trained from the drawings themselves, which takes minutes \
      for thousands of them; with --base the embedding of another model is kept and only taught \
      the drawings, which takes seconds. What it knows of how drawings of one label differ is then \
      adapted to yours, if that is better for drawings left out in turn; --no-adapt leaves it as \
      it is. With --base and --epochs its embedding is trained further first (fine-tuning), which \
      takes minutes: from about a hundred drawings of each label on it may give more right answers, \
      and it refuses more.

      The head is linear where the embedding is trained, for it uses what training learned of the \
      labels; with --base it is plda, which needs few samples. --head chooses another.

      While it trains, a checkpoint lies beside the output. After Ctrl-C, a crash or a power cut, \
      the same command with --resume goes on from it and gives the same bytes as if it had not \
      stopped.

      With --stream the drawings may be more than the memory holds: they are read from their files \
      (shards of NDJSON or HDF5) again in every epoch, in an order shuffled by --shuffle-buffer, \
      and only --keep of each label stay in memory, which the model is taught and judged by.

      --config reads all settings from a YAML file, those without an option, too. --log and \
      --tensorboard write each step and epoch while it trains, --report the learning curves at its \
      end.

      Examples:
        drawml train datasets/starter --output shapes.drawml
        drawml train datasets/starter --output shapes.drawml --print-config > train.yaml
        drawml train datasets/starter --output shapes.drawml --config train.yaml \
      --log train.jsonl --tensorboard runs/shapes --report curves.html
        drawml train quickdraw/ --output m.drawml --hold-out 0.1 --seed 7
        drawml train my-shapes.ndjson --base m.drawml --head knn --output mine.drawml
        drawml train my-shapes.ndjson --base m.drawml --epochs 10 --output mine.drawml
        drawml train quickdraw-50M/ --stream --examples-per-epoch 1000000 --output large.drawml
      """)

  @OptionGroup var samples: SampleArguments
  @Option(name: .shortAndLong, help: "Where to write the model.")
  var output: String
  @OptionGroup var training: TrainingOptions
  @Option(
    help: ArgumentHelp(
      """
      The share of each label's drawings to leave out, for 'evaluate' to judge by; 0 unless given. \
      With --stream, the share of those that are kept.
      """, valueName: "share"), in: TrainingSettings.Limits.holdOut)
  var holdOut: Double?
  @Option(
    help: ArgumentHelp(
      """
      Drawings that judge every epoch, in place of a tenth of the others. As that tenth, they choose \
      thresholds and are taught at the end. May be given again.
      """, valueName: "samples"))
  var validation: [String] = []
  @Flag(help: "Go on from the checkpoint beside the output, if there is one.")
  var resume = false
  @OptionGroup var stream: StreamOptions
  @OptionGroup var logs: LogOptions
  @Option(help: "Write a page with the learning curves here.")
  var report: String?
  @OptionGroup var overwrite: OverwriteOption
  @OptionGroup var format: FormatOption

  func run() async throws {
    training.kernels.select()
    let (base, threads) = (training.base, training.threads.count)
    var settings = try training.settings()
    if let holdOut { settings.holdOut = holdOut }
    stream.set(&settings)
    try check(settings)
    if try training.prints(settings) { return }
    try overwrite.check(output, for: .model, reading: base.map { [$0] } ?? [])
    try overwrite.check(report, for: .page)
    var job = TrainingJob(
      output: output, base: base, settings: settings, threads: threads, resumes: resume)
    let own = try job.ownFiles()
    for path in own.networks { try overwrite.check(ownName: path, for: .model) }
    for path in own.checkpoints { try overwrite.check(ownName: path, for: .checkpoint) }
    try OverwriteOption.requireDistinct(
      [output, logs.log, report] + own.networks + own.checkpoints)
    if resume { try overwrite.requireUnfinished(output, own.networks + own.checkpoints) }
    let config = training.config.map { [$0] } ?? []
    let log = try logs.open(
      overwrite, reading: samples.samples + validation + config + (base.map { [$0] } ?? []),
      of: output, resumes: resume)
    let drawings: SampleSet
    if settings.stream {
      let survey = try StreamOptions.survey(samples, settings)
      drawings = try SampleSet(survey.drawings, origins: survey.origins)
      job.stream = StreamedDrawings.Settings(
        paths: samples.samples, buffer: settings.shuffleBuffer, skipsInvalid: samples.skipInvalid)
      job.streamFingerprint = survey.fingerprint
    } else {
      drawings = try samples.readSamples().samples
    }
    if !validation.isEmpty {
      job.validation =
        try SampleArguments.named(validation, skipInvalid: samples.skipInvalid).readSamples()
        .samples
    }
    try log?.begin(job, data: job.streamFingerprint ?? drawings.fingerprint)
    let result = try await showing(hint: job.hintAfterInterruption, log: log) { [job] in
      try await job.run(on: drawings, progress: $0)
    }
    try log?.end(result)
    if let report {
      let page = try result.page(
        dataPaths: samples.samples, date: Date.now.formatted(.iso8601))
      try AtomicFile.write(page, to: report)
    }
    try format.print(
      result, result.lines + reportPathLines(report), besides: output, logs.log, report)
  }

  private func check(_ settings: TrainingSettings) throws {
    guard
      settings.trainsEmbedding(hasBase: training.base != nil)
        || (!resume && logs.given.isEmpty && report == nil && validation.isEmpty
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
    guard settings.stream || (stream.keep == nil && stream.shuffleBuffer == nil) else {
      throw ValidationError("--keep and --shuffle-buffer go with --stream.")
    }
    guard !settings.stream || !samples.samples.contains("-") else {
      throw ValidationError("--stream reads files more than once, and '-' can be read only once.")
    }
  }
}
