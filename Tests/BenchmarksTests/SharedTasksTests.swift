import Datasets
import NeuralNetwork
import Recognition
import TestTools
import Testing

@testable import Benchmarks
@testable import Training

@Suite("Tasks that ranks share")
struct SharedTasksTests {
  private static func drawings() throws -> SampleSet {
    let drawings = try ["circle", "star", "tree", "key"].flatMap { name in
      try DatasetFiles.read(["\(Repository.path)/datasets/starter/\(name).ndjson"]).drawings
        .prefix(8)
    }
    return try SampleSet(drawings)
  }

  /// What a rank finds in five tasks.
  private static func run(
    _ ranks: any GradientReducer, head: HeadConfiguration = .twoCovariance, seed: UInt64 = 1
  ) async throws -> (answers: [Double], lines: [String]) {
    let samples = try drawings()
    var runner = TaskRunner(
      base: try ModelFile.read("\(Repository.path)/models/base-slim.drawml").untaught(head: head),
      modelPath: "base-slim.drawml", modelFingerprint: "", threads: 1, date: "")
    runner.ranks = ranks
    let tasks = try Episodes(
      drawnFrom: samples, count: 5, ways: 2, shots: 2, queries: 3, unknowns: 4, seed: seed)
    let benchmark = TaskBenchmark(runner, samplesPath: "", tasksPlace: "", seed: seed)
    try benchmark.agree(on: tasks, of: samples)
    let result = try await benchmark.run(tasks, on: samples) { _ in }
    return (
      result.outcomes.flatMap {
        ($0.queries + $0.unknowns).flatMap { [$0.confidence, $0.nearness] }
      },
      result.report.lines
    )
  }

  @Test("Rank 0 has the answers of one process, to the bit", arguments: [2, 3, 7])
  func sameAnswers(ranks: Int) async throws {
    let alone = try await Self.run(OneProcess())
    // Two numbers of six queries and four unknowns in each of five tasks.
    #expect(alone.answers.count == 100)
    let shared = try await ThreadRank.run(ranks) { rank in
      do {
        return try await Self.run(rank)
      } catch is RankIsDone {
        #expect(!rank.isFirst)
        return ([], [])
      }
    }
    #expect(shared[0].answers == alone.answers)
    #expect(shared[0].lines == alone.lines)
  }

  @Test(
    "The nearest drawings among those of all ranks are those of one process", arguments: [2, 5])
  func search(ranks: Int) async throws {
    let folder = try TemporaryFolder()
    var packer = try ShardPacker(
      [
        "\(Repository.path)/datasets/starter/star.ndjson",
        "\(Repository.path)/datasets/starter/key.ndjson",
      ],
      to: folder.file("set"), shards: 2)
    _ = try await packer.run()
    let set = try ShardedDrawings(folder.file("set"))
    let path = "\(Repository.path)/models/base-slim.drawml"
    let model = try ModelFile.open(path)
    @Sendable func report(_ ranks: any GradientReducer) async throws -> SearchBenchmark.Report? {
      var benchmark = SearchBenchmark(
        set, model: model, at: path, count: 50, queries: 20, neighbors: 3, seed: 1, threads: 1,
        date: "")
      benchmark.ranks = ranks
      do {
        return try await benchmark.run { _ in }
      } catch is RankIsDone { return nil }
    }
    let alone = try #require(try await report(OneProcess()))
    #expect(alone.drawings == 50)
    #expect(alone.neighbors == 3)
    // Stars and keys.
    #expect(alone.sameLabel > 0.9)
    let shared = try await ThreadRank.run(ranks, report)
    let first = try #require(shared[0])
    #expect(shared.dropFirst().allSatisfy { $0 == nil })
    #expect(first.drawings == 50)
    #expect(first.drawingsOfRank == 50 / ranks)
    #expect(first.ranks == ranks)
    #expect(first.sameLabel == alone.sameLabel)
  }

  @Test("Ranks with other tasks or another head are refused")
  func refusal() async throws {
    for (what, head, seed) in [
      ("tasks", HeadConfiguration.twoCovariance, UInt64(2)), ("settings", .classMeans, 1),
    ] {
      await #expect(throws: ThreadRank.Differing(what, rank: 1)) {
        try await ThreadRank.run(3) { rank in
          try await Self.run(
            rank, head: rank.rank == 1 ? head : .twoCovariance, seed: rank.rank == 1 ? seed : 1)
        }
      }
    }
  }
}
