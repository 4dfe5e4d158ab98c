internal import ArgumentParser
internal import Datasets
internal import Ink
internal import Support

struct BenchmarkStreamCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "stream",
    abstract: "Read and draw millions of drawings, in the memory of a few.",
    discussion: """
      Drawings are made of those given, each changed at random as in training, and written as lines of \
      Quick, Draw!'s simplified NDJSON in memory; the lines are read again and drawn as 28 × 28 pixels. \
      Nothing is stored. Each line of progress gives drawings a second that all threads together read and \
      draw (what making them takes is apart), and the most memory held meanwhile.

      Examples:
        drawml benchmark stream quickdraw/
        drawml benchmark stream quickdraw/ --count 10000000 --format json
      """)

  @Argument(help: "Files or folders of drawings that others are made of.")
  var samples: [String]
  @Option(help: "How many drawings to make.")
  var count = 2_000_000
  @Option(help: "How many drawings a line of progress stands for.")
  var interval = 100_000
  @Option(help: "How many of the given drawings are kept to make others of, at most.")
  var pool = 20_000
  @Option(help: "Another seed, other drawings.")
  var seed: UInt64 = 1
  @OptionGroup var threads: ThreadOption
  @OptionGroup var format: FormatOption
  @Flag(help: .hidden) var allowDebug = false

  func validate() throws {
    guard count >= 1, interval >= 1, pool >= 1 else {
      throw ValidationError("--count, --interval and --pool are at least 1.")
    }
  }

  func run() async throws {
    guard allowDebug || SpeedBenchmark.build == "release" else { throw SpeedError.debugBuild }
    let benchmark = StreamBenchmark(
      pool: try read(), count: count, interval: interval, seed: seed, threads: threads.count)
    printToStandardError(StreamReport.Interval.heads)
    let report = try await benchmark.run { interval, _ in printToStandardError(interval.text) }
    try format.print(report, report.lines)
  }

  /// Drawings from all files alike, at most as many as are wanted.
  private func read() throws -> [Drawing] {
    var drawings: [Drawing] = []
    do throws(DatasetError) {
      var stream = try DrawingStream(samples, seed: seed, buffer: min(pool, 4096))
      while drawings.count < pool, let drawing = try stream.next() { drawings.append(drawing) }
    } catch {
      throw InvalidDrawing.explaining(error)
    }
    guard !drawings.isEmpty else { throw StreamError.empty(path: samples.joined(separator: ", ")) }
    return drawings
  }
}
