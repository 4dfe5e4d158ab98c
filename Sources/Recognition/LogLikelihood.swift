extension TwoCovarianceModel {
  /// Whether `logLikelihood` can be found: whether all directions are kept.
  public var hasLikelihood: Bool { logVolume != nil }

  /// The logarithm of how likely drawings are as those of one label that nobody knew before, all together.
  ///
  /// In the model's coordinates the n drawings are normal around a centre that is normal itself, so that along
  /// each direction −2 log p = Σ x² − n² x̄² ψ / (1 + nψ) + log (1 + nψ) + n log 2π; and n times the logarithm of the
  /// coordinates' volume makes a density of vectors of it, which can be compared with another model's.
  ///
  /// - Parameter vectors: Row-major, shape [_, dimension].
  /// - Returns: The natural logarithm of a density, 0 for no drawings.
  /// - Complexity: O(drawings × dimension²).
  public func logLikelihood(ofOneLabel vectors: [Float]) -> Double {
    precondition(
      vectors.count % dimension == 0,
      "vectors of \(dimension) numbers expected, got \(vectors.count) numbers")
    guard let logVolume else {
      preconditionFailure("without all its directions a background has no likelihood")
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
      twice += logarithm(spread) - sum * sum * Double(betweenVariances[k]) / spread
    }
    for row in 0..<count {
      // The mean is taken off first: along what is left out no offsets are kept.
      let deviation = (0..<dimension).map { vectors[row * dimension + $0] - mean[$0] }
      for direction in 0..<(dimension - kept) {
        let value = Double(
          VectorProducts.dot(
            rest.span, row: direction, deviation.span, row: 0, dimension: dimension))
        twice += value * value
      }
    }
    let constant = Double(dimension) * logarithm(2 * .pi)
    return Double(count) * (logVolume - constant / 2) - twice / 2
  }
}

/// The natural logarithm of a square matrix's determinant, without its sign, by elimination with the greatest pivot
/// of each column; nil where the matrix cannot be inverted.
///
/// - Parameters:
///   - matrix: Row-major, shape [order, order].
///   - order: How many rows and columns there are.
/// - Returns: log |det matrix|.
/// - Complexity: O(order³).
func logDeterminant(of matrix: [Float], order: Int) -> Double? {
  // Eight numbers at a time: a model of 256 numbers is opened in milliseconds.
  let width = (order + 7) / 8
  var cells = [SIMD8<Double>](repeating: .zero, count: order * width)
  for row in 0..<order {
    for column in 0..<order {
      cells[row * width + column / 8][column % 8] = Double(matrix[row * order + column])
    }
  }
  var sum = 0.0
  for column in 0..<order {
    let (cell, lane) = (column / 8, column % 8)
    var best = column
    for row in column..<order {
      if abs(cells[row * width + cell][lane]) > abs(cells[best * width + cell][lane]) {
        best = row
      }
    }
    let pivot = Array(cells[(best * width)..<((best + 1) * width)])
    // The row that stood here takes the pivot's place; where it stood nobody looks again.
    for k in 0..<width { cells[best * width + k] = cells[column * width + k] }
    let value = pivot[cell][lane]
    guard abs(value) > 1e-30 else { return nil }
    sum += logarithm(abs(value))
    for row in (column + 1)..<max(column + 1, order) {
      let factor = cells[row * width + cell][lane] / value
      for k in cell..<width { cells[row * width + k] -= factor * pivot[k] }
    }
  }
  return sum
}
