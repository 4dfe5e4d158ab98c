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

  /// A group on its canvas.
  struct Subject {
    /// Its strokes.
    var strokes: [Stroke]
    /// Other ink of the canvas near it.
    var others: [Stroke]
    /// See `GroupPicture.frame(of:usualSide:)`.
    var frame: BoundingBox
  }

  /// Evaluates groups, each as if it were alone; several at once take less time.
  ///
  /// - Returns: For each group the features, and the recognizer's answer if there is one.
  /// - Throws: `InkError.invalidNumber` for a coordinate that is not finite.
  func read(_ groups: [Subject]) throws(InkError) -> [Reading] {
    let answers = answered(groups.map { Drawing(strokes: $0.strokes) })
    let odds = try wholeness?.scores(of: groups) ?? groups.map { _ in 0 }
    return zip(groups, zip(answers, odds)).map { group, found in
      Reading(
        answer: found.0,
        features: GroupFeatures.features(
          strokes: group.strokes.count, answer: found.0, wholeness: found.1))
    }
  }

  /// The recognizer's answers; nil for a drawing that has too little ink or that it cannot embed.
  func answered(_ drawings: [Drawing]) -> [Answer?] {
    var answers = [Answer?](repeating: nil, count: drawings.count)
    let inked = drawings.indices.filter { drawings[$0].hasEnoughInk }
    guard let recognizer, !inked.isEmpty else { return answers }
    let embedding = recognizer.embedding
    if let vectors = try? embedding.vectors(of: inked.map { drawings[$0] }) {
      let found = recognizer.answers(to: vectors, candidates: 5)
      for (index, answer) in zip(inked, found) { answers[index] = answer }
      return answers
    }
    // One has no vector: one by one, only that one gets no answer.
    for index in inked {
      guard let vector = try? embedding.vector(of: drawings[index]) else { continue }
      answers[index] = recognizer.answers(to: vector, candidates: 5).first
    }
    return answers
  }
}
