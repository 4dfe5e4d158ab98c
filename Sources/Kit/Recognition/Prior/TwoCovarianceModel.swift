internal import CLibrary
internal import NeuralNetwork

/// The within-label and between-label Gaussians, fitted to many base labels and valid for new ones.
///
/// A label's center is drawn from N(mean, between); its drawings from N(center, within). In the
/// coordinates of `project` the within-label covariance is the identity and the between-label one
/// diagonal, so that everything is computed coordinate by coordinate. Sources: probabilistic linear
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
  /// The directions along which drawings have variance 1 around their center and labels' centers do
  /// not differ: row-major, shape [dimension − directions, dimension]. Scores do not need them;
  /// `logLikelihoods` does. Empty if a file does not store them.
  public let rest: [Float]
  /// The log absolute determinant of `projection` and `rest` together; nil if they are not a
  /// square, regular matrix, and for adapted models, whose likelihood is not needed.
  private(set) var logVolume: Double?
  /// The projection of the mean.
  private let offsets: [Float]

  /// The number of coordinates of a projected vector.
  public var directions: Int { betweenVariances.count }

  /// Directions with a smaller between-label variance are dropped.
  static let leastVariance = 1e-4

  /// The model with the given numbers.
  ///
  /// - Parameters:
  ///   - mean: Shape [dimension].
  ///   - projection: Row-major, shape [directions, dimension].
  ///   - betweenVariances: Shape [directions], each > 0.
  ///   - rest: Row-major, shape [dimension − directions, dimension]; or empty.
  /// - Throws: `ModelError.malformed` if the shapes do not fit or a number is out of range.
  public init(
    mean: [Float], projection: [Float], betweenVariances: [Float], rest: [Float] = []
  ) throws(ModelError) {
    try self.init(withoutLikelihood: mean, projection, betweenVariances, rest)
    guard projection.count + rest.count == mean.count * mean.count else { return }
    logVolume = Matrix.logDeterminant(of: projection + rest, order: mean.count)
    // Without `rest` it may be nil: the likelihood is then undefined.
    guard logVolume != nil || rest.isEmpty else {
      throw .malformed("the directions of its prior are not all different")
    }
  }

  /// The same without a likelihood, which saves a factorization.
  init(
    withoutLikelihood mean: [Float], _ projection: [Float], _ betweenVariances: [Float],
    _ rest: [Float] = []
  ) throws(ModelError) {
    guard !mean.isEmpty, !betweenVariances.isEmpty,
      projection.count == mean.count * betweenVariances.count,
      rest.isEmpty || projection.count + rest.count == mean.count * mean.count
    else { throw .malformed("its prior's mean, projection and variances do not fit") }
    guard mean.allSatisfy({ abs($0) < 1e6 }),
      [projection, rest].allSatisfy({ $0.allSatisfy { $0.isFinite && abs($0) < 1e6 } }),
      betweenVariances.allSatisfy({ $0 > 0 && $0 < 1e6 })
    else { throw .malformed("a number of its prior is invalid") }
    self.init(unchecked: mean, projection, betweenVariances, rest, nil)
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

  /// An uninformative model: equal variances within and between labels, in every direction.
  public init(isotropic dimension: Int) {
    precondition(dimension >= 1, "vectors have at least one number, not \(dimension)")
    // A unit vector's numbers have the mean square 1 / dimension; half of it is assigned to each
    // covariance.
    let scale = Float(2 * dimension).squareRoot()
    var projection = [Float](repeating: 0, count: dimension * dimension)
    for row in 0..<dimension { projection[row * dimension + row] = scale }
    self.init(
      unchecked: [Float](repeating: 0, count: dimension), projection,
      [Float](repeating: 1, count: dimension), [], Double(dimension) * log(Double(scale)))
  }

  /// Learns from the vectors of base labels.
  ///
  /// Every label counts the same, and at most `largestClass` of its vectors are used. Labels with
  /// one vector are left out, because they have no variance.
  ///
  /// - Parameters:
  ///   - vectors: Unit vectors, row-major, shape [classes.count, dimension].
  ///   - dimension: The length of a vector.
  ///   - classes: The label of each vector, as an arbitrary integer.
  ///   - shrinkage: How far the within-label covariance is moved toward a multiple of the identity
  ///     with the same trace, in 0...1 (Friedman 1989, doi:10.1080/01621459.1989.10478752).
  ///   - largestClass: The maximum number of vectors used per label, sampled evenly.
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
    // Add a little along every direction, even without shrinkage.
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

  /// The vectors in the coordinates of the model; each row is independent of the others, to the
  /// bit.
  ///
  /// - Parameter vectors: Row-major, shape [_, dimension].
  /// - Returns: Row-major, shape [_, directions].
  public func project(_ vectors: [Float]) -> [Float] {
    precondition(
      vectors.count % dimension == 0,
      "vectors of \(dimension) numbers expected, got \(vectors.count) numbers")
    var result = RowProducts()(projection.span, vectors: vectors.span, dimension: dimension)
    for start in stride(from: 0, to: result.count, by: directions) {
      for k in 0..<directions { result[start + k] -= offsets[k] }
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

  /// The mean of the labels' unbiased covariances, and the covariance of the labels' means less
  /// their sampling noise.
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
