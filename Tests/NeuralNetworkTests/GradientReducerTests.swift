import Dispatch
import Foundation
import Testing

@testable import NeuralNetwork

/// Ranks in one process, each on threads of its own, whose sums pass through boxes.
private final class BoxedRank: GradientReducer {
  /// What ranks leave for each other, by a name that is used once.
  final class Boxes: Sendable {
    let condition = NSCondition()
    // Read and written only while `condition` is locked.
    nonisolated(unsafe) private var contents: [String: [Double]] = [:]

    func put(_ values: [Double], _ name: String) {
      condition.withLock {
        contents[name] = values
        condition.broadcast()
      }
    }

    func take(_ name: String) -> [Double] {
      condition.withLock {
        while true {
          if let values = contents[name] { return values }
          condition.wait()
        }
      }
    }
  }

  let rank: Int
  let rankCount: Int
  private let boxes: Boxes
  // One task alone uses a rank.
  nonisolated(unsafe) private var calls = 0

  init(_ rank: Int, of count: Int, _ boxes: Boxes) {
    (self.rank, rankCount, self.boxes) = (rank, count, boxes)
  }

  func agree(on facts: [(name: String, value: String)]) throws {}

  func share(_ values: inout [Double]) throws {
    calls += 1
    if isFirst { boxes.put(values, "\(calls)") } else { values = boxes.take("\(calls)") }
  }

  func reduce(
    _ totals: inout ShardTotals, _ gradient: inout [Float],
    addTotals: (inout ShardTotals) -> Void,
    addGradients: (_ sum: inout MutableSpan<Float>, _ places: Range<Int>) -> Void
  ) throws {
    calls += 1
    if rank > 0 {
      totals.values = boxes.take("\(calls) totals \(rank)")
      gradient = boxes.take("\(calls) gradient \(rank)").map { Float($0) }
    }
    addTotals(&totals)
    // In parts of different lengths.
    let middle = gradient.count / 3
    for places in [middle..<gradient.count, 0..<middle] {
      var part = Array(gradient[places])
      var span = part.mutableSpan
      addGradients(&span, places)
      gradient.replaceSubrange(places, with: part)
    }
    let next = (rank + 1) % rankCount
    boxes.put(totals.values, "\(calls) totals \(next)")
    boxes.put(gradient.map(Double.init), "\(calls) gradient \(next)")
    totals.values = boxes.take("\(calls) totals 0")
    gradient = boxes.take("\(calls) gradient 0").map { Float($0) }
  }
}

/// Threads that may wait for other ranks, which those of other tasks must not.
private final class RankExecutor: TaskExecutor {
  private let queue = DispatchQueue(label: "rank", attributes: .concurrent)

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}

@Suite("Ranks that train together")
struct GradientReducerTests {
  private static func settings(
    threads: Int, averagingDecay: Float? = 0.9
  ) -> TrainingLoop.Configuration {
    TrainingLoop.Configuration(
      epochs: 2, batchSize: 20, shardSize: 4, optimizer: .adamW(weightDecay: 0.01),
      learningRate: 0.01, labelSmoothing: 0.05, gradientNormLimit: 5,
      averagingDecay: averagingDecay,
      checkpointInterval: 1, selection: averagingDecay == nil ? nil : .best, seed: 4,
      threads: threads)
  }

  /// What rank 0 gets, what all ranks get as parameters, and the checkpoints by rank.
  private static func train(
    ranks: Int, threads: Int, averagingDecay: Float? = 0.9,
    from checkpoint: TrainingCheckpoint? = nil
  ) async throws -> (
    first: TrainingLoop.Outcome, parameters: [[Float]], checkpoints: [[TrainingCheckpoint]]
  ) {
    let boxes = BoxedRank.Boxes()
    var results: [(TrainingLoop.Outcome, [TrainingCheckpoint])?] = Array(
      repeating: nil, count: ranks)
    try await withThrowingTaskGroup(of: (Int, TrainingLoop.Outcome, [TrainingCheckpoint]).self) {
      for rank in 0..<ranks {
        $0.addTask(executorPreference: RankExecutor()) {
          var loop = TrainingLoop(settings(threads: threads, averagingDecay: averagingDecay))
          loop.reducer = ranks == 1 ? OneProcess() : BoxedRank(rank, of: ranks, boxes)
          var checkpoints: [TrainingCheckpoint] = []
          let outcome = try await loop.fit(
            try smallNetwork(), to: Bars(), validation: Bars(count: 30, isAugmented: false),
            resuming: rank == 0 ? checkpoint : nil
          ) { event in
            if case .checkpoint(let checkpoint) = event { checkpoints.append(checkpoint) }
          }
          return (rank, outcome, checkpoints)
        }
      }
      for try await (rank, outcome, checkpoints) in $0 { results[rank] = (outcome, checkpoints) }
    }
    let all = results.compactMap(\.self)
    return (try #require(all.first).0, all.map(\.0.network.parameters), all.map(\.1))
  }

  @Test(
    "give the same bytes for any number of ranks and threads, and rank 0 alone keeps checkpoints",
    arguments: [(2, 1), (3, 2), (4, 1), (5, 1)])
  func sameBytes(ranks: Int, threads: Int) async throws {
    let alone = try await Self.train(ranks: 1, threads: 2)
    let together = try await Self.train(ranks: ranks, threads: threads)
    #expect(together.first.network == alone.first.network)
    #expect(together.first.history == alone.first.history)
    #expect(
      together.checkpoints.map(\.isEmpty) == [false] + Array(repeating: true, count: ranks - 1))
    let last = try #require(together.checkpoints[0].last)
    #expect(last.progress == alone.checkpoints[0].last?.progress)
  }

  @Test("have the same weights, of which rank 0 alone keeps an average")
  func weights() async throws {
    let plain = try await Self.train(ranks: 3, threads: 1, averagingDecay: nil)
    #expect(Set(plain.parameters).count == 1)
    let averaging = try await Self.train(ranks: 3, threads: 1)
    #expect(Set(averaging.parameters.dropFirst()) == Set(plain.parameters))
  }

  @Test("go on from a checkpoint that rank 0 alone has, to the bytes of an uninterrupted training")
  func resuming() async throws {
    let alone = try await Self.train(ranks: 1, threads: 1)
    let resumed = try await Self.train(ranks: 3, threads: 1, from: alone.checkpoints[0][2])
    #expect(resumed.first.network == alone.first.network)
    #expect(resumed.first.history == alone.first.history)
  }

  @Test("have room for the shards of every mini-batch up to the longest", arguments: 1...9)
  func room(ranks: Int) {
    for rank in 0..<ranks {
      let reducer = BoxedRank(rank, of: ranks, .init())
      for longest in 1...30 {
        let most = (1...longest).map { reducer.ownShards(of: $0).count }.max() ?? 0
        #expect(most <= reducer.mostOwnShards(of: longest), "rank \(rank), \(longest) shards")
      }
    }
  }

  @Test("own shards that follow each other, rank 0 the first; with too few some have none")
  func shares() {
    func shares(_ count: Int, _ ranks: Int) -> [Range<Int>] {
      (0..<ranks).map { BoxedRank($0, of: ranks, .init()).ownShards(of: count) }
    }
    #expect(shares(4, 2) == [0..<2, 2..<4])
    #expect(shares(5, 3) == [0..<2, 2..<4, 4..<5])
    #expect(shares(1, 3) == [0..<1, 1..<1, 1..<1])
    #expect(OneProcess().ownShards(of: 3) == 0..<3)
  }

  @Test("are refused where they are more than the shards of a mini-batch")
  func tooMany() async throws {
    var loop = TrainingLoop(Self.settings(threads: 1))
    loop.reducer = BoxedRank(0, of: 6, .init())
    await #expect(
      throws: NetworkError.tooManyRanks(6, shards: 5, batchSize: 20, shardSize: 4)
    ) {
      try await loop.fit(try smallNetwork(), to: Bars(), validation: Bars())
    }
  }

  @Test("send totals without losing a bit")
  func totals() {
    var totals = ShardTotals(statistics: [0.1, -3.4e38, Float.leastNonzeroMagnitude])
    totals.score.loss = 0.1 + 0.2
    (totals.score.correct, totals.score.labeled, totals.score.cosines) = (3, 5, -1.0 / 3)
    var other = ShardTotals()
    other.values = totals.values
    #expect(other == totals)
  }
}
