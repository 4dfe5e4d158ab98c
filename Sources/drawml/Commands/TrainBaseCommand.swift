internal import ArgumentParser
internal import Datasets
internal import Foundation
internal import Ink
internal import NeuralNetwork
internal import Recognition
internal import Training

struct TrainBaseCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "train-base",
    abstract: "Train a base model: an embedding that suits new labels, too.",
    discussion: """
      A recipe has the settings; the samples are its sources, in its order or as name=path. The \
      base model holds no samples: teach it with 'drawml train --base'. --statistics-of keeps the \
      embedding of a base model of the same recipe, and recomputes only the priors (how labels \
      differ).

      --from trains a base model's weights further, by a recipe of the same networks \
      (fine-tuning). During training, checkpoints are written beside the output; the same command \
      with --resume continues from them, and gives the same bytes as an uninterrupted training.

      Examples:
        drawml train-base quickdraw/ omniglot/ --recipe models/base-slim-recipe.json \\
          --output base.drawml
        drawml train-base quickdraw/ omniglot/ --recipe models/base-slim-recipe.json \\
          --teacher teacher.mlmodel --unlabelled quickdraw-bulk/ --output base.drawml
        drawml train-base quickdraw/ omniglot/ --recipe fewer-epochs.json \\
          --from base.drawml --output tuned.drawml
        drawml train-base quickdraw/ omniglot/ --recipe models/base-slim-recipe.json \\
          --statistics-of base.drawml --output newer.drawml
      """)

  @OptionGroup var samples: SampleArguments
  @Option(help: "The recipe, such as models/base-slim-recipe.json.")
  var recipe: String
  @Option(name: .shortAndLong, help: "Where to write the model.")
  var output: String
  @Option(
    help: ArgumentHelp(
      "A base model of the same networks, to train further.", valueName: "model"))
  var from: String?
  @Option(help: "A Core ML network to learn from, if the recipe needs a teacher.")
  var teacher: String?
  @Option(
    name: .customLong("unlabelled"),
    help:
      "Drawings to train on without their labels; can be repeated.")
  var unlabeled: [String] = []
  @Option(
    help: """
      A file of the labels to hold out, in place of the recipe's own split: JSON with "validation" \
      and "test", a JSON list, or one label per line.
      """)
  var holdOutClasses: String?
  @Option(
    help: ArgumentHelp(
      """
      A base model of this recipe: keep its embedding and recompute only the priors.
      """,
      valueName: "model"))
  var statisticsOf: String?
  @Option(
    help: ArgumentHelp(
      """
      With --statistics-of, if no labels are left to calibrate on: copy the calibration of this \
      base model, of the same recipe but trained on fewer labels.
      """,
      valueName: "model"))
  var calibrationOf: String?
  @Flag(help: "Teach the model the training drawings too.")
  var teach = false
  @OptionGroup var head: HeadOptions
  @OptionGroup var refusal: RefusalOption
  @Option(help: "The seed of the training; the same seed gives the same bytes.", in: .seeds)
  var seed: UInt64 = 1
  @OptionGroup var threads: ThreadOption
  @OptionGroup var kernels: KernelOption
  @Flag(help: "Continue from the checkpoints beside the output, if there are any.")
  var resume = false
  @OptionGroup var logs: LogOptions
  @OptionGroup var page: PageOutput

  func validate() throws {
    guard
      statisticsOf == nil
        || (from == nil && teacher == nil && unlabeled.isEmpty && !teach && !resume
          && logs.given.isEmpty && page.report == nil && !head.isGiven)
    else {
      throw ValidationError(
        "With --statistics-of nothing is trained or taught: leave out --from, --teacher, "
          + "--unlabelled, --teach, --resume, --log, --tensorboard, --report and the head's "
          + "options.")
    }
    guard calibrationOf == nil || statisticsOf != nil else {
      throw ValidationError(
        "--calibration-of goes with --statistics-of: train first, then recompute the priors.")
    }
  }

  func run() async throws {
    kernels.select()
    let reducer = try SharedRun.join()
    if reducer.isFirst { try page.overwrite.check(output, for: .model) }
    let recipe = try TrainingRecipe(path: recipe)
    if let statisticsOf {
      guard reducer.isFirst else { throw RankIsDone() }
      return try await learnStatistics(of: statisticsOf, by: recipe)
    }
    var job = BaseTrainingJob(
      recipe: recipe, output: output, from: from, teacher: teacher,
      head: try head.configuration(standard: .twoCovariance), policy: refusal.policy, seed: seed,
      threads: threads.count, resumes: resume, teaches: teach)
    job.reducer = reducer
    let log = reducer.isFirst ? try prepareOutputs(for: recipe) : nil
    let data = try data(for: recipe)
    let result = try await showing(hint: { job.hintAfterInterruption }, log: log) { [job] in
      try await job.run(on: data, progress: $0)
    }
    try page.finish(
      result, result.lines,
      page: result.page(dataPaths: samples.samples, date: Date.now.formatted(.iso8601)),
      outputs: [output, logs.log])
  }

  /// Checks that the files can be written, and opens the log.
  private func prepareOutputs(for recipe: TrainingRecipe) throws -> TrainingLog? {
    let overwrite = page.overwrite
    let members = recipe.members.map { MemberTraining.path(of: $0, beside: output) }
    let checkpoints = members.map { TrainingCheckpointFile(output: $0).path }
    for path in members { try overwrite.check(ownName: path, for: .model) }
    for path in checkpoints { try overwrite.check(ownName: path, for: .checkpoint) }
    try page.check()
    if resume { try overwrite.requireUnfinished(output, members + checkpoints) }
    try OverwriteOption.requireDistinct([output, logs.log, page.report] + members + checkpoints)
    let sources = try Self.paths(samples.samples, for: recipe.sources).values.flatMap(\.self)
    let others = [self.recipe, from, teacher, holdOutClasses].compactMap(\.self)
    return try logs.open(
      overwrite, reading: sources + unlabeled + others, of: output, resumes: resume)
  }

  private func learnStatistics(of model: String, by recipe: TrainingRecipe) async throws {
    let job = StatisticsJob(
      recipe: recipe, model: model, calibrated: calibrationOf, output: output,
      policy: refusal.policy, seed: seed, threads: threads.count)
    let data = try data(for: recipe)
    let report = try await showing(hint: { "nothing was written" }) {
      try await job.run(on: data, progress: $0)
    }
    try page.format.print(report, report.lines, outputs: [output])
  }

  /// All drawings of the options.
  private func data(for recipe: TrainingRecipe) throws -> BaseTrainingJob.Data {
    var part = samples
    var sources: [String: SampleSet] = [:]
    for (name, paths) in try Self.paths(samples.samples, for: recipe.sources)
      .sorted(by: { $0.key < $1.key })
    {
      part.samples = paths
      sources[name] = try part.readSamples().samples
    }
    part.samples = unlabeled
    return BaseTrainingJob.Data(
      sources: sources, unlabeled: unlabeled.isEmpty ? [] : try part.read().drawings,
      heldOut: try holdOutClasses.map { try HeldOutLabels(path: $0) })
  }

  /// The paths of each source: "name=path" assigns one by name; paths without a name are assigned
  /// to the sources in order.
  ///
  /// - Throws: `JobProblem` if a source has no path or paths are left over.
  static func paths(
    _ arguments: [String], for sources: [TrainingRecipe.Source]
  ) throws(JobProblem) -> [String: [String]] {
    var paths: [String: [String]] = [:]
    var plain: [String] = []
    for argument in arguments {
      let parts = argument.split(separator: "=", maxSplits: 1).map(String.init)
      if parts.count == 2, sources.contains(where: { $0.name == parts[0] }) {
        paths[parts[0], default: []].append(parts[1])
      } else {
        plain.append(argument)
      }
    }
    let open = sources.map(\.name).filter { paths[$0] == nil }
    guard open.count == plain.count else {
      let names = sources.map(\.name).joined(separator: ", ")
      throw JobProblem(
        "the recipe has the sources \(names): name the files of each in this order, or as "
          + "\(sources[0].name)=PATH")
    }
    for (name, path) in zip(open, plain) { paths[name] = [path] }
    return paths
  }
}
