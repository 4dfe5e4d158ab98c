internal import Numbers

/// A night sky with stars and nebulae, in which lines glow in their colors and sparkle.
struct FantasyFilter {
  private let fields: SketchFields
  private let seed: UInt64

  init(_ fields: SketchFields, seed: UInt64) { (self.fields, self.seed) = (fields, seed) }

  func picture() -> RGBPicture {
    let side = SketchFields.side
    let core = LineWork(width: 0.5, minWidth: 3, wander: 0.5, taper: 30, variation: 0.4)
      .drawn(fields, noise: Noise(seed: seed, stream: 1))
    let nebula = Noise(seed: seed, stream: 2).plane(side: side, cell: 260, octaves: 5)
    let veil = Noise(seed: seed, stream: 3).plane(side: side, cell: 180, octaves: 3)
    let stars = Noise(seed: seed, stream: 4)
    let glow = halo()
    let glows = fields.strokes.map { Self.glowing($0.tone) }
    let fills = fields.regions.map { Self.glowing($0.tone).saturated(1.3) }
    var tones = RGBPicture.Tones(side: side) { x, y, index in
      let far = fields.distance.distances[index]
      var tone = sky(x, y, nebula[index], veil[index])
      let label = Int(fields.labels[index])
      if label > 0 {
        // Light gathers at the rim and at the lower side of a region.
        let region = fields.regions[label]
        let rim = decay(far / 16) * 0.65
        let lower = (Float(y) - region.center.y) / (region.depth * 2 + 30)
        let body = 0.32 + 0.3 * veil[index] + 0.12 * lower
        tone = (tone * 0.45).screened(with: fills[label] * max(0, rim + body))
      } else {
        tone = tone.screened(with: star(x, y, stars))
      }
      let light = Tone(
        glow[0].sample(Float(x) / 4, Float(y) / 4), glow[1].sample(Float(x) / 4, Float(y) / 4),
        glow[2].sample(Float(x) / 4, Float(y) / 4))
      tone = tone.screened(with: light.clamped(lowerBound: .zero, upperBound: .one))
      let site = fields.distance.nearest[index]
      guard site >= 0 else { return tone }
      let line = glows[Int(fields.owners[Int(site)])]
      tone = tone.screened(with: line * decay(far / 4) * 0.8 * smoothstep(0, 0.4, 1 - far / 40))
      return tone.mixed(with: line.mixed(with: .one, 0.75), core[index])
    }
    Glints(count: 24, seed: seed, stream: 5, sizes: 6...30).draw(on: &tones) { index in
      fields.labels[index] == 0 ? 0.8 : 0.25
    }
    sparkles(glows).draw(on: &tones) { _ in 1 }
    return tones.picture
  }

  /// Indigo above, violet and a teal glow at the horizon, with nebulae.
  @inline(__always)
  private func sky(_ x: Int, _ y: Int, _ nebula: Float, _ veil: Float) -> Tone {
    let height = Float(y) / Float(SketchFields.side)
    let upper = Tone(0x0b0a2e).mixed(with: Tone(0x2c1663), smoothstep(0, 0.55, height))
    let base = upper.mixed(with: Tone(0x184e77), smoothstep(0.5, 1.05, height))
    let cloud = smoothstep(0.45, 0.8, nebula)
    let hue = Tone(0x8e3bb8).mixed(with: Tone(0x2aa5c9), smoothstep(0.35, 0.65, veil))
    return base.screened(with: hue * (cloud * 0.75)) * (0.85 + 0.3 * nebula)
  }

  /// One small round star in some cells of a grid.
  @inline(__always)
  private func star(_ x: Int, _ y: Int, _ noise: Noise) -> Tone {
    let (column, row) = (x / 20, y / 20)
    let size = noise.unit(column, row)
    guard size > 0.55 else { return .zero }
    let (u, v) = (
      Float(x - column * 20) - 4 - 12 * noise.unit(column, row + 4000),
      Float(y - row * 20) - 4 - 12 * noise.unit(column + 4000, row)
    )
    let radius = 0.5 + 3 * (size - 0.55) * (size - 0.55) * 5
    let light = decay((u * u + v * v) / (radius * radius)) * (0.35 + 0.6 * size)
    let hue = noise.unit(column + 900, row + 900)
    return Tone(1, 0.86, 0.8).mixed(with: Tone(0.75, 0.87, 1), hue) * light
  }

  /// The light around the lines: their colors, blurred twice, at a quarter of the size.
  private func halo() -> [Plane] {
    let side = SketchFields.side
    return (0..<3).map { channel in
      let lines = Plane(side: side / 4) { x, y, _ in
        var sum: Float = 0
        for row in stride(from: 0, to: 4, by: 2) {
          for column in stride(from: 0, to: 4, by: 2) {
            let index = (4 * y + row) * side + 4 * x + column
            let owner = Int(fields.owners[index])
            if owner >= 0 { sum += Self.glowing(fields.strokes[owner].tone)[channel] / 4 }
          }
        }
        return sum
      }
      let (near, wide) = (lines.blurred(radius: 3), lines.blurred(radius: 14))
      return Plane(side: side / 4) { _, _, index in near[index] * 0.9 + wide[index] * 1.5 }
    }
  }

  /// Stars along the lines, one for about 90 pixels, and a few that drift away.
  private func sparkles(_ glows: [Tone]) -> Glints {
    var generator = SeededGenerator(seed: seed, stream: 6)
    var glints: [Glints.Glint] = []
    for (stroke, placed) in fields.strokes.enumerated() where placed.tool != .eraser {
      for point in placed.lines.joined().enumerated().filter({ $0.offset % 3 == 0 }).map(\.element)
      {
        guard generator.chance(0.16), glints.count < 160 else { continue }
        let away = Float(generator.uniform(0...1)) * Float(generator.uniform(0...1)) * 46
        let turn = Float(generator.unit())
        let size = 5 + 24 * Float(generator.unit()) * Float(generator.unit())
        let place = point.place + SIMD2(cosine(turns: turn), sine(turns: turn)) * away
        let tone = glows[stroke].mixed(with: .one, 0.6)
        glints.append(.init(x: place.x, y: place.y, size: size, tone: tone))
      }
    }
    return Glints(glints)
  }

  /// The color of light that a color gives: bright and rich; dark colors glow blue and violet.
  private static func glowing(_ tone: Tone) -> Tone {
    guard tone.max() > 0.25 else { return Tone(0x9fb4ff) }
    return (tone / tone.max()).saturated(1.2).mixed(with: Tone(0xb0a0ff), 0.12)
  }
}
