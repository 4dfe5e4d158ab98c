/// Soft light: regions as rounded shapes of clay and lines as cords, lit by one large lamp, with
/// shadows on a table and a soft focus.
///
/// It is what this machine can do for "photorealistic": light and material, no photo.
struct SoftLightFilter {
  private let fields: SketchFields
  private let seed: UInt64

  init(_ fields: SketchFields, seed: UInt64) { (self.fields, self.seed) = (fields, seed) }

  func picture() -> RGBPicture {
    let side = SketchFields.side
    let height = surface()
    let solid = Plane(side: side / 2) { x, y, _ in
      let index = 2 * y * side + 2 * x
      return fields.labels[index] > 0 || fields.owners[index] >= 0 ? 1 : 0
    }
    // Shadows get softer with the distance from what casts them.
    let (contact, cast) = (solid.blurred(radius: 4), solid.blurred(radius: 20))
    let dust = Noise(seed: seed, stream: 1)
    let table = Noise(seed: seed, stream: 2).plane(side: side, cell: 9, octaves: 3, stretch: 14)
    let lump = Noise(seed: seed, stream: 3).plane(side: side, cell: 30, octaves: 3)
    return RGBPicture(side: side) { x, y, index in
      let (px, py) = (Float(x) + 0.5, Float(y) + 0.5)
      let label = Int(fields.labels[index])
      let ink = fields.ink[index]
      let (u, v) = ((px - 430) / 1024, (py - 380) / 1024)
      let lamp = 1.12 - 0.85 * (u * u + v * v)
      var ground = Tone(0xd9b48a).mixed(with: Tone(0xb98c60), smoothstep(0.3, 0.72, table[index]))
      let near = contact.sample(px / 2 - 3, py / 2 - 4)
      let wide = cast.sample(px / 2 - 13, py / 2 - 17)
      let dark = (1 - 0.42 * near) * (1 - 0.62 * wide)
      ground *= Tone(dark, dark * dark.squareRoot(), dark * dark.squareRoot()) * lamp
      guard label > 0 || ink > 0.02 else { return ground + dust.unit(x, y) * 0.02 }
      let dx = height[clamped: x + 2, y] - height[clamped: x - 2, y]
      let dy = height[clamped: x, y + 2] - height[clamped: x, y - 2]
      let bump = (lump[index] - lump[clamped: x - 3, y - 3]) * 1.6
      // The lamp is above left, in front of the picture.
      let scale = 1 / (dx * dx + dy * dy + 16).squareRoot()
      let (nx, ny, nz) = (-dx * scale, -dy * scale, 4 * scale)
      let diffuse = max(0, -0.46 * nx - 0.56 * ny + 0.69 * nz + bump * 0.3)
      // Halfway between the lamp and the viewer: (-0.25, -0.30, 0.92).
      let half = max(0, -0.25 * nx - 0.30 * ny + 0.92 * nz)
      let gloss = half * half * half * half
      let shine = gloss * gloss * gloss * gloss
      // Light that the table reflects.
      let bounce = max(0, ny * 0.5 + nx * 0.3) * 0.28
      func lit(_ tone: Tone) -> Tone {
        let body = tone * (Tone(0.30, 0.31, 0.35) + Tone(1.0, 0.97, 0.9) * (diffuse * lamp))
        let warm = tone * Tone(0.85, 0.68, 0.5) * bounce
        let hidden = 0.78 + 0.22 * smoothstep(0, 16, fields.distance.distances[index])
        return (body + warm) * (label > 0 && ink < 0.5 ? hidden : 1)
          + Tone(1, 0.98, 0.94) * (max(0, shine - 0.25) * 0.42)
      }
      let below = label > 0 ? lit(fields.regions[label].tone.mixed(with: .one, 0.06)) : ground
      guard ink > 0.02 else { return below }
      let cord = fields.inkTone(index).mixed(with: Tone(0x3a3238), 0.2)
      return below.mixed(with: lit(cord), ink)
    }
  }

  /// The height of clay and cords above the table, in pixels.
  private func surface() -> Plane {
    let side = SketchFields.side
    let round = Plane(side: side) { _, _, index in fields.owners[index] >= 0 ? 12 : 0 }
      .blurred(radius: 3, passes: 2)
    return Plane(side: side) { _, _, index in fields.relief[index] * 0.55 + round[index] * 0.8 }
  }
}
