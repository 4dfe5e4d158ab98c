internal import Recognition

/// What a trained model and the one before say of samples that are left out.
struct Judgement: Sendable {
  private struct Verdict: Sendable {
    let sample: TaughtSample
    /// Nil where the model before did not know the label.
    let before: Bool?
    let after: Decision
  }

  /// In the order of the memory's samples.
  private let verdicts: [Verdict]
  private let samples: [TaughtSample]

  /// About so many samples are judged at most: an even share of each label, those whose ink has the lowest digests.
  static let usualCount = 4000
  /// Of each label so many at least.
  static let fewestOfLabel = 4

  init(
    of recognizer: Recognizer, before: Recognizer?,
    progress: ((_ done: Int, _ total: Int) -> Void)?
  ) async throws {
    let memory = recognizer.memory
    let rows = Self.rows(of: memory)
    let answers = try await recognizer.leftOutAnswers(
      rows: rows, candidates: 2, progress: progress)
    var decisionsBefore: [Decision]?
    if let before {
      decisionsBefore = try await Self.decisions(
        of: before, on: rows.map { row in (memory.samples[row], memory.vector(row)) })
    }
    samples = memory.samples
    let labels = Set(before?.labels ?? [])
    verdicts = rows.indices.map { index in
      let sample = memory.samples[rows[index]]
      let before = labels.contains(sample.label) ? decisionsBefore?[index] : nil
      return Verdict(
        sample: sample, before: before.map { $0.isRecognized && $0.best?.label == sample.label },
        after: answers[index].decision)
    }
  }

  /// What the model before says of samples; those that it was taught, under whatever label, it is asked about without them.
  private static func decisions(
    of before: Recognizer, on samples: [(TaughtSample, ArraySlice<Float>)]
  ) async throws -> [Decision] {
    let rowOfInk = Dictionary(
      before.memory.samples.enumerated().map { ($1.digest, $0) }, uniquingKeysWith: { $1 })
    let rows = Set(samples.compactMap { rowOfInk[$0.0.digest] }).sorted()
    let leftOut = Dictionary(
      uniqueKeysWithValues: zip(rows, try await before.leftOutAnswers(rows: rows, candidates: 2)))
    return samples.map { sample, vector in
      if let row = rowOfInk[sample.digest], let answer = leftOut[row] { return answer.decision }
      return before.answers(to: Array(vector), candidates: 2)[0].decision
    }
  }

  /// The rows to leave out: of labels with another drawing.
  private static func rows(of memory: SampleMemory) -> [Int] {
    let most = max(fewestOfLabel, usualCount / max(1, memory.labels.count))
    return memory.labels.indices.flatMap { label -> [Int] in
      let rows = memory.rows(ofLabel: label)
      guard Set(rows.map { memory.samples[$0].digest }).count > 1 else { return [] }
      guard rows.count > most else { return Array(rows) }
      return Array(
        rows.sorted {
          (memory.samples[$0].digest, $0) < (memory.samples[$1].digest, $1)
        }.prefix(most)
      ).sorted()
    }
  }

  func report(
    of model: WorkspaceModel, _ changes: TaughtChanges, names: [String: String]
  ) -> TrainingReport {
    let byLabel = Dictionary(grouping: verdicts, by: \.sample.label)
    let counts = Dictionary(grouping: samples, by: \.label).mapValues(\.count)
    var (mistakes, refusals) = ([TrainingReport.Mistake](), [TrainingReport.Refusal]())
    for verdict in verdicts {
      let sample = verdict.sample
      switch verdict.after {
      case .recognized(let best) where best.label != sample.label:
        mistakes.append(.init(sample: sample.id, label: sample.label, takenFor: best.label))
      case .recognized: break
      case .unrecognized: refusals.append(.init(sample: sample.id, label: sample.label))
      }
    }
    return TrainingReport(
      model: model, samples: samples.count, added: changes.added, relabelled: changes.relabelled,
      removed: changes.removed,
      labels: counts.keys.sorted().map { label in
        Self.label(label, names[label], counts[label] ?? 0, byLabel[label] ?? [])
      }, mistakes: mistakes, refusals: refusals)
  }

  private static func label(
    _ label: String, _ name: String?, _ samples: Int, _ verdicts: [Verdict]
  ) -> TrainingReport.Label {
    let count = Double(verdicts.count)
    let rightBefore = verdicts.compactMap(\.before)
    let before =
      rightBefore.isEmpty ? nil : Double(rightBefore.count { $0 }) / Double(rightBefore.count)
    let after =
      verdicts.isEmpty
      ? nil
      : Double(verdicts.count { $0.after.isRecognized && $0.after.best?.label == label }) / count
    let change: TrainingReport.Change =
      switch (before, after) {
      case (_, nil): .unknown
      case (nil, _): .new
      case (let before?, let after?):
        before < after ? .better : before > after ? .worse : .same
      }
    return TrainingReport.Label(
      label: label, name: name, samples: samples, judged: verdicts.count,
      recognizedBefore: before, recognizedAfter: after, change: change)
  }
}
