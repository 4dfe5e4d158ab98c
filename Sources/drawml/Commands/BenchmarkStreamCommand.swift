internal import ArgumentParser
internal import Benchmarks
internal import Datasets
internal import Ink
internal import Report
internal import Text
internal import Training

struct BenchmarkStreamCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "stream",
    abstract: "Read and draw millions of drawings in little memory.",
    discussion: """
      The given drawings are changed at random, as in training, and written in memory as lines of \
      Quick, Draw!'s simplified NDJSON; the lines are read again and drawn as 28 × 28 pixels. \
      Nothing is stored. A folder of shards ('dataset pack') is read instead, in the random order \
      of training. Each line of progress gives the drawings per second that all threads \
      together read and draw (not counting the time to make them), and the peak memory.

      Examples:
        drawml benchmark stream quickdraw/
        drawml benchmark stream quickdraw/ --count 10000000 --format json
        drawml benchmark stream quickdraw-shards
      """)

  @Argument(help: "Files or folders of drawings to make others from, or a folder of shards.")
  var samples: [String]
  @Option(help: "How many drawings to make or read.", in: 1...1_000_000_000_000)
  var count = 2_000_000
  @Option(help: "How many drawings between two lines of progress.", in: 1...1_000_000_000)
  var interval = 100_000
  @Option(
    help: "The most given drawings to keep, to make others from.", in: 1...1_000_000)
  var pool = 20_000
  @Option(help: "The seed of the drawings.", in: .seeds)
  var seed: UInt64 = 1
  @OptionGroup var threads: ThreadOption
  @OptionGroup var format: FormatOption
  @Flag(help: .hidden) var allowDebug = false

  /// The maximum number of lines, all of which are kept in memory for the report.
  private static let mostLines = 1_000_000

  func validate() throws {
    guard count / interval <= Self.mostLines else {
      throw ValidationError(
        "--count \(count) makes more than \(grouped(Self.mostLines)) lines of progress; "
          + "choose a larger --interval.")
    }
  }

  func run() async throws {
    guard allowDebug || SpeedBenchmark.build == "release" else { throw SpeedError.debugBuild }
    let benchmark =
      samples.count == 1 && ShardedDrawings.isSet(samples[0])
      ? StreamBenchmark(
        try ShardedDrawings(samples[0]), count: count, interval: interval, seed: seed,
        threads: threads.count)
      : StreamBenchmark(
        pool: try read(), count: count, interval: interval, seed: seed, threads: threads.count)
    printToStandardError(StreamReport.Interval.heads)
    let report = try await benchmark.run { interval, _ in printToStandardError(interval.text) }
    try format.print(report, report.lines)
  }

  /// The first drawings of each file, together at most the requested number.
  private func read() throws -> [Drawing] {
    var drawings: [Drawing] = []
    do throws(DatasetError) {
      let sources = try DatasetFiles.expand(samples, withHDF5: true)
      for (index, source) in sources.enumerated() {
        var reader = try DatasetReader(path: source.path, label: source.label)
        let end = pool * (index + 1) / sources.count
        while drawings.count < end, let drawing = try reader.next() { drawings.append(drawing) }
      }
    } catch {
      throw InvalidDrawing.explaining(error, canSkip: false)
    }
    guard !drawings.isEmpty else {
      throw JobProblem(
        "\(samples.joined(separator: ", ")) has no labeled drawings to make others from")
    }
    return drawings
  }
}
