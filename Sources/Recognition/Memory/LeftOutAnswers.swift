extension Recognizer {
  /// What the recognizer would say about taught samples, had each not been taught: what it says
  /// about new drawings like them. With an answer's evidence a policy of another refusal rate can
  /// decide anew.
  ///
  /// Left out are the sample and those of the same ink under its label. Its own label is judged
  /// without it exactly, and so is a label that has no other drawing; a sample that the model has
  /// adapted to is judged by what was learned without it and a fifth of the others. Two things stay
  /// as they are with it, where forgetting would compute them anew, a thousandfold the work: which
  /// prior is used, and how usual the answers to the *other* samples are. So typicality
  /// differs from that after forgetting by some hundredths; `answerAfterForgetting` gives that one.
  /// Heads other than `TwoCovariance` are always asked after forgetting.
  ///
  /// - Parameters:
  ///   - rows: Rows in the memory; nil for all.
  ///   - count: The most candidates to give for each, at least 2.
  ///   - progress: Told how many of how many are done.
  /// - Returns: One answer a row, in their order.
  /// - Throws: `CancellationError`.
  /// - Complexity: O(rows × labels × dimension).
  public func leftOutAnswers(
    rows: [Int]? = nil, candidates count: Int = 5,
    progress: ((_ done: Int, _ total: Int) -> Void)? = nil
  ) async throws -> [Answer] {
    let rows = rows ?? Array(memory.samples.indices)
    return try rows.enumerated().map { place, row in
      try Task.checkCancellation()
      defer { progress?(place + 1, rows.count) }
      return head.configuration == .twoCovariance
        ? leftOutAnswer(row: row, candidates: max(2, count))
        : answerAfterForgetting(row: row, candidates: count)
    }
  }

  /// What the recognizer says about a taught sample after it forgot that one, and those of the same
  /// ink under its label.
  ///
  /// - Parameters:
  ///   - row: The sample's row in the memory.
  ///   - count: The most candidates to give.
  /// - Returns: The answer to the sample's vector.
  /// - Complexity: That of forgetting: one pass over all samples, and for an adapted model its
  ///   statistics anew.
  public func answerAfterForgetting(row: Int, candidates count: Int = 5) -> Answer {
    let sample = memory.samples[row]
    var rest = self
    rest.forget { $0.label == sample.label && $0.digest == sample.digest }
    return rest.answers(to: Array(memory.vector(row)), candidates: count)[0]
  }

  private func leftOutAnswer(row: Int, candidates count: Int) -> Answer {
    let sample = memory.samples[row]
    guard let own = labels.firstIndex(of: sample.label) else {
      return answerAfterForgetting(row: row, candidates: count)
    }
    let copies = memory.rows(ofLabel: own).count { memory.samples[$0].digest == sample.digest }
    let labelScores = memory.scores(
      leavingOutPart: memory.adaptedModels?.partOf[sample.digest])
    let x = labelScores.model.project(Array(memory.vector(row)))
    guard let score = labelScores.scoreLeftOut(of: x, copies: copies, label: own) else {
      // The label goes with it.
      return answerAfterForgetting(row: row, candidates: count)
    }
    var scores = labelScores.scores(of: x)
    scores[own] = score
    guard let best = BestScore(scores) else {
      return answerAfterForgetting(row: row, candidates: count)
    }
    let counts = memory.labels.indices.map {
      memory.rows(ofLabel: $0).count - ($0 == own ? copies : 0)
    }
    return answer(
      scores, best,
      temperature: memory.prior?.calibration?.distribution(ofLabelsWith: counts).temperature
        ?? TwoCovariance.defaultTemperature, candidates: count)
  }
}
