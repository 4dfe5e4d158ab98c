internal import CLibrary

/// Bayes' rule under the two-covariance model of the prior (see `TwoCovarianceModel`): suited to
/// few samples, because the covariances within and between labels are known in advance.
///
/// The statistics of a label depend on its own samples alone and are kept in the memory, so
/// teaching is incremental. Confidences are a softmax of the labels' scores divided by a
/// temperature: that of the prior's calibration for the numbers of labels and samples, corrected by
/// the taught samples, each left out of its label.
public struct TwoCovariance: Sendable, Equatable {
  /// The temperature without a calibration; measured ones are between 2 and 3.
  public static let defaultTemperature: Float = 2.5

  /// The divisor of the scores before the softmax, > 0.
  public let temperature: Float

  /// An unfitted head.
  init() { temperature = Self.defaultTemperature }

  /// Finds the temperature.
  init(fittedTo memory: SampleMemory) {
    temperature = Self.temperature(in: memory)
  }

  /// The temperature for the memory's labels, by the prior and the samples. Samples that the
  /// embedding was fitted to do not count: their scores are too good.
  static func temperature(in memory: SampleMemory) -> Float {
    let rows = memory.leftOut.isFresh ? memory.leftOut.estimates() : []
    return TemperatureFit(rows, base: baseTemperature(in: memory)).temperature
  }

  /// The temperature in the prior's calibration for the memory's labels.
  static func baseTemperature(in memory: SampleMemory) -> Float {
    baseTemperature(ofLabelsWith: memory.scores.labels.map(\.count), memory.prior?.calibration)
  }

  /// The temperature in a calibration for labels with the given numbers of samples.
  static func baseTemperature(ofLabelsWith counts: [Int], _ calibration: Calibration?) -> Float {
    calibration?.distribution(ofLabelsWith: counts).temperature ?? defaultTemperature
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
  /// For each query and label, the log-likelihood ratio of the label against an untaught label,
  /// lowered for labels with fewer samples than others (see `FewSamples`).
  ///
  /// - Parameter queries: Unit vectors, row-major, shape [queries, dimension].
  /// - Returns: Row-major, shape [queries, labels].
  public func scores(of queries: [Float]) -> [Float] {
    let (projected, directions) = (scores.model.project(queries), scores.model.directions)
    return stride(from: 0, to: projected.count, by: directions).flatMap {
      zip(scores.scores(of: Array(projected[$0..<($0 + directions)])), penalties).map { $0 - $1 }
    }
  }
}
