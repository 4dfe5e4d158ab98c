/// The share of known samples accepted and classified correctly against the share of unknown
/// samples accepted: the open-set classification rate of Dhamija, Günther and Boult, "Reducing
/// Network Agnostophobia", NeurIPS 2018, arXiv:1811.04110.
public struct OpenSetCurve: Sendable, Equatable {
  /// The rates at one threshold.
  public struct Point: Sendable, Equatable {
    /// The lowest accepted score.
    public let threshold: Double
    /// The share of known samples that are accepted and classified correctly, in 0...1.
    public let correctClassificationRate: Double
    /// The share of unknown samples that are accepted, in 0...1.
    public let falsePositiveRate: Double
  }

  /// One point per distinct score, highest threshold first; the last one accepts all samples.
  public let points: [Point]

  /// The curve of known and unknown samples.
  ///
  /// - Parameters:
  ///   - knownScores: The confidence of each prediction for known samples, shape [K].
  ///   - correct: Whether each of those predictions is correct, shape [K].
  ///   - unknownScores: The confidence of each prediction for samples of unknown classes, shape
  ///     [U].
  /// - Throws: `EvaluationError.empty` when K or U is 0, `.notFinite` for a NaN.
  public init(
    knownScores: [Double], correct: [Bool], unknownScores: [Double]
  ) throws(EvaluationError) {
    requireSameCount(knownScores.count, correct.count)
    try requireNumbers(knownScores, "scores of known samples")
    try requireNumbers(unknownScores, "scores of unknown samples")
    let known = zip(knownScores, correct).sorted { $0.0 > $1.0 }
    let unknown = unknownScores.sorted(by: >)
    var points: [Point] = []
    var (seen, right, passed) = (0, 0, 0)
    while seen < known.count || passed < unknown.count {
      let threshold = max(
        seen < known.count ? known[seen].0 : -.infinity,
        passed < unknown.count ? unknown[passed] : -.infinity)
      while seen < known.count, known[seen].0 == threshold {
        right += known[seen].1 ? 1 : 0
        seen += 1
      }
      while passed < unknown.count, unknown[passed] == threshold { passed += 1 }
      points.append(
        Point(
          threshold: threshold,
          correctClassificationRate: Double(right) / Double(known.count),
          falsePositiveRate: Double(passed) / Double(unknown.count)))
    }
    self.points = points
  }

  /// OSCR: the area under the curve by trapezoids, in 0...1. If every known sample is classified
  /// correctly, it equals the area under the ROC of known against unknown.
  public var area: Double {
    var (area, lastRate, lastShare) = (0.0, 0.0, 0.0)
    for point in points {
      area +=
        (point.falsePositiveRate - lastShare) * (point.correctClassificationRate + lastRate) / 2
      (lastRate, lastShare) = (point.correctClassificationRate, point.falsePositiveRate)
    }
    return area
  }
}
