/// How well a score separates positives from negatives at every threshold, such as drawings of
/// known shapes from unknown ones.
///
/// A sample is classified as positive if its score is at least the threshold. Only the order of the
/// scores matters. Infinite scores are allowed.
public struct DetectionCurve: Sendable, Equatable {
  /// The counts at one threshold.
  public struct Point: Sendable, Equatable {
    /// The lowest score that is classified as positive.
    public let threshold: Double
    /// The number of positives classified as positive.
    public let truePositives: Int
    /// The number of negatives classified as positive.
    public let falsePositives: Int
  }

  /// One point per distinct score, highest threshold first; at the last, all samples are positive.
  public let points: [Point]
  /// The number of positives, at least 1.
  public let positiveCount: Int
  /// The number of negatives, at least 1.
  public let negativeCount: Int

  /// The curve of two sets of scores.
  ///
  /// - Parameters:
  ///   - positives: The scores of the positives, shape [P]; higher is more positive.
  ///   - negatives: The scores of the negatives, shape [Q].
  /// - Throws: `EvaluationError.empty` when P or Q is 0, `.notFinite` for a NaN.
  public init(positives: [Double], negatives: [Double]) throws(EvaluationError) {
    try requireNumbers(positives, "positive scores")
    try requireNumbers(negatives, "negative scores")
    let (up, down) = (positives.sorted(by: >), negatives.sorted(by: >))
    var points: [Point] = []
    var (found, mistaken) = (0, 0)
    while found < up.count || mistaken < down.count {
      let threshold = max(
        found < up.count ? up[found] : -.infinity,
        mistaken < down.count ? down[mistaken] : -.infinity)
      while found < up.count, up[found] == threshold { found += 1 }
      while mistaken < down.count, down[mistaken] == threshold { mistaken += 1 }
      points.append(
        Point(threshold: threshold, truePositives: found, falsePositives: mistaken))
    }
    self.points = points
    positiveCount = up.count
    negativeCount = down.count
  }

  /// The area under the receiver operating characteristic, in 0...1: the probability that a random
  /// positive scores higher than a random negative, ties counting half (the statistic of Mann and
  /// Whitney 1947, doi:10.1214/aoms/1177730491).
  public var areaUnderROC: Double {
    var twiceArea = 0
    var (found, mistaken) = (0, 0)
    for point in points {
      twiceArea += (point.falsePositives - mistaken) * (found + point.truePositives)
      (found, mistaken) = (point.truePositives, point.falsePositives)
    }
    return Double(twiceArea) / 2 / (Double(positiveCount) * Double(negativeCount))
  }

  /// The false positive rate at the highest threshold whose true positive rate is at least
  /// `truePositiveRate`, in 0...1; lower is better. 0.95 gives the usual FPR95.
  public func falsePositiveRate(atTruePositiveRate truePositiveRate: Double) -> Double {
    let point = points.first {
      Double($0.truePositives) / Double(positiveCount) >= truePositiveRate
    }
    return Double(point?.falsePositives ?? negativeCount) / Double(negativeCount)
  }
}
