internal import CLibrary
public import NeuralNetwork

/// The classifier that turns the vectors of a query and of the taught samples into confidences.
///
/// Everything a head learns is a pure function of the memory it is fitted to; so forgetting a
/// sample and never having been taught it give the same head.
public enum Head: Sendable, Equatable {
  /// The nearest taught samples vote.
  case nearestNeighbors(NearestNeighbors)
  /// The nearest mean of a label's samples.
  case classMeans(ClassMeans)
  /// Multinomial logistic regression on the vectors.
  case linear(LinearSoftmax)
  /// Bayes' rule under the two-covariance model of the prior.
  case twoCovariance(TwoCovariance)

  /// The hyper-parameters.
  public var configuration: HeadConfiguration {
    switch self {
    case .nearestNeighbors(let head): .nearestNeighbors(count: head.count, weights: head.weights)
    case .classMeans: .classMeans
    case .linear(let head): .linear(penalty: head.penalty, balance: head.balance)
    case .twoCovariance: .twoCovariance
    }
  }

  /// Learns from all samples of `memory`.
  public mutating func fit(to memory: SampleMemory) {
    switch self {
    case .nearestNeighbors: break
    case .classMeans: self = .classMeans(ClassMeans(fittedTo: memory))
    case .linear(let head):
      self = .linear(
        LinearSoftmax(penalty: head.penalty, balance: head.balance, fittedTo: memory))
    case .twoCovariance: self = .twoCovariance(TwoCovariance(fittedTo: memory))
    }
  }

  /// The confidence of each label, if the memory's scores are already known.
  ///
  /// - Parameters:
  ///   - query: A unit vector, shape [dimension].
  ///   - scores: Its scores by the memory, shape [labels].
  ///   - memory: The memory that the head was fitted to.
  /// - Returns: Shape [labels], in 0...1; the sum is 1.
  func confidences(for query: [Float], scores: [Float], in memory: SampleMemory) -> [Float] {
    guard case .twoCovariance(let head) = self else { return confidences(for: query, in: memory) }
    return head.confidences(ofScores: scores, labels: memory.labels.count)
  }

  /// The confidence of each label.
  ///
  /// - Parameters:
  ///   - queries: Unit vectors, row-major, shape [queries, dimension].
  ///   - memory: The memory that the head was fitted to.
  /// - Returns: Shape [queries, labels] in the order of `memory.labels`; each row is in 0...1 and
  ///   sums to 1.
  public func confidences(for queries: [Float], in memory: SampleMemory) -> [Float] {
    switch self {
    case .nearestNeighbors(let head): head.confidences(for: queries, in: memory)
    case .classMeans(let head): head.confidences(for: queries, in: memory)
    case .linear(let head): head.confidences(for: queries, in: memory)
    case .twoCovariance(let head): head.confidences(for: queries, in: memory)
    }
  }

  /// How near the taught samples are to each query, on the head's own scale; higher means more
  /// likely a taught label.
  public func nearness(of queries: [Float], in memory: SampleMemory) -> [Float] {
    switch self {
    case .classMeans(let head): head.nearness(of: queries, in: memory)
    case .twoCovariance(let head): head.nearness(of: queries, in: memory)
    case .nearestNeighbors, .linear:
      // Minus the distance to the nearest sample.
      memory.neighbors(of: queries, count: 1).map { -($0.first?.distance ?? 2) }
    }
  }

  /// What `fit` learned, by name, for the model file; empty if it all follows from the memory.
  public var learned: [String: Tensor] {
    switch self {
    case .classMeans(let head): head.learned
    case .linear(let head): head.learned
    case .nearestNeighbors, .twoCovariance: [:]
    }
  }

  /// Restores what `learned` returned.
  ///
  /// - Throws: `ModelError.malformed` when something is missing or of the wrong shape.
  public mutating func restore(
    _ learned: [String: Tensor], for memory: SampleMemory
  ) throws(ModelError) {
    switch self {
    case .classMeans: self = .classMeans(try ClassMeans(restoring: learned, for: memory))
    case .linear(let head):
      self = .linear(
        try LinearSoftmax(
          penalty: head.penalty, balance: head.balance, restoring: learned, for: memory))
    case .nearestNeighbors, .twoCovariance: fit(to: memory)
    }
  }
}

/// The kind of a head, with its hyper-parameters.
public enum HeadConfiguration: Hashable, Sendable, Codable {
  /// The nearest taught samples vote.
  case nearestNeighbors(count: Int, weights: NeighborWeights)
  /// The nearest mean of a label's samples.
  case classMeans
  /// Multinomial logistic regression on the vectors; `penalty` is the factor of half the squared
  /// distance of the weights from the class means, `balance` the exponent of class frequency (nil in
  /// older models, for 1).
  case linear(penalty: Double, balance: Double? = nil)
  /// The log-likelihood ratio of each label against an untaught one, by the prior (PLDA).
  case twoCovariance

  /// The names of the cases in files.
  private enum CodingKeys: String, CodingKey {
    case nearestNeighbors = "nearestNeighbours"
    case classMeans, linear, twoCovariance
  }

  /// How much a neighbor's vote counts.
  public enum NeighborWeights: String, Hashable, Sendable, Codable {
    /// All the same.
    case uniform
    /// Inversely proportional to the distance.
    case inverseDistance
  }

  /// An unfitted head.
  public func makeHead() -> Head {
    switch self {
    case .nearestNeighbors(let count, let weights):
      .nearestNeighbors(NearestNeighbors(count: count, weights: weights))
    case .classMeans: .classMeans(ClassMeans())
    case .linear(let penalty, let balance):
      .linear(LinearSoftmax(penalty: penalty, balance: balance))
    case .twoCovariance: .twoCovariance(TwoCovariance())
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
      logits[index] = exp(logits[index] - top)
      sum += logits[index]
    }
    for index in row { logits[index] /= sum }
  }
}

extension HeadConfiguration {
  /// The kinds of heads, by their names on the command line, in settings and in other languages.
  package enum Kind: String, CaseIterable, Codable, Sendable {
    case knn
    case prototype
    case linear
    case plda
  }

  /// The kind.
  package var kind: Kind {
    switch self {
    case .nearestNeighbors: .knn
    case .classMeans: .prototype
    case .linear: .linear
    case .twoCovariance: .plda
    }
  }

  /// The head's name with its hyper-parameters, for people.
  package var name: String {
    switch self {
    case .nearestNeighbors(let count, let weights):
      "\(kind) (\(count) neighbors, \(weights == .uniform ? "uniform" : "inverse distance"))"
    case .linear(let penalty, _): "\(kind) (penalty \(penalty))"
    case .classMeans, .twoCovariance: "\(kind)"
    }
  }

  /// The head for a model that is taught few drawings: PLDA if the model has a prior.
  package static func standard(for model: Recognizer) -> HeadConfiguration {
    model.memory.prior == nil ? .classMeans : .twoCovariance
  }
}
