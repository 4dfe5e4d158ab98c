internal import NeuralNetwork

/// The k nearest taught samples vote (Cover and Hart 1967, doi:10.1109/TIT.1967.1053964).
///
/// The search is exact: it computes the cosines with all samples (`VectorSearch`). Vectors are unit
/// vectors, so the squared distance is 2 − 2 · cosine.
public struct NearestNeighbors: Sendable, Equatable {
  /// The number of neighbors that vote; fewer if fewer samples are taught.
  public let count: Int
  /// How much each vote counts.
  public let weights: HeadConfiguration.NeighborWeights

  /// A head of `count` neighbors, at least 1.
  init(count: Int, weights: HeadConfiguration.NeighborWeights) {
    precondition(count >= 1, "nearest neighbors need a count of at least 1, got \(count)")
    self.count = count
    self.weights = weights
  }

  /// The share of the votes of each label.
  func confidences(for queries: [Float], in memory: SampleMemory) -> [Float] {
    let (labels, labelOf) = (memory.labels, memory.labelIndices)
    let rows = queries.count / memory.dimension
    var confidences = [Float](repeating: 0, count: rows * labels.count)
    for (row, found) in memory.neighbors(of: queries, count: count).enumerated() {
      let votes = found.enumerated().map { rank, neighbor in
        // Equal votes would break ties by label order; a slightly larger vote of the nearer one
        // breaks them by distance.
        weights == .uniform
          ? 1 - 1e-4 * Float(rank) / Float(found.count) : 1 / (neighbor.distance + 1e-6)
      }
      let total = votes.reduce(0, +)
      for (neighbor, vote) in zip(found, votes) {
        let index = row * labels.count + labelOf[neighbor.row]
        // Rounding may lift a sum of shares slightly above 1.
        confidences[index] = min(1, confidences[index] + vote / total)
      }
    }
    return confidences
  }
}

/// A taught sample near a query.
public struct Neighbor: Hashable, Sendable {
  /// The sample's row in the memory.
  public var row: Int
  /// The distance between the unit vectors, in 0...2.
  public var distance: Float
}

extension SampleMemory {
  /// For each query the `count` nearest samples, nearest first; ties in row order.
  ///
  /// - Parameters:
  ///   - queries: Unit vectors, row-major, shape [queries, dimension].
  ///   - count: The number of neighbors per query; fewer if the memory holds fewer.
  ///   - threads: The maximum number of threads; the result does not depend on it, to the bit.
  /// - Returns: One list per query.
  /// - Complexity: O(queries × samples × dimension).
  public func neighbors(of queries: [Float], count: Int, threads: Int = 1) -> [[Neighbor]] {
    precondition(
      queries.count % dimension == 0,
      "queries of dimension \(dimension) expected, got \(queries.count) numbers")
    let found = VectorSearch(dimension: dimension)(
      queries, among: vectors, count: count, threads: threads)
    return (0..<(queries.count / dimension)).map { query in
      (query * found.count..<(query + 1) * found.count).compactMap { place in
        let row = Int(found.rows[place])
        return row < 0 ? nil : Neighbor(row: row, distance: chord(found.products[place]))
      }
    }
  }
}

/// The distance between two unit vectors with the given cosine.
func chord(_ cosine: Float) -> Float {
  max(0, 2 - 2 * cosine).squareRoot()
}
