internal import Datasets
internal import Evaluation
internal import Ink
internal import Recognition

/// Runs few-shot tasks on a model's embedding: each task teaches a recogniser of its own and asks it.
struct FewShotBenchmark: Sendable {
  /// The recogniser whose embedding and head are used; what it was taught is not.
  var base: Recognizer
  var head: HeadConfiguration
  var threads: Int

  /// The keys are those of the guide; rates are fractions in 0...1.
  struct Report: Codable, Sendable {
    var episodes: Int
    /// The mean over tasks of the share of queries whose best label is right.
    var accuracy: Double
    var confidenceInterval95: ConfidenceInterval
    /// How well nearness tells queries from strangers, the mean over tasks; nil without strangers.
    var auroc: Double?
    /// The share of strangers accepted where 95 % of the queries are, the mean over tasks.
    var fpr95: Double?
    /// Expected calibration error of the confidences of all tasks' queries.
    var ece: Double
    var head: String
    var samplesFingerprint: String
  }

  /// What one task gave.
  private struct Outcome: Sendable {
    var correct: [Bool] = []
    var confidences: [Double] = []
    var nearness: [Double] = []
    var strangerNearness: [Double] = []
  }

  /// Runs all `episodes` on `samples`, which hold their drawings.
  func run(_ episodes: Episodes, on samples: SampleSet) async throws -> Report {
    let row = Dictionary(uniqueKeysWithValues: samples.drawings.enumerated().map { ($1.id, $0) })
    for (number, episode) in episodes.episodes.enumerated() {
      let ids = (episode.support + episode.query).map(\.id) + episode.unknown
      if let missing = ids.first(where: { row[$0] == nil }) {
        throw BenchmarkError.unknownDrawing(id: missing, episode: number)
      }
    }
    let bar = ProgressBar("Embedding")
    let vectors = try await base.embedding.vectors(of: samples.drawings, threads: threads) {
      bar.update($0, of: $1)
    }
    bar.finish()
    let dimension = base.embedding.dimension
    func gather(_ ids: [String]) -> [Float] {
      ids.flatMap { id in
        let start = (row[id] ?? 0) * dimension
        return vectors[start..<(start + dimension)]
      }
    }
    var outcomes: [Outcome] = []
    let tasks = ProgressBar("Tasks")
    for episode in episodes.episodes {
      try Task.checkCancellation()
      outcomes.append(outcome(of: episode, gather))
      tasks.update(outcomes.count, of: episodes.episodes.count)
    }
    tasks.finish()
    return try report(outcomes, fingerprint: samples.fingerprint)
  }

  private func outcome(of episode: Episodes.Episode, _ gather: ([String]) -> [Float]) -> Outcome {
    var memory = base.memory.emptied()
    memory.insert(
      episode.support.map {
        TaughtSample(id: $0.id, label: $0.label, digest: $0.id)
      }, vectors: gather(episode.support.map(\.id)))
    var head = head.makeHead()
    head.fit(to: memory)
    let labels = memory.labels
    var outcome = Outcome()
    func ask(_ ids: [String]) -> [(label: Int, confidence: Double, nearness: Double)] {
      let queries = gather(ids)
      let confidences = head.confidences(for: queries, in: memory)
      let nearness = head.nearness(of: queries, in: memory)
      return ids.indices.map { index in
        let scores = confidences[(index * labels.count)..<((index + 1) * labels.count)]
        let best = scores.indices.max { scores[$0] < scores[$1] } ?? scores.startIndex
        return (best - scores.startIndex, Double(scores[best]), Double(nearness[index]))
      }
    }
    for (example, answer) in zip(episode.query, ask(episode.query.map(\.id))) {
      outcome.correct.append(labels[answer.label] == example.label)
      outcome.confidences.append(answer.confidence)
      outcome.nearness.append(answer.nearness)
    }
    outcome.strangerNearness = ask(episode.unknown).map(\.nearness)
    return outcome
  }

  private func report(_ outcomes: [Outcome], fingerprint: String) throws -> Report {
    let accuracies = outcomes.map { outcome in
      Double(outcome.correct.count { $0 }) / Double(outcome.correct.count)
    }
    let curves = try outcomes.filter { !$0.strangerNearness.isEmpty }.map {
      try DetectionCurve(positives: $0.nearness, negatives: $0.strangerNearness)
    }
    func mean(_ values: [Double]) -> Double? {
      values.isEmpty ? nil : values.reduce(0, +) / Double(values.count)
    }
    // A mean of few tasks has an interval beyond what an accuracy can be.
    let interval = try ConfidenceInterval.mean(of: accuracies)
    return Report(
      episodes: outcomes.count, accuracy: mean(accuracies) ?? 0,
      confidenceInterval95: ConfidenceInterval(
        lower: max(0, interval.lower), upper: min(1, interval.upper)),
      auroc: mean(curves.map(\.areaUnderROC)),
      fpr95: mean(curves.map { $0.falsePositiveRate(atTruePositiveRate: 0.95) }),
      ece: try ReliabilityDiagram(
        confidences: outcomes.flatMap(\.confidences), correct: outcomes.flatMap(\.correct)
      ).expectedCalibrationError,
      head: self.head.name, samplesFingerprint: fingerprint)
  }
}

/// Why a benchmark cannot run.
enum BenchmarkError: Error, CustomStringConvertible {
  case unknownDrawing(id: String, episode: Int)

  var description: String {
    switch self {
    case .unknownDrawing(let id, let episode):
      "episode \(episode) names the drawing \(id), which is not among the samples"
    }
  }
}
