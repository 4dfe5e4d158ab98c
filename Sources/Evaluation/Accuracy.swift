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

/// The share of samples whose true class is among the `k` highest-scoring classes, in 0...1.
///
/// Ties are broken by the lower class index.
/// - Parameters:
///   - scores: A score for each sample and class, row-major, shape [N, C]; any range, not NaN.
///   - classCount: C.
///   - truths: The true classes, shape [N], each in 0..<C.
///   - k: The number of classes that count, at least 1.
/// - Returns: The share, in 0...1.
/// - Throws: `EvaluationError.empty` when N is 0, `.notFinite` for a NaN.
public func topAccuracy(
  scores: [Double], classCount: Int, truths: [Int], k: Int
) throws(EvaluationError) -> Double {
  precondition(k >= 1, "top-k accuracy needs k of at least 1, got \(k)")
  requireSameCount(scores.count, truths.count * classCount)
  try requireNumbers(scores, "scores")
  var hits = 0
  for (sample, truth) in truths.enumerated() {
    requireClass(truth, classCount)
    let row = scores[sample * classCount..<(sample + 1) * classCount]
    let score = row[row.startIndex + truth]
    let before = row.enumerated().count { $1 > score || ($1 == score && $0 < truth) }
    if before < k { hits += 1 }
  }
  return Double(hits) / Double(truths.count)
}

func requireSameCount(_ a: Int, _ b: Int) {
  precondition(a == b, "arrays of one length are needed, got \(a) and \(b)")
}

func requireClass(_ index: Int, _ classCount: Int) {
  precondition(0..<classCount ~= index, "class \(index) is not in 0..<\(classCount)")
}
