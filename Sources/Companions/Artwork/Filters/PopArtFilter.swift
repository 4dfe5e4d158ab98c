/// Pop art: the sketch four times, each in another scheme of bold colors, with Ben-Day dots.
struct PopArtFilter {
  /// The colors of a panel.
  private struct Scheme {
    var background: Tone
    var dots: Tone
    var outline: Tone
    /// The colors of regions, by number.
    var fills: [Tone]

    init(_ background: UInt32, _ dots: UInt32, _ outline: UInt32, _ fills: [UInt32]) {
      self.background = Tone(background)
      self.dots = Tone(dots)
      self.outline = Tone(outline)
      self.fills = fills.map { Tone($0) }
    }
  }

  private static let schemes = [
    Scheme(0xffd60a, 0xff9500, 0x1a1423, [0xe6194b, 0x0077ff, 0xffffff, 0x00b894, 0xff6fb5]),
    Scheme(0xff2e7e, 0xc9005b, 0x1a1423, [0xffe600, 0x00d2d3, 0xffffff, 0x7d3cff, 0xff9f1c]),
    Scheme(0x00b4d8, 0x0086b3, 0x1a1423, [0xff5400, 0xffe14d, 0xffffff, 0xff0a78, 0x2b2d8f]),
    Scheme(0x7b2ff7, 0x5a12c9, 0x1a1423, [0x3ee07f, 0xff4d9d, 0xffffff, 0xffc300, 0x19c5f5]),
  ]

  private let fields: SketchFields
  private let noise: Noise
  /// Which scheme each panel has.
  private let order: Int

  init(_ fields: SketchFields, seed: UInt64) {
    self.fields = fields
    noise = Noise(seed: seed, stream: 1)
    order = Int(noise.unit(3, 5) * 4)
  }

  func picture() -> RGBPicture {
    let side = SketchFields.side
    let light = fields.light(steepness: 1.4)
    let lines = LineWork(width: 1.7, minWidth: 15, taper: 20, variation: 0.25)
      .drawn(fields, noise: noise).halved()
    let panel = side / 2
    return RGBPicture(side: side) { x, y, _ in
      let (column, row) = (x / panel, y / panel)
      let scheme = Self.schemes[(row * 2 + column + order) % 4]
      let (u, v) = (x - column * panel, y - row * panel)
      let edge = min(min(u, v), min(panel - 1 - u, panel - 1 - v))
      if edge < 5 { return Tone(0xfffdf8) }
      let flat = fill(u, v, light, scheme, x, y)
      return flat.mixed(with: scheme.outline, lines[v * panel + u])
    }
  }

  /// The color of a panel's pixel without outlines: the mean of the four pixels of the sketch that
  /// it shows.
  @inline(__always)
  private func fill(
    _ u: Int, _ v: Int, _ light: Plane, _ scheme: Scheme, _ x: Int, _ y: Int
  ) -> Tone {
    let side = SketchFields.side
    let start = min(side - 2, 2 * v) * side + min(side - 2, 2 * u)
    // The fills are printed a little off.
    let shifted = max(0, start - 6 * side - 8)
    let label = Int(fields.labels[shifted])
    guard label > 0 else {
      let share = 0.12 + 0.5 * Float(v) / Float(side / 2)
      return scheme.background.mixed(
        with: scheme.dots, ComicFilter.dot(x, y, cell: 10, share: share))
    }
    let fill = scheme.fills[fields.regions[label].group % scheme.fills.count]
    let shade = smoothstep(0.1, 0.9, -light[shifted] * 1.3)
    let dots = ComicFilter.dot(x, y, cell: 8, share: shade)
    return fill.mixed(with: fill * Tone(0.55, 0.3, 0.5), dots)
  }
}
