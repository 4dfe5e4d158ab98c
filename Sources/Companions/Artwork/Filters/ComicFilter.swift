/// A comic panel: bold outlines, flat colors printed a little off, halftone dots in the shade, and
/// rays behind.
struct ComicFilter {
  private let fields: SketchFields
  private let seed: UInt64

  init(_ fields: SketchFields, seed: UInt64) { (self.fields, self.seed) = (fields, seed) }

  func picture() -> RGBPicture {
    let side = SketchFields.side
    let light = fields.light(steepness: 1.4)
    let lines = LineWork(width: 1.25, minWidth: 8, taper: 34, variation: 0.3)
      .drawn(fields, noise: Noise(seed: seed, stream: 1))
    let fills = fields.regions.map { $0.tone.saturated(1.35) }
    let focus = self.focus
    let noise = Noise(seed: seed, stream: 2)
    return RGBPicture(side: side) { x, y, index in
      // The panel: a white gutter and a black frame.
      let edge = min(min(x, y), min(side - 1 - x, side - 1 - y))
      if edge < 22 { return Tone(0xfffdf6) }
      if edge < 31 { return Tone(0x14121a) }
      // The color plates are shifted against the black one.
      let from = max(0, min(side - 1, y + 3)) * side + max(0, min(side - 1, x + 4))
      let label = Int(fields.labels[from])
      var tone: Tone
      if label > 0 {
        let fill = fills[label]
        let shade = -light[from] * 1.25
        let dots = Self.dot(x, y, cell: 11, share: smoothstep(0.05, 0.95, shade))
        tone = fill.mixed(with: fill * Tone(0.62, 0.45, 0.62), dots)
        tone = tone.mixed(with: Tone(0xffffff), smoothstep(0.6, 0.64, light[from]))
      } else {
        tone = background(x, y, focus, noise)
      }
      // Marker and thin colored lines keep some color; black lines are black.
      let ink = fields.inkTone(index)
      let outline = Tone(0x14121a).mixed(with: ink * 0.55, ink.chroma > 0.15 ? 0.35 : 0)
      tone = tone.mixed(with: outline, lines[index])
      return tone * (0.985 + 0.03 * (noise.unit(x, y) - 0.5))
    }
  }

  /// The middle of the ink, where the rays come from.
  private var focus: SIMD2<Float> {
    var (sum, count) = (SIMD2<Float>.zero, Float(0))
    for point in fields.strokes.lazy.flatMap(\.lines).joined() {
      sum += point.place
      count += 1
    }
    return count > 0 ? sum / count : SIMD2(repeating: Float(SketchFields.side) / 2)
  }

  /// Rays in two yellows, and dots that grow toward the corners.
  @inline(__always)
  private func background(_ x: Int, _ y: Int, _ focus: SIMD2<Float>, _ noise: Noise) -> Tone {
    let (u, v) = (Float(x) - focus.x, Float(y) - focus.y)
    let distance = (u * u + v * v).squareRoot() + 1
    // An angle without the C library: "diamond angle", 0..<4, is enough for rays.
    let turn = v / (abs(u) + abs(v) + 0.001)
    let angle = (u < 0 ? 2 - turn : v < 0 ? 4 + turn : turn) * 6
    let ray = abs(angle - wholePart(angle) - 0.5)
    let edge = 3 / distance
    let base = Tone(0xffe15a).mixed(with: Tone(0xfff3b0), smoothstep(0.25 - edge, 0.25 + edge, ray))
    let dots = Self.dot(x, y, cell: 14, share: smoothstep(330, 900, distance) * 0.8)
    return base.mixed(with: Tone(0xff9f45), dots)
  }

  /// Halftone: round dots on a grid turned by 45°, which together cover `share` of the area; above a
  /// half they touch and leave round holes.
  @inline(__always)
  static func dot(_ x: Int, _ y: Int, cell: Float, share: Float) -> Float {
    guard share > 0.01 else { return 0 }
    let (u, v) = ((Float(x) + Float(y)) * 0.7071 / cell, (Float(x) - Float(y)) * 0.7071 / cell)
    let (a, b) = (u - wholePart(u + 0.5), v - wholePart(v + 0.5))
    let radius = (share * 0.3183).squareRoot()
    let soft = 0.7 / cell
    return smoothstep(radius + soft, radius - soft, (a * a + b * b).squareRoot())
  }
}
