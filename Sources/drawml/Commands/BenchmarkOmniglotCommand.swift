internal import ArgumentParser
internal import Benchmarks
internal import Datasets
internal import Training

struct BenchmarkOmniglotCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "omniglot",
    abstract: "Learn 20 characters of an unknown alphabet from one example each.",
    discussion: """
      --runs names the folder of the 20 official runs (run01 … run20, each with training/, test/ \
      and class_labels.txt); their pictures are turned into strokes first. --strokes draws similar \
      tasks at random from Omniglot's strokes: one person's drawings are taught, another's \
      classified. With --as-pictures the strokes are drawn as pictures and turned into strokes \
      again, so that both ways can be compared. --report shows the mistakes of each run.

      Examples:
        drawml benchmark omniglot --runs all_runs --model base.drawml
        drawml benchmark omniglot --runs all_runs --model base.drawml \\
          --report omniglot.html --format json
        drawml benchmark omniglot --strokes omniglot.ndjson --model base.drawml
        drawml benchmark omniglot --strokes omniglot.ndjson --model base.drawml \\
          --as-pictures --tasks 100
      """)

  @Option(help: "The folder that holds run01, run02, …")
  var runs: String?
  @Option(help: "A file or folder with Omniglot's strokes.")
  var strokes: String?
  @OptionGroup var model: BenchmarkModel
  @Option(help: "--strokes: tasks to draw (default: 20).", in: 1...10_000)
  var tasks: Int?
  @Option(help: "--strokes: characters per task (default: 20).", in: 2...1000)
  var ways: Int?
  @Option(help: "--strokes: the seed of the tasks (default: 1).", in: .seeds)
  var seed: UInt64?
  @Flag(help: "--strokes: draw pictures of the strokes and turn them into strokes again.")
  var asPictures = false
  @Option(help: "--strokes: write the tasks to this file.")
  var saveEpisodes: String?
  @OptionGroup var page: PageOutput

  func validate() throws {
    guard (runs == nil) != (strokes == nil) else {
      throw ValidationError(
        "Say where the characters are: --runs FOLDER for the official runs, or --strokes FILE.")
    }
    let isDrawn = tasks != nil || ways != nil || seed != nil || asPictures || saveEpisodes != nil
    guard strokes != nil || !isDrawn else {
      throw ValidationError(
        "--tasks, --ways, --seed, --as-pictures and --save-episodes are for --strokes.")
    }
  }

  private var drawnSeed: UInt64 { seed ?? 1 }

  func run() async throws {
    try page.check(with: saveEpisodes, for: .tasks)
    let (samples, episodes, names) = try read()
    // Read the model first: writing the tasks may replace it.
    let runner = try model.runner(for: samples)
    if let saveEpisodes { try episodes.write(to: saveEpisodes) }
    let benchmark = OmniglotBenchmark(
      runner, path: runs ?? strokes ?? "", seed: runs == nil ? drawnSeed : nil,
      form: runs != nil ? .pictures : asPictures ? .strokesAsPictures : .strokes)
    let result = try await showing(hint: { "nothing was measured" }) {
      try await benchmark.run(episodes, names: names, on: samples, progress: $0)
    }
    try page.finish(
      result.report, result.report.lines, page: result.page(), outputs: [saveEpisodes])
  }

  private func read() throws -> (SampleSet, Episodes, [String]) {
    let display = JobDisplay()
    defer { display.finish() }
    if let runs {
      let official = try OmniglotRuns(folder: runs)
      return (
        try OmniglotBenchmark.drawings(in: official, progress: display.show), official.episodes,
        official.runs.map(\.name)
      )
    }
    let path = strokes ?? ""
    let samples = try BenchmarkSamples.read(path)
    let episodes: Episodes
    do {
      episodes = try Episodes(
        oneShotWithinAlphabetsOf: samples, count: tasks ?? 20, ways: ways ?? 20, seed: drawnSeed)
    } catch {
      throw JobProblem.tasks(error, samples: path)
    }
    let drawn =
      asPictures
      ? try OmniglotBenchmark.throughPictures(samples, for: episodes, progress: display.show)
      : samples
    return (drawn, episodes, episodes.episodes.indices.map { "task \($0 + 1)" })
  }
}
