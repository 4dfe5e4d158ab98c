import Ink
import NeuralNetwork
import Recognition
import Testing

@testable import Segmentation

@Suite("Evaluating groups")
struct GroupReaderTests {
  /// A model whose vectors are the share of ink, times four million: a number above one million is
  /// no vector.
  private static func recognizer() throws -> Recognizer {
    let rasterizer = Rasterizer(width: 12, height: 12, strokeWidth: 1.2, margin: 0.5)
    let layers: [Layer] = [.globalAveragePool, .dense(features: 2, bias: false)]
    let network = try Network(
      .init(inputShape: rasterizer.shape, layers: layers), parameters: [4e6, 4e6], statistics: [])
    var recognizer = Recognizer(
      embedding: try Embedding(rasterizer: rasterizer, network: network), head: .classMeans,
      provenance: Provenance(
        software: "test", seed: 1, threads: 1, dataFingerprint: "", trainingDrawings: 0,
        validationDrawings: 0, validationAccuracy: nil, recipes: []))
    try recognizer.update(with: [
      Drawing(label: "line", strokes: [line([(0, 0), (90, 90)], from: nil)]),
      Drawing(label: "dash", strokes: [line([(0, 0), (90, 0)], from: nil)]),
    ])
    return recognizer
  }

  private static func subject(_ stroke: Stroke) -> GroupReader.Subject {
    .init(
      strokes: [stroke], others: [],
      frame: BoundingBox(stroke.points) ?? BoundingBox(x: 0, y: 0, width: 1, height: 1))
  }

  @Test("A group gets the same answer alone and among others, also among one without a vector")
  func together() throws {
    let reader = GroupReader(try Self.recognizer(), .everywhere(join: 0))
    let thin = Self.subject(line([(0, 0), (90, 80)], from: nil))
    let flat = Self.subject(line([(0, 0), (90, 10)], from: nil))
    let dot = Self.subject(Stroke([Point(x: 5, y: 5)]))
    let full = Self.subject(
      line((0..<30).map { (Double($0 % 2) * 90, Double($0) * 3) }, from: nil))
    for group in [[thin, flat], [thin, dot, flat], [full, thin, flat], [full, dot, full]] {
      let together = try reader.read(group)
      let alone = try group.map { try reader.read([$0])[0] }
      #expect(together.map(\.answer) == alone.map(\.answer))
      #expect(together.map(\.features) == alone.map(\.features))
    }
    #expect(try reader.read([full, thin]).map { $0.answer == nil } == [true, false])
    #expect(try reader.read([]).isEmpty)
  }
}
