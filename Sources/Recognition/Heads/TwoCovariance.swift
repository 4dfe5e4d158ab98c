internal import Support

/// Bayes' rule under the two-covariance model of the prior (see `TwoCovarianceModel`): made
/// for few samples, for how much drawings and labels differ is known before the first is taught.
///
/// All that it needs of a label follows from the label's samples and is kept in the memory, so
/// teaching one is a small step. Confidences are a softmax of the labels' scores divided by a
/// temperature, which the prior's calibration knows for each number of labels and samples.
public struct TwoCovariance: Sendable, Equatable {
  /// The temperature where there is no calibration; measured ones lie between 2 and 3.
  public static let defaultTemperature: Float = 2.5

  /// What the scores are divided by, > 0.
  public let temperature: Float

  /// An unfitted head.
  init() { temperature = Self.defaultTemperature }

  /// Looks the temperature up.
  ///
  /// - Complexity: O(labels).
  init(fittedTo memory: SampleMemory) {
    temperature = Self.temperature(in: memory)
  }

  /// What the prior's calibration says of labels with as many samples as there are.
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
  /// For each query and label, the logarithm of how much likelier the query is as one of the
  /// label's than as one of a label that was not taught.
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
