internal import NeuralNetwork

/// Sums over samples, from which follows how they scatter around their labels' means. Those of
/// disjoint sets of samples can be added.
struct ScatterSums: Sendable {
  /// Σ x xᵀ, shape [directions, directions].
  private var products: [Double]
  /// Σ x of each label, row-major, shape [labels, directions].
  private var sums: [Double]
  /// The number of samples of each label.
  private var counts: [Int]
  private let directions: Int

  /// The sums over no samples.
  init(labels: Int, directions: Int) {
    products = [Double](repeating: 0, count: directions * directions)
    sums = [Double](repeating: 0, count: labels * directions)
    counts = [Int](repeating: 0, count: labels)
    self.directions = directions
  }

  /// The sums over samples.
  ///
  /// - Parameters:
  ///   - x: Their coordinates, row-major, shape [samples, directions].
  ///   - labels: The number of each one's label, in 0..<count.
  ///   - count: The number of labels.
  ///   - directions: The number of coordinates of a sample.
  init(of x: [Float], labels: [Int], among count: Int, directions: Int) {
    self.init(labels: count, directions: directions)
    products = Matrix.gram(x.map { Double($0) }, columns: directions)
    for (row, label) in labels.enumerated() {
      counts[label] += 1
      for k in 0..<directions { sums[label * directions + k] += Double(x[row * directions + k]) }
    }
  }

  /// Adds the sums over other samples.
  static func += (sums: inout ScatterSums, other: ScatterSums) {
    for index in sums.products.indices { sums.products[index] += other.products[index] }
    for index in sums.sums.indices { sums.sums[index] += other.sums[index] }
    for label in sums.counts.indices { sums.counts[label] += other.counts[label] }
  }

  /// The scatter around the labels' means, Σ x xᵀ − Σ s sᵀ / n with each label's sum s of n
  /// samples: shape [directions, directions].
  var scatter: [Double] {
    var scaled = sums
    for (label, count) in counts.enumerated() where count > 0 {
      let root = Double(count).squareRoot()
      for k in 0..<directions { scaled[label * directions + k] /= root }
    }
    var scatter = Matrix.gram(scaled, columns: directions)
    for index in scatter.indices { scatter[index] = products[index] - scatter[index] }
    return scatter
  }

  /// The number of samples without the first one of each label.
  var degreesOfFreedom: Double {
    Double(counts.reduce(0) { $0 + max(0, $1 - 1) })
  }
}
