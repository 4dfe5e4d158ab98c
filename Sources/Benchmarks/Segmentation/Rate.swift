internal import Evaluation
internal import Report

/// A rate with its confidence interval.
struct Rate: Encodable {
  var count: Int
  var of: Int
  var rate: Double
  var confidenceInterval95: ConfidenceInterval

  init(_ values: [Bool]) throws {
    (count, of) = (values.count { $0 }, values.count)
    rate = Double(count) / Double(of)
    confidenceInterval95 = try .wilson(successes: count, trials: of)
  }

  var text: String {
    """
    \(percent(rate)) (\(percent(confidenceInterval95.lower)) to \
    \(percent(confidenceInterval95.upper)))
    """
  }
}
