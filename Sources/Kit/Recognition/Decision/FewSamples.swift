internal import CLibrary

/// By how much the scores of labels with fewer samples than the others are lowered.
///
/// A score after one sample spreads less than one after five: it is seldom high, but also seldom
/// low, for drawings of other labels, too. Among labels of five samples, a label of one therefore
/// wins three to four times as many unknown drawings as each of the others
/// (`docs/research/acceptance.md`). So a label's prior odds are its number of samples over that of
/// the others, and 1 from there on; the temperature converts their logarithm to a score.
enum FewSamples {
  /// More samples of a label hardly change how many unknown drawings it wins.
  static let enough = 5

  /// The penalties of labels.
  ///
  /// - Parameters:
  ///   - counts: The number of samples of each label.
  ///   - calibration: That of the prior in use; nil for none.
  /// - Returns: What to subtract from the scores of each label, ≥ 0, shape [labels].
  static func penalties(ofLabelsWith counts: [Int], _ calibration: Calibration?) -> [Float] {
    guard counts.count > 1 else { return counts.map { _ in 0 } }
    let temperature = TwoCovariance.baseTemperature(ofLabelsWith: counts, calibration)
    let counted = counts.map { min($0, enough) }
    let sum = counted.reduce(0, +)
    return counted.map { count in
      let others = Double(sum - count) / Double(counted.count - 1)
      return temperature * Float(max(0, log(others / Double(count))))
    }
  }
}
