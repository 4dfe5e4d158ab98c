/// How well a learner retains earlier tasks after each new task.
public struct IncrementalAccuracy: Sendable, Equatable {
  /// The accuracy on task j after learning tasks 0...i, at [i][j] for j ≤ i, each in 0...1.
  public let accuracies: [[Double]]

  /// The record of a learner.
  ///
  /// - Parameter accuracies: The accuracy on each task learned so far, after each task: row i holds
  ///   i + 1 values, each in 0...1.
  /// - Throws: `EvaluationError.empty` without rows, `.notFinite` or `.outOfRange` for a value.
  public init(accuracies: [[Double]]) throws(EvaluationError) {
    guard !accuracies.isEmpty else { throw .empty(what: "tasks") }
    for (row, values) in accuracies.enumerated() {
      precondition(
        values.count == row + 1, "row \(row) needs \(row + 1) accuracies, got \(values.count)")
      try requireFractions(values, "accuracies after task \(row)")
    }
    self.accuracies = accuracies
  }

  /// The mean accuracy over all tasks after the last one, in 0...1.
  public var finalAverage: Double { Self.mean(last) }

  /// The mean, over the tasks learned, of the mean accuracy at that time, in 0...1 (Rebuffi et al.,
  /// "iCaRL", CVPR 2017, arXiv:1611.07725).
  public var incrementalAverage: Double { Self.mean(accuracies.map(Self.mean)) }

  /// The forgetting of each task but the last: its best accuracy before the last task minus its
  /// final accuracy, in −1...1 (Chaudhry et al., "Riemannian Walk for Incremental Learning", ECCV
  /// 2018, arXiv:1801.10112). Negative if later tasks helped.
  public var forgettingByTask: [Double] {
    (0..<last.count - 1).map { task in
      let earlier = accuracies[task..<accuracies.count - 1].map { $0[task] }
      return (earlier.max() ?? 0) - last[task]
    }
  }

  /// The mean forgetting, in −1...1; 0 after a single task.
  public var averageForgetting: Double {
    let forgetting = forgettingByTask
    return forgetting.isEmpty ? 0 : Self.mean(forgetting)
  }

  /// The mean change in the accuracy of earlier tasks caused by later ones, in −1...1; 0 after a
  /// single task (Lopez-Paz and Ranzato, "Gradient Episodic Memory", NIPS 2017, arXiv:1706.08840).
  public var backwardTransfer: Double {
    let changes = (0..<last.count - 1).map { last[$0] - accuracies[$0][$0] }
    return changes.isEmpty ? 0 : Self.mean(changes)
  }

  private var last: [Double] { accuracies[accuracies.count - 1] }

  private static func mean(_ values: [Double]) -> Double {
    values.reduce(0, +) / Double(values.count)
  }
}
