/// The unit vectors that stood for labels while an embedding was trained: the weights of its cosine
/// classifier. For drawings that trained it they say more than the mean of those drawings' vectors.
public struct ClassVectors: Sendable, Equatable {
  /// The labels in ascending order.
  public let labels: [String]
  /// Row-major, shape [labels, dimension].
  public let vectors: [Float]

  /// The vectors of `labels`, which are in ascending order; none for an embedding of unknown origin.
  public init(labels: [String] = [], vectors: [Float] = []) {
    precondition(
      labels.isEmpty ? vectors.isEmpty : vectors.count % labels.count == 0,
      "\(labels.count) labels cannot share \(vectors.count) numbers")
    self.labels = labels
    self.vectors = vectors
  }

  /// The vector of a label, or nil where the training did not know it.
  public func vector(of label: String) -> ArraySlice<Float>? {
    // Binary search: labels are in order.
    var (low, high) = (0, labels.count)
    while low < high {
      let middle = (low + high) / 2
      if labels[middle] < label { low = middle + 1 } else { high = middle }
    }
    guard low < labels.count, labels[low] == label else { return nil }
    let dimension = vectors.count / labels.count
    return vectors[(low * dimension)..<((low + 1) * dimension)]
  }
}
