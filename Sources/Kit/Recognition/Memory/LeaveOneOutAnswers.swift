extension Recognizer {
  /// The leave-one-out answers to taught samples, an estimate of the answers to new drawings. A
  /// policy with another refusal rate can decide from an answer's evidence, without classifying
  /// again.
  ///
  /// The sample and its copies (same ink, same label) are left out. The score of its own label is
  /// exact, also if the label has no other drawing; a sample that the model has adapted to is
  /// scored by a model adapted without it and a fifth of the others. Two things are not recomputed,
  /// which would take a thousand times the work: the choice of the prior, and the left-out answers
  /// to the *other* samples. So confidences and typicality differ by some hundredths from those of
  /// `answerAfterForgetting`, which recomputes both. Heads other than `TwoCovariance` always use
  /// that method.
  ///
  /// - Parameters:
  ///   - rows: Rows in the memory; nil for all.
  ///   - count: The maximum number of candidates for each, at least 2.
  ///   - progress: Called with the numbers of samples done and in total.
  /// - Returns: One answer per row, in their order.
  /// - Throws: `CancellationError`.
  /// - Complexity: O(rows × labels × dimension).
  public func leaveOneOutAnswers(
    rows: [Int]? = nil, candidates count: Int = 5,
    progress: ((_ done: Int, _ total: Int) -> Void)? = nil
  ) async throws -> [Answer] {
    let rows = rows ?? Array(memory.samples.indices)
    return try rows.enumerated().map { place, row in
      try Task.checkCancellation()
      defer { progress?(place + 1, rows.count) }
      return head.configuration == .twoCovariance
        ? leaveOneOutAnswer(row: row, candidates: max(2, count))
        : answerAfterForgetting(row: row, candidates: count)
    }
  }

  /// The answer to a taught sample after forgetting it and its copies (same ink, same label).
  ///
  /// - Parameters:
  ///   - row: The sample's row in the memory.
  ///   - count: The maximum number of candidates.
  /// - Returns: The answer to the sample's vector.
  /// - Complexity: That of forgetting: one pass over all samples and, for an adapted model,
  ///   recomputing its statistics.
  public func answerAfterForgetting(row: Int, candidates count: Int = 5) -> Answer {
    let sample = memory.samples[row]
    var rest = self
    rest.forget { $0.label == sample.label && $0.digest == sample.digest }
    return rest.answers(to: Array(memory.vector(row)), candidates: count)[0]
  }

  private func leaveOneOutAnswer(row: Int, candidates count: Int) -> Answer {
    let sample = memory.samples[row]
    guard let own = labels.firstIndex(of: sample.label) else {
      return answerAfterForgetting(row: row, candidates: count)
    }
    let copies = memory.rows(ofLabel: own).count { memory.samples[$0].digest == sample.digest }
    let labelScores = memory.scores(
      leavingOutPart: memory.adaptedModels?.partOf[sample.digest])
    let x = labelScores.model.project(Array(memory.vector(row)))
    guard let score = labelScores.scoreLeftOut(of: x, copies: copies, label: own) else {
      // The label would have no samples.
      return answerAfterForgetting(row: row, candidates: count)
    }
    var scores = labelScores.scores(of: x)
    scores[own] = score
    let counts = memory.labels.indices.map {
      memory.rows(ofLabel: $0).count - ($0 == own ? copies : 0)
    }
    let penalties = FewSamples.penalties(ofLabelsWith: counts, memory.prior?.calibration)
    let answered = zip(scores, penalties).map { $0 - $1 }
    // The sample among those that typicality compares with.
    var estimate = zip(scores, memory.penalties).map { $0 - $1 }
    estimate[own] += labelScores.meanGain(ofLast: copies, label: own)
    guard let best = BestScore(answered), let itself = BestScore(estimate) else {
      return answerAfterForgetting(row: row, candidates: count)
    }
    return answer(answered, best, leavingOut: itself, candidates: count)
  }
}
