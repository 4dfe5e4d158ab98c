internal import NeuralNetwork
internal import Support

/// Multinomial logistic regression on the vectors that starts from the labels' directions (their
/// means or trained class vectors): the penalty is on how far the weights move from there, so that
/// a label with few samples stays near its mean.
///
/// Every label counts the same, however many samples it has: their number says how many somebody
/// drew, not how often the label will come.
///
/// The cost is convex and is minimized by L-BFGS, so the result depends on the samples alone.
public struct LinearSoftmax: Sendable, Equatable {
  /// The factor of half the squared distance from the means in the cost, ≥ 0.
  public let penalty: Double
  /// Shape [labels, dimension].
  private let weights: Tensor
  /// Shape [labels].
  private let biases: Tensor

  /// An unfitted head.
  init(penalty: Double) {
    precondition(
      penalty >= 0 && penalty.isFinite, "a penalty must be a number from 0 up, got \(penalty)")
    self.penalty = penalty
    weights = Tensor(shape: [0, 0], values: [])
    biases = Tensor(shape: [0], values: [])
  }

  /// Minimizes the mean cross-entropy plus the penalty.
  ///
  /// - Complexity: O(iterations × samples × labels × dimension).
  init(penalty: Double, fittedTo memory: SampleMemory) {
    self.penalty = penalty
    let directions = LabelDirections.best(for: memory)
    let anchor = directions.vectors.map { $0 * directions.scale }
    let cost = LogisticCost(memory: memory, anchor: anchor, penalty: Float(penalty))
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
    penalty: Double, restoring learned: [String: Tensor], for memory: SampleMemory
  ) throws(ModelError) {
    self.penalty = penalty
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

  init(memory: SampleMemory, anchor: [Float], penalty: Float) {
    self.memory = memory
    self.anchor = anchor
    self.penalty = penalty
    labels = memory.labels.count
    labelOf = memory.labelIndices
    var counts = [Float](repeating: 0, count: labels)
    for label in labelOf { counts[label] += 1 }
    let share = 1 / Float(max(1, labels))
    weightOfLabel = counts.map { share / $0 }
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
