internal import Numbers

/// Stars with four rays at random places.
struct Glints {
  /// A star's center and the length of its rays, in pixels.
  struct Glint {
    var x: Float
    var y: Float
    var size: Float
    var tone = Tone.one
  }

  var all: [Glint] = []

  /// `count` white stars anywhere in the picture.
  init(count: Int, seed: UInt64, stream: Int, sizes: ClosedRange<Float>) {
    var generator = SeededGenerator(seed: seed, stream: stream)
    for _ in 0..<count {
      let (x, y) = (Float(generator.unit()), Float(generator.unit()))
      let share = Float(generator.unit())
      // Most are small.
      let size = mix(sizes.lowerBound, sizes.upperBound, share * share * share)
      all.append(
        Glint(x: x * Float(SketchPicture.side), y: y * Float(SketchPicture.side), size: size))
    }
  }

  /// Stars of given places, sizes and colors.
  init(_ all: [Glint]) { self.all = all }

  /// Adds their light to a picture.
  ///
  /// - Parameters:
  ///   - tones: The picture.
  ///   - strength: How much of the light a pixel gets, 0...1.
  func draw(on tones: inout RGBPicture.Tones, strength: (_ index: Int) -> Float) {
    for glint in all {
      let picture = 0..<Float(tones.side)
      guard picture.contains(glint.x), picture.contains(glint.y) else { continue }
      let reach = Int(glint.size) + 1
      let (column, row) = (Int(glint.x), Int(glint.y))
      for y in max(0, row - reach)..<min(tones.side, row + reach + 1) {
        for x in max(0, column - reach)..<min(tones.side, column + reach + 1) {
          let (u, v) = (abs(Float(x) + 0.5 - glint.x), abs(Float(y) + 0.5 - glint.y))
          let (a, b) = (u / glint.size, v / glint.size)
          guard a < 1, b < 1 else { continue }
          // Rays get thinner toward their ends; a round glow in the middle.
          let ray = max(
            smoothstep(0.10 * (1 - b), 0, a) * (1 - b), smoothstep(0.10 * (1 - a), 0, b) * (1 - a))
          let glow = 0.5 * decay((a * a + b * b) * 24)
          let index = y * tones.side + x
          let light = min(1, ray + glow) * strength(index)
          tones.values[index] = tones.values[index].screened(with: glint.tone * light)
        }
      }
    }
  }
}
