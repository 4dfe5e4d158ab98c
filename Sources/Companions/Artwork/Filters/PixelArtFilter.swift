/// Pixel art: 128 × 128 cells in a palette of at most 32 colors, with ordered dithering.
///
/// The threshold matrix is Bayer's ("An optimum method for two-level rendition of continuous-tone
/// pictures", 1973).
struct PixelArtFilter {
  private let fields: SketchFields
  private let seed: UInt64
  /// Cells a side, and pixels a cell.
  private static let cells = 128
  private static let size = SketchFields.side / cells

  init(_ fields: SketchFields, seed: UInt64) { (self.fields, self.seed) = (fields, seed) }

  func picture() -> RGBPicture {
    let (cells, size, side) = (Self.cells, Self.size, SketchFields.side)
    let light = fields.light(steepness: 1.3)
    let clouds = Noise(seed: seed, stream: 1).plane(side: cells, cell: 22, octaves: 3, stretch: 1.8)
    let palette = Self.palette(fields)
    var colors = [Tone](repeating: .zero, count: cells * cells)
    for row in 0..<cells {
      for column in 0..<cells {
        let index = (row * size + size / 2) * side + column * size + size / 2
        let threshold = (Self.bayer[row % 8 * 8 + column % 8] + 0.5) / 64 - 0.5
        let tone: Tone
        if let line = ink(row, column) {
          tone = line.mixed(with: Tone(0x1a1626), 0.45)
        } else if fields.labels[index] > 0 {
          let fill = fields.regions[Int(fields.labels[index])].tone
          let level = light[index] * 1.5 + threshold * 0.5
          tone =
            level < -0.42 ? Self.shadow(fill) : level > 0.42 ? Self.shine(fill) : fill
        } else {
          let height = Float(row) / Float(cells) + threshold * 0.2
          let step = Int(min(4, max(0, height * 5)))
          let cloud = clouds[row * cells + column] + threshold * 0.06
          tone = cloud > 0.62 ? Self.sky[5] : Self.sky[step]
        }
        colors[row * cells + column] = Self.nearest(tone, in: palette)
      }
    }
    return RGBPicture(side: side) { x, y, _ in
      let tone = colors[y / size * cells + x / size]
      // The grid: a cell's right and lower edge are a little darker.
      return x % size == size - 1 || y % size == size - 1 ? tone * 0.93 : tone
    }
  }

  /// The color of the ink in a cell; nil if it covers less than two fifths.
  private func ink(_ row: Int, _ column: Int) -> Tone? {
    var (sum, tone) = (Float(0), Tone.zero)
    for y in row * Self.size..<(row + 1) * Self.size {
      for x in column * Self.size..<(column + 1) * Self.size {
        let index = y * SketchFields.side + x
        guard fields.owners[index] >= 0 else { continue }
        sum += 1
        tone += fields.strokes[Int(fields.owners[index])].tone
      }
    }
    return sum >= Float(Self.size * Self.size) * 0.4 ? tone / sum : nil
  }

  private static func shadow(_ tone: Tone) -> Tone { tone * Tone(0.66, 0.58, 0.74) }
  private static func shine(_ tone: Tone) -> Tone { tone.mixed(with: Tone(0xfffbe0), 0.55) }

  /// The sky from above to below, and its clouds.
  private static let sky: [Tone] = [
    0x4d8fdc, 0x64a9e8, 0x7fc1ef, 0x9fd6f3, 0xc3e8f5, 0xf6fbff,
  ].map { Tone($0) }

  /// The sky, and the tones of the largest regions and of the first strokes in other colors.
  private static func palette(_ fields: SketchFields) -> [Tone] {
    var palette = sky
    func add(_ tones: [Tone]) {
      guard palette.count + tones.count <= 32,
        !palette.contains(where: { distance($0, tones[0]) < 0.002 })
      else { return }
      palette += tones
    }
    for region in fields.regions.dropFirst().sorted(by: { $0.area > $1.area }) {
      add([region.tone, shadow(region.tone), shine(region.tone)])
    }
    for stroke in fields.strokes { add([stroke.tone.mixed(with: Tone(0x1a1626), 0.45)]) }
    add([Tone(0x1a1626)])
    return palette
  }

  private static func nearest(_ tone: Tone, in palette: [Tone]) -> Tone {
    palette.min { distance($0, tone) < distance($1, tone) } ?? tone
  }

  private static func distance(_ a: Tone, _ b: Tone) -> Float {
    let step = a - b
    return 0.3 * step.x * step.x + 0.59 * step.y * step.y + 0.11 * step.z * step.z
  }

  /// Thresholds 0…63, row-major, shape [8, 8].
  static let bayer: [Float] = (0..<64).map { index in
    let (x, y) = (index % 8, index / 8)
    // The bits of x ^ y and y, interleaved and reversed.
    var value = 0
    for bit in 0..<3 {
      value = value << 2 | ((x ^ y) >> bit & 1) << 1 | (y >> bit & 1)
    }
    return Float(value)
  }
}
