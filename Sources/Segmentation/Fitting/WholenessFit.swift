internal import Glibc
internal import NeuralNetwork
internal import Recognition
internal import Support

extension WholenessModel {
  /// Fits a network that tells the vectors of whole shapes from those of parts and mixtures (logistic loss).
  ///
  /// - Parameters:
  ///   - vectors: Row-major, shape [examples, dimension].
  ///   - isWhole: Shape [examples].
  ///   - embedding: Names the embedding.
  ///   - units: How many hidden units.
  ///   - iterations: The most steps.
  ///   - seed: Where the weights begin.
  init(
    vectors: [Float], isWhole: [Bool], embedding: String, hidden units: Int, iterations: Int,
    seed: UInt64
  ) {
    let dimension = vectors.count / max(1, isWhole.count)
    var generator = SeededGenerator(seed: seed)
    let start =
      (0..<(units * (dimension + 1))).map { _ in Float(generator.normal(deviation: 1)) }
      + (0..<units).map { _ in Float(generator.normal(deviation: 0.3)) } + [0]
    let found = LBFGS(iterations: iterations).minimum(from: start) {
      Self.loss($0, vectors, isWhole, dimension: dimension, units: units, penalty: 1e-4)
    }
    self.embedding = embedding
    self.dimension = dimension
    hidden = Array(found[..<(units * (dimension + 1))])
    output = Array(found[(units * (dimension + 1))...])
  }

  /// The mean logistic loss, with its gradient.
  static func loss(
    _ point: [Float], _ vectors: [Float], _ isWhole: [Bool], dimension: Int, units: Int,
    penalty: Float
  ) -> (value: Double, gradient: [Float]) {
    let width = dimension + 1
    let bias = units * width
    var gradient = [Float](repeating: 0, count: point.count)
    var value = 0.0
    let share = 1 / Float(max(1, isWhole.count))
    let rows = isWhole.count
    var active = [Float](repeating: 0, count: rows * units)
    var span = active.mutableSpan
    let weights = (0..<units).flatMap { point[($0 * width)..<($0 * width + dimension)] }
    Matrix.product(
      vectors.span, weights.span, transposeB: true, into: &span, m: rows, n: units, k: dimension)
    for row in 0..<rows {
      var score = point[bias + units]
      for unit in 0..<units {
        let sum = max(0, active[row * units + unit] + point[unit * width + dimension])
        active[row * units + unit] = sum
        score += point[bias + unit] * sum
      }
      let signed = isWhole[row] ? score : -score
      value += Double(signed > 0 ? log1pf(expf(-signed)) : log1pf(expf(signed)) - signed)
      let slope = (1 / (1 + expf(-score)) - (isWhole[row] ? 1 : 0)) * share
      gradient[bias + units] += slope
      for unit in 0..<units {
        let sum = active[row * units + unit]
        gradient[bias + unit] += slope * sum
        let back = sum > 0 ? slope * point[bias + unit] : 0
        active[row * units + unit] = back
        gradient[unit * width + dimension] += back
      }
    }
    var slopes = [Float](repeating: 0, count: units * dimension)
    var slopesSpan = slopes.mutableSpan
    Matrix.product(
      active.span, vectors.span, transposeA: true, into: &slopesSpan, m: units, n: dimension,
      k: rows)
    for unit in 0..<units {
      for k in 0..<dimension { gradient[unit * width + k] += slopes[unit * dimension + k] }
    }
    value *= Double(share)
    for k in point.indices {
      value += Double(penalty * point[k] * point[k]) / 2
      gradient[k] += penalty * point[k]
    }
    return (value, gradient)
  }
}
