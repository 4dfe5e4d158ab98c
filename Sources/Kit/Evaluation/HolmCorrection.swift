/// The p-values of several tests, adjusted so that the probability of even one wrong "they differ"
/// stays below the level that each is compared with (Holm 1979, "A simple sequentially rejective
/// multiple test procedure", Scandinavian Journal of Statistics 6, 65 to 70).
///
///     holmAdjusted([0.01, 0.04, 0.03])  // [0.03, 0.06, 0.06]
///
/// - Parameter pValues: The p-values, each in 0...1.
/// - Returns: The adjusted ones in the same order, each in 0...1 and not below its own.
/// - Complexity: O(*n* log *n*).
public func holmAdjusted(_ pValues: [Double]) -> [Double] {
  var adjusted = pValues
  var largest = 0.0
  let order = pValues.indices.sorted { (pValues[$0], $0) < (pValues[$1], $1) }
  for (rank, index) in order.enumerated() {
    largest = max(largest, min(1, Double(pValues.count - rank) * pValues[index]))
    adjusted[index] = largest
  }
  return adjusted
}
