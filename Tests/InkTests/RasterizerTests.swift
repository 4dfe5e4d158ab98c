import Foundation
import Ink
import Numbers
import Testing

private func drawing(_ strokes: [(Double, Double)]...) -> Drawing {
  Drawing(strokes: strokes.map(Stroke.init(at:)))
}

/// The largest difference between two rasters' values.
private func difference(_ a: Raster, _ b: Raster) -> Float {
  zip(a.values, b.values).reduce(0) { max($0, abs($1.0 - $1.1)) }
}

@Suite("Rasterizer")
struct RasterizerTests {
  let rasterizer = Rasterizer()

  @Test("A straight line's pixels are the exact areas")
  func exactLine() throws {
    // 6 × 6 pixels, 2 wide: the line runs from (1.5, 3) to (4.5, 3), so it covers rows 2 and 3.
    let raster = try Rasterizer(width: 6, height: 6, strokeWidth: 2, margin: 0.5)(
      drawing([(0, 0), (9, 0)]))
    for column in 2...3 {
      #expect((0..<6).map { raster[$0, column] } == [0, 0, 1, 1, 0, 0])
    }
    // 1.5 wide in 5 × 5: the middle row whole, a quarter of its neighbors.
    let thin = try Rasterizer(width: 5, height: 5, strokeWidth: 1.5, margin: 0.25)(
      drawing([(0, 0), (9, 0)]))
    #expect((0..<5).map { thin[$0, 2] } == [0, 0.25, 1, 0.25, 0])
    // Thinner than a pixel: both edges are within it.
    let hair = try Rasterizer(width: 5, height: 5, strokeWidth: 0.5, margin: 0.25)(
      drawing([(0, 0), (0, 9)]))
    #expect((0..<5).map { (hair[2, $0] * 1e6).rounded() } == [0, 0, 5e5, 0, 0])
  }

  @Test("One dot is round and in the middle, wherever it was drawn")
  func dot() throws {
    let raster = try rasterizer(drawing([(-700, 1e9)]))
    #expect(try rasterizer(drawing([(3, 4), (3, 4), (3, 4)])) == raster)
    let ink = raster.values.reduce(0, +)
    #expect(abs(ink - .pi * 0.75 * 0.75) < 0.08)
    for (row, column) in [(13, 13), (13, 14), (14, 13), (14, 14)] {
      #expect(abs(raster[row, column] - ink / 4) < 0.02)
    }
    #expect(raster[10, 14] == 0)
    // A larger one, against its area.
    let large = try Rasterizer(width: 28, height: 28, strokeWidth: 10, margin: 1)(drawing([(1, 1)]))
    #expect(abs(large.values.reduce(0, +) - .pi * 25) < 0.2)
    #expect(large[14, 14] == 1)
  }

  @Test("A horizontal and a vertical line run through the middle, from margin to margin")
  func lines() throws {
    let across = try rasterizer(drawing([(10, 5), (20, 5)]))
    #expect((0..<28).map { across[$0, 14] }.firstIndex { $0 > 0 } == 13)
    #expect(across[13, 14] == 0.75)
    #expect(across[14, 14] == 0.75)
    #expect(across[13, 0] < 1e-3)
    #expect(across[13, 1] > 0.3)
    #expect(across[13, 26] > 0.3)
    #expect(across[13, 27] < 1e-3)
    let down = try rasterizer(drawing([(-3, -20), (-3, -10)]))
    for row in 0..<28 {
      for column in 0..<28 { #expect(down[row, column] == across[column, row]) }
    }
  }

  @Test("One-point strokes among others, and repeated points, draw what they should")
  func dotsAmongStrokes() throws {
    let plain = drawing([(0, 0), (100, 0), (100, 100)], [(20, 80)])
    let repeated = drawing(
      [(0, 0), (0, 0), (100, 0), (100, 0), (100, 0), (100, 100), (100, 100)],
      [(20, 80), (20, 80)])
    let raster = try rasterizer(plain)
    #expect(difference(raster, try rasterizer(repeated)) < 1e-6)
    // The dot lies at 1.75 + 24.5 · (0.2, 0.8).
    #expect(raster[21, 6] > 0.9)
  }

  @Test("A drawing without points or with coordinates that are not finite is refused")
  func refused() {
    #expect(throws: InkError.emptyDrawing) { try rasterizer(Drawing(strokes: [])) }
    #expect(throws: InkError.emptyDrawing) { try rasterizer(Drawing(strokes: [Stroke([])])) }
    #expect(throws: InkError.invalidNumber(stroke: 1, point: 1, axis: .y)) {
      try rasterizer(drawing([(1, 2)], [(1, 2), (3, .nan)]))
    }
    #expect(throws: InkError.invalidNumber(stroke: 0, point: 0, axis: .x)) {
      try rasterizer(drawing([(-.infinity, 2), (3, 4)]))
    }
  }

  @Test(
    "Negative, huge and subnormal coordinates give the picture of ordinary ones",
    arguments: [1.7e308, 1e300, 1e-290, 0x1p-1060])
  func extremes(size: Double) throws {
    let places = [(-1.0, -1.0), (1, 1), (1, -1), (0.25, 0.5)]
    let ordinary = try rasterizer(drawing(places))
    let extreme = try rasterizer(drawing(places.map { ($0.0 * size, $0.1 * size) }))
    #expect(difference(ordinary, extreme) < 1e-4)
    // One axis without extent.
    let line = try rasterizer(drawing([(-size, size), (size, size)]))
    #expect(difference(line, try rasterizer(drawing([(0, 0), (1, 0)]))) < 1e-4)
  }

  @Test("The smallest of all extents is a picture too")
  func smallest() throws {
    let least = Double.leastNonzeroMagnitude
    #expect(
      try rasterizer(drawing([(0, 0), (least, least)])) == rasterizer(drawing([(0, 0), (1, 1)])))
    // Points that differ only in the last bit of a large number.
    let far = try rasterizer(drawing([(1e15, 1e15), (1e15 + 0.125, 1e15)]))
    #expect(difference(far, try rasterizer(drawing([(0, 0), (1, 0)]))) < 1e-5)
  }

  @Test("A stroke of a million points is drawn")
  func longStroke() throws {
    func wave(_ count: Int) -> Drawing {
      Drawing(
        strokes: [
          Stroke(
            (0..<count).map { index in
              let x = Double(index) / Double(count - 1)
              return Point(x: 200 * x, y: 80 * x + 60 * Transform.rotation(12 * x).a)
            })
        ])
    }
    let (dense, sparse) = (try rasterizer(wave(1_000_000)), try rasterizer(wave(2000)))
    #expect(difference(dense, sparse) < 0.05)
    // Where all points but one are in the same place, the other still counts.
    var points = [Point](repeating: Point(x: 0, y: 0), count: 1_000_000)
    points.append(Point(x: 1, y: 0))
    #expect(
      try rasterizer(Drawing(strokes: [Stroke(points)])) == rasterizer(drawing([(0, 0), (1, 0)])))
  }

  @Test(
    "Fast and plain rasters agree on random drawings", arguments: [(28, 1.5), (28, 3), (40, 1)])
  func reference(size: Int, strokeWidth: Double) throws {
    let rasterizer = Rasterizer(width: size, height: size, strokeWidth: strokeWidth, margin: 1)
    let plain = ReferenceRasterizer(rasterizer: rasterizer)
    var errors: [Float] = []
    for seed in 0..<12 {
      var generator = SeededGenerator(seed: 51, stream: seed)
      let drawing = Drawing.doodle(&generator)
      let (fast, slow) = (try rasterizer(drawing), plain(drawing))
      for (a, b) in zip(fast.values, slow.values) where a > 0 || b > 0 { errors.append(abs(a - b)) }
    }
    errors.sort()
    // When written: at most 0.104, 99 of 100 pixels within 0.060 and half within 0.0022.
    #expect(errors.last ?? 1 < 0.13)
    #expect(errors[errors.count * 99 / 100] < 0.075)
    #expect(errors[errors.count / 2] < 0.003)
  }

  @Test(
    "The fast kernel and its plain twin give the same pixels",
    arguments: [
      (28, 28, 1.5), (28, 28, 3), (33, 17, 0.7), (9, 21, 1), (64, 40, 12), (1, 1, 0.25), (3, 2, 1),
    ])
  func plainTwin(width: Int, height: Int, strokeWidth: Double) throws {
    let margin = strokeWidth > 1 ? 1 : 0.25
    var (differences, count) = (0, 0)
    for seed in 0..<30 {
      var generator = SeededGenerator(seed: 55, stream: seed)
      let drawing = Self.odd(seed, &generator)
      for channels in [Rasterizer.Channels.ink, .inkAndFlow] {
        let rasterizer = Rasterizer(
          width: width, height: height, strokeWidth: strokeWidth, margin: margin,
          channels: channels)
        let plain = try PlainRasterKernel(rasterizer: rasterizer)(drawing)
        var fast = [Float](repeating: 7, count: plain.count)
        var slot = fast.mutableSpan
        var scratch = Rasterizer.Scratch()
        try rasterizer.draw(drawing, into: &slot, using: &scratch)
        for (index, (a, b)) in zip(fast, plain).enumerated() {
          guard abs(a - b) > 2e-5 else { continue }
          // Two segments are equally near: rounding says which one's angle and order a pixel has.
          #expect(channels == .inkAndFlow && index % 4 > 0, "seed \(seed): \(a) and \(b)")
          differences += 1
        }
        count += plain.count
      }
    }
    #expect(differences <= count / 50)
  }

  /// Doodles, dots, straight lines, lines there and back, and points that come twice.
  private static func odd(
    _ seed: Int, _ generator: inout some RandomNumberGenerator
  ) -> Drawing {
    var result = Drawing.doodle(&generator)
    let (x, y) = (generator.uniform(0...256), generator.uniform(0...256))
    switch seed % 6 {
    case 0: result = drawing([(x, y)])
    case 1: result = drawing([(x, y), (x, y + 9), (x, y - 3)])
    case 2: result = drawing([(x, y), (x - 30, y), (x + 5, y), (x + 5, y)])
    case 3: result.strokes.append(Stroke([Point(x: x, y: y)]))
    case 4:
      for index in result.strokes.indices {
        result.strokes[index].points += result.strokes[index].points.reversed()
      }
    default: break
    }
    return result
  }

  @Test("Moving and scaling a drawing does not change its picture")
  func invariance() throws {
    for seed in 0..<40 {
      var generator = SeededGenerator(seed: 52, stream: seed)
      let drawing = Drawing.doodle(&generator)
      let original = try rasterizer(drawing)
      let move = Transform.translation(
        x: generator.uniform(-1000...1000), y: generator.uniform(-1000...1000))
      let factor = generator.uniform(0.01...100)
      let changed = try rasterizer(drawing.transformed(by: move.then(.scale(factor))))
      #expect(difference(original, changed) < 1e-3, "seed \(seed)")
    }
  }

  @Test("The order of strokes, and of points in them, does not change the picture")
  func order() throws {
    for seed in 0..<40 {
      var generator = SeededGenerator(seed: 53, stream: seed)
      let drawing = Drawing.doodle(&generator)
      let original = try rasterizer(drawing)
      var changed = drawing
      changed.strokes.reverse()
      #expect(difference(original, try rasterizer(changed)) < 0.02, "seed \(seed)")
      changed.strokes = changed.strokes.map { Stroke($0.points.reversed()) }
      #expect(difference(original, try rasterizer(changed)) < 0.02, "seed \(seed)")
    }
  }

  @Test("A mirrored or turned drawing gives the mirrored or turned picture")
  func symmetry() throws {
    for seed in 0..<40 {
      var generator = SeededGenerator(seed: 54, stream: seed)
      let drawing = Drawing.doodle(&generator)
      let original = try rasterizer(drawing)
      let mirrored = try rasterizer(drawing.transformed(by: .scale(x: -1, y: 1)))
      let turned = try rasterizer(
        drawing.transformed(by: Transform(a: 0, b: 1, c: 1, d: 0, x: 0, y: 0)))
      for row in 0..<28 {
        for column in 0..<28 {
          #expect(abs(original[row, column] - mirrored[row, 27 - column]) < 0.02, "seed \(seed)")
          #expect(abs(original[row, column] - turned[column, row]) < 0.02, "seed \(seed)")
        }
      }
    }
  }

  @Test("Ink keeps its distance from the edges, and reaches it, in rasters of any proportion")
  func margins() throws {
    for (width, height) in [(28, 28), (30, 17), (9, 64), (101, 7)] {
      let rasterizer = Rasterizer(width: width, height: height, strokeWidth: 1.5, margin: 2)
      for places in [[(0.0, 0.0), (10, 10)], [(0, 0), (100, 1)], [(0, 0), (1, 100)]] {
        let raster = try rasterizer(drawing(places))
        for row in 0..<height {
          for column in 0..<width
          where row < 2 || column < 2 || row >= height - 2 || column >= width - 2 {
            #expect(raster[row, column] < 1e-3)
          }
        }
        let middle = (height / 2, width / 2)
        #expect(raster[middle.0, middle.1] > 0)
      }
    }
  }

  @Test("A slot of a batch is overwritten whole, with the values of a single call")
  func batch() throws {
    var scratch = Rasterizer.Scratch()
    var values = [Float](repeating: 9, count: 2 * 28 * 28)
    let drawings = [drawing([(0, 0), (1, 1)]), drawing([(5, 5)])]
    for (index, drawing) in drawings.enumerated() {
      var all = values.mutableSpan
      try rasterizer.draw(drawing, into: &all, at: index * 784, using: &scratch)
    }
    #expect(Array(values[..<784]) == (try rasterizer(drawings[0]).values))
    #expect(Array(values[784...]) == (try rasterizer(drawings[1]).values))
    // The scratch serves another size, too.
    var other = [Float](repeating: 9, count: 15)
    var slot = other.mutableSpan
    let small = Rasterizer(width: 5, height: 3, strokeWidth: 1, margin: 0.5)
    try small.draw(drawings[0], into: &slot, using: &scratch)
    #expect(other == (try small(drawings[0]).values))
  }

  @Test("The configuration survives JSON, and one without room for ink is refused")
  func codable() throws {
    let custom = Rasterizer(width: 64, height: 32, strokeWidth: 2.5, margin: 3)
    let data = try JSONEncoder().encode(custom)
    #expect(try JSONDecoder().decode(Rasterizer.self, from: data) == custom)
    for text in [
      #"{"width":0,"height":28,"strokeWidth":1,"margin":1}"#,
      #"{"width":28,"height":28,"strokeWidth":-1,"margin":1}"#,
      #"{"width":28,"height":28,"strokeWidth":1,"margin":14}"#,
      #"{"width":9000000000,"height":28,"strokeWidth":1,"margin":1}"#,
    ] {
      #expect(throws: DecodingError.self) {
        try JSONDecoder().decode(Rasterizer.self, from: Data(text.utf8))
      }
    }
  }
}
