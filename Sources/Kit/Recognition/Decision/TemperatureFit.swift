internal import CLibrary

/// The temperature under which the labels of some drawings are likeliest, near that of the base
/// (temperature scaling, Guo et al. 2017, arXiv 1706.04599, with a normal prior of log T).
///
/// The base's temperature is that of labels chosen at random. Labels that are all alike need a
/// lower one, as what they have in common cancels out of the differences of their scores.
struct TemperatureFit {
  /// The standard deviation of log T among tasks. Measured on labels held out from
  /// `models/base-slim.drawml`, see `docs/research/acceptance.md`.
  static let deviation = 0.3
  /// The maximum number of scores that are used; of more, evenly chosen rows.
  static let scoreLimit = 32_768
  private static let maxSteps = 20
  private static let longestStep = 0.5
  private static let tolerance = 1e-4

  /// The temperature, > 0.
  let temperature: Float

  /// Fits the temperature by Fisher scoring.
  ///
  /// - Parameters:
  ///   - rows: The scores of all labels for each drawing, with the index of its label.
  ///   - base: The temperature before any drawing is seen, > 0.
  /// - Complexity: O(scores), at most `scoreLimit` of them, in each of few steps.
  init(_ rows: [(scores: [Float], label: Int)], base: Float) {
    let labels = rows.first?.scores.count ?? 0
    guard labels > 1 else {
      temperature = base
      return
    }
    let count = min(rows.count, max(1, Self.scoreLimit / labels))
    let chosen = (0..<count).map { rows[$0 * rows.count / count] }
    let precision = 1 / (Self.deviation * Self.deviation)
    let start = log(Double(base))
    var logT = start
    for _ in 0..<Self.maxSteps {
      // The derivative of the negative log posterior, and its expected second derivative.
      var (slope, curvature) = ((logT - start) * precision, precision)
      let scale = exp(-logT)
      for (scores, label) in chosen {
        let moments = Self.moments(scores, scale: scale)
        slope += (Double(scores[label]) - moments.mean) * scale
        curvature += moments.variance * scale * scale
      }
      let step = min(max(slope / curvature, -Self.longestStep), Self.longestStep)
      logT -= step
      if abs(step) < Self.tolerance { break }
    }
    temperature = Float(exp(logT))
  }

  /// The mean and the variance of the scores under their softmax.
  private static func moments(
    _ scores: [Float], scale: Double
  ) -> (mean: Double, variance: Double) {
    let top = Double(scores.max() ?? 0)
    var (sum, first, second) = (0.0, 0.0, 0.0)
    for score in scores {
      let lead = Double(score) - top
      let weight = exp(lead * scale)
      sum += weight
      first += weight * lead
      second += weight * lead * lead
    }
    let mean = first / sum
    return (top + mean, max(0, second / sum - mean * mean))
  }
}
