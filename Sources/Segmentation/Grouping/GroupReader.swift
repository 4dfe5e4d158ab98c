internal import Ink
internal import Recognition

/// Looks at groups of strokes: whether they look whole, and what a recognizer says of them. The
/// memory for that is shared by all readers of the same models.
struct GroupReader: Sendable {
  private let recognizer: Recognizer?
  private let wholeness: WholenessModel?

  /// A reader; a recognizer that was taught nothing has nothing to say.
  init(_ recognizer: Recognizer?, _ model: SegmenterModel) {
    self.recognizer = recognizer.flatMap { $0.labels.isEmpty ? nil : $0 }
    wholeness = model.wholeness
  }

  /// Whether a recognizer answers.
  var answers: Bool { recognizer != nil }

  /// What is to be said of a group.
  ///
  /// - Parameters:
  ///   - strokes: Its strokes.
  ///   - others: The canvas's other ink near it.
  ///   - frame: See `GroupPicture.frame(of:usualSide:)`.
  /// - Returns: How whole it looks, and the recognizer's answer where there is one.
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
