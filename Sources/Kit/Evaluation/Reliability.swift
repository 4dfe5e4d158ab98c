/// How samples are binned by confidence.
public enum ConfidenceBinning: Sendable, Equatable {
  /// Bins ((m − 1) / M, m / M] of equal width; a confidence of 0 goes to the first one.
  case equalWidth(Int)
  /// Bins of about equally many samples: samples of equal confidence stay together, so that the
  /// order of the samples has no influence. There may be fewer bins than requested.
  case equalMass(Int)
}

/// Confidence against accuracy: the reliability diagram and the calibration errors of Guo et al.,
/// "On Calibration of Modern Neural Networks", ICML 2017, arXiv:1706.04599.
public struct ReliabilityDiagram: Sendable, Equatable {
  /// The samples in one confidence interval.
  public struct Bin: Sendable, Equatable, Encodable {
    /// The lower bound of the bin's confidences, in 0...1.
    public let lower: Double
    /// The upper bound, inclusive, in 0...1.
    public let upper: Double
    /// The number of samples.
    public let count: Int
    /// Their mean confidence, in 0...1; 0 for an empty bin.
    public let meanConfidence: Double
    /// Their accuracy, in 0...1; 0 for an empty bin.
    public let accuracy: Double
  }

  /// The bins in ascending order of confidence; with equal width, empty ones are included.
  public let bins: [Bin]

  /// Puts samples into bins.
  ///
  /// - Parameters:
  ///   - confidences: The confidence of each prediction, shape [N], each in 0...1.
  ///   - correct: Whether each prediction was correct, shape [N].
  ///   - binning: The binning, with at least one bin.
  /// - Throws: `EvaluationError.empty`, `.notFinite` or `.outOfRange` for the confidences.
  public init(
    confidences: [Double], correct: [Bool], binning: ConfidenceBinning = .equalWidth(15)
  ) throws(EvaluationError) {
    requireSameCount(confidences.count, correct.count)
    try requireFractions(confidences, "confidences")
    switch binning {
    case .equalWidth(let binCount):
      bins = Self.equalWidth(confidences, correct, binCount)
    case .equalMass(let binCount):
      bins = Self.equalMass(confidences, correct, binCount)
    }
  }

  /// The mean absolute difference of confidence and accuracy over the bins, weighted by sample
  /// count, in 0...1.
  public var expectedCalibrationError: Double {
    let total = Double(bins.reduce(0) { $0 + $1.count })
    return bins.reduce(0) { $0 + Double($1.count) / total * abs($1.accuracy - $1.meanConfidence) }
  }

  private static func equalWidth(
    _ confidences: [Double], _ correct: [Bool], _ binCount: Int
  ) -> [Bin] {
    precondition(binCount >= 1, "at least one bin is needed, got \(binCount)")
    var members = [[Int]](repeating: [], count: binCount)
    for (index, confidence) in confidences.enumerated() {
      var bin = min(binCount - 1, Int(confidence * Double(binCount)))
      // Rounding may move the product across an edge, so compare with the edge itself.
      if bin > 0, confidence <= Double(bin) / Double(binCount) { bin -= 1 }
      members[bin].append(index)
    }
    return members.enumerated().map { bin, indices in
      Bin(
        lower: Double(bin) / Double(binCount), upper: Double(bin + 1) / Double(binCount),
        indices, confidences, correct)
    }
  }

  private static func equalMass(
    _ confidences: [Double], _ correct: [Bool], _ binCount: Int
  ) -> [Bin] {
    precondition(binCount >= 1, "at least one bin is needed, got \(binCount)")
    let order = confidences.indices.sorted { (confidences[$0], $0) < (confidences[$1], $1) }
    var bins: [Bin] = []
    var start = 0
    var lower = 0.0
    for bin in 1...binCount {
      var end = max(start, bin * order.count / binCount)
      guard end > start else { continue }
      while end < order.count, confidences[order[end]] == confidences[order[end - 1]] { end += 1 }
      let upper = end == order.count ? 1 : confidences[order[end - 1]]
      bins.append(
        Bin(lower: lower, upper: upper, Array(order[start..<end]), confidences, correct))
      (start, lower) = (end, upper)
    }
    return bins
  }
}

extension ReliabilityDiagram.Bin {
  fileprivate init(
    lower: Double, upper: Double, _ indices: [Int], _ confidences: [Double], _ correct: [Bool]
  ) {
    let count = Double(max(indices.count, 1))
    self.init(
      lower: lower, upper: upper, count: indices.count,
      meanConfidence: indices.reduce(0) { $0 + confidences[$1] } / count,
      accuracy: Double(indices.count { correct[$0] }) / count)
  }
}
