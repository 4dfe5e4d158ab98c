public import Ink
public import Recognition

/// What a canvas would say aloud of a drawing that is one shape, at any refusal rate: the rule of
/// `Segmenter` without its search. Whoever explains or previews a canvas's answers asks this, and
/// not the recogniser, which knows of no strangers.
public struct ShapeJudgement: Sendable {
  /// What the recogniser says.
  public let answer: Answer
  private let trust: TrustModel?
  private let features: [Float]?

  /// Decides what is said.
  ///
  /// - Parameter policy: When an answer is said aloud.
  /// - Returns: The answer, or that it is none and why.
  public func decision(under policy: DecisionPolicy) -> Decision {
    guard let trust, let features else { return policy.decision(on: answer) }
    return trust.decide(answer, features, policy)
  }

  fileprivate init(_ answer: Answer, trust: TrustModel?, features: [Float]?) {
    (self.answer, self.trust, self.features) = (answer, trust, features)
  }
}

extension SegmenterModel {
  /// Judges answers as a canvas does on which nothing else lies.
  ///
  /// - Parameters:
  ///   - answer: What the recogniser says of the drawing; it may have been asked as if the drawing
  ///     had not been taught.
  ///   - drawing: One shape.
  ///   - recognizer: Who answered.
  /// - Returns: The judgement: the recogniser's own where this model was not fitted to its
  ///   embedding, or there is too little ink to look at.
  /// - Throws: `InkError.invalidNumber` for a coordinate that is not finite.
  public func judgement(
    on answer: Answer, of drawing: Drawing, by recognizer: Recognizer
  ) throws(InkError) -> ShapeJudgement {
    let reader = GroupReader(recognizer, self)
    guard let trust, reader.isFitted, drawing.hasEnoughInk, let box = drawing.boundingBox else {
      return ShapeJudgement(answer, trust: nil, features: nil)
    }
    let frame = GroupPicture.frame(of: box, usualSide: box.longerSide)
    let reading = Reading(
      answer: answer,
      wholeness: try reader.wholeness(drawing.strokes, among: [], frame: frame), features: [])
    return ShapeJudgement(
      answer, trust: trust,
      features: TrustModel.features(
        reading, strokes: drawing.strokes.count, labels: recognizer.labels.count))
  }
}
