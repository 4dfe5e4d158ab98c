internal import CLibrary
internal import NeuralNetwork
internal import Numbers

/// Fits a `JoinModel` to joinings: the choice among all open groups and a new one is a softmax over
/// the groups' scores and 0.
struct JoinFit: Sendable {
  /// Units of each of the two hidden layers.
  var units = 48
  /// Steps of AdamW (Loshchilov and Hutter 2019, arXiv 1711.05101).
  var steps = 5000
  /// Joinings per step.
  var batch = 1024
  /// The peak learning rate: linear warm-up over the first third of the steps, then cosine decay to
  /// 0.
  var learningRate: Float = 0.02
  /// Decoupled weight decay; generalizing to new labels needs more of it than new drawings of the
  /// same labels.
  var weightDecay: Float = 0.15
  var seed: UInt64

  /// The fitted network.
  func callAsFunction(_ all: [Joining]) -> JoinModel {
    let joinings = all.filter { !$0.features.isEmpty }
    var generator = SeededGenerator(seed: seed)
    var model = start(for: joinings, &generator)
    guard !joinings.isEmpty else { return model }
    let standard = joinings.map {
      Joining(features: model.standardized($0.features), choice: $0.choice)
    }
    var point = model.first + model.second + model.output
    var (means, squares) = (point.map { _ in Float(0) }, point.map { _ in Float(0) })
    for step in 0..<steps {
      let shown = (0..<min(batch, standard.count)).map { _ in generator.pick(standard) }
      let gradient = Self.loss(point, shown, units: units).gradient
      let rate = learningRate * Self.share(of: step, steps)
      let corrections = (1 - powf(0.9, Float(step + 1)), 1 - powf(0.999, Float(step + 1)))
      for k in point.indices {
        means[k] = 0.9 * means[k] + 0.1 * gradient[k]
        squares[k] = 0.999 * squares[k] + 0.001 * gradient[k] * gradient[k]
        let slope = means[k] / corrections.0 / ((squares[k] / corrections.1).squareRoot() + 1e-8)
        point[k] -= rate * (slope + weightDecay * point[k])
      }
    }
    let (end, last) = (model.first.count, model.first.count + model.second.count)
    model.first = Array(point[..<end])
    model.second = Array(point[end..<last])
    model.output = Array(point[last...])
    return model
  }

  private static func share(of step: Int, _ steps: Int) -> Float {
    let warm = max(1, steps / 3)
    if step < warm { return Float(step + 1) / Float(warm) }
    return (1 + cosf(.pi * Float(step - warm) / Float(max(1, steps - warm)))) / 2
  }

  /// Random weights, and the features' means and deviations.
  private func start(for joinings: [Joining], _ generator: inout SeededGenerator) -> JoinModel {
    let count = JoinFeatures.count
    var sums = [Double](repeating: 0, count: count)
    var (squares, rows) = (sums, 0.0)
    for joining in joinings {
      for (k, value) in joining.features.enumerated() {
        sums[k % count] += Double(value)
        squares[k % count] += Double(value) * Double(value)
      }
      rows += Double(joining.features.count / count)
    }
    let deviations = (0..<count).map { k in
      let mean = sums[k] / max(1, rows)
      return Float(max(1e-3, max(0, squares[k] / max(1, rows) - mean * mean).squareRoot()))
    }
    func weights(_ rows: Int, _ columns: Int) -> [Float] {
      let deviation = 1 / Double(columns).squareRoot()
      return (0..<(rows * (columns + 1))).map {
        $0 % (columns + 1) == columns ? 0 : Float(generator.normal(deviation: deviation))
      }
    }
    return JoinModel(
      means: sums.map { Float($0 / max(1, rows)) }, deviations: deviations,
      first: weights(units, count), second: weights(units, units), output: weights(1, units))
  }

  /// The mean negative log-likelihood of the choices, with its gradient.
  ///
  /// - Parameters:
  ///   - point: The weights of the first and second layer and of the output, concatenated.
  ///   - joinings: The joinings, with standardized features.
  ///   - units: The units of each hidden layer.
  /// - Returns: The mean, and its derivative by each number of `point`.
  static func loss(
    _ point: [Float], _ joinings: [Joining], units: Int
  ) -> (value: Double, gradient: [Float]) {
    let x = joinings.flatMap(\.features)
    let rows = x.count / JoinFeatures.count
    let first = DenseLayer(Array(point[..<(units * (JoinFeatures.count + 1))]), units: units)
    let second = DenseLayer(
      Array(point[first.weights.count...].prefix(units * (units + 1))), units: units)
    let output = Array(point.suffix(units + 1))
    let below = first.activations(of: x, rows: rows)
    let above = second.activations(of: below, rows: rows)
    let scores = (0..<rows).map { row in
      (0..<units).reduce(output[units]) { $0 + output[$1] * above[row * units + $1] }
    }
    let (value, slopes) = softmax(joinings, scores)
    var outputGradient = [Float](repeating: 0, count: units + 1)
    var back = above
    for row in 0..<rows {
      outputGradient[units] += slopes[row]
      for unit in 0..<units {
        outputGradient[unit] += slopes[row] * above[row * units + unit]
        back[row * units + unit] = slopes[row] * output[unit]
      }
    }
    let upper = second.gradient(from: back, activations: above, inputs: below, rows: rows)
    let lower = first.gradient(from: upper.inputs, activations: below, inputs: x, rows: rows)
    return (value, lower.weights + upper.weights + outputGradient)
  }

  /// The mean loss, and its derivative by each score.
  private static func softmax(
    _ joinings: [Joining], _ scores: [Float]
  ) -> (value: Double, slopes: [Float]) {
    var (value, slopes) = (0.0, scores)
    let share = 1 / Float(max(1, joinings.count))
    var start = 0
    for joining in joinings {
      let places = start..<(start + joining.features.count / JoinFeatures.count)
      start = places.upperBound
      let top = max(0, scores[places].max() ?? 0)
      let norm = top + logf(scores[places].reduce(expf(-top)) { $0 + expf($1 - top) })
      let chosen = joining.choice.map { places.lowerBound + $0 }
      value += Double(norm - (chosen.map { scores[$0] } ?? 0))
      for place in places {
        slopes[place] = (expf(scores[place] - norm) - (place == chosen ? 1 : 0)) * share
      }
    }
    return (value * Double(share), slopes)
  }
}

/// A layer of tanh units.
private struct DenseLayer {
  /// Row-major, shape [units, inputs + 1]: weights and a bias.
  let weights: [Float]
  let units: Int
  let inputs: Int
  /// Without the biases, shape [units, inputs].
  private let matrix: [Float]

  init(_ weights: [Float], units: Int) {
    (self.weights, self.units) = (weights, units)
    let inputs = weights.count / units - 1
    self.inputs = inputs
    matrix = (0..<units).flatMap { unit in
      let start = unit * (inputs + 1)
      return weights[start..<(start + inputs)]
    }
  }

  /// Shape [rows, units].
  func activations(of x: [Float], rows: Int) -> [Float] {
    var result = [Float](repeating: 0, count: rows * units)
    var span = result.mutableSpan
    Matrix.product(
      x.span, matrix.span, transposeB: true, into: &span, m: rows, n: units, k: inputs)
    for index in result.indices {
      result[index] = tanhf(result[index] + weights[index % units * (inputs + 1) + inputs])
    }
    return result
  }

  /// The gradients of the weights and the inputs, from those of the activations.
  func gradient(
    from slopes: [Float], activations: [Float], inputs x: [Float], rows: Int
  ) -> (weights: [Float], inputs: [Float]) {
    var back = slopes
    for index in back.indices { back[index] *= 1 - activations[index] * activations[index] }
    var product = [Float](repeating: 0, count: units * inputs)
    var productSpan = product.mutableSpan
    Matrix.product(
      back.span, x.span, transposeA: true, into: &productSpan, m: units, n: inputs, k: rows)
    var biases = [Float](repeating: 0, count: units)
    for index in back.indices { biases[index % units] += back[index] }
    var below = [Float](repeating: 0, count: rows * inputs)
    var belowSpan = below.mutableSpan
    Matrix.product(back.span, matrix.span, into: &belowSpan, m: rows, n: inputs, k: units)
    let weights: [Float] = (0..<units).flatMap { unit in
      product[(unit * inputs)..<((unit + 1) * inputs)] + CollectionOfOne(biases[unit])
    }
    return (weights, below)
  }
}
