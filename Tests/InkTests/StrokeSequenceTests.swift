import Foundation
import Ink
import Numbers
import Testing

@Suite("Stroke sequences")
struct StrokeSequenceTests {
  private func rows(_ drawing: Drawing, steps: Int) throws -> [[Float]] {
    let sequence = StrokeSequence(steps: steps)
    var scratch = StrokeSequence.Scratch()
    // What is around the sequence must stay.
    var values = [Float](repeating: 9, count: steps * 6 + 2)
    var span = values.mutableSpan
    try sequence.draw(drawing, into: &span, at: 1, using: &scratch)
    #expect(values.first == 9 && values.last == 9)
    return (0..<steps).map { Array(values[(1 + $0 * 6)..<(7 + $0 * 6)]) }
  }

  private func drawing(_ strokes: [[(Double, Double)]]) -> Drawing {
    Drawing(strokes: strokes.map(Stroke.init(at:)))
  }

  @Test("A line gives equal steps from end to end")
  func line() throws {
    let rows = try rows(drawing([[(10, 5), (30, 5)]]), steps: 3)
    #expect(rows[0] == [-1, 0, 1, 0, 1, -1])
    #expect(rows[1] == [0, 0, 1, 0, 0, 0])
    #expect(rows[2] == [1, 0, 1, 0, 0, 1])
  }

  @Test("Strokes get one step each, and the others by their lengths")
  func shares() throws {
    // A corner of length 6, then a line of length 2 from right to left: of 10 steps, 1 + 6 and 1 +
    // 2.
    let rows = try rows(drawing([[(0, 0), (4, 0), (4, 2)], [(4, 4), (2, 4)]]), steps: 10)
    #expect(rows.map { $0[4] } == [1, 0, 0, 0, 0, 0, 0, 1, 0, 0])
    #expect(rows.map { $0[0] } == [-1, -0.5, 0, 0.5, 1, 1, 1, 1, 0.5, 0])
    #expect(rows.map { $0[1] } == [-1, -1, -1, -1, -1, -0.5, 0, 1, 1, 1])
    #expect(rows.map { $0[2] } == [1, 1, 1, 1, 1, 0, 0, -1, -1, -1])
    #expect(rows.map { $0[3] } == [0, 0, 0, 0, 0, 1, 1, 0, 0, 0])
    #expect(rows[7...].map { $0[5] } == [-1, 0, 1])
  }

  @Test("A dot lies in the middle and has no direction")
  func dot() throws {
    for row in try rows(drawing([[(7, 7)]]), steps: 2) {
      #expect(Array(row[..<4]) == [0, 0, 0, 0])
    }
    let dots = try rows(drawing([[(0, 0)], [(8, 0)]]), steps: 4)
    #expect(dots.map { $0[0] } == [-1, -1, 1, 1])
    #expect(dots.map { $0[4] } == [1, 0, 1, 0])
  }

  @Test("Of more strokes than steps the longest stay, in their order")
  func tooMany() throws {
    let rows = try rows(
      drawing([[(0, 0), (4, 0)], [(0, 1), (1, 1)], [(0, 2), (3, 2)], []]), steps: 2)
    #expect(rows.map { $0[4] } == [1, 1])
    #expect(rows.map { $0[1] } == [-0.5, 0.5])
  }

  @Test("Place and size of a drawing do not matter, and all numbers lie in -1...1")
  func invariance() throws {
    var generator = SeededGenerator(seed: 4)
    for _ in 0..<200 {
      let strokes = (0..<1 + generator.integer(below: 7)).map { _ in
        (0..<1 + generator.integer(below: 9)).map { _ in
          (Double(generator.integer(below: 64)), Double(generator.integer(below: 64)))
        }
      }
      let steps = 2 + generator.integer(below: 39)
      let plain = try rows(drawing(strokes), steps: steps)
      // Powers of two: not a bit may change.
      let moved = strokes.map { $0.map { (256 + $0.0 * 4, $0.1 * 4 - 128) } }
      #expect(try rows(drawing(moved), steps: steps) == plain)
      #expect(plain.joined().allSatisfy { abs($0) <= 1.0001 })
      for row in plain {
        let length = (row[2] * row[2] + row[3] * row[3]).squareRoot()
        #expect(length == 0 || abs(length - 1) < 1e-5)
      }
    }
  }

  @Test("A drawing without ink and a non-finite number are refused")
  func faults() throws {
    #expect(throws: InkError.emptyDrawing) { try rows(drawing([[]]), steps: 4) }
    #expect(throws: InkError.invalidNumber(stroke: 1, point: 0, axis: .y)) {
      try rows(drawing([[(0, 0)], [(0, .nan)]]), steps: 4)
    }
    for text in ["{\"steps\":1}", "{\"steps\":65537}", "{}"] {
      #expect(throws: DecodingError.self) {
        try JSONDecoder().decode(StrokeSequence.self, from: Data(text.utf8))
      }
    }
  }
}
