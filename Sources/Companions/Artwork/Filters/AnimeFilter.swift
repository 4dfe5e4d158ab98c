/// Cel animation: outlines of varied width in dark hues, two flat tones and a highlight per region,
/// a white rim around the figure, and a sky with clouds.
struct AnimeFilter {
  private let fields: SketchFields
  private let seed: UInt64

  init(_ fields: SketchFields, seed: UInt64) { (self.fields, self.seed) = (fields, seed) }

  func picture() -> RGBPicture {
    let side = SketchFields.side
    let light = fields.light(steepness: 1.5)
    let lines = LineWork(width: 0.9, minWidth: 4, taper: 46, variation: 0.35)
      .drawn(fields, noise: Noise(seed: seed, stream: 1))
    let clouds = Noise(seed: seed, stream: 2).plane(side: side, cell: 190, octaves: 4, stretch: 1.7)
    let fills = fields.regions.map { $0.tone.saturated(1.25).mixed(with: .one, 0.08) }
    let glints = Glints(count: 26, seed: seed, stream: 3, sizes: 10...34)
    var picture = RGBPicture.Tones(side: side) { x, y, index in
      var tone: Tone
      let label = Int(fields.labels[index])
      if label > 0 {
        let fill = fills[label]
        let shade = fill * Tone(0.70, 0.62, 0.86)
        tone = shade.mixed(with: fill, smoothstep(-0.2, -0.17, light[index]))
        let shine = smoothstep(0.5, 0.53, light[index])
        tone = tone.mixed(with: .one, 0.55 * shine)
      } else {
        tone = sky(x, y, index, clouds)
        let far = fields.distance.distances[index]
        tone = tone.mixed(with: .one, smoothstep(13.5, 12, far))
      }
      let outline = fields.inkTone(index).mixed(with: Tone(0x1d1530), 0.55)
      return tone.mixed(with: outline, lines[index])
    }
    glints.draw(on: &picture) { index in fields.labels[index] == 0 ? 0.9 : 0 }
    return picture.picture
  }

  /// A summer sky: deep blue above, and clouds of two flat tones.
  @inline(__always)
  private func sky(_ x: Int, _ y: Int, _ index: Int, _ clouds: Plane) -> Tone {
    let height = Float(y) / Float(SketchFields.side)
    let blue = Tone(0x3f9df0).mixed(with: Tone(0xbfeaff), height)
    let level = 0.63 - 0.16 * height
    let body = smoothstep(level, level + 0.012, clouds[index])
    let lit = smoothstep(0.0, 0.012, clouds[index] - clouds[clamped: x - 14, y - 26] + 0.03)
    let cloud = Tone(0xffffff).mixed(with: Tone(0xc9dcf7), 1 - lit)
    return blue.mixed(with: cloud, body * 0.95)
  }
}
