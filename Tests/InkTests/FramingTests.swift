import Ink
import Numbers
import Testing

@Suite("Drawing in a frame")
struct FramingTests {
  private func framed(
    _ strokes: [Stroke], _ box: BoundingBox, _ rasterizer: Rasterizer
  ) throws -> [Float] {
    var scratch = Rasterizer.Scratch()
    var pixels = [Float](repeating: 9, count: rasterizer.width * rasterizer.height)
    var span = pixels.mutableSpan
    try rasterizer.draw(strokes, around: box, into: &span, using: &scratch)
    return pixels
  }

  @Test("In the frame of its own box a drawing has the pixels that it has alone")
  func ownBox() throws {
    let rasterizer = Rasterizer(width: 32, height: 32, strokeWidth: 1.5, margin: 5.25)
    for seed in 0..<40 {
      var generator = SeededGenerator(seed: UInt64(seed))
      let drawing = Drawing(
        strokes: (0..<3).map { _ in
          Stroke(
            (0..<8).map { _ in
              Point(x: generator.uniform(0...200), y: generator.uniform(0...90))
            })
        })
      let box = try #require(BoundingBox(drawing.strokes.flatMap(\.points)))
      let alone = try rasterizer(drawing).values
      for (a, b) in zip(try framed(drawing.strokes, box, rasterizer), alone) {
        #expect(abs(a - b) < 1e-4, "seed \(seed)")
      }
    }
  }

  @Test("Ink beside the box is seen in the margin, and ink outside of the raster is not")
  func margin() throws {
    let rasterizer = Rasterizer(width: 10, height: 10, strokeWidth: 1, margin: 2.5)
    let box = BoundingBox(x: 100, y: 100, width: 40, height: 40)
    // The box's 40 units are 4 pixels, from 3 to 7: the line at x = 80 is in the column from 1 on.
    let line = Stroke([Point(x: 80, y: -9000), Point(x: 80, y: 9000)])
    let pixels = try framed([line], box, rasterizer)
    for row in 0..<10 {
      let ink = pixels[(row * 10)..<(row * 10 + 10)].map { ($0 * 100).rounded() / 100 }
      #expect(ink == [0.5, 0.5, 0, 0, 0, 0, 0, 0, 0, 0])
    }
    let far = Stroke([Point(x: 300, y: 100), Point(x: 500, y: 140)])
    #expect(try framed([far], box, rasterizer).allSatisfy { $0 == 0 })
    #expect(try framed([], box, rasterizer).allSatisfy { $0 == 0 })
  }

  @Test(
    "A stroke that leaves and comes back is seen where it is inside, as without its way outside")
  func pieces() throws {
    let rasterizer = Rasterizer(width: 20, height: 20, strokeWidth: 1.5, margin: 4)
    let box = BoundingBox(x: 0, y: 0, width: 10, height: 10)
    let way = Stroke(at: [(-50, 3), (50, 3), (50, 7), (-50, 7)])
    let lines = [3.0, 7].map { y in Stroke([Point(x: -50, y: y), Point(x: 50, y: y)]) }
    for (a, b) in zip(try framed([way], box, rasterizer), try framed(lines, box, rasterizer)) {
      #expect(abs(a - b) < 1e-5)
    }
  }

  @Test("Huge, tiny and broken numbers are drawn, left out or named")
  func hostile() throws {
    let rasterizer = Rasterizer(width: 12, height: 12, strokeWidth: 1, margin: 2)
    let box = BoundingBox(x: 0, y: 0, width: 1, height: 1)
    let huge = Stroke([Point(x: -1e308, y: 0.5), Point(x: 1e308, y: 0.5), Point(x: 0, y: 1e300)])
    #expect(try framed([huge], box, rasterizer).allSatisfy(\.isFinite))
    let dot = BoundingBox(x: 5, y: 5, width: 0, height: 0)
    #expect(try framed([Stroke([Point(x: 5, y: 5)])], dot, rasterizer).contains { $0 > 0.1 })
    let broken = Stroke([Point(x: 0, y: 0), Point(x: 0, y: .nan)])
    #expect(throws: InkError.invalidNumber(stroke: 1, point: 1, axis: .y)) {
      try framed([huge, broken], box, rasterizer)
    }
  }
}
