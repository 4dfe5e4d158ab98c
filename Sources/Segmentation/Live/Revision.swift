internal import Ink
internal import Recognition
internal import Support

/// A recognized shape with later strokes that may finish it, and the evidence for that: sizes and
/// places, the recognizer's answers for each part and for the whole, and how a segmenter that sees
/// nothing else would group them.
struct Revision: Sendable {
  /// The strokes of both, ascending by number.
  let ink: [LiveCanvas.WindowStroke]
  /// The box around both.
  let box: BoundingBox
  /// What the recognizer says of both as one shape.
  let answer: Answer
  /// Shape [featureCount].
  let features: [Float]

  static let featureCount = 34

  /// Nil if the recognizer gives no label for both as one shape.
  ///
  /// - Parameters:
  ///   - emoji: The strokes of a recognized shape.
  ///   - late: The strokes of a later shape.
  ///   - segmenter: Reads groups of strokes.
  init?(
    of emoji: [LiveCanvas.WindowStroke], with late: [LiveCanvas.WindowStroke],
    by segmenter: Segmenter
  ) {
    let ink = (emoji + late).sorted { $0.number < $1.number }
    guard let whole = segmenter.reading(of: ink.map(\.stroke)), let answer = whole.answer,
      let label = answer.candidates.first?.label, let before = Outline(emoji),
      let after = Outline(late)
    else { return nil }
    (self.ink, self.answer) = (ink, answer)
    let box = before.box.union(after.box)
    self.box = box
    let side = max(box.longerSide, 1e-9)
    let slack = 0.02 * side
    let first = segmenter.reading(of: emoji.map(\.stroke))
    let second = segmenter.reading(of: late.map(\.stroke))
    let size = log((after.box.longerSide + slack) / (before.box.longerSide + slack))
    let isFirst = Set(emoji.map(\.number))
    let odds = segmenter.odds(
      ofOne: ink.map(\.stroke), against: ink.indices.filter { isFirst.contains(ink[$0].number) })
    let isKnown = second?.answer?.decision.isRecognized ?? false
    var values = [
      size,
      log((after.length + slack) / (before.length + slack)),
      after.box.grown(slack).overlap(with: before.box.grown(slack)) / after.box.grown(slack).area,
      log(before.distance(to: after) / side + 0.01),
      log1p(Double(late.count)),
      log1p(Double(emoji.count)),
      late.count == 1 ? 1 : 0,
      first?.answer?.candidates.first?.label == label ? 1 : 0,
      answer.decision.isRecognized ? 1 : 0,
      log1p(10 * after.box.gap(to: before.box) / side),
      second?.answer == nil ? 0 : 1,
      isKnown ? 1 : 0,
      isKnown && late.count > 1 ? 1 : 0,
      isKnown ? size : 0,
      Double(odds ?? 0),
      odds == nil ? 1 : 0,
    ]
    for reading in [first, second, whole] { values += reading.revisionFeatures }
    features = values.map { Float($0.isFinite ? max(-50, min(50, $0)) : 0) }
  }

  /// The outlines of some strokes.
  private struct Outline {
    let strokes: [StrokeSummary]
    let box: BoundingBox
    let length: Double

    /// Nil for strokes without ink.
    init?(_ ink: [LiveCanvas.WindowStroke]) {
      strokes = ink.compactMap { StrokeSummary($0.stroke) }
      guard let first = strokes.first else { return nil }
      box = strokes.dropFirst().reduce(first.box) { $0.union($1.box) }
      length = strokes.reduce(0) { $0 + $1.length }
    }

    func distance(to other: Outline) -> Double {
      var least = Double.infinity
      for stroke in strokes {
        for another in other.strokes where stroke.box.gap(to: another.box) < least {
          least = min(least, stroke.outline.distance(to: another.outline))
        }
      }
      return least
    }
  }
}

extension Reading? {
  /// The features of a reading in a revision; zeros without a reading.
  fileprivate var revisionFeatures: [Double] {
    let used: [GroupFeatures] = [
      .wholeness, .score, .positiveScore, .typicality, .confidence, .margin,
    ]
    return used.map { feature in map { Double($0.features[feature.rawValue]) } ?? 0 }
  }
}

/// The log-odds that later strokes finish an emoji: logistic regression on the features of a
/// `Revision`.
struct RevisionModel: Codable, Sendable, Equatable {
  /// The bias, then the weight of each feature; shape [1 + Revision.featureCount].
  var weights: [Float]

  /// The log-odds for a revision with the given features.
  func score(_ features: [Float]) -> Float {
    zip(features, weights.dropFirst()).reduce(weights[0]) { $0 + $1.0 * $1.1 }
  }
}
