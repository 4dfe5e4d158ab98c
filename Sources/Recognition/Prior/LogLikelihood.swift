internal import NeuralNetwork
internal import Support

extension TwoCovarianceModel {
  /// Whether `logLikelihood` is defined, which takes all directions.
  public var hasLikelihood: Bool { logVolume != nil }

  /// The joint log-likelihood of drawings of one untaught label.
  ///
  /// In the model's coordinates the n drawings are normal around a center that is normal itself, so
  /// that along each direction −2 log p = Σ x² − n² x̄² ψ / (1 + nψ) + log (1 + nψ) + n log 2π.
  /// Adding n times the logarithm of the coordinates' volume gives a density of the vectors, which
  /// can be compared with another model's.
  ///
  /// - Parameter vectors: Row-major, shape [_, dimension].
  /// - Returns: The natural logarithm of a density, 0 for no drawings.
  /// - Complexity: O(drawings × dimension²).
  public func logLikelihood(ofOneLabel vectors: [Float]) -> Double {
    precondition(
      vectors.count % dimension == 0,
      "vectors of \(dimension) numbers expected, got \(vectors.count) numbers")
    guard let logVolume else {
      preconditionFailure("without all its directions a prior has no likelihood")
    }
    let (count, kept) = (vectors.count / dimension, directions)
    guard count > 0 else { return 0 }
    let x = project(vectors)
    var twice = 0.0
    for value in x { twice += Double(value) * Double(value) }
    for k in 0..<kept {
      var sum = 0.0
      for row in 0..<count { sum += Double(x[row * kept + k]) }
      let spread = 1 + Double(count) * Double(betweenVariances[k])
      twice += log(spread) - sum * sum * Double(betweenVariances[k]) / spread
    }
    let products = RowProducts()
    for row in 0..<count {
      // Subtract the mean first: the offsets along `rest` are not stored.
      let deviation = (0..<dimension).map { vectors[row * dimension + $0] - mean[$0] }
      for value in products(rest.span, deviation.span) { twice += Double(value) * Double(value) }
    }
    let constant = Double(dimension) * log(2 * Double.pi)
    return Double(count) * (logVolume - constant / 2) - twice / 2
  }
}
