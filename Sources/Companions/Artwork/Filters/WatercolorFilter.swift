/// Watercolor: transparent washes whose pigment is moved by water, gathers at their rims, settles in
/// the paper's valleys, and bleeds.
///
/// The effects of Curtis et al., "Computer-generated watercolor", 1997, doi:10.1145/258734.258896,
/// made from the distance to the outline and noise, without simulating water.
struct WatercolorFilter {
  private let fields: SketchFields
  private let seed: UInt64
  /// The height of the paper, 0...1.
  private let paper: Plane
  /// Where there is more water, 0...1.
  private let water: Plane

  init(_ fields: SketchFields, seed: UInt64) {
    (self.fields, self.seed) = (fields, seed)
    paper = Noise(seed: seed, stream: 1).plane(side: SketchFields.side, cell: 7, octaves: 3)
    water = Noise(seed: seed, stream: 2).plane(side: SketchFields.side, cell: 150, octaves: 4)
  }

  func picture() -> RGBPicture {
    let side = SketchFields.side
    let (dx, dy) = (
      Noise(seed: seed, stream: 3).plane(side: side, cell: 48, octaves: 3),
      Noise(seed: seed, stream: 4).plane(side: side, cell: 48, octaves: 3)
    )
    let lines = LineWork(width: 0.55, minWidth: 2.5, wander: 1.5, taper: 40, variation: 0.6)
      .drawn(fields, noise: Noise(seed: seed, stream: 5))
    let pigments = fields.regions.map { Self.absorbance($0.tone.mixed(with: .one, 0.12)) }
    let inks = fields.strokes.map { Self.absorbance($0.tone.mixed(with: Tone(0x40384a), 0.35)) }
    let bleeding = (0..<3).map { channel in
      Plane(side: side / 4) { x, y, _ in
        let index = (4 * y + 2) * side + 4 * x + 2
        let label = Int(fields.labels[index])
        if label > 0 { return pigments[label][channel] }
        return fields.owners[index] >= 0 ? 0.8 * inks[Int(fields.owners[index])][channel] : 0
      }
      .blurred(radius: 5)
    }
    let wash = Self.absorbance(Tone(0xa9d3ea))
    let warm = Self.absorbance(Tone(0xf6dfae))
    return RGBPicture(side: side) { x, y, index in
      let (px, py) = (Float(x) + (dx[index] - 0.5) * 26, Float(y) + (dy[index] - 0.5) * 26)
      let from = min(side - 1, max(0, Int(py))) * side + min(side - 1, max(0, Int(px)))
      let label = Int(fields.labels[from])
      let flow = water[index]
      let valley = 0.5 - paper[index]
      var pigment = Tone.zero
      if label > 0 {
        let region = fields.regions[label]
        let far = fields.distance.distances[from]
        let rim = 0.95 * decay(far / 6) * (0.3 + flow)
        let lower = (py - region.center.y) / (region.depth * 3 + 40)
        // Backruns: thin dark contours where water came back.
        let run = 0.25 * smoothstep(0.02, 0, abs(flow - 0.6)) * smoothstep(8, 30, far)
        let amount = 0.40 + 1.1 * (flow - 0.3) + 0.16 * lower + rim + run + valley * 0.42
        pigment = pigments[label] * max(0.1, amount)
      } else {
        // The sky around the subject, left white toward the edges of the paper.
        let (u, v) = ((Float(x) - 512) / 512, (Float(y) - 512) / 512)
        let reach = flow * 1.15 - 0.42 * (u * u + v * v) - 0.1
        let body = smoothstep(0.08, 0.16, reach)
        let rim = smoothstep(0.06, 0.1, reach) * smoothstep(0.16, 0.1, reach)
        let mixed = wash + (warm - wash) * smoothstep(-0.2, 0.7, v + (dx[index] - 0.5))
        pigment = mixed * (body * (0.4 + 1.1 * flow) * 0.62 + rim * 0.3) * (1 + valley * 0.7)
        let spread = smoothstep(0.42, 0.62, dy[index] * 0.5 + flow * 0.5)
        for channel in 0..<3 {
          pigment[channel] +=
            bleeding[channel].sample((Float(x) + 0.5) / 4, (Float(y) + 0.5) / 4) * spread * 0.7
        }
      }
      let site = fields.distance.nearest[index]
      if lines[index] > 0, site >= 0 {
        let strength = lines[index] * (0.35 + 0.9 * flow) * (1 + valley)
        pigment += inks[Int(fields.owners[Int(site)])] * max(0, strength)
      }
      let lit = paper[clamped: x - 1, y - 1] - paper[clamped: x + 1, y + 1]
      let sheet = Tone(0xfcfaf3) * (1 - 0.11 * lit - 0.02 * paper[index])
      return sheet * Tone(decay(pigment.x), decay(pigment.y), decay(pigment.z))
    }
  }

  /// The amount of pigment, by channel, through which white paper has a color: the inverse of
  /// `decay`.
  private static func absorbance(_ tone: Tone) -> Tone {
    let light = tone.clamped(lowerBound: Tone(repeating: 0.03), upperBound: .one)
    // The eighth root.
    let root = light.squareRoot().squareRoot().squareRoot()
    return (Tone.one / root - .one) * 8
  }
}
