public import NeuralNetwork

/// The k nearest taught samples vote (Cover and Hart 1967, doi:10.1109/TIT.1967.1053964).
///
/// The search is exact: one matrix product gives the cosines with all samples, a partial selection the
/// nearest. Vectors are unit vectors, so the squared distance is 2 − 2 · cosine.
public struct NearestNeighbours: Head, Equatable {
  /// How many neighbours vote; fewer where fewer samples are taught.
  public let count: Int
  /// How much each vote counts.
  public let weights: HeadConfiguration.NeighbourWeights

  /// A head of `count` neighbours, at least 1.
  public init(count: Int, weights: HeadConfiguration.NeighbourWeights) {
    precondition(count >= 1, "nearest neighbours need a count of at least 1, got \(count)")
    self.count = count
    self.weights = weights
  }

  /// The hyper-parameters.
  public var configuration: HeadConfiguration {
    .nearestNeighbours(count: count, weights: weights)
  }

  /// Nothing to learn: the memory is the model.
  public mutating func fit(to memory: SampleMemory) {}

  /// The share of the votes of each label.
  public func confidences(for queries: [Float], in memory: SampleMemory) -> [Float] {
    let (labels, labelOf) = (memory.labels, memory.labelIndices)
    let rows = queries.count / memory.dimension
    var confidences = [Float](repeating: 0, count: rows * labels.count)
    for (row, found) in memory.neighbours(of: queries, count: count).enumerated() {
      let votes = found.enumerated().map { rank, neighbour in
        // Equal votes would leave ties to the alphabet; a hair more for the nearer one settles them.
        weights == .uniform
          ? 1 - 1e-4 * Float(rank) / Float(found.count) : 1 / (neighbour.distance + 1e-6)
      }
      let total = votes.reduce(0, +)
      for (neighbour, vote) in zip(found, votes) {
        let index = row * labels.count + labelOf[neighbour.row]
        // Shares that are added up may round to a hair above the whole.
        confidences[index] = min(1, confidences[index] + vote / total)
      }
    }
    return confidences
  }

  /// Nothing.
  public var learned: [String: Tensor] { [:] }

  /// Nothing to take back.
  public mutating func restore(_ learned: [String: Tensor], for memory: SampleMemory) throws {}
}

/// A taught sample near a query.
public struct Neighbour: Hashable, Sendable {
  /// The sample's row in the memory.
  public var row: Int
  /// The distance between the unit vectors, in 0...2.
  public var distance: Float
}

extension SampleMemory {
  /// For each query the `count` nearest samples, nearest first; of equally near ones the first row.
  ///
  /// - Parameters:
  ///   - queries: Unit vectors, row-major, shape [queries, dimension].
  ///   - count: How many to give a query; fewer where the memory holds fewer.
  /// - Returns: One list a query.
  /// - Complexity: O(queries × samples × dimension), in blocks of queries that bound the memory used.
  public func neighbours(of queries: [Float], count: Int) -> [[Neighbour]] {
    var result: [[Neighbour]] = []
    forEachRowOfCosines(with: queries) { result.append(nearest($0, count: count)) }
    return result
  }

  /// The cosines of each query with all samples, by matrix products of blocks that bound the memory used.
  private func forEachRowOfCosines(with queries: [Float], _ body: (ArraySlice<Float>) -> Void) {
    precondition(
      queries.count % dimension == 0,
      "queries of dimension \(dimension) expected, got \(queries.count) numbers")
    let total = queries.count / dimension
    let block = max(1, min(total, (1 << 20) / max(1, samples.count)))
    for start in stride(from: 0, to: total, by: block) {
      let end = min(total, start + block)
      let cosines = productWithTransposed(
        Array(queries[(start * dimension)..<(end * dimension)]), vectors, columns: dimension)
      for row in 0..<(end - start) {
        body(cosines[(row * samples.count)..<((row + 1) * samples.count)])
      }
    }
  }

  /// The greatest of `cosines` by insertion into a short sorted list: `count` is small.
  private func nearest(_ cosines: ArraySlice<Float>, count: Int) -> [Neighbour] {
    var best: [(row: Int, cosine: Float)] = []
    for (row, cosine) in cosines.enumerated() {
      if best.count == count, let last = best.last, cosine <= last.cosine { continue }
      let place = best.firstIndex { cosine > $0.cosine } ?? best.count
      best.insert((row, cosine), at: place)
      if best.count > count { best.removeLast() }
    }
    return best.map { Neighbour(row: $0.row, distance: chord($0.cosine)) }
  }
}

/// The distance between two unit vectors with the given cosine.
func chord(_ cosine: Float) -> Float {
  max(0, 2 - 2 * cosine).squareRoot()
}
