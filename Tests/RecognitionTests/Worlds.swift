import Numbers

@testable import Recognition

/// Labels and drawings drawn from a known two-covariance model: no embedding, no ink.
struct GaussianWorld {
  /// The variances of labels' centers; drawings spread with variance 1 around them.
  let between: [Double]
  /// A linear map from the model's coordinates to vectors, row-major, shape [dimension, dimension].
  let map: [Double]
  let shift: [Double]

  var dimension: Int { between.count }

  /// A world whose labels' centers have the variances `between`.
  init(between: [Double], seed: UInt64) {
    self.between = between
    var generator = SeededGenerator(seed: seed)
    let count = between.count
    // Near the identity, so that it can be inverted.
    map = (0..<(count * count)).map { index in
      (index % (count + 1) == 0 ? 1 : 0) + generator.normal(deviation: 0.3 / Double(count))
    }
    shift = (0..<count).map { _ in generator.normal() }
  }

  /// Vectors of `labels` new labels, `perLabel` each: row-major, and each one's label.
  func draw(
    labels: Int, perLabel: Int, using generator: inout SeededGenerator
  ) -> (vectors: [Float], classes: [Int]) {
    var (vectors, classes) = ([Float](), [Int]())
    for label in 0..<labels {
      let center = between.map { generator.normal(deviation: $0.squareRoot()) }
      for _ in 0..<perLabel {
        vectors += vector(at: center.map { $0 + generator.normal() })
        classes.append(label)
      }
    }
    return (vectors, classes)
  }

  /// The vector with the coordinates `x` of the model.
  func vector(at x: [Double]) -> [Float] {
    (0..<dimension).map { row in
      var sum = shift[row]
      for k in 0..<dimension { sum += map[row * dimension + k] * x[k] }
      // Small enough for a model file, which holds unit vectors.
      return Float(sum / 100)
    }
  }

  /// The prior learned from many labels of this world.
  func prior(
    labels: Int = 300, perLabel: Int = 8, calibrating: Int = 80, perCalibrating: Int = 26,
    questions: Int = 1500,
    seed: UInt64
  ) throws -> PLDAPrior {
    var generator = SeededGenerator(seed: seed)
    let base = draw(labels: labels, perLabel: perLabel, using: &generator)
    let model = try TwoCovarianceModel(
      fittedTo: base.vectors, dimension: dimension, classes: base.classes, shrinkage: 0)
    let fresh = draw(labels: calibrating, perLabel: perCalibrating, using: &generator)
    return PLDAPrior(
      model: model,
      calibration: try Calibration(
        of: model, vectors: fresh.vectors, classes: fresh.classes, questions: questions, seed: seed)
    )
  }
}
