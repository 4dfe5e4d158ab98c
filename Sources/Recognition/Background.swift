public import Ink

/// What is known before anything is taught: how labels in general differ, and which scores drawings of
/// taught labels then have. It comes from base drawings, goes into the model file, and never changes.
public struct Background: Sendable, Equatable {
  /// How drawings of a label differ, and how labels do.
  public var model: TwoCovarianceModel
  /// The scores to expect; nil where there were no drawings to find them with.
  public var calibration: Calibration?

  /// How far the within-label covariance is moved towards a multiple of the identity. Drawings that trained the
  /// embedding lie closer together along the directions it learned for them than new labels' drawings will.
  /// Measured on labels held out from the training of `models/base.drawml`: accuracy and refusal of strangers
  /// rise up to 0.5, stay level to 0.8, and fall after.
  public static let shrinkage = 0.6

  /// A background of given parts.
  public init(model: TwoCovarianceModel, calibration: Calibration? = nil) {
    self.model = model
    self.calibration = calibration
  }

  /// Learns a background for an embedding.
  ///
  /// - Parameters:
  ///   - embedding: Turns the drawings into vectors.
  ///   - base: Labelled drawings of many labels: the statistics are learned from these. They may be those
  ///     that trained the embedding.
  ///   - fresh: Labelled drawings that did not train the embedding, best of labels that did not either: the
  ///     scores to expect are found with these. Without two labels of two drawings or more there is no calibration.
  ///   - seed: The same seed and drawings give the same calibration, to the bit.
  ///   - threads: How many drawings are embedded at the same time.
  /// - Throws: `ModelError.noStatistics` when `base` has fewer than two labels with two drawings or more,
  ///   `ModelError.missingLabel` for a drawing without a label, and what `Embedding.vectors` throws.
  public init(
    of embedding: Embedding, base: [Drawing], fresh: [Drawing], seed: UInt64, threads: Int = 1
  ) async throws {
    let classes = try Self.classes(of: base)
    let freshClasses = try Self.classes(of: fresh)
    model = try TwoCovarianceModel(
      fittedTo: try await embedding.vectors(of: base, threads: threads),
      dimension: embedding.dimension, classes: classes, shrinkage: Self.shrinkage)
    let vectors = try await embedding.vectors(of: fresh, threads: threads)
    do throws(ModelError) {
      calibration = try Calibration(
        of: model, vectors: vectors, classes: freshClasses, seed: seed)
    } catch {
      guard case .noStatistics = error else { throw error }
    }
  }

  /// Numbers for the drawings' labels.
  private static func classes(of drawings: [Drawing]) throws(ModelError) -> [Int] {
    var numbers: [String: Int] = [:]
    var classes: [Int] = []
    for drawing in drawings {
      guard let label = drawing.label else { throw .missingLabel(id: drawing.id) }
      let number = numbers[label] ?? numbers.count
      numbers[label] = number
      classes.append(number)
    }
    return classes
  }
}
