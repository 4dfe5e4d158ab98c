internal import Support

/// The mean squared distance between predicted probabilities and one-hot truths (Brier 1950,
/// doi:10.1175/1520-0493(1950)078<0001:VOFEIT>2.0.CO;2), summed over the classes: 0 is perfect, 2
/// is certain and wrong.
///
/// - Parameters:
///   - probabilities: A probability for each sample and class, row-major, shape [N, C], each in
///     0...1.
///   - classCount: C.
///   - truths: The true classes, shape [N], each in 0..<C.
/// - Returns: The score, 0 at best.
/// - Throws: `EvaluationError.empty`, `.notFinite` or `.outOfRange` for the probabilities.
public func brierScore(
  probabilities: [Double], classCount: Int, truths: [Int]
) throws(EvaluationError) -> Double {
  requireSameCount(probabilities.count, truths.count * classCount)
  try requireFractions(probabilities, "probabilities")
  var sum = 0.0
  for (sample, truth) in truths.enumerated() {
    requireClass(truth, classCount)
    for index in 0..<classCount {
      let error = probabilities[sample * classCount + index] - (index == truth ? 1 : 0)
      sum += error * error
    }
  }
  return sum / Double(truths.count)
}

/// The mean squared distance between the predicted probability of an event and its outcome, 0 or 1;
/// in 0...1.
///
/// - Parameters:
///   - probabilities: The predicted probability of the event, shape [N], each in 0...1.
///   - outcomes: Whether the event occurred, shape [N].
/// - Returns: The score, 0 at best.
/// - Throws: `EvaluationError.empty`, `.notFinite` or `.outOfRange` for the probabilities.
public func brierScore(
  probabilities: [Double], outcomes: [Bool]
) throws(EvaluationError) -> Double {
  requireSameCount(probabilities.count, outcomes.count)
  try requireFractions(probabilities, "probabilities")
  let sum = zip(probabilities, outcomes).reduce(0) { sum, pair in
    let error = pair.0 - (pair.1 ? 1 : 0)
    return sum + error * error
  }
  return sum / Double(outcomes.count)
}

/// The mean of −ln p of the true class, at least 0.
///
/// - Parameters:
///   - probabilities: A probability for each sample and class, row-major, shape [N, C], each in
///     0...1.
///   - classCount: C.
///   - truths: The true classes, shape [N], each in 0..<C.
///   - floor: The minimum that probabilities are raised to, so that one certain mistake is not
///     infinite.
/// - Returns: The mean, in nats.
/// - Throws: `EvaluationError.empty`, `.notFinite` or `.outOfRange` for the probabilities.
public func negativeLogLikelihood(
  probabilities: [Double], classCount: Int, truths: [Int], floor: Double = 0x1p-52
) throws(EvaluationError) -> Double {
  requireSameCount(probabilities.count, truths.count * classCount)
  try requireFractions(probabilities, "probabilities")
  var sum = 0.0
  for (sample, truth) in truths.enumerated() {
    requireClass(truth, classCount)
    sum -= log(max(floor, probabilities[sample * classCount + truth]))
  }
  return sum / Double(truths.count)
}
