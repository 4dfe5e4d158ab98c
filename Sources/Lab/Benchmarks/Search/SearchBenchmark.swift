package import Datasets
internal import Evaluation
internal import Ink
package import NeuralNetwork
package import Recognition
internal import Report
internal import Text
package import Training

/// The nearest of many drawings: how fast they are embedded and found, and how often they show the
/// same thing. Each rank embeds and holds a part of them.
package struct SearchBenchmark: Sendable {
  /// The drawings; some are the queries, others are searched.
  var set: ShardedDrawings
  var model: ModelFile.Opened
  var modelPath: String
  /// The most drawings to search.
  var count: Int
  /// How many drawings are looked for.
  var queries: Int
  /// How many of the nearest are found for each.
  var neighbors: Int
  var seed: UInt64
  var threads: Int
  var date: String
  /// The processes that share the drawings.
  package var ranks: any Ranks = OneProcess()

  package init(
    _ set: ShardedDrawings, model: ModelFile.Opened, at modelPath: String, count: Int, queries: Int,
    neighbors: Int, seed: UInt64, threads: Int, date: String
  ) {
    (self.set, self.model, self.modelPath) = (set, model, modelPath)
    (self.count, self.queries, self.neighbors) = (count, queries, neighbors)
    (self.seed, self.threads, self.date) = (seed, threads, date)
  }

  /// The keys are those of the guide.
  package struct Report: Encodable, Sendable {
    /// How many drawings were searched, and how many vectors rank 0 held.
    var drawings: Int
    var drawingsOfRank: Int
    /// The numbers of a vector.
    var dimension: Int
    /// How many drawings were looked for, and how many of the nearest were found for each.
    var queries: Int
    var neighbors: Int
    /// How many processes shared the drawings.
    var ranks: Int
    /// Drawings per second that all ranks read and embedded.
    var embedded: Double
    /// Milliseconds to find the nearest of a query, alone: the median of some.
    var millisecondsAlone: Double
    /// The same for each of all queries at once.
    var millisecondsTogether: Double
    /// The share of queries whose nearest drawing has the same label.
    var sameLabel: Double
    /// Its 95 % interval (Wilson).
    var confidenceInterval95: ConfidenceInterval
    var facts: RunFacts
  }

  /// Queries that are asked one by one, to time them.
  private static let asked = 33
  /// Drawings that are read at once.
  private static let slice = 4096

  /// Embeds and searches.
  ///
  /// - Parameter progress: Receives the numbers of drawings of this rank.
  /// - Returns: The report.
  /// - Throws: `JobProblem` for a set with too few drawings, `FileError` for a shard that cannot be
  ///   read, `ModelError` for a drawing without ink, `CancellationError`; `RankIsDone` on all ranks
  ///   but the first, and when a rank is lost.
  package func run(progress: @escaping JobProgress) async throws -> Report {
    guard set.count > queries else {
      throw JobProblem(
        "\(set.path) has \(counted(set.count, "drawing")), which leaves none to search besides "
          + "\(grouped(queries)) queries: choose fewer --queries")
    }
    try ranks.agree {
      [
        ("drawings", set.fingerprint), ("models", model.fingerprint),
        ("settings", "\(count) \(queries) \(neighbors) \(seed)"), ("kernels", KernelChoice.inUse),
      ]
    }
    let started = ContinuousClock.now
    let order = ShardOrder(of: set, seed: seed)
    let embedding = model.recognizer.embedding
    let asked = try (0..<queries).map { try order.drawing($0) }
    let vectors = try await embedding.vectors(of: asked, threads: threads, sharedBy: ranks)
    let total = min(count, set.count - queries)
    let begun = ContinuousClock.now
    let (own, labels) = try await embed(ranks.part(of: total), in: order, embedding, progress)
    let allLabels = try ranks.allGather(labels)
    let seconds = (ContinuousClock.now - begun) / .seconds(1)
    let search = VectorSearch(dimension: embedding.dimension)
    func find(_ queries: [Float]) throws -> (VectorSearch.Found, milliseconds: Double) {
      let begun = ContinuousClock.now
      let found = try search(
        queries, among: own, of: total, sharedBy: ranks, count: neighbors, threads: threads)
      return (found, (ContinuousClock.now - begun) / .milliseconds(1))
    }
    let alone = try (0..<min(queries, Self.asked)).map { query in
      let start = query * embedding.dimension
      return try find(Array(vectors[start..<(start + embedding.dimension)])).milliseconds
    }
    let (found, together) = try find(vectors)
    guard ranks.isFirst else { throw RankIsDone() }
    let numbers = number(of: set.labels)
    let right = asked.enumerated().count { query, drawing in
      numbers[drawing.label ?? ""] == allLabels[Int(found.rows[query * found.count])]
    }
    return Report(
      drawings: total, drawingsOfRank: labels.count, dimension: embedding.dimension,
      queries: queries, neighbors: found.count, ranks: ranks.rankCount,
      embedded: Double(total) / seconds,
      millisecondsAlone: alone.sorted()[alone.count / 2],
      millisecondsTogether: together / Double(queries),
      sameLabel: Double(right) / Double(queries),
      confidenceInterval95: try .wilson(successes: right, trials: queries),
      facts: RunFacts(
        modelPath: modelPath, modelFingerprint: model.fingerprint, dataPaths: [set.path],
        dataFingerprint: set.fingerprint, head: "none", seed: seed,
        threads: threads, date: date, seconds: (ContinuousClock.now - started) / .seconds(1)))
  }

  /// The vectors of this rank's drawings, and the numbers of their labels.
  private func embed(
    _ part: Range<Int>, in order: ShardOrder, _ embedding: Embedding,
    _ progress: @escaping JobProgress
  ) async throws -> (vectors: [Float], labels: [Int32]) {
    let numbers = number(of: set.labels)
    var (vectors, labels): ([Float], [Int32]) = ([], [])
    vectors.reserveCapacity(part.count * embedding.dimension)
    for start in stride(from: part.lowerBound, to: part.upperBound, by: Self.slice) {
      let positions = start..<min(start + Self.slice, part.upperBound)
      // The queries have the first positions.
      let drawings = try positions.map { try order.drawing(queries + $0) }
      vectors += try await embedding.vectors(of: drawings, threads: threads)
      labels += drawings.map { numbers[$0.label ?? ""] ?? -1 }
      progress(.progress("Embedding", done: labels.count, of: part.count))
    }
    return (vectors, labels)
  }

  private func number(of labels: [ShardedDrawings.Label]) -> [String: Int32] {
    Dictionary(uniqueKeysWithValues: labels.enumerated().map { ($1.label, Int32($0)) })
  }
}

extension SearchBenchmark.Report {
  /// A few lines for people.
  package var lines: [String] {
    let shared = ranks > 1 ? ", of which rank 0 holds \(grouped(drawingsOfRank))" : ""
    return [
      "\(grouped(neighbors)) nearest of \(counted(drawings, "drawing")) (\(dimension) numbers each)"
        + shared,
      "  one query          \(ReportNumbers.decimal(millisecondsAlone, 3)) ms",
      "  of \(grouped(queries)) queries at once, each  "
        + "\(ReportNumbers.decimal(millisecondsTogether, 3)) ms",
      "  read and embedded  \(grouped(Int(embedded))) drawings a second",
      "  the nearest shows the same: \(percent(sameLabel)) (95 %: "
        + "\(percent(confidenceInterval95.lower)) to \(percent(confidenceInterval95.upper)))",
      "  \(counted(ranks, "rank")), \(counted(facts.threads, "thread")) each; peak memory "
        + "\(megabytes(facts.peakMemoryBytes)) of rank 0; \(duration(facts.seconds))",
    ]
  }
}
