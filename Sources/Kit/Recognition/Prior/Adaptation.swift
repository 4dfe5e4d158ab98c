internal import Dispatch
internal import NeuralNetwork
internal import Synchronization

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
    let labels = Dictionary(grouping: chosen) { memory.samples[$0].label }
    guard labels.count(where: { $0.value.count > 1 }) > 1 else {
      throw .noStatistics("there are fewer than two labels with two samples or more")
    }
    let projected = chosen.map { model.project(Array(memory.vector($0))) }
    let inks = Set(chosen.map { memory.samples[$0].digest }).sorted()
    let partOf = Dictionary(
      uniqueKeysWithValues: inks.enumerated().map { ($1, $0 % Self.partCount) })
    @Sendable func learned(without part: Int?) throws(ModelError) -> TwoCovarianceModel {
      var groups: [[[Float]]] = []
      var last: String?
      for (row, x) in zip(chosen, projected) {
        let sample = memory.samples[row]
        if part != nil && partOf[sample.digest] == part { continue }
        if sample.label != last { groups.append([]) }
        last = sample.label
        groups[groups.count - 1].append(x)
      }
      return try model.adapted(to: groups, priorWeight: adaptation.priorWeight)
    }
    // Most of the time to load an adapted model: one factorization per model, in parallel.
    typealias Learned = Result<TwoCovarianceModel, ModelError>
    let found = Mutex([Learned?](repeating: nil, count: Self.partCount + 1))
    DispatchQueue.concurrentPerform(iterations: Self.partCount + 1) { index in
      let model = Learned { () throws(ModelError) in
        try learned(without: index == Self.partCount ? nil : index)
      }
      found.withLock { $0[index] = model }
    }
    var models: [TwoCovarianceModel] = []
    for model in found.withLock({ $0.compactMap(\.self) }) { models.append(try model.get()) }
    whole = models.removeLast()
    parts = models
    self.partOf = partOf
  }
}

extension TwoCovarianceModel {
  /// The model with the within-label covariance (ν I + S) / (ν + n), where S is the scatter of
  /// `groups` around their means and n its degrees of freedom. The between-label covariance is
  /// unchanged.
  ///
  /// - Parameters:
  ///   - groups: The vectors of each label in the coordinates of this model, shape
  ///     [labels][samples][directions].
  ///   - priorWeight: ν: the weight of this model's covariance in drawings, > 0.
  /// - Returns: A model with coordinates in which the new covariance is the identity.
  /// - Throws: `ModelError.noStatistics` if labels do not differ in these coordinates.
  func adapted(to groups: [[[Float]]], priorWeight: Double) throws(ModelError) -> TwoCovarianceModel
  {
    var (deviations, freedom) = ([Double](), 0.0)
    for group in groups where group.count > 1 {
      var mean = [Double](repeating: 0, count: directions)
      for x in group { for k in mean.indices { mean[k] += Double(x[k]) / Double(group.count) } }
      for x in group { for k in mean.indices { deviations.append(Double(x[k]) - mean[k]) } }
      freedom += Double(group.count - 1)
    }
    var within = Matrix.gram(deviations, columns: directions)
    var between = [Double](repeating: 0, count: directions * directions)
    for (k, variance) in betweenVariances.enumerated() {
      within[k * directions + k] += priorWeight
      between[k * directions + k] = Double(variance)
    }
    for index in within.indices { within[index] /= priorWeight + freedom }
    let found: SymmetricEigenvectors
    do throws(NetworkError) {
      found = try SymmetricEigenvectors(of: between, relativeTo: within, order: directions)
    } catch {
      throw .noStatistics("\(error)")
    }
    let kept = found.values.prefix { $0 > Self.leastVariance }.count
    guard kept > 0 else { throw .noStatistics("the labels do not differ") }
    let turned = found.vectors.prefix(kept * directions).map { Float($0) }
    // turned · projection; the product takes the second matrix transposed.
    let columns = (0..<dimension).flatMap { column in
      (0..<directions).map { projection[$0 * dimension + column] }
    }
    return try TwoCovarianceModel(
      mean: mean, projection: productWithTransposed(turned, columns, columns: directions),
      betweenVariances: found.values.prefix(kept).map { Float($0) })
  }
}
