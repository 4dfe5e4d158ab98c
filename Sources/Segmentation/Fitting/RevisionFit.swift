internal import Ink
internal import Recognition
internal import Support

/// A shape near an emoji, and whether both are one drawing.
struct RevisionExample: Sendable {
  /// Shape [Revision.featureCount].
  var features: [Float]
  var isOne: Bool
}

/// Fits a `RevisionModel` to timed canvases that are played as if they were drawn.
struct RevisionFit {
  /// The factor of half the squared weights of standardized features.
  var penalty: Float = 0.001

  /// The examples on a canvas, on which strokes join emojis as the truth says.
  ///
  /// - Throws: `InkError` for a stroke that the canvas refuses.
  static func examples(
    on canvas: LabeledCanvas, with recognizer: Recognizer, _ model: SegmenterModel
  ) throws -> [RevisionExample] {
    var live = LiveCanvas(recognizer: recognizer, model: model, canvas: canvas.drawing.canvas)
    live.owners = canvas.owners
    for stroke in canvas.drawing.strokes { _ = try live.add(stroke) }
    _ = live.finish()
    return live.revisionExamples
  }

  /// The weights that maximize the likelihood of the examples, both kinds counting the same, less
  /// an L2 penalty; nil without examples of both kinds.
  func callAsFunction(_ examples: [RevisionExample]) -> RevisionModel? {
    let count = Revision.featureCount
    let rows = Float(examples.count)
    let shares = [false, true].map { kind in 0.5 / Float(examples.count { $0.isOne == kind }) }
    guard shares.allSatisfy(\.isFinite) else { return nil }
    let means = (0..<count).map { k in examples.reduce(0) { $0 + $1.features[k] } / rows }
    let deviations = (0..<count).map { k in
      let squares = examples.map { powf($0.features[k] - means[k], 2) }
      return max(1e-3, (squares.reduce(0, +) / rows).squareRoot())
    }
    let standard = examples.map { example in
      (0..<count).map { (example.features[$0] - means[$0]) / deviations[$0] }
    }
    let start = [Float](repeating: 0, count: 1 + count)
    let found = LBFGS(iterations: 500).minimum(from: start) { point in
      var (value, gradient) = (0.0, start)
      for (example, features) in zip(examples, standard) {
        let sign: Float = example.isOne ? 1 : -1
        let margin = sign * (0..<count).reduce(point[0]) { $0 + features[$1] * point[1 + $1] }
        let share = shares[example.isOne ? 1 : 0]
        // log(1 + exp(-margin)) without overflow.
        value += Double(share * (max(0, -margin) + logf(1 + expf(-abs(margin)))))
        let slope = -sign * share / (1 + expf(margin))
        gradient[0] += slope
        for k in 0..<count { gradient[1 + k] += slope * features[k] }
      }
      for k in 1...count {
        value += Double(penalty * point[k] * point[k]) / 2
        gradient[k] += penalty * point[k]
      }
      return (value, gradient)
    }
    let weights = (0..<count).map { found[1 + $0] / deviations[$0] }
    let bias = (0..<count).reduce(found[0]) { $0 - weights[$1] * means[$1] }
    return RevisionModel(weights: [bias] + weights)
  }
}
