/// McNemar's exact test: whether two classifiers differ in accuracy, or chance explains the
/// difference (McNemar 1947, doi:10.1007/BF02295996).
///
/// Only samples that one of them gets right and the other wrong tell them apart. If both were
/// equally good, each of these would favor either with probability 1/2.
public struct McNemarTest: Sendable, Equatable, Codable {
  /// How many samples only the first gets right.
  public let onlyFirst: Int
  /// How many samples only the second gets right.
  public let onlySecond: Int
  /// The two-sided p-value in 0...1, by the binomial distribution: the probability of a difference
  /// at least as large if both are equally good.
  public let pValue: Double

  /// The test of two counts ≥ 0.
  public init(onlyFirst: Int, onlySecond: Int) {
    precondition(
      onlyFirst >= 0 && onlySecond >= 0, "counts of \(onlyFirst) and \(onlySecond) samples")
    self.onlyFirst = onlyFirst
    self.onlySecond = onlySecond
    let (fewer, more) = (min(onlyFirst, onlySecond), max(onlyFirst, onlySecond))
    // P(X ≤ k) of n fair coins is I_½(n − k, k + 1): Abramowitz and Stegun 1964, 26.5.24.
    pValue =
      fewer == more ? 1 : min(1, 2 * incompleteBeta(0.5, Double(more), Double(fewer + 1)))
  }

  /// The test of two classifiers' results.
  ///
  /// - Parameters:
  ///   - first: Whether the first is right, shape [N].
  ///   - second: Whether the second is right on the same samples, shape [N].
  public init(first: [Bool], second: [Bool]) {
    requireSameCount(first.count, second.count)
    let pairs = zip(first, second)
    self.init(onlyFirst: pairs.count { $0 && !$1 }, onlySecond: pairs.count { !$0 && $1 })
  }
}
