internal import ArgumentParser
internal import Benchmarks
internal import Datasets
internal import Foundation
internal import Recognition

struct BenchmarkSearchCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "search",
    abstract: "Find the nearest of up to millions of drawings.",
    discussion: """
      The drawings of a folder of shards ('dataset pack') are embedded and searched exactly for \
      those that are nearest to others of the folder. mpirun shares them among processes: each \
      embeds and holds a part, and what they find is merged.

      Examples:
        drawml dataset pack quickdraw/ --output quickdraw-shards
        drawml benchmark search quickdraw-shards --model base.drawml
        mpirun -n 4 drawml benchmark search quickdraw-shards --model base.drawml
      """)

  @Argument(help: "A folder of shards.")
  var samples: String
  @Option(name: .shortAndLong, help: "The model whose embedding is used.")
  var model: String
  @Option(help: "The most drawings to search.", in: 1...100_000_000)
  var count = 1_000_000
  @Option(
    help: "How many drawings to look for (default: 1000, at most a tenth of all).", in: 1...100_000)
  var queries: Int?
  @Option(help: "How many of the nearest to find for each.", in: 1...1000)
  var neighbors = 3
  @Option(help: "The seed of the choice of drawings.", in: .seeds)
  var seed: UInt64 = 1
  @OptionGroup var threads: ThreadOption
  @OptionGroup var format: FormatOption
  @Flag(help: .hidden) var allowDebug = false

  func run() async throws {
    guard allowDebug || SpeedBenchmark.build == "release" else { throw SpeedError.debugBuild }
    guard ShardedDrawings.isSet(samples) else {
      throw ValidationError(
        "\(samples) is no folder of shards: make one with 'drawml dataset pack'.")
    }
    let ranks = try SharedRun.join()
    let set = try ShardedDrawings(samples)
    let queries = queries ?? max(1, min(1000, set.count / 10))
    var benchmark = SearchBenchmark(
      set, model: try ModelFile.open(model), at: model, count: count,
      queries: queries, neighbors: neighbors, seed: seed, threads: threads.count,
      date: Date.now.formatted(.iso8601))
    benchmark.ranks = ranks
    let report = try await showing(hint: { "nothing was measured" }) { [benchmark] in
      try await benchmark.run(progress: $0)
    }
    try format.print(report, report.lines)
  }
}
