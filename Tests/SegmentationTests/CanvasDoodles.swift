import Foundation
import Ink
import NeuralNetwork
import Numbers
import Recognition

@testable import Segmentation

/// A tiny trained recognizer of rings, zigzags and crosses, and strokes to try it with.
enum CanvasDoodles {
  static let labels = ["cross", "ring", "zigzag"]

  private static let making = Task<Recognizer, any Error> {
    var generator = SeededGenerator(seed: 1)
    var drawings: [Drawing] = []
    for number in 0..<24 {
      for label in labels {
        drawings.append(
          Drawing(
            id: "\(label)-\(number)", label: label,
            strokes: strokes(label, x: 0, y: 0, from: nil, using: &generator)))
      }
    }
    let recipe = EmbeddingRecipe(
      view: .picture(Rasterizer(width: 12, height: 12, strokeWidth: 1.2, margin: 0.5)),
      network: NetworkShape(channels: [6], dimension: 8),
      training: TrainingSchedule(
        epochs: 8, batchSize: 16, learningRate: 1e-2, weightDecay: 0.01, warmUpEpochs: 1,
        labelSmoothing: 0.05, averagingDecay: 0.8, checkpointInterval: 8))
    let outcome = try await EmbeddingTrainer(recipe).fit(
      training: drawings, validation: [], seed: 5, threads: 2)
    var recognizer = Recognizer(
      embedding: outcome.embedding, head: .classMeans,
      // Nothing is refused that is believed: what is tested is the canvas.
      policy: DecisionPolicy(refusalRate: 0),
      provenance: Provenance(
        software: "test", seed: 1, threads: 1, dataFingerprint: "", trainingDrawings: 0,
        validationDrawings: 0, validationAccuracy: nil, recipes: [recipe]))
    try await recognizer.update(with: drawings)
    return recognizer
  }

  /// The recognizer, trained once.
  static var recognizer: Recognizer { get async throws { try await making.value } }

  /// The strokes of a shape 80 wide whose top left corner is at x, y: each takes 200 ms, 100 ms are
  /// between two.
  static func strokes(
    _ label: String, x: Double, y: Double, from start: Double?,
    using generator: inout SeededGenerator
  ) -> [Stroke] {
    func near(_ value: Double) -> Double { value + generator.uniform(-2...2) }
    let lines: [[(Double, Double)]] =
      switch label {
      case "ring":
        [
          (0...20).map { step in
            let angle = Double(step) / 20 * 2 * .pi
            return (near(40 + 38 * cos(angle)), near(40 + 38 * sin(angle)))
          }
        ]
      case "zigzag": [(0...6).map { (near(Double($0) * 13), near($0 % 2 == 0 ? 10 : 70)) }]
      default:
        [[(near(5), near(5)), (near(75), near(75))], [(near(75), near(5)), (near(5), near(75))]]
      }
    return lines.enumerated().map { number, line in
      Stroke(
        line.enumerated().map { index, place in
          let time = start.map {
            $0 + Double(number) * 300 + 200 * Double(index) / Double(line.count - 1)
          }
          return Point(x: x + place.0, y: y + place.1, t: time)
        })
    }
  }
}
