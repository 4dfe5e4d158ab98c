/// The quantiles of `values`, interpolated linearly between the two nearest ranks (type 7 of
/// Hyndman and Fan 1996, doi:10.1080/00031305.1996.10473566, as NumPy does).
///
/// - Parameters:
///   - fractions: The shares, each in 0...1; 0.5 gives the median.
///   - values: The values in any order, shape [N], finite.
/// - Returns: One quantile per fraction, in the unit of `values`.
/// - Throws: `EvaluationError.empty` when N is 0, `.notFinite` for NaN or infinity.
public func percentiles(
  _ fractions: [Double], of values: [Double]
) throws(EvaluationError) -> [Double] {
  try requireFinite(values, "values")
  let sorted = values.sorted()
  return fractions.map { fraction in
    precondition(0...1 ~= fraction, "a percentile's fraction is in 0...1, got \(fraction)")
    let rank = fraction * Double(sorted.count - 1)
    let below = Int(rank)
    let above = min(below + 1, sorted.count - 1)
    return sorted[below] + (sorted[above] - sorted[below]) * (rank - Double(below))
  }
}

/// The distribution of the duration of many runs.
public struct LatencySummary: Sendable, Equatable, Codable {
  /// The number of runs.
  public let count: Int
  /// The shortest run.
  public let minimum: Double
  /// The mean of all runs.
  public let mean: Double
  /// The median.
  public let p50: Double
  /// The 95th percentile.
  public let p95: Double
  /// The 99th percentile.
  public let p99: Double
  /// The longest run.
  public let maximum: Double

  /// Summarizes runs, in the unit of `durations`, with `percentiles(_:of:)`.
  ///
  /// - Parameter durations: The duration of each run, shape [N], all in the same unit, finite.
  /// - Throws: `EvaluationError.empty` when N is 0, `.notFinite` for NaN or infinity.
  public init(_ durations: [Double]) throws(EvaluationError) {
    let values = try percentiles([0, 0.5, 0.95, 0.99, 1], of: durations)
    count = durations.count
    mean = durations.reduce(0, +) / Double(durations.count)
    (minimum, p50, p95, p99, maximum) = (values[0], values[1], values[2], values[3], values[4])
  }
}

extension Collection<Double> {
  /// The arithmetic mean; 0 for an empty collection.
  package var mean: Double { isEmpty ? 0 : reduce(0, +) / Double(count) }

  /// The variance of what the values are a sample of, dividing by N - 1; NaN for one value.
  package var sampleVariance: Double {
    let mean = mean
    return reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(count - 1)
  }
}
