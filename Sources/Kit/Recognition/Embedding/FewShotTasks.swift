public import Ink
internal import NeuralNetwork
internal import Numbers

/// Few-shot tasks on labels that an embedding was not trained on, which evaluate it during
/// training: each query is assigned to the label whose mean support vector is most similar.
public struct FewShotTasks: Sendable {
  private struct Task: Sendable {
    /// Rows of `drawings`, `shots` per label, label by label.
    var support: [Int]
    var query: [(row: Int, label: Int)]
  }

  /// The drawings that occur in the tasks.
  private let drawings: [Drawing]
  private let tasks: [Task]
  private let shots: Int

  /// Random tasks; nil when fewer than `ways` labels have `shots` + 1 drawings.
  ///
  /// - Parameters:
  ///   - drawings: Labeled drawings; those without a label are left out.
  ///   - count: The number of tasks.
  ///   - ways: Labels per task.
  ///   - shots: Support drawings per label.
  ///   - queries: The maximum number of queries per label.
  ///   - seed: The seed that the tasks are sampled with.
  public init?(
    of drawings: [Drawing], count: Int, ways: Int, shots: Int, queries: Int = 10, seed: UInt64
  ) {
    var rows: [String: [Int]] = [:]
    for (row, drawing) in drawings.enumerated() {
      if let label = drawing.label { rows[label, default: []].append(row) }
    }
    let members = rows.filter { $0.value.count > shots }.sorted { $0.key < $1.key }.map(\.value)
    guard count > 0, ways > 1, shots > 0, queries > 0, members.count >= ways else { return nil }
    self.shots = shots
    var used: [Int: Int] = [:]
    var kept: [Drawing] = []
    func place(_ row: Int) -> Int {
      if let place = used[row] { return place }
      used[row] = kept.count
      kept.append(drawings[row])
      return kept.count - 1
    }
    var tasks: [Task] = []
    for number in 0..<count {
      var generator = SeededGenerator(seed: seed, stream: 0xfe35, number)
      var task = Task(support: [], query: [])
      for (label, index) in generator.permutation(members.count).prefix(ways).enumerated() {
        let order = generator.permutation(members[index].count).map { members[index][$0] }
        task.support += order.prefix(shots).map(place)
        task.query += order.dropFirst(shots).prefix(queries).map { (place($0), label) }
      }
      tasks.append(task)
    }
    self.tasks = tasks
    self.drawings = kept
  }

  /// The mean accuracy over tasks, in 0...1.
  ///
  /// - Throws: `ModelError.drawing` for a drawing without ink, and `CancellationError`.
  public func accuracy(of embedding: Embedding, threads: Int = 1) async throws -> Double {
    try await accuracy(of: embedding, threads: threads, sharedBy: OneProcess())
  }

  /// The mean accuracy over tasks, in 0...1; the drawings are embedded by all ranks.
  ///
  /// - Throws: What `Embedding.vectors` throws.
  func accuracy(
    of embedding: Embedding, threads: Int, sharedBy ranks: any Ranks
  ) async throws -> Double {
    let vectors = try await embedding.vectors(of: drawings, threads: threads, sharedBy: ranks)
    let dimension = embedding.dimension
    let products = RowProducts()
    var sum = 0.0
    for task in tasks {
      var means: [Float] = []
      for start in stride(from: 0, to: task.support.count, by: shots) {
        var mean = [Float](repeating: 0, count: dimension)
        for row in task.support[start..<(start + shots)] {
          for column in 0..<dimension { mean[column] += vectors[row * dimension + column] }
        }
        normalize(&mean, 0..<dimension)
        means += mean
      }
      var right = 0
      for (row, label) in task.query {
        let scores = products(
          means.span, vectors.span.extracting((row * dimension)..<((row + 1) * dimension)))
        let best = scores.indices.reduce(0) { scores[$1] > scores[$0] ? $1 : $0 }
        if best == label { right += 1 }
      }
      sum += Double(right) / Double(task.query.count)
    }
    return sum / Double(tasks.count)
  }
}
