/// The share of predictions that equal the truth, in 0...1.
///
/// - Parameters:
///   - predictions: The predicted labels, shape [N].
///   - truths: The true labels, shape [N].
/// - Returns: The share, in 0...1.
/// - Throws: `EvaluationError.empty` when N is 0.
public func accuracy<Label: Equatable>(
  predictions: [Label], truths: [Label]
) throws(EvaluationError) -> Double {
  requireSameCount(predictions.count, truths.count)
  guard !truths.isEmpty else { throw .empty(what: "predictions") }
  return Double(zip(predictions, truths).count { $0 == $1 }) / Double(truths.count)
}

/// The share of samples whose truth is among the first `k` candidates, in 0...1.
///
/// - Parameters:
///   - candidates: The predicted labels of each sample, best first, shape [N, any]; may be fewer
///     than `k`.
///   - truths: The true labels, shape [N].
///   - k: The number of candidates that count, at least 1.
/// - Returns: The share, in 0...1.
/// - Throws: `EvaluationError.empty` when N is 0.
public func topAccuracy<Label: Equatable>(
  candidates: [[Label]], truths: [Label], k: Int
) throws(EvaluationError) -> Double {
  precondition(k >= 1, "top-k accuracy needs k of at least 1, got \(k)")
  requireSameCount(candidates.count, truths.count)
  guard !truths.isEmpty else { throw .empty(what: "candidates") }
  return Double(zip(candidates, truths).count { $0.prefix(k).contains($1) }) / Double(truths.count)
}

func requireSameCount(_ a: Int, _ b: Int) {
  precondition(a == b, "arrays of one length are needed, got \(a) and \(b)")
}

func requireClass(_ index: Int, _ classCount: Int) {
  precondition(0..<classCount ~= index, "class \(index) is not in 0..<\(classCount)")
}
