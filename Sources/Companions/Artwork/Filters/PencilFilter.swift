/// Graphite on grained paper: outlines drawn over several times, hatching whose layers cross where
/// it is darker, contour lines along the outlines, and a shadow below the shapes.
struct PencilFilter {
  private let fields: SketchFields
  private let noise: Noise
  /// The height of the paper, 0...1: graphite stays on its peaks.
  private let tooth: Plane
  /// How much each hatching line wanders, and how hard the hand presses, 0...1.
  private let wander: Plane
  private let pressure: Plane

  init(_ fields: SketchFields, seed: UInt64) {
    self.fields = fields
    noise = Noise(seed: seed, stream: 1)
    tooth = noise.plane(side: SketchFields.side, cell: 4, octaves: 2)
    wander = Noise(seed: seed, stream: 2).plane(side: SketchFields.side, cell: 150, octaves: 2)
    pressure = Noise(seed: seed, stream: 3).plane(side: SketchFields.side, cell: 45)
  }

  func picture() -> RGBPicture {
    let light = fields.light(steepness: 1.6)
    let lines = LineWork(width: 0.62, minWidth: 3.5, wander: 1.2, taper: 24, variation: 0.7)
      .drawn(fields, noise: noise)
    let again = LineWork(width: 0.36, minWidth: 2, wander: 4, taper: 60, variation: 0.8)
      .drawn(fields, noise: Noise(seed: 77, stream: Int(noise.unit(0, 0) * 1e6)))
    let shadow = Plane(side: SketchFields.side / 2) { x, y, _ in
      fields.labels[2 * y * SketchFields.side + 2 * x] > 0 ? 1 : 0
    }
    .blurred(radius: 12)
    let (paper, graphite) = (Tone(0xf7f3ea), Tone(0x2b2b30))
    return RGBPicture(side: SketchFields.side) { x, y, index in
      let label = Int(fields.labels[index])
      let far = fields.distance.distances[index]
      let darkness: Float
      if label > 0 {
        let fill = fields.regions[label].tone.luma
        darkness = 0.62 * (1 - fill) + 0.14 - 0.85 * light[index]
      } else {
        let below = shadow.sample(Float(x) / 2 - 11, Float(y) / 2 - 15)
        darkness = 0.75 * below * smoothstep(120, 0, far)
      }
      let turn = Float(label % 5) * 0.035
      var mark = hatching(x, y, index, darkness, turns: 0.125 + turn, from: 0.08, layer: 0)
      mark = max(mark, hatching(x, y, index, darkness, turns: -0.1 + turn, from: 0.4, layer: 1))
      mark = max(mark, hatching(x, y, index, darkness, turns: 0.02 + turn, from: 0.62, layer: 2))
      if label > 0 {
        // Contour lines: equal distances from the outline.
        let bend = (wander[index] - 0.5) * 14
        mark = max(mark, line(far / 7 + bend / 7, layer: 9) * smoothstep(44, 6, far) * 0.42)
      }
      // Smudged graphite under the marks.
      var amount = mark * (0.45 + 0.5 * pressure[index]) + 0.2 * max(0, darkness)
      let ink = max(lines[index], again[index] * 0.7)
      amount = max(amount, ink * (0.7 + 0.3 * pressure[index]))
      let caught = smoothstep(tooth[index] * 0.75 - 0.1, tooth[index] * 0.75 + 0.45, amount)
      let grain = 1 - 0.05 * (tooth[index] - 0.5) - 0.02 * noise.unit(x, y)
      return (paper * grain).mixed(with: graphite, min(0.92, 0.4 * amount + 0.6 * caught * amount))
    }
  }

  /// The darkness of a layer of parallel lines, 0...1; the lines get wider as `darkness` goes on
  /// above `from`.
  @inline(__always)
  private func hatching(
    _ x: Int, _ y: Int, _ index: Int, _ darkness: Float, turns: Float, from: Float, layer: Int
  ) -> Float {
    guard darkness > from else { return 0 }
    let (u, v) = (cosine(turns: turns), sine(turns: turns))
    let across = (Float(x) * u + Float(y) * v) / 7 + wander[index] * 2.2
    return line(across, layer: layer) * smoothstep(from, from + 0.3, darkness)
  }

  /// One of many lines across `across`, each with its own weight.
  @inline(__always)
  private func line(_ across: Float, layer: Int) -> Float {
    let number = wholePart(across)
    let weight = noise.unit(Int(number), layer + 1000)
    let width = 0.2 + 0.16 * weight
    return smoothstep(width + 0.16, width - 0.08, abs(across - number - 0.5))
      * (0.55 + 0.45 * weight)
  }
}
