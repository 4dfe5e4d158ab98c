internal import ArgumentParser
internal import Benchmarks
internal import Datasets
internal import NeuralNetwork
internal import Recognition
internal import Training

struct BenchmarkFewShotCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "few-shot",
    abstract: "Teach new labels by a few drawings each, then classify other drawings of them.",
    discussion: """
      Each task teaches some labels from a few drawings each, then classifies other drawings of \
      these labels and unknown drawings, which should be refused. Tasks are drawn at random, or \
      come from a file, so that two systems can run on the same tasks. --report also shows each \
      task and the reference's results. mpirun shares the tasks among processes.

      Examples:
        drawml benchmark few-shot --samples test/ --model base.drawml
        drawml benchmark few-shot --samples test/ --model base.drawml \\
          --ways 20 --shots 10 --report few-shot.html
        drawml benchmark few-shot --samples test/ --model base.drawml \\
          --save-episodes tasks.json
        drawml benchmark few-shot --samples test/ --model base.drawml \\
          --episodes tasks.json --format json
      """)

  @OptionGroup var samples: BenchmarkSamples
  @OptionGroup var model: BenchmarkModel
  @OptionGroup var tasks: TaskOptions
  @OptionGroup var page: PageOutput

  func run() async throws {
    let result = try await tasks.run(samples, model, page)
    try page.finish(
      result.report, result.report.lines, page: result.fewShotPage(),
      outputs: [tasks.saveEpisodes])
  }
}

extension TaskOptions {
  /// Reads samples, tasks and model, and runs the tasks.
  ///
  /// - Parameters:
  ///   - samples: The drawings.
  ///   - model: The model to measure.
  ///   - page: Where the caller writes the page afterward; checked before the work.
  ///   - needsUnknowns: Whether tasks without unknowns are an error.
  /// - Returns: The results of the tasks.
  /// - Throws: The errors of reading and running them, and `JobProblem` without unknowns.
  func run(
    _ samples: BenchmarkSamples, _ model: BenchmarkModel, _ page: PageOutput,
    needsUnknowns: Bool = false
  ) async throws -> TaskBenchmark.Result {
    let ranks = try SharedRun.join()
    if ranks.isFirst { try page.check(with: saveEpisodes, for: .tasks) }
    let set = try samples.read()
    // Read the model first: writing the tasks may replace it.
    var runner = try model.runner(for: set, dial: dial)
    let episodes = try read(set, from: samples.samples)
    guard !needsUnknowns || episodes.episodes.contains(where: { !$0.unknown.isEmpty }) else {
      throw JobProblem(
        "\(place): no task has unknown drawings, so there is nothing to refuse; give drawings "
          + "under \"unknown\" or --unknown")
    }
    runner.adapts = adapt
    runner.ranks = ranks
    let benchmark = TaskBenchmark(
      runner, samplesPath: samples.samples, tasksPlace: place,
      seed: self.episodes == nil ? drawnSeed : nil)
    try benchmark.agree(on: episodes, of: set)
    if ranks.isFirst { try save(episodes) }
    return try await showing(hint: { "nothing was measured" }) {
      try await benchmark.run(episodes, on: set, progress: $0)
    }
  }
}
