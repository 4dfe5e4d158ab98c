import Ink
import Numbers
import Testing
import Vectorizing

@Suite("Strokes have points")
struct EmptyStrokeTests {
  @Test("No stroke is empty, whatever dense ink becomes")
  func dense() throws {
    var random = SeededGenerator(seed: 7)
    for _ in 0..<60 {
      // Blots that touch: skeletons with many rings within their junctions' ink.
      let side = 90
      var values = [UInt8](repeating: 255, count: side * side)
      for _ in 0..<Int.random(in: 40...160, using: &random) {
        let (x, y) = (
          Int.random(in: 4..<(side - 4), using: &random),
          Int.random(in: 4..<(side - 4), using: &random)
        )
        let reach = Int.random(in: 1...3, using: &random)
        for row in (y - reach)...(y + reach) {
          for column in (x - reach)...(x + reach) { values[row * side + column] = 20 }
        }
      }
      let picture = GrayPicture(width: side, height: side, values: values)
      guard let drawing = try? Vectorizer(polarity: .darkInk)(picture) else { continue }
      #expect(drawing.strokes.allSatisfy { !$0.points.isEmpty })
    }
  }
}
