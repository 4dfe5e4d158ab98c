import Numbers
import Testing

@testable import Ink

@Suite("The rasterizer on processors with narrow and wide vectors")
struct RasterLevelTests {
  private static let levels = (0...RasterKernel.levelHere).map { $0 }

  private static func pixels(
    _ drawing: Drawing, _ rasterizer: Rasterizer, level: Int32
  ) throws -> [Float] {
    var values = [Float](repeating: 7, count: rasterizer.shape.reduce(1, *))
    var slot = values.mutableSpan
    var scratch = Rasterizer.Scratch(level: level)
    try rasterizer.draw(drawing, into: &slot, using: &scratch)
    return values
  }

  @Test(
    "Vectors of every width give the same pixels, to the bit",
    arguments: [(28, 28, 1.5), (33, 17, 0.7), (64, 40, 12), (70, 130, 2), (1, 1, 0.25)])
  func sameBits(width: Int, height: Int, strokeWidth: Double) throws {
    for seed in 0..<40 {
      var generator = SeededGenerator(seed: 61, stream: seed)
      let drawing = Drawing.doodle(&generator)
      for channels in [Rasterizer.Channels.ink, .inkAndFlow] {
        let rasterizer = Rasterizer(
          width: width, height: height, strokeWidth: strokeWidth, margin: 0.25, channels: channels)
        let plain = try Self.pixels(drawing, rasterizer, level: 0).map(\.bitPattern)
        for level in Self.levels.dropFirst() {
          #expect(try Self.pixels(drawing, rasterizer, level: level).map(\.bitPattern) == plain)
        }
      }
    }
  }

  @Test("Where a raster is cut into blocks nothing shows", arguments: [(150, 70), (40, 200)])
  func blocks(width: Int, height: Int) throws {
    for seed in 0..<3 {
      var generator = SeededGenerator(seed: 62, stream: seed)
      let drawing = Drawing.doodle(&generator)
      let rasterizer = Rasterizer(width: width, height: height, strokeWidth: 5)
      let plain = try PlainRasterKernel(rasterizer: rasterizer)(drawing)
      for level in Self.levels {
        let fast = try Self.pixels(drawing, rasterizer, level: level)
        #expect(zip(fast, plain).allSatisfy { abs($0 - $1) <= 2e-5 }, "seed \(seed)")
      }
    }
  }

  @Test(
    "As many segments as a set or a list holds, and more, are drawn as well",
    arguments: [1, 63, 64, 65, 129, 256, 257, 3000])
  func manySegments(count: Int) throws {
    var generator = SeededGenerator(seed: 63)
    let points = (0..<count).map { _ in
      Point(x: generator.uniform(0...255), y: generator.uniform(0...255))
    }
    // Short strokes: long ones would fill the picture.
    let strokes = points.map { point in
      Stroke([point, Point(x: point.x + generator.uniform(1...4), y: point.y + 1)])
    }
    let drawing = Drawing(strokes: strokes)
    let rasterizer = Rasterizer(width: 56, height: 56, strokeWidth: 0.5, margin: 1)
    let plain = try PlainRasterKernel(rasterizer: rasterizer)(drawing)
    #expect(plain.contains { $0 > 0 && $0 < 1 })
    for level in Self.levels {
      let fast = try Self.pixels(drawing, rasterizer, level: level)
      #expect(zip(fast, plain).allSatisfy { abs($0 - $1) <= 2e-5 })
    }
  }

  @Test("What a kernel drew before does not show in what it draws next")
  func reuse() throws {
    var generator = SeededGenerator(seed: 64)
    let rasterizer = Rasterizer(channels: .inkAndFlow)
    var scratch = Rasterizer.Scratch()
    for _ in 0..<20 {
      let drawing = Drawing.doodle(&generator)
      var values = [Float](repeating: 7, count: rasterizer.shape.reduce(1, *))
      var slot = values.mutableSpan
      try rasterizer.draw(drawing, into: &slot, using: &scratch)
      #expect(values == (try Self.pixels(drawing, rasterizer, level: Self.levels.last ?? 0)))
    }
  }
}
