/// A picture-book page: dry paint in warm colors with soft shading, crayon outlines, a pale sky and a
/// hill with flowers, on a page whose painted area ends in rough edges.
struct StorybookFilter {
  private let fields: SketchFields
  private let seed: UInt64
  /// Where paint is thin, 0...1.
  private let dry: Plane
  private let grain: Plane

  init(_ fields: SketchFields, seed: UInt64) {
    (self.fields, self.seed) = (fields, seed)
    dry = Noise(seed: seed, stream: 1).plane(
      side: SketchFields.side, cell: 40, octaves: 4, stretch: 2)
    grain = Noise(seed: seed, stream: 2).plane(side: SketchFields.side, cell: 5, octaves: 2)
  }

  func picture() -> RGBPicture {
    let side = SketchFields.side
    let light = fields.light(steepness: 0.45)
    let lines = LineWork(width: 0.8, minWidth: 4, wander: 1.4, taper: 30, variation: 0.6)
      .drawn(fields, noise: Noise(seed: seed, stream: 3))
    let fills = fields.regions.map { $0.tone.mixed(with: Tone(0xffdca8), 0.2).saturated(0.92) }
    let outlines = fields.strokes.map { ($0.tone * 0.55).mixed(with: Tone(0x5b3a29), 0.5) }
    let flowers = Noise(seed: seed, stream: 4)
    let shade = Plane(side: side / 2) { x, y, _ in
      fields.labels[2 * y * side + 2 * x] > 0 ? 1 : 0
    }
    .blurred(radius: 10)
    let paper = Tone(0xfdf6e7)
    return RGBPicture(side: side) { x, y, index in
      let rough = dry[index]
      let tooth = grain[index]
      let label = Int(fields.labels[index])
      var tone: Tone
      if label > 0 {
        let fill = fills[label]
        let far = fields.distance.distances[index]
        let lit = light[index] * 0.55 + (rough - 0.5) * 0.28 + (tooth - 0.5) * 0.16
        let warm = fill.mixed(with: Tone(0xfff3c9), max(0, min(0.5, lit)))
        tone = warm.mixed(with: fill * Tone(0.62, 0.5, 0.55), max(0, min(0.8, -lit * 1.15)))
        // Paint does not quite reach the outline.
        tone = tone.mixed(
          with: paper, 0.45 * smoothstep(0.56, 0.72, rough) * smoothstep(22, 2, far))
      } else {
        tone = ground(x, y, rough, tooth, flowers)
        let below = shade.sample(Float(x) / 2 - 4, Float(y) / 2 - 9)
        tone = tone * (Tone.one - Tone(0.26, 0.28, 0.18) * below)
        let u = abs(Float(x) - 512) / 512, v = abs(Float(y) - 512) / 512
        let corner = (u * u * u * u + v * v * v * v) * 0.92
        tone = tone.mixed(
          with: paper, smoothstep(0.70, 0.80, corner + (rough - 0.5) * 0.35 + (tooth - 0.5) * 0.12))
      }
      let site = fields.distance.nearest[index]
      guard lines[index] > 0, site >= 0 else { return tone }
      // Crayon catches on the paper's grain.
      let caught = smoothstep(0.12, 0.5, lines[index] - 0.42 * smoothstep(0.35, 0.75, tooth))
      return tone.mixed(with: outlines[Int(fields.owners[Int(site)])], caught * 0.9)
    }
  }

  /// The sky, from pale blue to peach, and two hills with flowers.
  @inline(__always)
  private func ground(_ x: Int, _ y: Int, _ rough: Float, _ tooth: Float, _ noise: Noise) -> Tone {
    let (u, v) = (Float(x) / 1024, Float(y) / 1024)
    let texture = (rough - 0.5) * 0.22 + (tooth - 0.5) * 0.08
    let far = 0.70 + 0.035 * sine(turns: u * 1.1 + noise.unit(1, 1)) + texture * 0.02
    let near = 0.79 + 0.03 * sine(turns: u * 0.8 + noise.unit(2, 1)) + texture * 0.02
    if v < far {
      let sky = Tone(0xbfe0ea).mixed(with: Tone(0xfde3c4), smoothstep(0.05, 0.7, v))
      return sky + Tone(repeating: texture * 0.6)
    }
    var tone = Tone(0xc4d69a).mixed(with: Tone(0xa9c583), smoothstep(far, near + 0.02, v))
    if v > near { tone = Tone(0x9cc27a).mixed(with: Tone(0x7fae66), (v - near) * 5) }
    tone += Tone(repeating: texture * 0.8)
    guard v > far + 0.03 else { return tone }
    // One flower in some cells of a grid.
    let (column, row) = (x / 46, y / 46)
    guard noise.unit(column, row) > 0.72 else { return tone }
    let (a, b) = (
      Float(x - column * 46) - 10 - 26 * noise.unit(column + 50, row),
      Float(y - row * 46) - 10 - 26 * noise.unit(column, row + 50)
    )
    let distance = (a * a + b * b).squareRoot()
    let petals: [Tone] = [Tone(0xfff4e0), Tone(0xf6a5a5), Tone(0xf7d070)]
    let petal = petals[Int(noise.unit(column + 9, row + 9) * 3)]
    tone = tone.mixed(with: petal, smoothstep(6.5, 5, distance + texture * 12))
    return tone.mixed(with: Tone(0xd98b3a), smoothstep(2.6, 1.6, distance))
  }
}
