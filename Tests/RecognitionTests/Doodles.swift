import Foundation
import Ink
import Numbers

@testable import Recognition

/// Four simple shapes, each time a little different.
enum Doodles {
  static let labels = ["circle", "cross", "line", "zigzag"]

  static func drawing(_ label: String, _ index: Int, seed: UInt64 = 1) -> Drawing {
    var generator = SeededGenerator(seed: seed, stream: labels.firstIndex(of: label) ?? 9, index)
    func near(_ value: Double) -> Double { value + generator.normal(deviation: 3) }
    let strokes: [[(Double, Double)]]
    switch label {
    case "circle":
      let start = generator.uniform(0...(2 * .pi))
      strokes = [
        (0...24).map { step in
          let angle = start + Double(step) / 24 * 2 * .pi
          return (50 + near(40) * cos(angle), 50 + near(40) * sin(angle))
        }
      ]
    case "cross":
      strokes = [
        [(near(10), near(10)), (near(90), near(90))], [(near(90), near(10)), (near(10), near(90))],
      ]
    case "line": strokes = [[(near(5), near(50)), (near(50), near(50)), (near(95), near(50))]]
    default:
      strokes = [(0...6).map { (near(Double($0) * 15), near($0 % 2 == 0 ? 20 : 80)) }]
    }
    return Drawing(
      id: "\(label)-\(seed)-\(index)", label: label,
      strokes: strokes.map { Stroke($0.map { Point(x: $0.0, y: $0.1) }) })
  }

  static func set(_ count: Int, seed: UInt64 = 1, labels: [String] = Self.labels) -> [Drawing] {
    labels.flatMap { label in (0..<count).map { drawing(label, $0, seed: seed) } }
  }

  /// Small enough to train in a debug build.
  static let recipe = EmbeddingRecipe(
    view: .picture(Rasterizer(width: 12, height: 12, strokeWidth: 1.2, margin: 0.5)),
    network: NetworkShape(channels: [6], dimension: 8),
    training: TrainingSchedule(
      epochs: 6, batchSize: 16, learningRate: 1e-2, weightDecay: 0.01, warmUpEpochs: 1,
      labelSmoothing: 0.05, averagingDecay: 0.8, checkpointInterval: 2))

  static func provenance(_ recipe: EmbeddingRecipe = recipe) -> Provenance {
    Provenance(
      software: "test", seed: 1, threads: 1, dataFingerprint: "", trainingDrawings: 0,
      validationDrawings: 0, validationAccuracy: nil, recipes: [recipe])
  }

  /// A recognizer that was taught nothing, on an embedding with random weights: fine for exactness.
  static func untaught(
    _ head: HeadConfiguration = .classMeans, prior: PLDAPrior? = nil,
    fittedTo drawings: [Drawing] = []
  ) throws -> Recognizer {
    var generator = SeededGenerator(seed: 3)
    let network = try NetworkForTests.residual(recipe, using: &generator)
    let trained =
      drawings.isEmpty
      ? ClassVectors()
      : ClassVectors(
        labels: labels,
        vectors: [Float](repeating: 0, count: labels.count * recipe.network.dimension))
    return Recognizer(
      embedding: try Embedding([EmbeddingMember(view: recipe.view, network: network)]),
      trained: trained.fitted(to: drawings), prior: prior, head: head,
      provenance: provenance())
  }
}
