package import Datasets
internal import Evaluation
internal import Ink
internal import Numbers
package import Recognition
internal import Report
package import Training

/// Teaches labels one by one, and evaluates all taught so far after each.
package struct IncrementalBenchmark: Sendable {
  var runner: TaskRunner
  var samplesPath: String
  /// How many labels are taught.
  var labels: Int
  /// Taught drawings of each label.
  var shots: Int
  /// Held-out drawings of each label.
  var queries: Int
  /// The number of repetitions, each with other labels, other drawings and another order.
  var orders: Int
  var seed: UInt64
  /// The number of epochs to train a network from scratch on the same drawings; nil for no such
  /// training.
  var retrainingEpochs: Int?

  package init(
    _ runner: TaskRunner, samplesPath: String, labels: Int, shots: Int, queries: Int, orders: Int,
    seed: UInt64, retrainingEpochs: Int?
  ) {
    (self.runner, self.samplesPath, self.seed) = (runner, samplesPath, seed)
    (self.labels, self.shots, self.queries, self.orders) = (labels, shots, queries, orders)
    self.retrainingEpochs = retrainingEpochs
  }

  /// A report and what its page shows.
  package struct Result: Sendable {
    package var report: IncrementalReport
    var orders: [Order]

    /// The page of `benchmark incremental`.
    package func page() -> String { IncrementalPage.html(report, orders) }
  }

  /// The results of one order.
  struct Order: Sendable {
    /// The labels in the order of teaching.
    var labels: [String]
    /// The accuracy on label j among all labels taught, after label i, at [i][j].
    var amongAll: IncrementalAccuracy
    /// The same among only the labels that were known when label j was taught: later labels do not
    /// make the task harder, so a decrease is due to forgetting.
    var amongKnown: IncrementalAccuracy
    /// The accuracy on all labels when they are taught at once.
    var allAtOnce: Double
    /// Whether both ways give the same model, byte for byte.
    var equalsAllAtOnce: Bool
    /// The accuracy of a network trained from scratch on the same drawings.
    var retrained: Double?
    /// Whether forgetting every second label gives a model equal to one that was never taught them.
    var forgetIsExact: Bool
    /// How long each drawing took to teach, from strokes to the updated model, in milliseconds.
    var teachMilliseconds: [Double]
  }

  /// The taught and the held-out drawings of one label.
  private struct LabelSplit: Sendable {
    var label: String
    var taught: [Drawing]
    var heldOut: [Drawing]
  }

  /// Runs all orders.
  package func run(
    on samples: SampleSet, progress: JobProgress
  ) async throws -> Result {
    let started = ContinuousClock.now
    var members = [[Int]](repeating: [], count: samples.classes.count)
    for (index, label) in samples.classIndices.enumerated() { members[label].append(index) }
    let usable = members.indices.filter { members[$0].count >= shots + queries }
    guard usable.count >= labels else {
      throw JobProblem(
        "\(samplesPath): \(counted(labels, "label")) with at least "
          + "\(counted(shots + queries, "drawing")) each are needed, and there are "
          + "\(usable.count); ask for fewer labels, shots or queries")
    }
    var results: [Order] = []
    for order in 0..<orders {
      var generator = SeededGenerator(seed: seed, stream: order)
      let chosen = generator.permutation(usable.count).prefix(labels).map { usable[$0] }
      let splits = chosen.map { label in
        let drawings = generator.permutation(members[label].count)
          .map { samples.drawings[members[label][$0]] }
        return LabelSplit(
          label: samples.classes[label], taught: Array(drawings[..<shots]),
          heldOut: Array(drawings[shots..<(shots + queries)]))
      }
      results.append(
        try await run(splits, retrainingSeed: seed &+ UInt64(order)) { label in
          progress(.progress("Teaching", done: order * labels + label, of: orders * labels))
        })
    }
    let facts = RunFacts(
      of: runner, data: [samplesPath], fingerprint: samples.fingerprint, seed: seed,
      since: started)
    return Result(
      report: try IncrementalReport(results, shots: shots, queries: queries, facts),
      orders: results)
  }

  private func run(
    _ splits: [LabelSplit], retrainingSeed: UInt64, progress: (Int) -> Void
  ) async throws -> Order {
    var recognizer = runner.base
    let heldOut = try await vectors(of: splits, recognizer.embedding)
    let size = queries * recognizer.embedding.dimension
    var (amongAll, amongKnown): ([[Double]], [[Double]]) = ([], [])
    var milliseconds: [Double] = []
    for (step, split) in splits.enumerated() {
      for drawing in split.taught {
        let start = ContinuousClock.now
        try await recognizer.update(with: [drawing])
        milliseconds.append((ContinuousClock.now - start) / .milliseconds(1))
      }
      try Task.checkCancellation()
      let (all, known) = Self.accuracies(
        recognizer, on: splits[...step].map(\.label),
        vectors: Array(heldOut[..<((step + 1) * size)]))
      amongAll.append(all)
      amongKnown.append(known)
      progress(step + 1)
    }
    var atOnce = runner.base
    try await atOnce.update(with: splits.flatMap(\.taught), threads: runner.threads)
    let labels = splits.map(\.label)
    let once = Self.accuracies(atOnce, on: labels, vectors: heldOut).all
    return Order(
      labels: labels, amongAll: try IncrementalAccuracy(accuracies: amongAll),
      amongKnown: try IncrementalAccuracy(accuracies: amongKnown), allAtOnce: once.mean,
      equalsAllAtOnce: try ModelFile.fingerprint(of: recognizer)
        == ModelFile.fingerprint(of: atOnce),
      retrained: try await retrained(splits, seed: retrainingSeed),
      forgetIsExact: try await forgetIsExact(recognizer, splits),
      teachMilliseconds: milliseconds)
  }

  /// The accuracy on each label's drawings, among all labels of the recognizer and among those up
  /// to its own.
  ///
  /// - Parameters:
  ///   - recognizer: The recognizer to evaluate.
  ///   - labels: The labels in the order of teaching.
  ///   - vectors: The vectors label by label, the same number for each.
  /// - Returns: Accuracies, shape [labels].
  package static func accuracies(
    _ recognizer: Recognizer, on labels: [String], vectors: [Float]
  ) -> (all: [Double], known: [Double]) {
    let order = Dictionary(uniqueKeysWithValues: labels.enumerated().map { ($1, $0) })
    let answers = recognizer.answers(to: vectors, candidates: labels.count)
    let queries = answers.count / max(1, labels.count)
    var (all, known) = ([Double](), [Double]())
    for (number, label) in labels.enumerated() {
      let own = answers[(number * queries)..<((number + 1) * queries)]
      func share(_ isRight: (Answer) -> Bool) -> Double {
        Double(own.count(where: isRight)) / Double(queries)
      }
      all.append(share { $0.candidates.first?.label == label })
      known.append(
        share { answer in
          answer.candidates.first { order[$0.label] ?? 0 <= number }?.label == label
        })
    }
    return (all, known)
  }

  private func forgetIsExact(_ recognizer: Recognizer, _ splits: [LabelSplit]) async throws -> Bool
  {
    var forgetful = recognizer
    var never = runner.base
    for (number, split) in splits.enumerated() where number % 2 == 1 {
      try forgetful.forget(label: split.label)
    }
    let kept = splits.enumerated().filter { $0.offset % 2 == 0 }.flatMap(\.element.taught)
    try await never.update(with: kept, threads: runner.threads)
    return try ModelFile.fingerprint(of: forgetful) == ModelFile.fingerprint(of: never)
  }

  /// The accuracy of a network trained on the taught drawings alone.
  private func retrained(_ splits: [LabelSplit], seed: UInt64) async throws -> Double? {
    guard let retrainingEpochs else { return nil }
    var recipe = EmbeddingRecipe.standard
    recipe.training.epochs = retrainingEpochs
    let augmentation = Augmentation.standard
    let taught = splits.flatMap(\.taught)
    let outcome = try await EmbeddingTrainer(recipe) { drawing, generator in
      let changed = augmentation(drawing, using: &generator)
      return AugmentedDrawing(
        changed, strokeWidthFactor: augmentation.strokeWidthFactor(using: &generator))
    }.fit(training: taught, validation: [], seed: seed, threads: runner.threads)
    var recognizer = Recognizer(
      embedding: outcome.embedding, trained: outcome.trained.fitted(to: taught),
      head: .linear(penalty: 1e-3), provenance: runner.base.provenance)
    try await recognizer.update(with: taught, threads: runner.threads)
    let heldOut = try await vectors(of: splits, recognizer.embedding)
    return Self.accuracies(recognizer, on: splits.map(\.label), vectors: heldOut).all.mean
  }

  /// The vectors of all held-out drawings, split after split.
  private func vectors(of splits: [LabelSplit], _ embedding: Embedding) async throws -> [Float] {
    try await embedding.vectors(of: splits.flatMap(\.heldOut), threads: runner.threads)
  }
}
