public import NeuralNetwork

/// What turns the vectors of a query and of the taught samples into confidences.
///
/// Everything a head learns is a pure function of the memory it is fitted to; so forgetting a
/// sample and never having seen it give the same head.
public protocol Head: Sendable {
  /// The hyper-parameters.
  var configuration: HeadConfiguration { get }

  /// Learns from all samples of `memory`.
  mutating func fit(to memory: SampleMemory)

  /// How much each label is believed.
  ///
  /// - Parameters:
  ///   - queries: Unit vectors, row-major, shape [queries, dimension].
  ///   - memory: The memory that the head was fitted to.
  /// - Returns: Shape [queries, labels] in the order of `memory.labels`; each row is in 0...1 and
  ///   sums to 1.
  func confidences(for queries: [Float], in memory: SampleMemory) -> [Float]

  /// How near the taught samples are to each query, on a scale of the head's own: the higher, the
  /// less it looks like a stranger.
  func nearness(of queries: [Float], in memory: SampleMemory) -> [Float]

  /// What `fit` learned, by name, for the model file.
  var learned: [String: Tensor] { get }

  /// Takes back what `learned` gave.
  ///
  /// - Throws: `ModelError.malformed` when something is missing or of the wrong shape.
  mutating func restore(_ learned: [String: Tensor], for memory: SampleMemory) throws
}

extension Head {
  /// Minus the distance to the nearest sample.
  public func nearness(of queries: [Float], in memory: SampleMemory) -> [Float] {
    memory.neighbours(of: queries, count: 1).map { -($0.first?.distance ?? 2) }
  }
}

/// Which head, with its hyper-parameters.
public enum HeadConfiguration: Hashable, Sendable, Codable {
  /// The nearest taught samples vote.
  case nearestNeighbours(count: Int, weights: NeighbourWeights)
  /// The nearest mean of a label's samples.
  case classMeans
  /// Multinomial logistic regression on the vectors; `penalty` is that on half the squared
  /// distance of the weights from the class means.
  case linear(penalty: Double)
  /// How much likelier the drawing is as one of the label's than as a stranger, by the background.
  case twoCovariance

  /// How much a neighbour's vote counts.
  public enum NeighbourWeights: String, Hashable, Sendable, Codable {
    /// Each the same.
    case uniform
    /// The nearer, the more: one over the distance.
    case inverseDistance
  }

  /// An unfitted head.
  public func makeHead() -> any Head {
    switch self {
    case .nearestNeighbours(let count, let weights):
      NearestNeighbours(count: count, weights: weights)
    case .classMeans: ClassMeans()
    case .linear(let penalty): LinearSoftmax(penalty: penalty)
    case .twoCovariance: TwoCovariance()
    }
  }
}

/// Turns each row of `logits`, shape [_, columns], into probabilities.
func softmaxRows(_ logits: inout [Float], columns: Int) {
  guard columns > 0 else { return }
  for start in stride(from: 0, to: logits.count, by: columns) {
    let row = start..<(start + columns)
    let top = logits[row].max() ?? 0
    var sum: Float = 0
    for index in row {
      logits[index] = exponential(logits[index] - top)
      sum += logits[index]
    }
    for index in row { logits[index] /= sum }
  }
}
