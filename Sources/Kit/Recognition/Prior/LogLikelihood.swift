internal import CLibrary
internal import NeuralNetwork

extension TwoCovarianceModel {
  /// Whether `logLikelihoods` is defined, which takes all directions.
  public var hasLikelihood: Bool { logVolume != nil }

  /// For each label, if it was not taught, the joint log-likelihood of its drawings.
  ///
  /// In the model's coordinates a label's n drawings are normal around a center that is normal
  /// itself, so that along each direction
  /// −2 log p = Σ x² − n² x̄² ψ / (1 + nψ) + log (1 + nψ) + n log 2π. Adding n times the logarithm
  /// of the coordinates' volume gives a density of the vectors, which can be compared with another
  /// model's.
  ///
  /// - Parameter labels: Each label's vectors, row-major, shape [_, dimension].
  /// - Returns: The natural logarithms of the densities, 0 for no drawings; shape [labels].
  /// - Complexity: O(drawings × dimension²).
  public func logLikelihoods(ofLabels labels: [[Float]]) -> [Double] {
    precondition(
      labels.allSatisfy { $0.count % dimension == 0 }, "vectors of \(dimension) numbers expected")
    guard let logVolume else {
      preconditionFailure("without all its directions a prior has no likelihood")
    }
    let (vectors, kept) = (labels.flatMap(\.self), directions)
    let x = project(vectors)
    // Subtract the mean first: the offsets along `rest` are not stored.
    let deviations = vectors.enumerated().map { $1 - mean[$0 % dimension] }
    let others = RowProducts()(rest.span, vectors: deviations.span, dimension: dimension)
    var last = 0
    return labels.map { label in
      let (first, count) = (last, label.count / dimension)
      last = first + count
      guard count > 0 else { return 0 }
      var twice = 0.0
      for value in x[(first * kept)..<(last * kept)] { twice += Double(value) * Double(value) }
      for k in 0..<kept {
        var sum = 0.0
        for row in first..<last { sum += Double(x[row * kept + k]) }
        let spread = 1 + Double(count) * Double(betweenVariances[k])
        twice += log(spread) - sum * sum * Double(betweenVariances[k]) / spread
      }
      let width = dimension - kept
      for value in others[(first * width)..<(last * width)] {
        twice += Double(value) * Double(value)
      }
      let constant = Double(dimension) * log(2 * Double.pi)
      return Double(count) * (logVolume - constant / 2) - twice / 2
    }
  }
}
