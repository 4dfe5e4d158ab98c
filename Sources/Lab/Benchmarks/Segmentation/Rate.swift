internal import Evaluation
internal import Report
internal import Segmentation

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

  /// The rates of the plain groupings for which `values` are not empty, by their cues' names.
  static func byCue(_ values: (PlainGrouping.Cue) -> [Bool]) throws -> [String: Rate] {
    var rates: [String: Rate] = [:]
    for cue in PlainGrouping.Cue.allCases {
      let values = values(cue)
      if !values.isEmpty { rates[cue.rawValue] = try Rate(values) }
    }
    return rates
  }

  var text: String {
    """
    \(percent(rate)) (\(percent(confidenceInterval95.lower)) to \
    \(percent(confidenceInterval95.upper)))
    """
  }
}
