/// The error rate when only the most confident predictions are given (Geifman and El-Yaniv,
/// "Selective Classification for Deep Neural Networks", NIPS 2017, arXiv:1705.08500).
public struct RiskCoverageCurve: Sendable, Equatable {
  /// The coverage and risk at one threshold.
  public struct Point: Sendable, Equatable {
    /// The lowest confidence at which an answer is given.
    public let threshold: Double
    /// The share of samples with an answer, in 0...1.
    public let coverage: Double
    /// The error rate among the answers given, in 0...1.
    public let risk: Double
  }

  /// One point per distinct confidence, most confident first; the last one has coverage 1.
  public let points: [Point]
  /// The area under the curve: the mean risk over the coverages 1/N, 2/N … 1, in 0...1; lower is
  /// better.
  ///
  /// Among samples of equal confidence it is the expected risk over all orders, so that the order
  /// of the samples has no influence.
  public let area: Double

  /// The curve of answers.
  ///
  /// - Parameters:
  ///   - confidences: The confidence of each prediction, shape [N]; any range, not NaN.
  ///   - correct: Whether each prediction was correct, shape [N].
  /// - Throws: `EvaluationError.empty` when N is 0, `.notFinite` for a NaN.
  public init(confidences: [Double], correct: [Bool]) throws(EvaluationError) {
    requireSameCount(confidences.count, correct.count)
    try requireNumbers(confidences, "confidences")
    let order = zip(confidences, correct).sorted { $0.0 > $1.0 }
    var points: [Point] = []
    var (area, given, wrong) = (0.0, 0, 0)
    while given < order.count {
      let threshold = order[given].0
      var (size, errors) = (0, 0)
      while given + size < order.count, order[given + size].0 == threshold {
        errors += order[given + size].1 ? 0 : 1
        size += 1
      }
      for step in 1...size {
        let expected = Double(wrong) + Double(errors) * Double(step) / Double(size)
        area += expected / Double(given + step)
      }
      given += size
      wrong += errors
      points.append(
        Point(
          threshold: threshold, coverage: Double(given) / Double(order.count),
          risk: Double(wrong) / Double(given)))
    }
    self.points = points
    self.area = area / Double(order.count)
  }
}
