internal import Support

/// The plane in which vectors differ most (principal component analysis, Pearson 1901,
/// doi:10.1080/14786440109462720), found by power iteration.
struct PrincipalPlane {
  /// The projection of each vector onto the plane, in the vectors' unit.
  let places: [(x: Double, y: Double)]
  /// The share of the vectors' variance that the plane keeps, in 0...1.
  let explained: Double

  /// The plane of `vectors`, row-major, shape [count, dimension].
  init(of vectors: [Float], dimension: Int, seed: UInt64) {
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
    let total = (0..<dimension).reduce(0) { $0 + covariance[$1 * dimension + $1] }
    var generator = SeededGenerator(seed: seed, stream: 2)
    var axes: [[Double]] = []
    var kept = 0.0
    for _ in 0..<2 {
      var axis = (0..<dimension).map { _ in generator.normal() }
      var strength = 0.0
      for _ in 0..<200 {
        var next = (0..<dimension).map { a in
          (0..<dimension).reduce(0) { $0 + covariance[a * dimension + $1] * axis[$1] }
        }
        // Rounding reintroduces the first axis, so orthogonalize in every iteration.
        for other in axes {
          let part = zip(next, other).reduce(0) { $0 + $1.0 * $1.1 }
          for place in next.indices { next[place] -= part * other[place] }
        }
        strength = next.reduce(0) { $0 + $1 * $1 }.squareRoot()
        guard strength > 0 else { break }
        axis = next.map { $0 / strength }
      }
      axes.append(axis)
      kept += strength
    }
    places = (0..<count).map { row in
      let numbers = axes.map { axis in
        (0..<dimension).reduce(0) { $0 + centered[row * dimension + $1] * axis[$1] }
      }
      return (numbers[0], numbers[1])
    }
    explained = total > 0 ? kept / total : 1
  }
}
