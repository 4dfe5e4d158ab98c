import Ink
import Numbers
import Testing

@testable import Recognition
@testable import Segmentation

@Suite("One rule for accepting")
struct OneRuleTests {
  @Test("S-006: a drawing alone on a canvas is accepted or refused as by itself, at every rate")
  func alone() async throws {
    var recognizer = try await CanvasDoodles.recognizer
    let model = try SegmenterModel.standard()
    var generator = SeededGenerator(seed: 17)
    let drawings = (0..<12).map { number in
      Drawing(
        strokes: CanvasDoodles.strokes(
          CanvasDoodles.labels[number % 3], x: 0, y: 0, from: nil, using: &generator))
    }
    var said: Set<Bool> = []
    for rate in [0, 0.05, 0.3, 0.5] {
      recognizer.policy = DecisionPolicy(refusalRate: rate)
      for drawing in drawings {
        let segments = try Segmenter(recognizer: recognizer, model: model).segments(of: drawing)
        // A drawing that is taken apart is no one shape there.
        guard segments.count == 1 else { continue }
        let answer = try recognizer.classify(drawing).answer
        #expect(segments[0].answer == answer)
        #expect(recognizer.policy.decision(on: answer) == answer.decision)
        said.insert(answer.decision.isRecognized)
      }
    }
    #expect(said == [true, false])
  }
}
