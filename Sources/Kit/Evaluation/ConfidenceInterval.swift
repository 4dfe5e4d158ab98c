internal import Numbers

/// A range that contains the true value with a given probability.
public struct ConfidenceInterval: Sendable, Equatable, Codable {
  /// The lower bound.
  public let lower: Double
  /// The upper bound.
  public let upper: Double

  /// A range from `lower` to `upper`.
  public init(lower: Double, upper: Double) {
    self.lower = lower
    self.upper = upper
  }

  /// The score interval of a rate (Wilson 1927, doi:10.1080/01621459.1927.10502953); it stays in
  /// 0...1 and is accurate for rates near 0 and 1 and for few trials.
  ///
  /// - Parameters:
  ///   - successes: The number of successes, in 0...`trials`.
  ///   - trials: The number of trials.
  ///   - level: The probability, in 0 <..< 1.
  /// - Returns: The interval, within 0...1.
  /// - Throws: `EvaluationError.empty` when `trials` is 0.
  public static func wilson(
    successes: Int, trials: Int, level: Double = 0.95
  ) throws(EvaluationError) -> ConfidenceInterval {
    guard trials != 0 else { throw .empty(what: "trials") }
    precondition(0...trials ~= successes, "\(successes) successes of \(trials) trials")
    return wilson(
      rate: Double(successes) / Double(trials), trials: Double(trials), level: level)
  }

  /// Wilson's interval of a rate among drawings of several groups, such as labels, of which those of
  /// one group are alike: the trials are counted as fewer, by the design effect 1 + (m − 1) ρ of m
  /// trials a group (Kish 1965, "Survey Sampling", section 5.4; Korn and Graubard 1998, Survey
  /// Methodology 24, 193).
  ///
  /// - Parameters:
  ///   - groups: The successes and trials of each group, 0 ≤ successes ≤ trials.
  ///   - correlation: The intraclass correlation ρ in 0...1: 0 for independent drawings, 1 where
  ///     all of a group have the same result.
  ///   - level: The probability, in 0 <..< 1.
  /// - Returns: The interval, within 0...1.
  /// - Throws: `EvaluationError.empty` when there are no trials.
  public static func wilson(
    groups: [(successes: Int, trials: Int)], correlation: Double, level: Double = 0.95
  ) throws(EvaluationError) -> ConfidenceInterval {
    let (successes, trials) = groups.reduce((0, 0)) { ($0.0 + $1.successes, $0.1 + $1.trials) }
    guard trials != 0 else { throw .empty(what: "trials") }
    precondition(0...1 ~= correlation, "a correlation of \(correlation)")
    // Of groups of different sizes, m is the size of the group that a trial is in, on average.
    let squares = groups.reduce(0.0) { $0 + Double($1.trials) * Double($1.trials) }
    let effect = 1 + (squares / Double(trials) - 1) * correlation
    return wilson(
      rate: Double(successes) / Double(trials), trials: Double(trials) / effect, level: level)
  }

  private static func wilson(rate: Double, trials count: Double, level: Double) -> Self {
    let z = normalQuantile((1 + level) / 2)
    let shrink = 1 + z * z / count
    let center = (rate + z * z / (2 * count)) / shrink
    let half =
      z / shrink * (rate * (1 - rate) / count + z * z / (4 * count * count)).squareRoot()
    return ConfidenceInterval(
      lower: rate == 0 ? 0 : max(0, center - half),
      upper: rate == 1 ? 1 : min(1, center + half))
  }

  /// The 95 % interval of the mean of independent values, such as accuracies of episodes, by
  /// Student's t, which is also accurate for few values.
  ///
  /// - Parameter values: Shape [N], finite. A single value gives the whole line, −∞ to ∞.
  /// - Returns: The interval, in the unit of the values.
  /// - Throws: `EvaluationError.empty` when N is 0, `.notFinite` for NaN or infinity.
  public static func mean(of values: [Double]) throws(EvaluationError) -> ConfidenceInterval {
    try requireFinite(values, "values")
    guard values.count > 1 else { return ConfidenceInterval(lower: -.infinity, upper: .infinity) }
    let count = Double(values.count)
    let mean = values.mean
    let half =
      studentQuantile(0.975, degreesOfFreedom: count - 1)
      * (values.sampleVariance / count).squareRoot()
    return ConfidenceInterval(lower: mean - half, upper: mean + half)
  }

  /// The 95 % interval by the percentile bootstrap of any statistic (Efron and Tibshirani 1993, "An
  /// Introduction to the Bootstrap", chapter 13).
  ///
  /// - Parameters:
  ///   - count: N, the number of samples.
  ///   - resamples: The number of resamples of N samples with replacement, at least 1.
  ///   - generator: The random generator; the same state gives the same interval.
  ///   - statistic: The statistic of the samples of the given indices, shape [N], each in 0..<N.
  /// - Returns: The interval, in the unit of the statistic.
  /// - Throws: `EvaluationError.empty` when N is 0, `.notFinite` when the statistic is NaN or
  ///   infinite, and any error of `statistic`.
  public static func bootstrap(
    count: Int, resamples: Int = 1000, using generator: inout some RandomNumberGenerator,
    statistic: ([Int]) throws -> Double
  ) throws -> ConfidenceInterval {
    guard count > 0 else { throw EvaluationError.empty(what: "samples") }
    precondition(resamples >= 1, "the bootstrap needs at least one resample, got \(resamples)")
    var values: [Double] = []
    values.reserveCapacity(resamples)
    for _ in 0..<resamples {
      values.append(try statistic((0..<count).map { _ in generator.integer(below: count) }))
    }
    let ends = try percentiles([0.025, 0.975], of: values)
    return ConfidenceInterval(lower: ends[0], upper: ends[1])
  }
}
