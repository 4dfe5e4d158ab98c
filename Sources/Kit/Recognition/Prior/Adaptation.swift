internal import NeuralNetwork

/// The adaptation of the within-label covariance to the user's samples: it is estimated from the
/// base drawings and these samples together.
///
/// The estimate is the mode of the posterior under an inverse Wishart prior: the PLDA prior counts
/// as `priorWeight` drawings, the samples as one each (Gauvain and Lee 1994,
/// doi:10.1109/89.279278). Only the chosen weight and the samples' identities are stored. The
/// covariance follows from them and the memory, so a forgotten sample leaves no trace in it.
public struct Adaptation: Sendable, Equatable {
  /// The weight of the prior in drawings, > 0.
  public let priorWeight: Double
  /// The samples it was fitted to, one of each ink.
  public let samples: Set<TaughtSample>

  /// The candidate weights. Measured on labels held out from the base: below 300 overfits two
  /// hundred samples, above 3000 changes hardly anything.
  static let priorWeights = [300.0, 1000, 3000]

  /// The same adaptation, fitted only to those of its samples that are in `left`.
  func keeping(_ left: some Sequence<TaughtSample>) -> Adaptation {
    Adaptation(
      priorWeight: priorWeight,
      samples: Set(left.filter(samples.contains)))
  }
}

/// The prior's model as adapted to all samples and, to score samples by a model not fitted to them,
/// to all samples but one part.
struct AdaptedModels: Sendable, Equatable {
  /// Fitted to all samples.
  let whole: TwoCovarianceModel
  /// Each fitted to all samples but those of one part.
  let parts: [TwoCovarianceModel]
  /// The part of each sample, by digest.
  let partOf: [String: Int]

  /// Five-fold cross-validation: with more parts, each model is closer to the whole one, at a cost
  /// in time.
  static let partCount = 5

  /// Learns from the samples of `adaptation`, all of which are in `memory`.
  ///
  /// - Throws: `ModelError.noStatistics` for fewer than two labels with two samples or more.
  init(_ adaptation: Adaptation, in memory: SampleMemory, model: TwoCovarianceModel)
    throws(ModelError)
  {
    let chosen = memory.samples.indices.filter { adaptation.samples.contains(memory.samples[$0]) }
    let labelOf = memory.labelIndices
    let labels = Dictionary(grouping: chosen) { labelOf[$0] }
    guard labels.count(where: { $0.value.count > 1 }) > 1 else {
      throw .noStatistics("there are fewer than two labels with two samples or more")
    }
    let inks = Set(chosen.map { memory.samples[$0].digest }).sorted()
    let partOf = Dictionary(
      uniqueKeysWithValues: inks.enumerated().map { ($1, $0 % Self.partCount) })
    // Other labels must not change the order of the sums, and so their rounding.
    let numbers = Dictionary(uniqueKeysWithValues: zip(labels.keys.sorted(), 0..<labels.count))
    let sums = concurrentMap(Self.partCount) { part in
      let rows = chosen.filter { partOf[memory.samples[$0].digest] == part }
      return ScatterSums(
        of: model.project(memory.vectors(rows)), labels: rows.map { numbers[labelOf[$0]] ?? 0 },
        among: numbers.count, directions: model.directions)
    }
    // Most of the time to load an adapted model: one factorization per model.
    var models = try concurrentMap(Self.partCount + 1) { left throws(ModelError) in
      var rest = ScatterSums(labels: numbers.count, directions: model.directions)
      for (part, sum) in sums.enumerated() where part != left { rest += sum }
      return try model.adapted(to: rest, priorWeight: adaptation.priorWeight)
    }
    whole = models.removeLast()
    parts = models
    self.partOf = partOf
  }
}

extension TwoCovarianceModel {
  /// The model with the within-label covariance (ν I + S) / (ν + n), where S is the scatter of
  /// `samples` around their labels' means and n its degrees of freedom. The between-label
  /// covariance is unchanged.
  ///
  /// - Parameters:
  ///   - samples: The sums of the samples' coordinates of this model.
  ///   - priorWeight: ν: the weight of this model's covariance in drawings, > 0.
  /// - Returns: A model with coordinates in which the new covariance is the identity.
  /// - Throws: `ModelError.noStatistics` if labels do not differ in these coordinates.
  func adapted(
    to samples: ScatterSums, priorWeight: Double
  ) throws(ModelError) -> TwoCovarianceModel {
    var within = samples.scatter
    for k in 0..<directions { within[k * directions + k] += priorWeight }
    let weight = priorWeight + samples.degreesOfFreedom
    for index in within.indices { within[index] /= weight }
    let found: SymmetricEigenvectors
    do throws(NetworkError) {
      found = try SymmetricEigenvectors(
        ofDiagonal: betweenVariances.map { Double($0) }, relativeTo: within)
    } catch {
      throw .noStatistics("\(error)")
    }
    let kept = found.values.prefix { $0 > Self.leastVariance }.count
    guard kept > 0 else { throw .noStatistics("the labels do not differ") }
    let turned = found.vectors.prefix(kept * directions).map { Float($0) }
    var turnedProjection = [Float](repeating: 0, count: kept * dimension)
    var span = turnedProjection.mutableSpan
    Matrix.product(
      turned.span, projection.span, into: &span, m: kept, n: dimension, k: directions)
    return try TwoCovarianceModel(
      withoutLikelihood: mean, turnedProjection, found.values.prefix(kept).map { Float($0) })
  }
}
