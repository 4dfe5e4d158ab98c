import Ink
import NeuralNetwork
import Numbers
import Testing

import struct Foundation.Data
import class Foundation.JSONDecoder
import class Foundation.JSONEncoder

@testable import Segmentation

@Suite("What looks like a whole shape")
struct WholenessTests {
  /// Squares of which a side may be missing; a group of three sides is beside the fourth, or alone.
  private func squares(_ count: Int, seed: UInt64) -> GroupExamples {
    var generator = SeededGenerator(seed: seed)
    var (canvases, examples): ([VisibleInk], [GroupExamples.Example]) = ([], [])
    for canvas in 0..<count {
      let (x, y) = (generator.uniform(0...500), generator.uniform(0...500))
      let side = generator.uniform(30...120)
      let corners = [(x, y), (x + side, y), (x + side, y + side), (x, y + side), (x, y)]
      var ink = VisibleInk()
      for edge in 0..<4 {
        let stroke = line([corners[edge], corners[edge + 1]], from: nil)
        if let box = BoundingBox(stroke.points) { ink.add(stroke, box, at: edge) }
      }
      canvases.append(ink)
      let frame = BoundingBox(x: x, y: y, width: side, height: side)
      let isWhole = generator.chance(0.5)
      examples.append(
        .init(
          canvas: canvas, group: isWhole ? [0, 1, 2, 3] : [0, 1, 3], frame: frame,
          isWhole: isWhole))
    }
    return GroupExamples(canvases: canvases, examples: examples)
  }

  @Test("A fitted network tells squares from squares with a side that belongs to somebody else")
  func fit() async throws {
    var fit = WholenessFit(seed: 3)
    (fit.epochs, fit.channels, fit.units) = (4, [4, 4, 8], 8)
    let model = try await fit(squares(600, seed: 1)) { _ in }
    let judged = squares(100, seed: 2)
    var (subjects, alone) = ([GroupReader.Subject](), [Float]())
    for example in judged.examples {
      let (own, others) = judged.canvases[example.canvas].seen(example.group, in: example.frame)
      #expect(own.count + others.count == 4)
      let subject = GroupReader.Subject(strokes: own, others: others, frame: example.frame)
      subjects.append(subject)
      alone += try model.scores(of: [subject])
    }
    let together = try model.scores(of: subjects)
    #expect(together == alone)
    let right = zip(together, judged.examples).count { ($0 > 0) == $1.isWhole }
    #expect(right >= 95, "\(right) of 100")
  }

  @Test("A model that is written and read back gives the same scores, and damaged ones are refused")
  func codable() async throws {
    var fit = WholenessFit(seed: 5)
    (fit.epochs, fit.channels, fit.units) = (1, [2, 2, 2], 3)
    let model = try await fit(squares(64, seed: 1)) { _ in }.rounded()
    let bytes = try JSONEncoder().encode(model)
    #expect(try JSONDecoder().decode(WholenessModel.self, from: bytes) == model)
    let text = try #require(String(data: bytes, encoding: .utf8))
    #expect(throws: (any Error).self) {
      let short = text.replacing(#""parameters":""#, with: #""parameters":"AAAA"#)
      _ = try JSONDecoder().decode(WholenessModel.self, from: Data(short.utf8))
    }
  }

  @Test(
    "A group's picture shows its strokes and, apart, the near ones drawn before its last one"
  )
  func sight() throws {
    var ink = VisibleInk()
    let boxes = [
      BoundingBox(x: 0, y: 0, width: 10, height: 10),
      BoundingBox(x: 12, y: 0, width: 3, height: 10),
      BoundingBox(x: 100, y: 0, width: 10, height: 10),
      BoundingBox(x: 2, y: 2, width: 4, height: 4),
      BoundingBox(x: 4, y: 4, width: 4, height: 4),
    ]
    let strokes = boxes.map { box in
      line([(box.x, box.y), (box.x + box.width, box.y + box.height)], from: nil)
    }
    for index in 0..<5 { ink.add(strokes[index], boxes[index], at: index + 10) }
    let (own, others) = ink.seen([10, 13], in: boxes[0])
    #expect(own == [strokes[0], strokes[3]])
    // Stroke 12 is far away, and stroke 14 came later.
    #expect(others == [strokes[1]])
    ink.remove([11])
    #expect(ink.seen([10, 13], in: boxes[0]).others.isEmpty)

    var picture = GroupPicture()
    var pixels = [Float](repeating: 0, count: GroupPicture.size)
    var span = pixels.mutableSpan
    try picture.draw(own, among: others, frame: boxes[0], into: &span)
    let ink0 = stride(from: 0, to: pixels.count, by: 2).reduce(Float(0)) { $0 + pixels[$1] }
    let ink1 = stride(from: 1, to: pixels.count, by: 2).reduce(Float(0)) { $0 + pixels[$1] }
    // 20 pixels for 10 units: diagonals of 28 pixels, 1.5 wide; the second lies on the first.
    #expect(abs(ink0 - 28.3 * 1.5 - 1.8) < 2.5)
    // Of the stroke beside it, a third is in sight: 7 pixels long.
    #expect(ink1 > 9 && ink1 < 13)
  }

  @Test("The frame of a dot is a quarter of the usual side, that of a shape its box")
  func frames() {
    let dot = BoundingBox(x: 8, y: 9, width: 0, height: 0)
    #expect(
      GroupPicture.frame(of: dot, usualSide: 40)
        == BoundingBox(x: 3, y: 4, width: 10, height: 10))
    let shape = BoundingBox(x: 8, y: 9, width: 30, height: 12)
    #expect(GroupPicture.frame(of: shape, usualSide: 40) == shape)
  }
}
