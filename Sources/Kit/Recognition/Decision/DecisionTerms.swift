internal import Ink
package import NeuralNetwork

/// The numbers that lead from an embedding's vector to the decision, for programs that decide
/// elsewhere what `Recognizer` decides here.
package struct DecisionTerms: Sendable {
  /// The labels in ascending order.
  package let labels: [String]
  /// For every taught sample, the index of its label.
  package let labelIndices: [Int]
  /// The taught samples' unit vectors, row-major, shape [samples, dimension].
  package let vectors: [Float]
  /// The kind of the head.
  package let head: HeadConfiguration
  /// What the head learned, by name.
  package let learned: [String: Tensor]
  /// The divisor of the scores in the softmax of the head `twoCovariance`.
  package let temperature: Float
  /// The prior, adapted if the model is.
  package let model: TwoCovarianceModel
  /// The projection of the prior's mean, subtracted from a projected vector, shape [directions].
  package let projectedMean: [Float]
  /// The factors of a projected vector x in the scores, row-major, shape [labels, directions].
  package let gains: [Float]
  /// The factors of the squares of x, subtracted, row-major, shape [labels, directions].
  package let curvatures: [Float]
  /// What is added to the scores, penalties included; shape [labels].
  package let offsets: [Float]
  /// The calibrated distribution of the evidence; nil without a calibration.
  package let expected: Expected?
  /// The statistics of the taught samples, each left out, ascending.
  package let ownStatistics: [Float]
  /// The share of drawings of taught labels that may be refused.
  package let refusalRate: Double

  /// The distribution of the evidence for drawings of taught labels.
  package struct Expected: Sendable {
    /// The factor of the margin, which is added to the best score.
    package let marginWeight: Float
    /// The evidence of every hundredth, ascending.
    package let quantiles: [Float]
  }

  /// The terms of a recognizer with labels.
  package init(of recognizer: Recognizer) {
    let memory = recognizer.memory
    labels = memory.labels
    labelIndices = memory.labelIndices
    vectors = memory.vectors
    head = recognizer.head.configuration
    learned = recognizer.head.learned
    temperature = TwoCovariance.temperature(in: memory)
    model = memory.scores.model
    let zero = [Float](repeating: 0, count: model.dimension)
    projectedMean = model.project(zero).map { -$0 }
    let terms = memory.scores.terms
    (gains, curvatures) = (terms.gains, terms.curvatures)
    offsets = zip(terms.offsets, memory.penalties).map { $0 - $1 }
    let acceptance = recognizer.acceptance
    expected = acceptance.expected.map {
      Expected(marginWeight: $0.marginWeight, quantiles: $0.evidence)
    }
    ownStatistics = acceptance.own
    refusalRate = recognizer.policy.refusalRate
  }

  /// How many drawings the calibration counts as among the taught samples.
  package static let priorWeight = Acceptance.priorWeight
  /// Without a calibration, how many left-out samples rank an answer.
  package static let fewestAlone = Acceptance.fewestAlone
  /// Below this lead a drawing fits two labels about equally.
  package static let clearMargin = Evidence.clearMargin
  /// The minimum extent of a drawing, as a share of the canvas's smaller side.
  package static let leastExtent = Drawing.leastExtent
}
