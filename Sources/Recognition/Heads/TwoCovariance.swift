internal import Support

/// Bayes' rule under the two-covariance model of the prior (see `TwoCovarianceModel`): suited to
/// few samples, because the covariances within and between labels are known in advance.
///
/// The statistics of a label depend on its own samples alone and are kept in the memory, so
/// teaching is incremental. Confidences are a softmax of the labels' scores divided by a
/// temperature, which the prior's calibration gives for each number of labels and samples.
public struct TwoCovariance: Sendable, Equatable {
  /// The temperature without a calibration; measured ones are between 2 and 3.
  public static let defaultTemperature: Float = 2.5

  /// The divisor of the scores before the softmax, > 0.
  public let temperature: Float

  /// An unfitted head.
  init() { temperature = Self.defaultTemperature }

  /// Looks the temperature up.
  ///
  /// - Complexity: O(labels).
  init(fittedTo memory: SampleMemory) {
    temperature = Self.temperature(in: memory)
  }

  /// The temperature in the prior's calibration for the memory's labels and samples.
  static func temperature(in memory: SampleMemory) -> Float {
    memory.prior?.calibration?
      .distribution(ofLabelsWith: memory.scores.labels.map(\.count)).temperature
      ?? defaultTemperature
  }

  /// A softmax over the labels' scores.
  func confidences(for queries: [Float], in memory: SampleMemory) -> [Float] {
    confidences(ofScores: memory.scores(of: queries), labels: memory.labels.count)
  }

  /// The same for scores that are known, shape [queries, labels].
  func confidences(ofScores scores: [Float], labels: Int) -> [Float] {
    var logits = scores.map { $0 / temperature }
    softmaxRows(&logits, columns: labels)
    return logits
  }

  /// The log-likelihood ratio of any taught label against an untaught one.
  func nearness(of queries: [Float], in memory: SampleMemory) -> [Float] {
    let (scores, labels) = (memory.scores(of: queries), memory.labels.count)
    return stride(from: 0, to: scores.count, by: max(1, labels)).map { start in
      let row = scores[start..<(start + labels)]
      let best = row.max() ?? 0
      let sum = row.reduce(Float(0)) { $0 + exp($1 - best) }
      return best + Float(log(Double(sum))) - Float(log(Double(labels)))
    }
  }
}

extension SampleMemory {
  /// For each query and label, the log-likelihood ratio of the label against an untaught label.
  ///
  /// - Parameter queries: Unit vectors, row-major, shape [queries, dimension].
  /// - Returns: Row-major, shape [queries, labels].
  public func scores(of queries: [Float]) -> [Float] {
    let (projected, directions) = (scores.model.project(queries), scores.model.directions)
    return stride(from: 0, to: projected.count, by: directions).flatMap {
      scores.scores(of: Array(projected[$0..<($0 + directions)]))
    }
  }
}
