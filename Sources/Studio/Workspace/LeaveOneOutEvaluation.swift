internal import Recognition

/// Leave-one-out evaluation of a trained model's samples, compared with the previous model on those
/// that it knew.
struct LeaveOneOutEvaluation: Sendable {
  private struct SampleResult: Sendable {
    let sample: TaughtSample
    let previous: PreviousResult
    let decision: Decision

    var isRight: Bool { decision.isRight(for: sample) }
  }

  /// The sample's result in the previous model.
  private enum PreviousResult: Sendable {
    /// The previous model did not know the sample under its label.
    case added
    /// It was the label's only drawing, so it cannot be left out.
    case alone
    /// The previous model knew it; whether it would have recognized it when left out.
    case known(isRight: Bool)
  }

  /// A label and the digest of a drawing.
  private struct LabeledDigest: Hashable {
    let label: String
    let digest: String

    init(_ sample: TaughtSample) { (label, digest) = (sample.label, sample.digest) }
  }

  /// The results in the order of the memory's samples.
  private let results: [SampleResult]
  private let samples: [TaughtSample]
  private let rates: AcceptanceRates

  /// The approximate maximum number of evaluated samples: an equal number per label, those with the
  /// lowest digests.
  static let usualCount = 4000
  /// The minimum number of evaluated samples per label, if it has as many.
  static let fewestOfLabel = 4

  /// Evaluates the user's samples.
  init(
    of recognizer: Recognizer, before: Recognizer?,
    progress: ((_ done: Int, _ total: Int) -> Void)?
  ) async throws {
    let memory = recognizer.memory
    let rows = Self.rows(of: memory)
    let answers = try await recognizer.leaveOneOutAnswers(
      rows: rows, candidates: 2, progress: progress)
    let judged = rows.map { memory.samples[$0] }
    let previous = try await Self.previousResults(judged, before)
    samples = memory.samples.filter(\.isOwn)
    rates = recognizer.acceptanceRates()
    results = judged.indices.map {
      SampleResult(sample: judged[$0], previous: previous[$0], decision: answers[$0].decision)
    }
  }

  /// The previous model's leave-one-out results for the samples that it knew under the same label.
  private static func previousResults(_ samples: [TaughtSample], _ before: Recognizer?) async throws
    -> [PreviousResult]
  {
    guard let before else { return samples.map { _ in .added } }
    let memory = before.memory
    let known = Dictionary(
      memory.samples.enumerated().map { (LabeledDigest($1), $0) },
      uniquingKeysWith: { first, _ in first })
    let alone = Set(
      memory.labels.indices.filter { Set(memory.rows(ofLabel: $0).map(memory.digest)).count == 1 }
        .map { memory.labels[$0] })
    let wanted = Set(samples.map { LabeledDigest($0) })
    let rows = known.filter { wanted.contains($0.key) && !alone.contains($0.key.label) }.values
      .sorted()
    let answers = Dictionary(
      uniqueKeysWithValues: zip(
        rows, try await before.leaveOneOutAnswers(rows: rows, candidates: 2)))
    return samples.map { sample in
      guard let row = known[LabeledDigest(sample)] else { return .added }
      return answers[row].map { .known(isRight: $0.decision.isRight(for: sample)) } ?? .alone
    }
  }

  /// The rows to leave out: those of labels with at least two different drawings.
  private static func rows(of memory: SampleMemory) -> [Int] {
    let most = max(fewestOfLabel, usualCount / max(1, memory.labels.count))
    return memory.labels.indices.flatMap { label -> [Int] in
      let rows = memory.rows(ofLabel: label)
      guard Set(rows.map(memory.digest)).count > 1 else { return [] }
      let own = rows.filter { memory.samples[$0].isOwn }
      guard own.count > most else { return own }
      return Array(
        own.sorted {
          (memory.samples[$0].digest, $0) < (memory.samples[$1].digest, $1)
        }.prefix(most)
      ).sorted()
    }
  }

  func findings(
    _ changes: TaughtChanges, names: [String: String], seconds: Double
  ) -> TrainingReport.Findings {
    let byLabel = Dictionary(grouping: results, by: \.sample.label)
    let counts = Dictionary(grouping: samples, by: \.label).mapValues(\.count)
    var (mistakes, refusals) = ([TrainingReport.Mistake](), [TrainingReport.Refusal]())
    for result in results where !result.isRight {
      let sample = result.sample
      switch result.decision {
      case .recognized(let best):
        mistakes.append(.init(sample: sample.id, label: sample.label, takenFor: best.label))
      case .unrecognized: refusals.append(.init(sample: sample.id, label: sample.label))
      }
    }
    return TrainingReport.Findings(
      seconds: seconds, samples: samples.count, added: changes.added,
      relabeled: changes.relabeled, removed: changes.removed,
      labels: counts.keys.sorted().map { label in
        let shares = Self.shares(byLabel[label] ?? [])
        return .init(
          label: label, name: names[label], samples: counts[label] ?? 0, shares: shares,
          change: Self.change(shares))
      }, mistakes: mistakes, refusals: refusals, rates: rates)
  }

  private static func shares(_ results: [SampleResult]) -> TrainingReport.Shares {
    /// The share of true values; nil if empty.
    func share(_ all: [Bool]) -> Double? {
      all.isEmpty ? nil : Double(all.count { $0 }) / Double(all.count)
    }
    var (before, after, added) = ([Bool](), [Bool](), [Bool]())
    for result in results {
      switch result.previous {
      case .added: added.append(result.isRight)
      case .alone: break
      case .known(let isRight):
        before.append(isRight)
        after.append(result.isRight)
      }
    }
    var shares = TrainingReport.Shares(
      judged: results.count, recognized: share(results.map(\.isRight)))
    if let shareBefore = share(before), let shareAfter = share(after) {
      shares.known = .init(judged: before.count, before: shareBefore, after: shareAfter)
    }
    if let recognized = share(added) {
      shares.added = .init(judged: added.count, recognized: recognized)
    }
    return shares
  }

  /// The change of a label with these shares.
  static func change(_ shares: TrainingReport.Shares) -> TrainingReport.Change {
    guard shares.judged > 0 else { return .unknown }
    guard let known = shares.known else { return .new }
    return known.before < known.after ? .better : known.before > known.after ? .worse : .same
  }
}

extension Decision {
  /// Whether the sample is recognized with its own label.
  fileprivate func isRight(for sample: TaughtSample) -> Bool {
    isRecognized && best?.label == sample.label
  }
}

extension SampleMemory {
  /// The digest of a row's ink.
  fileprivate func digest(_ row: Int) -> String { samples[row].digest }
}
