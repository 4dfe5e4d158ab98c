internal import NeuralNetwork
internal import Support

extension TwoCovarianceModel {
  /// Whether `logLikelihood` can be found: whether all directions are kept.
  public var hasLikelihood: Bool { logVolume != nil }

  /// The logarithm of how likely drawings are as those of one label that nobody knew before, all
  /// together.
  ///
  /// In the model's coordinates the n drawings are normal around a center that is normal itself, so
  /// that along each direction −2 log p = Σ x² − n² x̄² ψ / (1 + nψ) + log (1 + nψ) + n log 2π; and
  /// n times the logarithm of the coordinates' volume makes a density of vectors of it, which can
  /// be compared with another model's.
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
      // The mean is taken off first: along what is left out no offsets are kept.
      let deviation = (0..<dimension).map { vectors[row * dimension + $0] - mean[$0] }
      for value in products(rest.span, deviation.span) { twice += Double(value) * Double(value) }
    }
    let constant = Double(dimension) * log(2 * Double.pi)
    return Double(count) * (logVolume - constant / 2) - twice / 2
  }
}
