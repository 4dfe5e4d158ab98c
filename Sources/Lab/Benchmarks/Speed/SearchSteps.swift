internal import NeuralNetwork
internal import Numbers
internal import Recognition
internal import Text

extension SpeedInputs {
  /// Steps that search the three nearest of many vectors, and a matrix product as the reference for
  /// peak speed.
  var searchSteps: [SpeedStep] {
    let sizes = [("1k", 1_000, 256), ("10k", 10_000, 64), ("100k", 100_000, 16)]
    return sizes.flatMap { name, samples, singles in
      [
        SpeedStep(
          name: "search-\(name)-1", title: "3 nearest of \(grouped(samples)), query by query",
          unit: "queries", threads: threads,
          prepare: { self.prepareSearch(samples, queries: singles, atOnce: 1) }),
        SpeedStep(
          name: "search-\(name)-256",
          title: "3 nearest of \(grouped(samples)), 256 queries at once",
          unit: "queries", threads: threads,
          prepare: { self.prepareSearch(samples, queries: 256, atOnce: 256) }),
      ]
    } + [
      SpeedStep(
        name: "multiply", title: "a product of matrices of 2048 × 2048", unit: "products",
        threads: threads, prepare: prepareProduct)
    ]
  }

  private static let dimension = 128

  /// Unit vectors in random directions.
  private func vectors(_ count: Int, stream: Int) -> [Float] {
    var generator = SeededGenerator(seed: seed, stream: 2, stream)
    var vectors: [Float] = []
    vectors.reserveCapacity(count * Self.dimension)
    for _ in 0..<count {
      let vector = (0..<Self.dimension).map { _ in generator.normal() }
      let length = vector.reduce(0) { $0 + $1 * $1 }.squareRoot()
      vectors += vector.map { Float($0 / length) }
    }
    return vectors
  }

  private func prepareSearch(_ count: Int, queries: Int, atOnce: Int) -> PreparedStep {
    var memory = SampleMemory(dimension: Self.dimension)
    let digits = String(count).count
    let samples = (0..<count).map { row in
      let number = String(row)
      let id = String(repeating: "0", count: digits - number.count) + number
      return TaughtSample(id: id, label: "a", digest: id)
    }
    memory.insert(samples, vectors: vectors(count, stream: 0))
    let all = vectors(queries, stream: 1)
    let blocks = stride(from: 0, to: queries, by: atOnce).map {
      Array(all[($0 * Self.dimension)..<(($0 + atOnce) * Self.dimension)])
    }
    let threads = threads
    return PreparedStep(
      count: queries, operations: 2 * Double(count) * Double(queries) * Double(Self.dimension)
    ) {
      time { for block in blocks { _ = memory.neighbors(of: block, count: 3, threads: threads) } }
    } record: {
      var record = SpeedRecord()
      let found = memory.neighbors(of: all, count: 3, threads: threads).joined()
      record.add("samples", memory.vectors, shape: [count, Self.dimension])
      record.add("queries", all, shape: [queries, Self.dimension])
      record.add("rows", found.map(\.row), shape: [queries, 3])
      record.add("distances", found.map(\.distance), shape: [queries, 3])
      return record
    }
  }

  private func prepareProduct() throws -> PreparedStep {
    let (side, threads) = (2048, threads)
    let values = vectors(side * side / Self.dimension, stream: 2)
    let rows = (side + threads - 1) / threads
    let parts = stride(from: 0, to: side, by: rows).map { start in
      Array(values[(start * side)..<(min(start + rows, side) * side)])
    }
    let results = Pool<[Float]>()
    return PreparedStep(count: 1, operations: 2 * 2048 * 2048 * 2048) {
      try await time { try await Self.multiply(parts, values, into: results, side: side) }
    }
  }

  /// Multiplies each part of the rows by the whole, in a thread of its own; the products go to
  /// `results`.
  private static func multiply(
    _ parts: [[Float]], _ whole: [Float], into results: Pool<[Float]>, side: Int
  ) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for part in parts {
        group.addTask {
          let rows = part.count / side
          var result = results.take() ?? [Float](repeating: 0, count: side * side)
          var span = result.mutableSpan
          Matrix.product(part.span, whole.span, into: &span, m: rows, n: side, k: side)
          results.putBack(result)
        }
      }
      try await group.waitForAll()
    }
  }
}
