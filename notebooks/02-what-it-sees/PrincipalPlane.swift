internal import NeuralNetwork

/// The plane in which vectors differ most (principal component analysis, Pearson 1901,
/// doi:10.1080/14786440109462720).
struct PrincipalPlane {
  /// The projection of each vector onto the plane, in the vectors' unit.
  let places: [(x: Double, y: Double)]
  /// The share of the vectors' variance that the plane keeps, in 0...1.
  let explained: Double

  /// The plane of `vectors`, row-major, shape [count, dimension], finite; dimension is at least 2.
  ///
  /// - Throws: `NetworkError` for vectors that are not finite.
  init(of vectors: [Float], dimension: Int) throws {
    let count = vectors.count / dimension
    var means = [Double](repeating: 0, count: dimension)
    for index in vectors.indices {
      means[index % dimension] += Double(vectors[index]) / Double(max(1, count))
    }
    let centered = vectors.indices.map { Double(vectors[$0]) - means[$0 % dimension] }
    var covariance = [Double](repeating: 0, count: dimension * dimension)
    for row in 0..<count {
      let start = row * dimension
      for a in 0..<dimension {
        for b in 0..<dimension {
          covariance[a * dimension + b] += centered[start + a] * centered[start + b]
        }
      }
    }
    let identity = (0..<dimension * dimension).map { $0 % (dimension + 1) == 0 ? 1.0 : 0 }
    let axes = try SymmetricEigenvectors(of: covariance, relativeTo: identity, order: dimension)
    places = (0..<count).map { row in
      let numbers = (0..<2).map { axis in
        (0..<dimension).reduce(0) {
          $0 + centered[row * dimension + $1] * axes.vectors[axis * dimension + $1]
        }
      }
      return (numbers[0], numbers[1])
    }
    let total = axes.values.reduce(0, +)
    explained = total > 0 ? (axes.values[0] + axes.values[1]) / total : 1
  }
}
