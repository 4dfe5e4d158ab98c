internal import Ink
internal import Recognition

/// Evaluates groups of strokes: scores their wholeness and classifies them. Readers of the same
/// models share their working memory.
struct GroupReader: Sendable {
  private let recognizer: Recognizer?
  private let wholeness: WholenessModel?

  /// A reader; a recognizer without labels is ignored.
  init(_ recognizer: Recognizer?, _ model: SegmenterModel) {
    self.recognizer = recognizer.flatMap { $0.labels.isEmpty ? nil : $0 }
    wholeness = model.wholeness
  }

  /// Whether there is a recognizer with labels.
  var answers: Bool { recognizer != nil }

  /// Evaluates a group.
  ///
  /// - Parameters:
  ///   - strokes: Its strokes.
  ///   - others: Other ink of the canvas near it.
  ///   - frame: See `GroupPicture.frame(of:usualSide:)`.
  /// - Returns: The features, and the recognizer's answer if there is one.
  /// - Throws: `InkError.invalidNumber` for a coordinate that is not finite.
  func read(
    _ strokes: [Stroke], among others: [Stroke], frame: BoundingBox
  ) throws(InkError) -> Reading {
    let odds = try wholeness?.score(strokes, among: others, frame: frame) ?? 0
    let drawing = Drawing(strokes: strokes)
    var answer: Answer?
    if let recognizer, drawing.hasEnoughInk,
      let vector = try? recognizer.embedding.vector(of: drawing)
    {
      answer = recognizer.answers(to: vector, candidates: 5).first
    }
    return Reading(
      answer: answer,
      features: GroupFeatures.features(strokes: strokes.count, answer: answer, wholeness: odds))
  }
}
