/// How many known samples are classified rightly at each share of unknown ones let through: the
/// open-set classification rate of Dhamija, Günther and Boult, "Reducing Network Agnostophobia",
/// NeurIPS 2018, arXiv:1811.04110.
public struct OpenSetCurve: Sendable, Equatable {
  /// What is let through at one threshold.
  public struct Point: Sendable, Equatable {
    /// The lowest score that is let through.
    public let threshold: Double
    /// The share of known samples let through and classified rightly, in 0...1.
    public let correctClassificationRate: Double
    /// The share of unknown samples let through, in 0...1.
    public let falsePositiveRate: Double
  }

  /// One point a distinct score, highest threshold first; the last one lets all through.
  public let points: [Point]

  /// The curve of known and unknown samples.
  ///
  /// - Parameters:
  ///   - knownScores: How sure the answers to known samples were, shape [K].
  ///   - correct: Whether those answers name the right class, shape [K].
  ///   - unknownScores: How sure the answers to samples of no known class were, shape [U].
  /// - Throws: `EvaluationError.empty` when K or U is 0, `.notANumber` for a NaN.
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

  /// OSCR: the area under the curve by trapezoids, in 0...1. Where every known sample is classified
  /// rightly it equals the area under the ROC of known against unknown.
  public var area: Double {
    var (area, lastRate, lastShare) = (0.0, 0.0, 0.0)
    for point in points {
      area +=
        (point.falsePositiveRate - lastShare) * (point.correctClassificationRate + lastRate) / 2
      (lastRate, lastShare) = (point.correctClassificationRate, point.falsePositiveRate)
    }
    return area
  }

  /// The best correct classification rate that lets through at most the share `falsePositiveRate`
  /// of the unknown samples, in 0...1.
  public func correctClassificationRate(atFalsePositiveRate falsePositiveRate: Double) -> Double {
    points.last { $0.falsePositiveRate <= falsePositiveRate }?.correctClassificationRate ?? 0
  }
}
