internal import Evaluation

/// What `benchmark open-set --format json` prints: the keys of few-shot, and the reliability
/// diagram.
struct OpenSetReport: Encodable {
  /// A bin of the reliability diagram.
  struct Bin: Encodable {
    var lower: Double
    var upper: Double
    var count: Int
    var meanConfidence: Double
    var accuracy: Double
  }

  private let report: TaskBenchmark.Report
  private let reliability: [Bin]

  init(_ result: TaskBenchmark.Result) throws {
    report = result.report
    reliability = try TaskPage.reliability(result.outcomes).bins.map {
      Bin(
        lower: $0.lower, upper: $0.upper, count: $0.count, meanConfidence: $0.meanConfidence,
        accuracy: $0.accuracy)
    }
  }

  private enum CodingKeys: CodingKey {
    case reliability
  }

  func encode(to encoder: any Encoder) throws {
    try report.encode(to: encoder)
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(reliability, forKey: .reliability)
  }
}
