import Numbers
import Testing

@testable import Ink
@testable import Pictures
@testable import Vectorizing

/// Each step of the vectorizer beside a plain reference.
@Suite("Vectorizer: its steps")
struct VectorizerPartsTests {
  private func randomMask(_ generator: inout SeededGenerator) -> Mask {
    let share = generator.uniform(0.2...0.9)
    return Mask(
      width: 1 + generator.integer(below: 20), height: 1 + generator.integer(below: 20)
    ) { _, _ in generator.chance(share) }
  }

  @Test("Otsu's threshold is the one that parts best, in the middle of the gap")
  func otsu() throws {
    var generator = SeededGenerator(seed: 2)
    for _ in 0..<20 {
      let values = (0..<200).map { _ in
        UInt8(
          max(
            0,
            min(
              255,
              generator.chance(0.3) ? 60 + 20 * generator.normal() : 180 + 30 * generator.normal()))
        )
      }
      let found = try #require(OtsuThreshold(Histogram(values)))
      func between(_ threshold: Double) -> Double {
        let (dark, light) = (
          values.filter { Double($0) < threshold }.map(Double.init),
          values.filter { Double($0) >= threshold }.map(Double.init)
        )
        guard !dark.isEmpty, !light.isEmpty else { return 0 }
        let difference =
          dark.reduce(0, +) / Double(dark.count) - light.reduce(0, +) / Double(light.count)
        return Double(dark.count) * Double(light.count) * difference * difference
      }
      let best = (0..<256).map { between(Double($0) + 0.5) }.max() ?? 0
      #expect(between(found.threshold) >= best * (1 - 1e-9))
      let negative = try #require(OtsuThreshold(Histogram(values.map { 255 - $0 })))
      #expect(negative.threshold == 255 - found.threshold)
    }
    let two = try #require(OtsuThreshold(Histogram([10, 10, 200])))
    #expect(two.threshold == 105)
    #expect(two.darkMean == 10 && two.lightMean == 200 && two.contrast == 190)
    #expect(OtsuThreshold(Histogram([7, 7])) == nil)
  }

  @Test("The closing of tones is the minimum of maxima in squares, from scratch")
  func closing() {
    var generator = SeededGenerator(seed: 4)
    for _ in 0..<20 {
      let (width, height) = (1 + generator.integer(below: 12), 1 + generator.integer(below: 12))
      let reach = 1 + generator.integer(below: 5)
      let tones = (0..<(width * height)).map { _ in UInt8(generator.integer(below: 256)) }
      func tone(_ row: Int, _ column: Int) -> UInt8 {
        tones[max(0, min(height - 1, row)) * width + max(0, min(width - 1, column))]
      }
      func square(_ row: Int, _ column: Int, _ value: (Int, Int) -> UInt8) -> [UInt8] {
        (-reach...reach).flatMap { y in (-reach...reach).map { value(row + y, column + $0) } }
      }
      func greatest(_ row: Int, _ column: Int) -> UInt8 {
        square(row, column, tone).max() ?? 0
      }
      let expected = (0..<height).flatMap { row in
        (0..<width).map { column in square(row, column, greatest).min() ?? 0 }
      }
      #expect(tones.closed(width: width, height: height, reaching: reach) == expected)
    }
  }

  @Test("The distance transform is the distance to the nearest ground")
  func distances() {
    var generator = SeededGenerator(seed: 3)
    for _ in 0..<20 {
      let mask = randomMask(&generator)
      let map = mask.distances()
      let ground = mask.pixels.indices.filter { mask.pixels[$0] == 0 }
      for index in mask.pixels.indices {
        let expected = ground.reduce(Int.max) { best, other in
          let (dx, dy) = (
            index % mask.stride - other % mask.stride, index / mask.stride - other / mask.stride
          )
          return min(best, dx * dx + dy * dy)
        }
        #expect(map.squares[index] == Float(expected))
      }
    }
  }

  /// The pieces of a mask, by a plain search.
  private func pieces(_ mask: Mask, ink: Bool) -> Int {
    let steps = ink ? mask.neighbors : [-mask.stride, 1, mask.stride, -1]
    var seen = mask.pixels.map { ($0 != 0) != ink }
    var count = 0
    for start in seen.indices where !seen[start] {
      count += 1
      var open = [start]
      seen[start] = true
      while let index = open.popLast() {
        for other in steps.map({ index + $0 })
        where seen.indices.contains(other) && !seen[other]
          && abs(other % mask.stride - index % mask.stride) <= 1
        {
          seen[other] = true
          open.append(other)
        }
      }
    }
    return count
  }

  @Test("Thinning keeps every piece and every hole, takes only ink, and leaves nothing to take")
  func thinning() {
    var generator = SeededGenerator(seed: 4)
    for _ in 0..<40 {
      let mask = randomMask(&generator)
      var thin = mask
      thin.thin()
      #expect(zip(mask.pixels, thin.pixels).allSatisfy { $0 >= $1 })
      #expect(pieces(thin, ink: true) == pieces(mask, ink: true))
      #expect(pieces(thin, ink: false) == pieces(mask, ink: false))
      var again = thin
      again.thin()
      #expect(again.pixels == thin.pixels)
    }
    // A bar of 20 by 5 becomes a line in its middle row.
    var bar = Mask(width: 24, height: 9) { (2..<7).contains($0) && (2..<22).contains($1) }
    bar.thin()
    #expect(Set(bar.ink.map { $0 / bar.stride }) == [5])
    #expect(bar.ink.count >= 14)
  }

  @Test("Small pieces of ink and small holes go, larger ones stay")
  func components() {
    let lines = ["#..####.", "...#..#.", ".#.#.##.", "##.####."]
    func mask() -> Mask {
      let marks = lines.map(Array.init)
      return Mask(width: 8, height: 4) { marks[$0][$1] == "#" }
    }
    var ink = mask()
    #expect(ink.removeComponents(of: .ink, below: 3) == 2)
    #expect(!ink[0, 0] && ink[3, 0] && ink[0, 3])
    #expect(ink.removeComponents(of: .ink, below: 4) == 1)
    #expect(!ink[3, 0])
    var ground = mask()
    ground.removeComponents(of: .ground, below: 3)
    #expect(!ground[1, 4])
    ground.removeComponents(of: .ground, below: 4)
    #expect(ground[1, 4] && ground[1, 5] && ground[2, 4])
    #expect(!ground[0, 1], "the ground around everything stays")
  }

  @Test("Scaling keeps what is even, and averages over areas")
  func resampling() {
    for (old, new) in [(7, 3), (3, 7), (5, 5), (1, 4), (9, 1)] {
      for taps in Resampling(from: old, to: new).taps {
        #expect(abs(taps.reduce(0) { $0 + $1.weight } - 1) < 1e-6)
        #expect(taps.allSatisfy { (0..<old).contains($0.index) && $0.weight >= 0 })
      }
    }
    let picture = GrayPicture(width: 4, height: 2, values: [0, 100, 10, 20, 100, 0, 30, 40])
    #expect(picture.reduced(toSide: 2).values == [50, 25])
    #expect(picture.reduced(toSide: 4) == picture)
  }

  @Test("Noise is measured, and a clean drawing has none")
  func noise() {
    var generator = SeededGenerator(seed: 6)
    let page = GrayPicture(
      width: 80, height: 80,
      values: (0..<6400).map { _ in UInt8(max(0, min(255, 128 + 12 * generator.normal()))) })
    #expect(abs(page.noise - 12) < 1.5)
    let line = GrayPicture(
      width: 80, height: 80, values: (0..<6400).map { $0 / 80 == 40 ? 0 : 255 })
    #expect(line.noise == 0)
  }
}
