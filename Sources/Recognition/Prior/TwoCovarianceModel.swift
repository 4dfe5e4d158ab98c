internal import NeuralNetwork
internal import Support

/// How drawings of one label differ, and how labels differ: two Gaussians, learned from many base
/// labels and good for new labels.
///
/// A label's center is drawn from N(mean, between); its drawings from N(center, within). In the
/// coordinates of `project` the within-label covariance is the identity and the between-label one
/// diagonal, so that all that follows is one number a coordinate. Sources: probabilistic linear
/// discriminant analysis (Ioffe 2006, doi:10.1007/11744085_41; Prince and Elder 2007,
/// doi:10.1109/ICCV.2007.4409052), as the two-covariance model (Brümmer and de Villiers, "The
/// speaker partitioning problem", Odyssey 2010).
public struct TwoCovarianceModel: Sendable, Equatable {
  /// The length of an embedding's vector.
  public let dimension: Int
  /// The mean of the labels' means, shape [dimension].
  public let mean: [Float]
  /// The directions onto which vectors are projected, row-major, shape [directions, dimension].
  public let projection: [Float]
  /// The variance of labels' centers along each direction, where that of drawings around their
  /// center is 1: descending, > 0, shape [directions].
  public let betweenVariances: [Float]
  /// The directions along which drawings of a label differ by 1 as well, and labels' centers not at
  /// all: row-major, shape [dimension − directions, dimension]. Scores do not need them;
  /// `logLikelihood` does. Empty in files that do not keep them.
  public let rest: [Float]
  /// The logarithm of how much the coordinates of `projection` and `rest` together stretch space;
  /// nil where they are fewer than the vectors' numbers.
  let logVolume: Double?
  /// What the mean comes to along each direction.
  private let offsets: [Float]

  /// How many coordinates a projected vector has.
  public var directions: Int { betweenVariances.count }

  /// Labels differ less than this along the directions that are left out.
  static let leastVariance = 1e-4

  /// The model with the given numbers.
  ///
  /// - Parameters:
  ///   - mean: Shape [dimension].
  ///   - projection: Row-major, shape [directions, dimension].
  ///   - betweenVariances: Shape [directions], each > 0.
  ///   - rest: Row-major, shape [dimension − directions, dimension]; or empty.
  /// - Throws: `ModelError.malformed` when the shapes do not fit or a number makes no sense.
  public init(
    mean: [Float], projection: [Float], betweenVariances: [Float], rest: [Float] = []
  ) throws(ModelError) {
    guard !mean.isEmpty, !betweenVariances.isEmpty,
      projection.count == mean.count * betweenVariances.count,
      rest.isEmpty || projection.count + rest.count == mean.count * mean.count
    else { throw .malformed("its prior's mean, projection and variances do not fit") }
    guard mean.allSatisfy({ abs($0) < 1e6 }),
      [projection, rest].allSatisfy({ $0.allSatisfy { $0.isFinite && abs($0) < 1e6 } }),
      betweenVariances.allSatisfy({ $0 > 0 && $0 < 1e6 })
    else { throw .malformed("a number of its prior makes no sense") }
    var logVolume: Double?
    if projection.count + rest.count == mean.count * mean.count {
      logVolume = Matrix.logDeterminant(of: projection + rest, order: mean.count)
      // Without `rest` it may be anything, for it is not asked for.
      guard logVolume != nil || rest.isEmpty else {
        throw .malformed("the directions of its prior are not all different")
      }
    }
    self.init(unchecked: mean, projection, betweenVariances, rest, logVolume)
  }

  private init(
    unchecked mean: [Float], _ projection: [Float], _ variances: [Float], _ rest: [Float],
    _ logVolume: Double?
  ) {
    dimension = mean.count
    self.mean = mean
    self.projection = projection
    betweenVariances = variances
    self.rest = rest
    self.logVolume = logVolume
    offsets = RowProducts()(projection.span, mean.span)
  }

  /// Nothing known of labels: drawings spread as much within a label as labels do, in every
  /// direction.
  public init(isotropic dimension: Int) {
    precondition(dimension >= 1, "vectors have at least one number, not \(dimension)")
    // A unit vector's numbers have the mean square 1 / dimension; half of it is given to each kind.
    let scale = Float(2 * dimension).squareRoot()
    var projection = [Float](repeating: 0, count: dimension * dimension)
    for row in 0..<dimension { projection[row * dimension + row] = scale }
    self.init(
      unchecked: [Float](repeating: 0, count: dimension), projection,
      [Float](repeating: 1, count: dimension), [], Double(dimension) * log(Double(scale)))
  }

  /// Learns from the vectors of base labels.
  ///
  /// Every label counts the same, and so that none dominates only some of its vectors are used.
  /// Labels with one vector say nothing about the spread and are left out.
  ///
  /// - Parameters:
  ///   - vectors: Unit vectors, row-major, shape [classes.count, dimension].
  ///   - dimension: The length of a vector.
  ///   - classes: The number of each vector's label; any whole numbers.
  ///   - shrinkage: How far the within-label covariance is moved toward a multiple of the identity
  ///     with the same trace, in 0...1 (Friedman 1989, doi:10.1080/01621459.1989.10478752).
  ///   - largestClass: The most vectors of a label that are used, spread evenly over those there
  ///     are.
  /// - Throws: `ModelError.noStatistics` for fewer than two labels with two vectors or more, or
  ///   vectors that do not differ.
  public init(
    fittedTo vectors: [Float], dimension: Int, classes: [Int], shrinkage: Double = 0.1,
    largestClass: Int = 100
  ) throws(ModelError) {
    precondition(
      dimension >= 1 && vectors.count == classes.count * dimension,
      "\(classes.count) vectors of \(dimension) numbers expected, got \(vectors.count) numbers")
    precondition((0...1).contains(shrinkage), "a shrinkage is in 0...1, got \(shrinkage)")
    precondition(largestClass >= 2, "a spread needs two vectors, not \(largestClass)")
    let groups = Self.rows(ofEach: classes, atMost: largestClass)
    guard groups.count >= 2 else {
      throw .noStatistics("there are fewer than two labels with two drawings or more")
    }
    let covariances = Self.covariances(of: vectors, dimension: dimension, groups: groups)
    var within = covariances.within
    let meanVariance = max(
      1e-9, (0..<dimension).reduce(0) { $0 + within[$1 * dimension + $1] } / Double(dimension))
    for index in within.indices { within[index] *= 1 - shrinkage }
    // A hair more than nothing along every direction, also where nothing is to be shrunk.
    let added = max(shrinkage, 1e-6) * meanVariance
    for k in 0..<dimension { within[k * dimension + k] += added }
    let found: SymmetricEigenvectors
    do throws(NetworkError) {
      found = try SymmetricEigenvectors(
        of: covariances.between, relativeTo: within, order: dimension)
    } catch {
      throw .noStatistics("\(error)")
    }
    let kept = found.values.prefix { $0 > Self.leastVariance }.count
    guard kept > 0 else { throw .noStatistics("the labels do not differ") }
    try self.init(
      mean: covariances.mean.map { Float($0) },
      projection: found.vectors.prefix(kept * dimension).map { Float($0) },
      betweenVariances: found.values.prefix(kept).map { Float($0) },
      rest: found.vectors.dropFirst(kept * dimension).map { Float($0) })
  }

  /// The vectors in the coordinates of the model: row by row, the same to the bit whatever other
  /// rows there are.
  ///
  /// - Parameter vectors: Row-major, shape [_, dimension].
  /// - Returns: Row-major, shape [_, directions].
  public func project(_ vectors: [Float]) -> [Float] {
    precondition(
      vectors.count % dimension == 0,
      "vectors of \(dimension) numbers expected, got \(vectors.count) numbers")
    let products = RowProducts()
    var result: [Float] = []
    result.reserveCapacity(vectors.count / dimension * directions)
    for start in stride(from: 0, to: vectors.count, by: dimension) {
      let vector = vectors.span.extracting(start..<(start + dimension))
      result += zip(products(projection.span, vector), offsets).lazy.map { $0 - $1 }
    }
    return result
  }

  // MARK: Statistics

  /// The rows of every label that has two or more, in ascending order of the labels' numbers.
  private static func rows(ofEach classes: [Int], atMost limit: Int) -> [[Int]] {
    var rows: [Int: [Int]] = [:]
    for (row, number) in classes.enumerated() { rows[number, default: []].append(row) }
    return rows.sorted { $0.key < $1.key }.map(\.value).filter { $0.count >= 2 }.map { all in
      let count = min(limit, all.count)
      return (0..<count).map { all[$0 * all.count / count] }
    }
  }

  /// Each label's unbiased covariance, averaged; and that of the labels' means, less what the
  /// spread of a few drawings adds to it.
  private static func covariances(
    of vectors: [Float], dimension: Int, groups: [[Int]]
  ) -> (mean: [Double], within: [Double], between: [Double]) {
    let labels = Double(groups.count)
    var means: [Double] = []
    // Rows scaled so that one product gives the average of the labels' covariances.
    var (forWithin, forNoise): ([Double], [Double]) = ([], [])
    for rows in groups {
      var mean = [Double](repeating: 0, count: dimension)
      for row in rows {
        for k in 0..<dimension { mean[k] += Double(vectors[row * dimension + k]) }
      }
      let count = Double(rows.count)
      for k in 0..<dimension { mean[k] /= count }
      let scale = (1 / ((count - 1) * labels)).squareRoot()
      for row in rows {
        for k in 0..<dimension {
          let deviation = (Double(vectors[row * dimension + k]) - mean[k]) * scale
          forWithin.append(deviation)
          forNoise.append(deviation / count.squareRoot())
        }
      }
      means += mean
    }
    var center = [Double](repeating: 0, count: dimension)
    for (index, value) in means.enumerated() { center[index % dimension] += value / labels }
    let deviations = means.enumerated().map {
      ($1 - center[$0 % dimension]) / labels.squareRoot()
    }
    let noise = Matrix.gram(forNoise, columns: dimension)
    let between = zip(Matrix.gram(deviations, columns: dimension), noise).map { $0 - $1 }
    return (center, Matrix.gram(forWithin, columns: dimension), between)
  }
}
