internal import Ink
internal import Recognition

/// Looks at groups of strokes: whether they look whole, and what a recogniser says of them. The
/// memory for that is shared by all readers of the same models.
struct GroupReader: Sendable {
  private let recognizer: Recognizer?
  private let wholeness: WholenessModel?

  /// Whether the model's trust in answers was fitted to this recogniser's embedding.
  let isFitted: Bool

  /// A reader; a recogniser that was taught nothing has nothing to say.
  init(_ recognizer: Recognizer?, _ model: SegmenterModel) {
    let taught = recognizer.flatMap { $0.labels.isEmpty ? nil : $0 }
    self.recognizer = taught
    wholeness = model.wholeness
    isFitted = taught.map { $0.embedding.fingerprint == model.embedding } ?? false
  }

  /// When an answer is said aloud; nil where nobody answers.
  var policy: DecisionPolicy? { recognizer?.policy }
  /// What was taught.
  var labels: [String] { recognizer?.labels ?? [] }

  /// What is to be said of a group.
  ///
  /// - Parameters:
  ///   - strokes: Its strokes.
  ///   - others: The canvas's other ink near it.
  ///   - frame: See `GroupPicture.frame(of:usualSide:)`.
  /// - Returns: How whole it looks, and the recogniser's answer where there is one.
  /// - Throws: `InkError.invalidNumber` for a coordinate that is not finite.
  func read(
    _ strokes: [Stroke], among others: [Stroke], frame: BoundingBox
  ) throws(InkError) -> Reading {
    let odds = try self.wholeness(strokes, among: others, frame: frame)
    let drawing = Drawing(strokes: strokes)
    var answer: Answer?
    if let recognizer, drawing.hasEnoughInk,
      let vector = try? recognizer.embedding.vector(of: drawing)
    {
      answer = recognizer.answers(to: vector, candidates: 5).first
    }
    return Reading(
      answer: answer, wholeness: odds,
      features: GroupFeatures.features(strokes: strokes.count, answer: answer, wholeness: odds))
  }

  /// How whole a group looks, as `read` says it; 0 where nobody looks.
  func wholeness(
    _ strokes: [Stroke], among others: [Stroke], frame: BoundingBox
  ) throws(InkError) -> Float {
    try wholeness?.score(strokes, among: others, frame: frame) ?? 0
  }
}
