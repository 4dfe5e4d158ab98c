import Ink
import Numbers
import Testing
import Vectorizing

@Suite("Strokes have points")
struct EmptyStrokeTests {
  @Test("No stroke is empty, whatever dense ink becomes")
  func dense() {
    var random = SeededGenerator(seed: 7)
    for number in 0..<100 {
      // Cells, most of them black: their skeletons have rings within the ink of their junctions.
      let cell = Int.random(in: 2...4, using: &random)
      let count = Int.random(in: 14...26, using: &random)
      let isBlack = (0..<(count * count)).map { _ in
        Double.random(in: 0...1, using: &random) < 0.75
      }
      let (margin, side) = (6, cell * count + 12)
      let values = (0..<(side * side)).map { pixel -> UInt8 in
        let (row, column) = (pixel / side - margin, pixel % side - margin)
        let isInside = min(row, column) >= 0 && max(row, column) < cell * count
        return isInside && isBlack[row / cell * count + column / cell] ? 20 : 255
      }
      let picture = GrayPicture(width: side, height: side, values: values)
      guard let drawing = try? Vectorizer(polarity: .darkInk)(picture) else { continue }
      #expect(drawing.strokes.allSatisfy { !$0.points.isEmpty }, "picture \(number)")
    }
  }
}
