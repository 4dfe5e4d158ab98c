internal import CLibrary
internal import NeuralNetwork

/// Multinomial logistic regression on the vectors that starts from the labels' directions (their
/// means or trained class vectors): the penalty is on how far the weights move from there, so that
/// a label with few samples stays near its mean.
///
/// Labels count by their number of samples to the power of `balance`. By 1, labels that trained the
/// embedding count by their frequency there; the number of samples taught later is no such
/// frequency, so that such a label counts at least as much as a trained one of average size. By 0,
/// every label counts the same.
///
/// The cost is convex and is minimized by L-BFGS, so the result depends on the samples alone.
public struct LinearSoftmax: Sendable, Equatable {
  /// The factor of half the squared distance from the means in the cost, ≥ 0.
  public let penalty: Double
  /// The exponent of class frequency, in 0...1; nil in older models, for 1.
  public let balance: Double?
  /// Shape [labels, dimension].
  private let weights: Tensor
  /// Shape [labels].
  private let biases: Tensor

  /// An unfitted head.
  init(penalty: Double, balance: Double? = nil) {
    precondition(
      penalty >= 0 && penalty.isFinite, "a penalty must be a number from 0 up, got \(penalty)")
    (self.penalty, self.balance) = (penalty, balance)
    weights = Tensor(shape: [0, 0], values: [])
    biases = Tensor(shape: [0], values: [])
  }

  /// Minimizes the mean cross-entropy plus the penalty.
  ///
  /// - Complexity: O(iterations × samples × labels × dimension).
  init(penalty: Double, balance: Double? = nil, fittedTo memory: SampleMemory) {
    (self.penalty, self.balance) = (penalty, balance)
    let directions = LabelDirections.best(for: memory)
    let anchor = directions.vectors.map { $0 * directions.scale }
    let cost = LogisticCost(
      memory: memory, anchor: anchor, penalty: Float(penalty), balance: Float(balance ?? 1))
    let start = anchor + [Float](repeating: 0, count: cost.labels)
    let found = LBFGS(iterations: 150).minimum(from: start) { cost.valueAndGradient(at: $0) }
    let split = cost.labels * memory.dimension
    weights = Tensor(shape: [cost.labels, memory.dimension], values: Array(found[..<split]))
    biases = Tensor(shape: [cost.labels], values: Array(found[split...]))
  }

  /// A softmax over weights · vector + bias.
  func confidences(for queries: [Float], in memory: SampleMemory) -> [Float] {
    var logits = productWithTransposed(queries, weights.values, columns: memory.dimension)
    for index in logits.indices { logits[index] += biases.values[index % biases.values.count] }
    softmaxRows(&logits, columns: biases.values.count)
    return logits
  }

  /// Weights and biases.
  var learned: [String: Tensor] { ["weights": weights, "biases": biases] }

  /// Restores weights and biases.
  init(
    penalty: Double, balance: Double? = nil, restoring learned: [String: Tensor],
    for memory: SampleMemory
  ) throws(ModelError) {
    (self.penalty, self.balance) = (penalty, balance)
    // Without a penalty a fit has no bound, but it comes nowhere near these.
    weights = try learned.tensor(
      "weights", shape: [memory.labels.count, memory.dimension], within: 1e30)
    biases = try learned.tensor("biases", shape: [memory.labels.count], within: 1e30)
  }
}

/// Mean cross-entropy of a linear softmax plus half the penalty times the squared distance of the
/// weights from `anchor`.
struct LogisticCost {
  let memory: SampleMemory
  /// Shape [labels, dimension].
  let anchor: [Float]
  let penalty: Float
  let labels: Int
  private let labelOf: [Int]
  /// The weight of one sample of each label; the weights of all samples sum to 1.
  private let weightOfLabel: [Float]

  init(memory: SampleMemory, anchor: [Float], penalty: Float, balance: Float = 1) {
    self.memory = memory
    self.anchor = anchor
    self.penalty = penalty
    labels = memory.labels.count
    labelOf = memory.labelIndices
    var (counts, isTrained) = (
      [Float](repeating: 0, count: labels), [Bool](repeating: false, count: labels)
    )
    for (row, label) in labelOf.enumerated() {
      counts[label] += 1
      if memory.wasFitted[row] { isTrained[label] = true }
    }
    let trained = counts.indices.filter { isTrained[$0] }
    let usual =
      trained.isEmpty ? 0 : trained.reduce(0) { $0 + counts[$1] } / Float(trained.count)
    let shares = counts.indices.map {
      powf(isTrained[$0] ? counts[$0] : max(counts[$0], usual), balance)
    }
    let total = shares.reduce(0, +)
    weightOfLabel = zip(shares, counts).map { $0 / ($1 * total) }
  }

  /// The cost and its gradient at `point`: weights [labels, dimension] and then biases [labels].
  func valueAndGradient(at point: [Float]) -> (Double, [Float]) {
    let (count, dimension) = (memory.samples.count, memory.dimension)
    let split = labels * dimension
    var probabilities = productWithTransposed(
      memory.vectors, Array(point[..<split]), columns: dimension)
    for index in probabilities.indices { probabilities[index] += point[split + index % labels] }
    softmaxRows(&probabilities, columns: labels)
    var loss = 0.0
    var biasGradient = [Float](repeating: 0, count: labels)
    for row in 0..<count {
      let own = row * labels + labelOf[row]
      let weight = weightOfLabel[labelOf[row]]
      loss -= Double(weight) * log(Double(max(probabilities[own], .leastNormalMagnitude)))
      probabilities[own] -= 1
      for label in 0..<labels {
        probabilities[row * labels + label] *= weight
        biasGradient[label] += probabilities[row * labels + label]
      }
    }
    var gradient = productOfTransposed(
      probabilities, memory.vectors, rows: count)
    var squares = 0.0
    for index in 0..<split {
      let moved = point[index] - anchor[index]
      gradient[index] += penalty * moved
      squares += Double(moved * moved)
    }
    return (loss + Double(penalty) * squares / 2, gradient + biasGradient)
  }
}
