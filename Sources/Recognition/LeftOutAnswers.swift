extension Recognizer {
  /// What the recogniser would say about a taught sample, had it not been taught: what it says about new drawings like it.
  ///
  /// Exact: equal to forgetting the sample, and those of the same ink under its label, and asking then. With the answer's
  /// evidence a policy of another refusal rate can decide anew.
  ///
  /// - Parameters:
  ///   - row: The sample's row in the memory.
  ///   - count: The most candidates to give.
  /// - Complexity: That of forgetting one sample: one pass over the samples, and the work of its label.
  public func leftOutAnswer(row: Int, candidates count: Int = 5) -> Answer {
    let sample = memory.samples[row]
    var rest = self
    rest.forget { $0.label == sample.label && $0.digest == sample.digest }
    return rest.answers(to: Array(memory.vector(row)), candidates: count)[0]
  }

  /// `leftOutAnswer` of many samples.
  ///
  /// - Parameters:
  ///   - rows: Rows in the memory; nil for all.
  ///   - count: The most candidates to give for each.
  ///   - threads: How many may be left out at the same time; the answers do not depend on it.
  ///   - progress: Told how many of how many are done.
  /// - Returns: One answer a row, in their order.
  /// - Throws: `CancellationError`.
  public func leftOutAnswers(
    rows: [Int]? = nil, candidates count: Int = 5, threads: Int = 1,
    progress: (@Sendable (_ done: Int, _ total: Int) -> Void)? = nil
  ) async throws -> [Answer] {
    let rows = rows ?? Array(memory.samples.indices)
    var answers = [Answer?](repeating: nil, count: rows.count)
    var done = 0
    try await withThrowingTaskGroup(of: (Int, Answer).self) { group in
      var waiting = rows.enumerated().makeIterator()
      func start(_ group: inout ThrowingTaskGroup<(Int, Answer), any Error>) {
        guard let (place, row) = waiting.next() else { return }
        group.addTask {
          try Task.checkCancellation()
          return (place, leftOutAnswer(row: row, candidates: count))
        }
      }
      for _ in 0..<max(1, threads) { start(&group) }
      while let (place, answer) = try await group.next() {
        answers[place] = answer
        done += 1
        progress?(done, rows.count)
        start(&group)
      }
    }
    return answers.compactMap { $0 }
  }
}

extension DecisionPolicy {
  /// What this policy decides on what was answered under another one.
  ///
  /// - Parameter answer: Of a drawing with enough ink.
  public func decide(_ answer: Answer) -> Decision {
    if answer.decision.refusal == .tooLittleInk { return answer.decision }
    return decide(answer.candidates, evidence: answer.evidence, hasInk: true)
  }
}
