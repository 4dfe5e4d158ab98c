/// What the shards of a mini-batch add up to, besides their gradients.
package struct ShardTotals: Sendable, Equatable {
  /// The network's running statistics, moved by one shard after the other.
  package var statistics: [Float]
  /// The summed losses and counts.
  package var score = TrainingLoss.Result()

  /// Statistics without the score of any example.
  package init(statistics: [Float] = []) {
    self.statistics = statistics
  }

  /// The statistics and the score as numbers that keep every bit, to send them.
  package var values: [Double] {
    get {
      statistics.map(Double.init)
        + [score.loss, Double(score.correct), Double(score.labeled), score.cosines]
    }
    set {
      let rest = newValue.suffix(4).map(\.self)
      statistics = newValue.dropLast(4).map { Float($0) }
      (score.loss, score.correct) = (rest[0], Int(rest[1]))
      (score.labeled, score.cosines) = (Int(rest[2]), rest[3])
    }
  }
}

/// Ranks that train one network together, and how they sum what the shards of a mini-batch give.
///
/// A floating-point sum depends on its order. So that no weight depends on the number of ranks, each
/// rank owns shards that follow each other, and the sum passes through the ranks: each adds its own
/// shards, one by one, to what the ranks before it gave.
package protocol GradientReducer: Ranks {
  /// Sums over all shards of a mini-batch.
  ///
  /// - Parameters:
  ///   - totals: On rank 0 the statistics before the step; replaced by those after all shards, and
  ///     their score.
  ///   - gradient: On rank 0 the gradient of the first shard; replaced by the sum of all.
  ///   - addTotals: Adds the rank's own shards, one by one.
  ///   - addGradients: Adds a part of the gradients of the rank's own shards, one by one, but for the
  ///     first shard of all: to the sum at these places, which is as long as their range.
  /// - Throws: When a rank is lost, and `CancellationError`.
  func reduce(
    _ totals: inout ShardTotals, _ gradient: inout [Float],
    addTotals: (inout ShardTotals) -> Void,
    addGradients: (_ sum: inout MutableSpan<Float>, _ places: Range<Int>) -> Void
  ) throws
}

/// One process, which does all of the work.
package struct OneProcess: GradientReducer {
  package let rank = 0
  package let rankCount = 1

  package init() {}

  package func agree(on facts: [(name: String, value: String)]) {}

  package func broadcast(_ values: inout [Double]) {}

  package func allGather(bytes own: [UInt8]) -> [[UInt8]] { [own] }

  package func reduce(
    _ totals: inout ShardTotals, _ gradient: inout [Float],
    addTotals: (inout ShardTotals) -> Void,
    addGradients: (_ sum: inout MutableSpan<Float>, _ places: Range<Int>) -> Void
  ) {
    addTotals(&totals)
    var sum = gradient.mutableSpan
    addGradients(&sum, 0..<sum.count)
  }
}
