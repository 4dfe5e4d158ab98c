import Synchronization
import TestTools
import Testing

@testable import NeuralNetwork

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
    let all = try await ThreadRank.run(ranks) { rank in
      var loop = TrainingLoop(settings(threads: threads, averagingDecay: averagingDecay))
      loop.reducer = rank
      var checkpoints: [TrainingCheckpoint] = []
      let outcome = try await loop.fit(
        try smallNetwork(), to: Bars(), validation: Bars(count: 90, isAugmented: false),
        resuming: rank.isFirst ? checkpoint : nil
      ) { event in
        if case .checkpoint(let checkpoint) = event { checkpoints.append(checkpoint) }
      }
      return (outcome, checkpoints)
    }
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

  @Test("have the weights of the best epoch in the end, also where rank 0 alone knows it")
  func bestEpoch() async throws {
    @Sendable func train(
      _ rank: any GradientReducer, from checkpoint: TrainingCheckpoint? = nil
    ) async throws -> (outcome: TrainingLoop.Outcome, checkpoints: [TrainingCheckpoint]) {
      var loop = TrainingLoop(Self.settings(threads: 1))
      loop.reducer = rank
      var checkpoints: [TrainingCheckpoint] = []
      // Each epoch is worse than the one before.
      let epochs = Mutex(checkpoint == nil ? 0 : 1)
      let outcome = try await loop.fit(
        try smallNetwork(), to: Bars(), resuming: rank.isFirst ? checkpoint : nil,
        onEvent: { if case .checkpoint(let checkpoint) = $0 { checkpoints.append(checkpoint) } },
        measure: { _ in
          epochs.withLock {
            $0 += 1
            return 1 / Double($0)
          }
        })
      return (outcome, checkpoints)
    }
    let alone = try await train(OneProcess())
    #expect(alone.outcome.history.best?.epoch == 0)
    let last = try #require(alone.checkpoints.dropLast().last)
    #expect(last.epoch == 1 && alone.outcome.network != last.progress.network)
    for checkpoint in [nil, last] {
      let all = try await ThreadRank.run(3) { try await train($0, from: checkpoint).outcome }
      #expect(all.map(\.network) == Array(repeating: alone.outcome.network, count: 3))
      #expect(all[0].history == alone.outcome.history)
    }
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
      let reducer = ThreadRank(rank, of: ranks)
      for longest in 1...30 {
        let most = (1...longest).map { reducer.part(of: $0).count }.max() ?? 0
        #expect(most <= reducer.largestPart(of: longest), "rank \(rank), \(longest) shards")
      }
    }
  }

  @Test("own shards that follow each other, rank 0 the first; with too few some have none")
  func shares() {
    func shares(_ count: Int, _ ranks: Int) -> [Range<Int>] {
      (0..<ranks).map { ThreadRank($0, of: ranks).part(of: count) }
    }
    #expect(shares(4, 2) == [0..<2, 2..<4])
    #expect(shares(5, 3) == [0..<2, 2..<4, 4..<5])
    #expect(shares(1, 3) == [0..<1, 1..<1, 1..<1])
    #expect(OneProcess().part(of: 3) == 0..<3)
  }

  @Test("are refused where they are more than the shards of a mini-batch")
  func tooMany() async throws {
    await #expect(
      throws: NetworkError.tooManyRanks(6, shards: 5, batchSize: 20, shardSize: 4)
    ) {
      try await ThreadRank.run(6) { rank in
        var loop = TrainingLoop(Self.settings(threads: 1))
        loop.reducer = rank
        _ = try await loop.fit(try smallNetwork(), to: Bars(), validation: Bars())
      }
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
