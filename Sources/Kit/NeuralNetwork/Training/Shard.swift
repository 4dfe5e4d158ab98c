internal import Numbers
internal import Synchronization

/// The result of one shard of a mini-batch: its part of the gradient and its own statistics.
struct ShardResult: Sendable {
  var gradient: [Float]
  var statistics: [Float]
  var score = TrainingLoss.Result()
}

/// Storage for one shard's result, reused from step to step.
final class ShardSlot: Sendable {
  let result: Mutex<ShardResult>

  init(_ network: Network) {
    result = Mutex(
      ShardResult(
        gradient: [Float](repeating: 0, count: network.parameters.count),
        statistics: network.statistics))
  }
}

/// The buffers of one thread, reused from step to step.
struct ShardWorkspace: Sendable {
  private var states: [LayerState]
  private var pass: Pass
  private var input: [Float]
  private var example: [Float]
  private var gradient: [Float]
  private var labels: [Int?] = []
  private var targets: [Float]
  private var target: [Float]
  private let inputSize: Int
  private let targetSize: Int

  init(for network: Network, capacity: Int, targetSize: Int) {
    self.targetSize = targetSize
    targets = [Float](repeating: 0, count: capacity * targetSize)
    target = [Float](repeating: 0, count: targetSize)
    (states, pass) = network.prepare(capacity: capacity, isTraining: true)
    inputSize = network.inputSize
    input = [Float](repeating: 0, count: capacity * inputSize)
    example = [Float](repeating: 0, count: inputSize)
    gradient = [Float](repeating: 0, count: pass.spare.count)
  }

  /// Computes the gradient of `examples`, each weighted by `factor`.
  mutating func run(
    _ network: Network, _ examples: ArraySlice<Int>, of data: any TrainingData, epoch: Int,
    seed: UInt64, loss: TrainingLoss, factor: Float, into result: inout ShardResult
  ) throws {
    pass.count = examples.count
    pass.seed = seed
    pass.epoch = epoch
    pass.examples.removeAll(keepingCapacity: true)
    pass.examples.append(contentsOf: examples)
    labels.removeAll(keepingCapacity: true)
    for (position, index) in examples.enumerated() {
      Kernels.zero(&example)
      Kernels.zero(&target)
      // Stream 1; the order of examples uses 0, dropout 2.
      var generator = SeededGenerator(seed: seed, stream: 1, epoch, index)
      labels.append(
        try data.fill(
          &example, &target, with: index, classes: network.outputSize - targetSize,
          of: "training", using: &generator))
      Kernels.copy(example, count: inputSize, into: &input, at: position * inputSize)
      Kernels.copy(target, count: targetSize, into: &targets, at: position * targetSize)
    }
    swap(&pass.gradient, &result.gradient)
    swap(&pass.statistics, &result.statistics)
    Kernels.zero(&pass.gradient)
    pass.parameters = network.parameters
    network.architecture.layers.forward(input, &states, &pass)
    result.score = loss(
      states.last?.output ?? input, width: network.outputSize, targets: targets,
      targetSize: targetSize, labels: labels, gradient: &gradient, factor: factor)
    network.architecture.layers.backward(input, &gradient, &states, &pass)
    // Releases the parameters, which would otherwise be copied when the optimizer changes them.
    pass.parameters = []
    swap(&pass.gradient, &result.gradient)
    swap(&pass.statistics, &result.statistics)
  }
}

/// Runs this process's shards of a mini-batch on several threads and sums the results of all in
/// order.
struct ShardRunner: Sendable {
  /// The buffers of idle threads.
  private let workspaces = Pool<ShardWorkspace>()
  private let slots: [ShardSlot]
  private let shardSize: Int
  private let threads: Int
  private let reducer: any GradientReducer

  /// - Throws: `NetworkError` for more processes than shards.
  init(
    for network: Network, batchSize: Int, shardSize: Int, threads: Int,
    reducer: any GradientReducer
  ) throws(NetworkError) {
    let count = (batchSize + shardSize - 1) / shardSize
    guard reducer.rankCount <= count else {
      throw .tooManyRanks(
        reducer.rankCount, shards: count, batchSize: batchSize, shardSize: shardSize)
    }
    slots = (0..<reducer.largestPart(of: count)).map { _ in ShardSlot(network) }
    self.shardSize = min(shardSize, batchSize)
    self.threads = threads
    self.reducer = reducer
  }

  /// Computes the gradient of the mean loss over `batch` and updates the running statistics of
  /// `network` with the shards' statistics.
  func run(
    _ network: inout Network, _ batch: ArraySlice<Int>, of data: any TrainingData, epoch: Int,
    seed: UInt64, loss: TrainingLoss, gradient: inout [Float]
  ) async throws -> TrainingLoss.Result {
    let shards = stride(from: batch.startIndex, to: batch.endIndex, by: shardSize).map {
      batch[$0..<min($0 + shardSize, batch.endIndex)]
    }
    let own = reducer.part(of: shards.count)
    let factor = 1 / Float(batch.count)
    let current = network
    try await concurrently(own.count, threads: threads) { number in
      var workspace =
        workspaces.take()
        ?? ShardWorkspace(for: current, capacity: shardSize, targetSize: data.targetSize)
      defer { workspaces.putBack(workspace) }
      try slots[number].result.withLock { result in
        try workspace.run(
          current, shards[own.lowerBound + number], of: data, epoch: epoch, seed: seed, loss: loss,
          factor: factor, into: &result)
      }
    } then: { _, _ in
    }
    let filled = slots.prefix(own.count)
    let isFirst = reducer.isFirst
    if isFirst, let slot = filled.first {
      // The first summand; the buffer that the slot gets in exchange is overwritten in the next step.
      slot.result.withLock { swap(&gradient, &$0.gradient) }
    }
    var totals = ShardTotals()
    swap(&totals.statistics, &network.statistics)
    defer { swap(&totals.statistics, &network.statistics) }
    let level = Backend.forTraining.level
    let statisticSlots = network.statisticSlots
    try reducer.reduce(&totals, &gradient) { totals in
      for slot in filled {
        slot.result.withLock { result in
          statisticSlots.move(&totals.statistics, to: result.statistics)
          totals.score.add(result.score)
        }
      }
    } addGradients: { sum, places in
      for slot in filled.dropFirst(isFirst ? 1 : 0) {
        slot.result.withLock { Kernels.accumulate(level, $0.gradient, in: places, into: &sum) }
      }
    }
    return totals.score
  }
}

extension [StatisticSlot] {
  /// Moves running statistics towards those of a shard.
  func move(_ statistics: inout [Float], to shard: [Float]) {
    var index = 0
    for slot in self {
      for _ in 0..<slot.count {
        statistics[index] += slot.momentum * (shard[index] - statistics[index])
        index += 1
      }
    }
  }
}
