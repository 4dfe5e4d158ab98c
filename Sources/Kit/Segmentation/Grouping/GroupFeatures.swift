internal import CLibrary
internal import Ink
internal import Recognition

/// The evaluation of a group of strokes as one shape.
struct Reading: Sendable {
  /// The recognizer's answer; nil without a recognizer, labels or enough ink.
  var answer: Answer?
  /// Shape [GroupFeatures.count].
  var features: [Float]
}

/// The evidence for a group of strokes as one whole shape; excludes position and timing.
enum GroupFeatures: Int, CaseIterable {
  case constant, isSingle, logCount, wholeness, singleWholeness
  case score, positiveScore, typicality, singleTypicality, confidence, margin

  /// The number of features.
  static let count = allCases.count

  /// The features of a group of `strokes` strokes with the given answer and wholeness score.
  static func features(strokes: Int, answer: Answer?, wholeness: Float) -> [Float] {
    let few = strokes == 1 ? 1.0 : 0.0
    let size = log(Double(strokes))
    var values = [1, few, size, Double(wholeness), Double(wholeness) * few]
    if let evidence = answer?.evidence {
      let score = max(-40, min(40, evidence.score)) / 10
      let confidence = answer?.candidates.first?.confidence ?? 0
      let typicality = log(max(0, evidence.typicality) + 0.01)
      values += [
        score, max(0, score), typicality, typicality * few, confidence,
        max(-3, min(3, (evidence.margin ?? 0) / 10)),
      ]
    } else {
      values += [0, 0, 0, 0, 0, 0]
    }
    return values.map { Float($0) }
  }
}
