internal import Evaluation
internal import Report
internal import Training

/// The numbers of labels taught one by one. The JSON keys are the properties' names and stay as
/// they are; rates are fractions in 0...1; a number is the mean over orders, its interval
/// Student's.
package struct IncrementalReport: Codable, Sendable {
  /// A mean over orders.
  struct Estimate: Codable, Equatable, Sendable {
    var mean: Double
    var confidenceInterval95: ConfidenceInterval
  }

  /// The accuracy after a number of labels.
  struct Step: Codable, Equatable, Sendable {
    /// Labels taught so far.
    var labels: Int
    /// The mean accuracy on held-out drawings of all of them.
    var accuracy: Double
    var confidenceInterval95: ConfidenceInterval
  }

  /// The numbers of labels, taught drawings and held-out drawings per label, and orders.
  var labels: Int
  var shots: Int
  var queries: Int
  var orders: Int
  /// The accuracy on all labels after the last one.
  var finalAccuracy: Estimate
  /// The mean over the steps of the accuracy at that step (Rebuffi et al. 2017, arXiv:1611.07725).
  var averageAccuracy: Estimate
  /// The accuracy when all labels are taught at once.
  var allAtOnceAccuracy: Estimate
  /// The accuracy when taught at once less that one by one.
  var lostToAllAtOnce: Estimate
  /// The accuracy of a network trained from scratch on the same drawings; absent unless requested.
  var retrainedAccuracy: Estimate?
  /// Forgetting (Chaudhry et al. 2018, arXiv:1801.10112), each label evaluated among the labels
  /// known when it was taught: the decrease due to later labels, apart from the task becoming
  /// harder.
  var forgetting: Estimate
  /// Forgetting, each label evaluated among all labels taught so far: here more labels alone
  /// increase it.
  var forgettingAmongAll: Estimate
  /// Backward transfer (Lopez-Paz and Ranzato 2017, arXiv:1706.08840), evaluated as `forgetting`
  /// is.
  var backwardTransfer: Estimate
  /// The same, evaluated among all labels.
  var backwardTransferAmongAll: Estimate
  /// From strokes to the updated model, in milliseconds.
  var teachMilliseconds: LatencySummary
  /// Whether one by one and all at once gave the same model, byte for byte, in every order.
  var equalsAllAtOnce: Bool
  /// Whether forgetting every second label gave, byte for byte, a model that was never taught them,
  /// in every order.
  var forgetIsExact: Bool
  /// The accuracy after each label.
  var steps: [Step]
  var facts: RunFacts

  /// Sums up the orders, at least one.
  init(
    _ results: [IncrementalBenchmark.Order], shots: Int, queries: Int, _ facts: RunFacts
  ) throws {
    func estimate(
      _ range: ClosedRange<Double> = 0...1, _ value: (IncrementalBenchmark.Order) -> Double
    ) throws -> Estimate {
      let values = results.map(value)
      let interval = try ConfidenceInterval.mean(of: values)
      return Estimate(
        mean: values.reduce(0, +) / Double(values.count),
        confidenceInterval95: ConfidenceInterval(
          lower: max(range.lowerBound, interval.lower), upper: min(range.upperBound, interval.upper)
        ))
    }
    labels = results[0].labels.count
    self.shots = shots
    self.queries = queries
    orders = results.count
    finalAccuracy = try estimate { $0.amongAll.finalAverage }
    averageAccuracy = try estimate { $0.amongAll.incrementalAverage }
    allAtOnceAccuracy = try estimate { $0.allAtOnce }
    lostToAllAtOnce = try estimate(-1...1) { $0.allAtOnce - $0.amongAll.finalAverage }
    retrainedAccuracy =
      results.allSatisfy { $0.retrained != nil } ? try estimate { $0.retrained ?? 0 } : nil
    forgetting = try estimate(-1...1) { $0.amongKnown.averageForgetting }
    forgettingAmongAll = try estimate(-1...1) { $0.amongAll.averageForgetting }
    backwardTransfer = try estimate(-1...1) { $0.amongKnown.backwardTransfer }
    backwardTransferAmongAll = try estimate(-1...1) { $0.amongAll.backwardTransfer }
    teachMilliseconds = try LatencySummary(results.flatMap(\.teachMilliseconds))
    equalsAllAtOnce = results.allSatisfy(\.equalsAllAtOnce)
    forgetIsExact = results.allSatisfy(\.forgetIsExact)
    steps = try (0..<labels).map { step in
      let one = try estimate { order in
        let row = order.amongAll.accuracies[step]
        return row.reduce(0, +) / Double(row.count)
      }
      return Step(
        labels: step + 1, accuracy: one.mean, confidenceInterval95: one.confidenceInterval95)
    }
    self.facts = facts
  }
}

extension IncrementalReport {
  /// A few lines for people.
  package var lines: [String] {
    func rate(_ estimate: Estimate) -> String {
      let interval = estimate.confidenceInterval95
      return
        "\(percent(estimate.mean)) (95 %: \(percent(interval.lower)) to \(percent(interval.upper)))"
    }
    var lines = [
      "\(counted(labels, "label")) taught one by one from \(counted(shots, "drawing")) each, "
        + "\(counted(orders, "order")), \(facts.head)",
      "accuracy at the end        \(rate(finalAccuracy))",
      "  taught all at once       \(rate(allAtOnceAccuracy))"
        + (equalsAllAtOnce ? "  the same model, byte for byte" : ""),
    ]
    if let retrainedAccuracy {
      lines.append("  trained from scratch \(rate(retrainedAccuracy))")
    }
    lines += [
      "accuracy on the way        \(rate(averageAccuracy))",
      "forgetting                 \(rate(forgetting))  among the labels known when taught",
      "                           \(rate(forgettingAmongAll))  among all labels so far",
      "backward transfer          \(rate(backwardTransfer))  among the labels known when taught",
      "teaching one drawing       \(decimal(Float(teachMilliseconds.p50))) ms (median), "
        + "\(decimal(Float(teachMilliseconds.p95))) ms (95 % stay below)",
      "forgetting half of them    "
        + (forgetIsExact
          ? "exact: as if they had never been taught"
          : "not exact: the model differs from one never taught them"),
    ]
    return lines
  }
}
