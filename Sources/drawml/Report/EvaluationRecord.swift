internal import Ink

/// One evaluated drawing: what it is, and what the model answered.
struct EvaluationRecord: Sendable {
  /// The drawing as it was read, for the pictures of the report.
  var drawing: Drawing
  /// What was drawn.
  var truth: String
  /// Whether the decision was to recognise; false where the model refused to answer.
  var recognized: Bool
  /// The best label, whether or not it was recognised.
  var label: String
  /// How sure the model was of `label`, in 0...1.
  var confidence: Double
  /// The candidates, best first: all labels, or at least the five best.
  var candidates: [(label: String, confidence: Double)]

  /// Whether the best label is the truth, whether or not it was recognised.
  var isRight: Bool { label == truth }
}
