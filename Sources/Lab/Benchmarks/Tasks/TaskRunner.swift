package import Datasets
internal import Ink
internal import JSON
package import NeuralNetwork
package import Recognition
package import Training

/// Runs tasks on a model's embedding: each teaches a new recognizer and evaluates it.
///
/// Answers and decisions are those that a user of the model would get; each drawing is embedded
/// once for all tasks.
package struct TaskRunner: Sendable {
  /// The recognizer that every task begins with, without taught samples.
  package var base: Recognizer
  /// The path of the model file that it comes from.
  var modelPath: String
  /// The SHA-256 of that file.
  var modelFingerprint: String
  /// How many tasks run at the same time; the answers do not depend on it.
  var threads: Int
  /// When it runs.
  var date: String
  /// Whether each task's recognizer is adapted to its taught drawings.
  package var adapts = false
  /// The processes that share the tasks.
  package var ranks: any Ranks = OneProcess()

  package init(
    base: Recognizer, modelPath: String, modelFingerprint: String, threads: Int, date: String
  ) {
    (self.base, self.modelPath, self.modelFingerprint) = (base, modelPath, modelFingerprint)
    (self.threads, self.date) = (threads, date)
  }

  /// A recognizer's answer to one drawing.
  struct Answer: Codable, Sendable {
    /// The drawing's index among the samples.
    var row: Int
    /// Its true label in the task; nil for an unknown.
    var truth: String?
    /// The best label, accepted or not.
    var label: String
    /// The confidence of that label, in 0...1.
    var confidence: Double
    /// Whether the label was accepted.
    var isRecognized: Bool
    /// The head's score for a taught label against an unknown; higher means more likely taught.
    var nearness: Double
    /// The index among the samples of the most similar drawing taught under `label`.
    var nearestTaught: Int

    /// Whether the best label is the truth.
    var isRight: Bool { label == truth }
  }

  /// The results of one task.
  struct Outcome: Codable, Sendable {
    /// The answers to drawings of the taught labels.
    var queries: [Answer]
    /// The answers to drawings of other labels.
    var unknowns: [Answer]
    /// The number of taught drawings of each label.
    var taught: [String: Int] = [:]
    /// Whether the recognizer was adapted to the taught drawings; nil if it was not tried.
    var isAdapted: Bool?
  }

  /// Runs the tasks.
  ///
  /// - Parameters:
  ///   - episodes: The tasks.
  ///   - samples: Their drawings.
  ///   - places: The sources of tasks and samples, for messages.
  ///   - progress: Receives the numbers of drawings and tasks done.
  /// - Returns: One outcome per task, in their order.
  /// - Throws: `JobProblem` for a drawing that is missing, `ModelError` and `CancellationError`;
  ///   `RankIsDone` on all ranks but the first, and when a rank is lost.
  func run(
    _ episodes: Episodes, on samples: SampleSet, from places: (tasks: String, samples: String),
    progress: @escaping JobProgress
  ) async throws -> [Outcome] {
    let tasks = episodes.episodes
    let known = Set(samples.drawings.map(\.id))
    var used = Set<String>()
    for (number, episode) in tasks.enumerated() {
      let ids = (episode.support + episode.query).map(\.id) + episode.unknown
      if let id = ids.first(where: { !known.contains($0) }) {
        throw JobProblem(
          "\(places.tasks): episodes[\(number)] names the drawing \(id), which is not among the "
            + "samples in \(places.samples); give the samples that the tasks were made from")
      }
      try ModelLimits.requireCapacity(forLabels: Set(episode.support.map(\.label)).count, in: base)
      used.formUnion(ids)
    }
    let embedded = try await EmbeddedSamples(
      samples, by: base.embedding, only: used, threads: threads, sharedBy: ranks,
      progress: progress)
    let own = tasks[ranks.part(of: tasks.count)]
    var outcomes = [Outcome?](repeating: nil, count: own.count)
    var done = 0
    try await concurrently(own.count, threads: threads) { number in
      try outcome(of: own[own.startIndex + number], embedded)
    } then: { number, outcome in
      outcomes[number] = outcome
      done += 1
      progress(.progress("Tasks", done: done, of: own.count))
    }
    return try gather(outcomes.compactMap(\.self))
  }

  /// The outcomes of all ranks, on the first.
  private func gather(_ own: [Outcome]) throws -> [Outcome] {
    guard ranks.rankCount > 1 else { return own }
    let texts = try ranks.allGather(bytes: ranks.isFirst ? [] : Array(jsonText(own).utf8))
    guard ranks.isFirst else { throw RankIsDone() }
    return try own + texts.dropFirst().flatMap { try JSONDocument.decode([Outcome].self, from: $0) }
  }

  /// The number of queries whose vectors are copied at once: a file of tasks may repeat a drawing
  /// any number of times.
  private static let askedTogether = 4096

  private func outcome(
    of episode: Episodes.Episode, _ embedded: EmbeddedSamples
  ) throws -> Outcome {
    let support = episode.support.map { (row: embedded.row($0.id), label: $0.label) }
    let asked =
      episode.query.map { (row: embedded.row($0.id), truth: String?($0.label)) }
      + episode.unknown.map { (row: embedded.row($0), truth: nil) }
    var recognizer = base
    embedded.teach(support, to: &recognizer)
    let isAdapted = adapts ? try recognizer.adapt().outcome == .accepted : nil
    var answers: [Answer] = []
    for start in stride(from: 0, to: asked.count, by: Self.askedTogether) {
      let part = asked[start..<min(start + Self.askedTogether, asked.count)]
      let queries = part.flatMap { embedded.vector($0.row) }
      let nearness = recognizer.head.nearness(of: queries, in: recognizer.memory)
      let decisions = recognizer.answers(to: queries, candidates: 1).map(\.decision)
      for ((row, truth), (decision, nearness)) in zip(part, zip(decisions, nearness)) {
        let best = decision.best
        let taught = support.filter { $0.label == best?.label }.map(\.row)
        answers.append(
          Answer(
            row: row, truth: truth, label: best?.label ?? "", confidence: best?.confidence ?? 0,
            // Drawings with too little ink are refused before the comparison.
            isRecognized: decision.isRecognized && embedded.samples.drawings[row].hasEnoughInk,
            nearness: Double(nearness),
            nearestTaught: embedded.nearest(to: row, among: taught) ?? row))
      }
    }
    return Outcome(
      queries: Array(answers.prefix(episode.query.count)),
      unknowns: Array(answers.dropFirst(episode.query.count)),
      taught: Dictionary(grouping: support, by: \.label).mapValues(\.count),
      isAdapted: isAdapted)
  }
}

/// Samples to teach and query recognizers with, each embedded once.
package struct EmbeddedSamples: Sendable {
  package let samples: SampleSet
  private let dimension: Int
  private let values: [Float]
  private let rows: [String: Int]
  /// The index of a row's vector; nil if every row has its own.
  private let slots: [Int: Int]?

  /// Embeds `samples`, or those with the ids of `only`: each rank a part of them.
  ///
  /// - Throws: What `Embedding.vectors` throws.
  package init(
    _ samples: SampleSet, by embedding: Embedding, only ids: Set<String>? = nil, threads: Int,
    sharedBy ranks: any Ranks = OneProcess(),
    progress: @escaping JobProgress = { _ in }
  ) async throws {
    self.samples = samples
    let drawings = samples.drawings
    let kept = drawings.indices.filter { ids?.contains(drawings[$0].id) ?? true }
    dimension = embedding.dimension
    rows = Dictionary(uniqueKeysWithValues: drawings.enumerated().map { ($1.id, $0) })
    slots = ids.map { _ in Dictionary(uniqueKeysWithValues: zip(kept, kept.indices)) }
    values = try await embedding.vectors(
      of: kept.map { drawings[$0] }, threads: threads, sharedBy: ranks
    ) {
      progress(.progress("Embedding", done: $0, of: $1))
    }
  }

  /// The row of the sample with an id, which must exist.
  package func row(_ id: String) -> Int {
    guard let row = rows[id] else { preconditionFailure("there is no drawing \(id)") }
    return row
  }

  /// The unit vector of a row that was embedded.
  package func vector(_ row: Int) -> ArraySlice<Float> {
    let start = (slots.map { $0[row] ?? 0 } ?? row) * dimension
    return values[start..<(start + dimension)]
  }

  /// Teaches a recognizer some rows under the given labels.
  package func teach(
    _ taught: [(row: Int, label: String)], to recognizer: inout Recognizer
  ) {
    recognizer.update(
      with: taught.map { row, label in
        TaughtSample(
          id: samples.drawings[row].id, label: label, digest: samples.drawings[row].digest)
      }, vectors: taught.flatMap { vector($0.row) })
  }

  /// The row of `rows` with the greatest cosine; the first of equal ones.
  package func nearest(to row: Int, among rows: [Int]) -> Int? {
    var best: (row: Int, cosine: Float)?
    for other in rows {
      let cosine = zip(vector(row), vector(other)).reduce(Float(0)) { $0 + $1.0 * $1.1 }
      if cosine > best?.cosine ?? -.infinity { best = (other, cosine) }
    }
    return best?.row
  }
}
