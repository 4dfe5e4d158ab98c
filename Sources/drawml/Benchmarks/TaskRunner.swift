internal import Datasets
internal import Ink
internal import Recognition

/// Runs tasks on a model's embedding: each teaches a recogniser of its own from nothing and asks it.
///
/// Answers and decisions are those of `Recognizer.classify`, as a user of the model gets them.
struct TaskRunner: Sendable {
  /// The recogniser whose embedding is used; what it was taught is not.
  var base: Recognizer
  /// What turns vectors into labels.
  var head: HeadConfiguration
  /// How many tasks run at the same time; the answers do not depend on it.
  var threads: Int

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
  }

  /// Runs the tasks.
  ///
  /// - Parameters:
  ///   - episodes: The tasks.
  ///   - samples: Their drawings.
  ///   - places: Where tasks and samples come from, for messages.
  /// - Returns: One outcome a task, in their order.
  /// - Throws: `BenchmarkError.unknownDrawing`, `ModelError` and `CancellationError`.
  func run(
    _ episodes: Episodes, on samples: SampleSet, from places: (tasks: String, samples: String)
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
    let vectors = try await Vectors(of: used.sorted(), samples, base.embedding, threads: threads)
    let bar = ProgressBar("Tasks")
    defer { bar.finish() }
    var outcomes = [Outcome?](repeating: nil, count: tasks.count)
    var done = 0
    try await withThrowingTaskGroup(of: (Int, Outcome).self) { group in
      var waiting = tasks.indices.makeIterator()
      func start(_ group: inout ThrowingTaskGroup<(Int, Outcome), any Error>) {
        guard let number = waiting.next() else { return }
        group.addTask {
          try Task.checkCancellation()
          return (number, try await outcome(of: tasks[number], samples, rows, vectors))
        }
      }
      for _ in 0..<max(1, threads) { start(&group) }
      while let (number, outcome) = try await group.next() {
        outcomes[number] = outcome
        done += 1
        bar.update(done, of: tasks.count)
        start(&group)
      }
    }
    return outcomes.compactMap(\.self)
  }

  /// A recogniser with the model's embedding that was taught nothing.
  func blank() -> Recognizer {
    Recognizer(embedding: base.embedding, head: head, provenance: base.provenance)
  }

  private func outcome(
    of episode: Episodes.Episode, _ samples: SampleSet, _ rows: [String: Int], _ vectors: Vectors
  ) async throws -> Outcome {
    func drawing(_ id: String, _ label: String?) -> (row: Int, drawing: Drawing) {
      let row = rows[id] ?? 0
      var drawing = samples.drawings[row]
      drawing.label = label
      return (row, drawing)
    }
    let support = episode.support.map { drawing($0.id, $0.label) }
    let asked =
      episode.query.map { drawing($0.id, $0.label) } + episode.unknown.map { drawing($0, nil) }
    var recognizer = blank()
    try await recognizer.update(with: support.map(\.drawing))
    let said = try await recognizer.classify(asked.map(\.drawing), candidates: 1)
    let nearness = recognizer.head.nearness(
      of: asked.flatMap { vectors[$0.row] }, in: recognizer.memory)
    let answers = zip(asked, said).enumerated().map { index, pair in
      let (one, classification) = pair
      let best = classification.decision.best
      let taught = support.filter { $0.drawing.label == best?.label }.map(\.row)
      return Answer(
        row: one.row, truth: one.drawing.label, label: best?.label ?? "",
        confidence: best?.confidence ?? 0, isRecognized: classification.decision.isRecognized,
        nearness: Double(nearness[index]),
        nearestTaught: vectors.nearest(to: one.row, among: taught) ?? one.row)
    }
    return Outcome(
      queries: Array(answers.prefix(episode.query.count)),
      strangers: Array(answers.dropFirst(episode.query.count)))
  }
}

/// The vectors of some samples, each made once.
private struct Vectors: Sendable {
  private let dimension: Int
  private let values: [Float]
  private let slots: [Int: Int]

  init(of rows: [Int], _ samples: SampleSet, _ embedding: Embedding, threads: Int) async throws {
    let bar = ProgressBar("Embedding")
    dimension = embedding.dimension
    values = try await embedding.vectors(
      of: rows.map { samples.drawings[$0] }, threads: threads
    ) { bar.update($0, of: $1) }
    bar.finish()
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
