internal import CLibrary

/// The mean of −ln p of the true class, at least 0. Probabilities are raised to 2⁻⁵², so that one
/// certain mistake is not infinite.
///
/// - Parameters:
///   - probabilities: A probability for each sample and class, row-major, shape [N, C], each in
///     0...1.
///   - classCount: C.
///   - truths: The true classes, shape [N], each in 0..<C.
/// - Returns: The mean, in nats.
/// - Throws: `EvaluationError.empty`, `.notFinite` or `.outOfRange` for the probabilities.
public func negativeLogLikelihood(
  probabilities: [Double], classCount: Int, truths: [Int]
) throws(EvaluationError) -> Double {
  requireSameCount(probabilities.count, truths.count * classCount)
  try requireFractions(probabilities, "probabilities")
  var sum = 0.0
  for (sample, truth) in truths.enumerated() {
    requireClass(truth, classCount)
    sum -= log(max(0x1p-52, probabilities[sample * classCount + truth]))
  }
  return sum / Double(truths.count)
}
