public import Ink
package import NeuralNetwork

/// The PLDA prior: the within- and between-label covariances, and the calibration of the scores
/// that they give. It is fitted to base drawings, stored in the model file, and never changes.
///
/// A model may have several, each for one kind of drawings; see `SampleMemory.prior`.
public struct PLDAPrior: Sendable, Equatable {
  /// The kind of drawings it was fitted to, such as "characters".
  public var name: String
  /// The within- and between-label covariances.
  public var model: TwoCovarianceModel
  /// The calibration of the scores; nil if there were too few drawings to fit it.
  public var calibration: Calibration?

  /// The name of an unnamed prior.
  public static let unnamed = "drawings"

  /// How far the within-label covariance is moved toward a multiple of the identity. Drawings that
  /// trained the embedding lie closer together along the directions it learned for them than new
  /// labels' drawings will. Measured on labels held out from the training of
  /// `models/base-slim.drawml`: accuracy and refusal of unknowns rise up to 0.5, stay level to 0.8,
  /// and fall after. One-shot errors on alphabets held out from the statistics do not differ from
  /// 0.3 to 0.8.
  public static let shrinkage = 0.6

  /// The number of folds to cross-fit the calibration, if all labels trained the embedding.
  static let foldCount = 4

  /// A prior of given parts.
  public init(
    named name: String = Self.unnamed, model: TwoCovarianceModel, calibration: Calibration? = nil
  ) {
    self.name = name
    self.model = model
    self.calibration = calibration
  }

  /// Learns a prior for an embedding.
  ///
  /// - Parameters:
  ///   - name: The kind of drawings it is fitted to.
  ///   - embedding: Turns the drawings into vectors.
  ///   - base: Labeled drawings of many labels, to fit the covariances. They may be those that
  ///     trained the embedding.
  ///   - fresh: Labeled drawings that did not train the embedding, preferably of labels that did
  ///     not either, to fit the calibration. Without two labels of two drawings or more there is no
  ///     calibration.
  ///   - seed: The same seed and drawings give the same calibration, to the bit.
  ///   - threads: How many drawings are embedded at the same time.
  /// - Throws: `ModelError.noStatistics` when `base` has fewer than two labels with two drawings or
  ///   more, `ModelError.missingLabel` for a drawing without a label, and what `Embedding.vectors`
  ///   throws.
  public init(
    named name: String = Self.unnamed, of embedding: Embedding, base: [Drawing], fresh: [Drawing],
    seed: UInt64, threads: Int = 1
  ) async throws {
    try await self.init(
      named: name, of: embedding, base: base, fresh: fresh, seed: seed, threads: threads,
      sharedBy: OneProcess())
  }

  /// Learns a prior for an embedding, by which all ranks embed the drawings.
  ///
  /// - Throws: What the other initializer throws, and when a rank is lost.
  package init(
    named name: String = Self.unnamed, of embedding: Embedding, base: [Drawing], fresh: [Drawing],
    seed: UInt64, threads: Int, sharedBy ranks: any Ranks
  ) async throws {
    let statistics = try await LabeledVectors(
      of: base, by: embedding, threads: threads, sharedBy: ranks)
    self.init(named: name, model: try statistics.model())
    let judges = try await LabeledVectors(
      of: fresh, by: embedding, threads: threads, sharedBy: ranks)
    calibration = try Self.unlessTooFew { () throws(ModelError) in
      try Calibration(of: [(model, judges)], seed: seed)
    }
  }

  /// Learns a prior for an embedding that was trained on all labels, with a known calibration: that
  /// of an embedding trained alike on fewer labels, fitted to some of those it left out.
  ///
  /// - Parameters:
  ///   - name: The kind of drawings it is fitted to.
  ///   - embedding: Turns the drawings into vectors.
  ///   - base: Labeled drawings of many labels, to fit the covariances.
  ///   - calibration: The calibration; nil for none.
  ///   - threads: How many drawings are embedded at the same time.
  /// - Throws: What the other initializers throw.
  public init(
    named name: String = Self.unnamed, of embedding: Embedding, base: [Drawing],
    calibration: Calibration?, threads: Int = 1
  ) async throws {
    let statistics = try await LabeledVectors(of: base, by: embedding, threads: threads)
    self.init(named: name, model: try statistics.model(), calibration: calibration)
  }

  /// Learns a prior for an embedding that was trained on all labels: the calibration is
  /// cross-fitted, leaving out a quarter of the label groups at a time. It is optimistic to the
  /// extent that the embedding was fitted to the labels.
  ///
  /// - Parameters:
  ///   - name: The kind of drawings it is fitted to.
  ///   - embedding: Turns the drawings into vectors.
  ///   - base: Labeled drawings of many labels.
  ///   - group: The group of a label, such as its alphabet: labels of one group are left out
  ///     together.
  ///   - seed: The same seed and drawings give the same calibration, to the bit.
  ///   - threads: How many drawings are embedded at the same time.
  /// - Throws: What the other initializer throws.
  public init(
    named name: String = Self.unnamed, of embedding: Embedding, crossFitting base: [Drawing],
    by group: (_ label: String) -> String, seed: UInt64, threads: Int = 1
  ) async throws {
    let statistics = try await LabeledVectors(of: base, by: embedding, threads: threads)
    self.name = name
    model = try statistics.model()
    let names = statistics.labels.map(group)
    let groups = Set(names).sorted()
    let places = Dictionary(uniqueKeysWithValues: zip(groups, groups.indices))
    let folds = names.map { (places[$0] ?? 0) % Self.foldCount }
    calibration = try Self.unlessTooFew { () throws(ModelError) in
      var parts: [(TwoCovarianceModel, LabeledVectors)] = []
      for fold in 0..<min(Self.foldCount, groups.count) {
        parts.append(
          (
            try statistics.subset { folds[$0] != fold }.model(),
            statistics.subset { folds[$0] == fold }
          ))
      }
      return try Calibration(of: parts, seed: seed)
    }
  }

  /// The result of `make`; nil if there were too few drawings.
  private static func unlessTooFew(
    _ make: () throws(ModelError) -> Calibration
  ) throws(ModelError) -> Calibration? {
    do throws(ModelError) {
      return try make()
    } catch {
      guard case .noStatistics = error else { throw error }
      return nil
    }
  }
}

/// Vectors of drawings with their class numbers.
struct LabeledVectors: Sendable {
  /// The length of a vector.
  let dimension: Int
  /// Unit vectors, row-major, shape [classes.count, dimension].
  var vectors: [Float] = []
  /// The index of each vector's label in `labels`.
  var classes: [Int] = []
  /// The labels in order of first occurrence.
  var labels: [String] = []

  /// Vectors of given classes.
  init(_ vectors: [Float], classes: [Int], dimension: Int) {
    self.vectors = vectors
    self.classes = classes
    self.dimension = dimension
  }

  /// Embeds drawings, each with a label.
  init(
    of drawings: [Drawing], by embedding: Embedding, threads: Int,
    sharedBy ranks: any Ranks = OneProcess()
  ) async throws {
    dimension = embedding.dimension
    var numbers: [String: Int] = [:]
    for drawing in drawings {
      guard let label = drawing.label else { throw ModelError.missingLabel(id: drawing.id) }
      if numbers[label] == nil {
        numbers[label] = labels.count
        labels.append(label)
      }
      classes.append(numbers[label] ?? 0)
    }
    vectors = try await embedding.vectors(of: drawings, threads: threads, sharedBy: ranks)
  }

  /// The vectors of the classes that satisfy `isWanted`, with the same class numbers.
  func subset(where isWanted: (_ class: Int) -> Bool) -> LabeledVectors {
    let rows = classes.indices.filter { isWanted(classes[$0]) }
    var part = LabeledVectors(
      rows.flatMap { vectors[($0 * dimension)..<(($0 + 1) * dimension)] },
      classes: rows.map { classes[$0] }, dimension: dimension)
    part.labels = labels
    return part
  }

  /// The within- and between-label covariances of the vectors.
  func model() throws(ModelError) -> TwoCovarianceModel {
    try TwoCovarianceModel(
      fittedTo: vectors, dimension: dimension, classes: classes,
      shrinkage: PLDAPrior.shrinkage)
  }
}
