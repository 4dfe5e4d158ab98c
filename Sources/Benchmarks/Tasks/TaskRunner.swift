internal import Datasets
internal import Ink
package import Recognition

/// Runs tasks on a model's embedding: each teaches a recogniser of its own from nothing and asks
/// it.
///
/// Answers and decisions are those that a user of the model gets; each drawing is embedded once for
/// all tasks.
package struct TaskRunner: Sendable {
  /// The recogniser that every task begins with: taught nothing.
  package var base: Recognizer
  /// The path of the model file that it comes from.
  var modelPath: String
  /// The SHA-256 of that file.
  var modelFingerprint: String
  /// How many tasks run at the same time; the answers do not depend on it.
  var threads: Int
  /// When it runs.
  var date: String
  /// Whether each task's recogniser is adapted to its taught drawings.
  package var adapts = false

  package init(
    base: Recognizer, modelPath: String, modelFingerprint: String, threads: Int, date: String
  ) {
    (self.base, self.modelPath, self.modelFingerprint) = (base, modelPath, modelFingerprint)
    (self.threads, self.date) = (threads, date)
  }

  /// What a recogniser said about one drawing.
  struct Answer: Sendable {
    /// The drawing's place among the samples.
    var row: Int
    /// What it is in the task; nil for a stranger.
    var truth: String?
    /// The best label, whether or not it was said aloud.
    var label: String
    /// How sure the recogniser was of it, in 0...1.
    var confidence: Double
    /// Whether the decision was to recognise.
    var isRecognized: Bool
    /// How little it looks like a stranger, on the head's own scale.
    var nearness: Double
    /// The place among the samples of the most similar drawing that was taught under `label`.
    var nearestTaught: Int

    /// Whether the best label is the truth.
    var isRight: Bool { label == truth }
  }

  /// What one task gave.
  struct Outcome: Sendable {
    /// The answers to drawings of the taught labels.
    var queries: [Answer]
    /// The answers to drawings of other labels.
    var strangers: [Answer]
    /// Whether the recogniser was adapted to the taught drawings: nil where it was not tried.
    var isAdapted: Bool?
  }

  /// Runs the tasks.
  ///
  /// - Parameters:
  ///   - episodes: The tasks.
  ///   - samples: Their drawings.
  ///   - places: Where tasks and samples come from, for messages.
  ///   - progress: Hears of drawings and tasks that are done.
  /// - Returns: One outcome a task, in their order.
  /// - Throws: `BenchmarkError.unknownDrawing`, `ModelError` and `CancellationError`.
  func run(
    _ episodes: Episodes, on samples: SampleSet, from places: (tasks: String, samples: String),
    progress: @escaping JobProgress
  ) async throws -> [Outcome] {
    let tasks = episodes.episodes
    let rows = Dictionary(uniqueKeysWithValues: samples.drawings.enumerated().map { ($1.id, $0) })
    var used = Set<Int>()
    for (number, episode) in tasks.enumerated() {
      for id in (episode.support + episode.query).map(\.id) + episode.unknown {
        guard let row = rows[id] else {
          throw BenchmarkError.unknownDrawing(
            id: id, episode: number, tasks: places.tasks, samples: places.samples)
        }
        used.insert(row)
      }
    }
    let vectors = try await Vectors(
      of: used.sorted(), samples, base.embedding, threads: threads, progress)
    var outcomes = [Outcome?](repeating: nil, count: tasks.count)
    var done = 0
    try await withThrowingTaskGroup(of: (Int, Outcome).self) { group in
      var waiting = tasks.indices.makeIterator()
      func start(_ group: inout ThrowingTaskGroup<(Int, Outcome), any Error>) {
        guard let number = waiting.next() else { return }
        group.addTask {
          try Task.checkCancellation()
          return (number, try outcome(of: tasks[number], samples, rows, vectors))
        }
      }
      for _ in 0..<max(1, threads) { start(&group) }
      while let (number, outcome) = try await group.next() {
        outcomes[number] = outcome
        done += 1
        progress(.progress("Tasks", done: done, of: tasks.count))
        start(&group)
      }
    }
    return outcomes.compactMap(\.self)
  }

  private func outcome(
    of episode: Episodes.Episode, _ samples: SampleSet, _ rows: [String: Int], _ vectors: Vectors
  ) throws -> Outcome {
    let support = episode.support.map { (row: rows[$0.id] ?? 0, label: $0.label) }
    let asked =
      episode.query.map { (row: rows[$0.id] ?? 0, truth: String?($0.label)) }
      + episode.unknown.map { (row: rows[$0] ?? 0, truth: nil) }
    var recognizer = base
    recognizer.update(
      with: support.map { row, label in
        TaughtSample(
          id: samples.drawings[row].id, label: label, digest: samples.drawings[row].digest)
      }, vectors: support.flatMap { vectors[$0.row] })
    let isAdapted = adapts ? try recognizer.adapt().outcome == .accepted : nil
    let queries = asked.flatMap { vectors[$0.row] }
    let nearness = recognizer.head.nearness(of: queries, in: recognizer.memory)
    let answers = zip(asked, recognizer.answers(to: queries, candidates: 1)).enumerated().map {
      index, pair in
      let ((row, truth), answer) = pair
      let best = answer.decision.best
      let taught = support.filter { $0.label == best?.label }.map(\.row)
      return Answer(
        row: row, truth: truth, label: best?.label ?? "", confidence: best?.confidence ?? 0,
        // What has too little ink is refused before anything is compared.
        isRecognized: answer.decision.isRecognized && samples.drawings[row].hasEnoughInk,
        nearness: Double(nearness[index]),
        nearestTaught: vectors.nearest(to: row, among: taught) ?? row)
    }
    return Outcome(
      queries: Array(answers.prefix(episode.query.count)),
      strangers: Array(answers.dropFirst(episode.query.count)), isAdapted: isAdapted)
  }
}

/// The vectors of some samples, each made once.
private struct Vectors: Sendable {
  private let dimension: Int
  private let values: [Float]
  private let slots: [Int: Int]

  init(
    of rows: [Int], _ samples: SampleSet, _ embedding: Embedding, threads: Int,
    _ progress: @escaping JobProgress
  ) async throws {
    dimension = embedding.dimension
    values = try await embedding.vectors(
      of: rows.map { samples.drawings[$0] }, threads: threads
    ) { progress(.progress("Embedding", done: $0, of: $1)) }
    slots = Dictionary(uniqueKeysWithValues: zip(rows, rows.indices))
  }

  subscript(row: Int) -> ArraySlice<Float> {
    let start = (slots[row] ?? 0) * dimension
    return values[start..<(start + dimension)]
  }

  /// The row of `rows` with the greatest cosine; of equal ones the first.
  func nearest(to row: Int, among rows: [Int]) -> Int? {
    var best: (row: Int, cosine: Float)?
    for other in rows {
      let cosine = zip(self[row], self[other]).reduce(Float(0)) { $0 + $1.0 * $1.1 }
      if cosine > best?.cosine ?? -.infinity { best = (other, cosine) }
    }
    return best?.row
  }
}
