import Foundation
import Ink
import Numbers
import Recognition
import Workspace

/// Rings and zigzags, each time a little different, 80 wide.
enum Shapes {
  static let labels = ["ring", "zigzag"]

  /// The strokes of a shape whose top left corner is at x, y; it takes 200 ms from `start` on.
  static func stroke(
    _ label: String, x: Double = 0, y: Double = 0, from start: Double = 0, _ index: Int = 0
  ) -> Stroke {
    var generator = SeededGenerator(seed: 7, stream: labels.firstIndex(of: label) ?? 9, index)
    func near(_ value: Double) -> Double { value + generator.uniform(-2...2) }
    let line: [(Double, Double)] =
      switch label {
      case "ring":
        (0...20).map { step in
          let angle = Double(step) / 20 * 2 * .pi
          return (near(40 + 38 * cos(angle)), near(40 + 38 * sin(angle)))
        }
      default: (0...6).map { (near(Double($0) * 13), near($0 % 2 == 0 ? 10 : 70)) }
      }
    return Stroke(
      line.enumerated().map { index, place in
        Point(
          x: (x + place.0).rounded(), y: (y + place.1).rounded(),
          t: start + (200 * Double(index) / Double(line.count - 1)).rounded())
      })
  }

  /// A drawing of a shape.
  static func drawing(_ label: String, _ index: Int) -> Drawing {
    Drawing(
      id: "\(label)-\(index)", label: label, strokes: [stroke(label, index)],
      canvas: .init(width: 80, height: 80))
  }

  /// The JSON of a stroke's columns in a list.
  static func json(_ stroke: Stroke) -> String {
    let text = String(decoding: StrokeJSON.encode(Drawing(strokes: [stroke])), as: UTF8.self)
    return String(text.dropFirst(#"{"strokes":"#.count).dropLast())
  }

  /// The body of a request with a drawing; `more` is more of it.
  static func body(
    _ label: String, _ index: Int = 0, id: String? = nil, as name: String? = nil,
    more: String? = nil
  ) -> String {
    let id = id.map { #""id":"\#($0)","# } ?? ""
    let name = name.map { #""label":"\#($0)","# } ?? ""
    let more = more.map { "," + $0 } ?? ""
    let strokes = json(stroke(label, index))
    return #"{\#(id)\#(name)"canvas":{"width":80,"height":80},"strokes":\#(strokes)\#(more)}"#
  }

  private static let making = Task<BaseModel, any Error> {
    let recipe = EmbeddingRecipe(
      view: .picture(Rasterizer(width: 12, height: 12, strokeWidth: 1.2, margin: 0.5)),
      network: NetworkShape(channels: [6], dimension: 8),
      training: TrainingSchedule(
        epochs: 6, batchSize: 16, learningRate: 1e-2, weightDecay: 0.01, warmUpEpochs: 1,
        labelSmoothing: 0.05, averagingDecay: 0.8, checkpointInterval: 6))
    let drawings = labels.flatMap { label in (100..<120).map { drawing(label, $0) } }
    let outcome = try await EmbeddingTrainer(recipe).fit(
      training: drawings, validation: [], seed: 5, threads: 1)
    let recognizer = Recognizer(
      embedding: outcome.embedding,
      prior: try await PLDAPrior(
        of: outcome.embedding, base: drawings, fresh: [], seed: 1),
      head: .twoCovariance,
      provenance: Provenance(
        software: "test", seed: 1, threads: 1, dataFingerprint: "", trainingDrawings: 0,
        validationDrawings: 0, validationAccuracy: nil, recipes: [recipe]))
    return BaseModel { recognizer }
  }

  /// A base that tells rings from zigzags, made once.
  static var base: BaseModel { get async throws { try await making.value } }
}
