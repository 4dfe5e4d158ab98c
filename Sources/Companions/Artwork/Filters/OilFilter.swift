internal import Numbers

/// Oil: layers of brush strokes, large before small, that follow the drawn strokes; bristles leave
/// ridges of paint that catch the light.
///
/// After Hertzmann, "Painterly rendering with curved brush strokes of multiple sizes", 1998,
/// doi:10.1145/280814.280951; directions come from the strokes of the sketch instead of a gradient.
struct OilFilter {
  private let fields: SketchFields
  private let seed: UInt64
  private let noise: Noise

  init(_ fields: SketchFields, seed: UInt64) {
    (self.fields, self.seed) = (fields, seed)
    noise = Noise(seed: seed, stream: 1)
  }

  /// A layer: the brush's width and the stroke's length in pixels, and the distance between
  /// strokes.
  private struct Layer {
    var width: Float
    var length: Float
    var step: Float
    /// Only within this distance of the ink, in pixels.
    var reach: Float
  }

  func picture() -> RGBPicture {
    let side = SketchFields.side
    let light = fields.light(steepness: 1.3)
    let swirl = Noise(seed: seed, stream: 2).plane(side: side / 4, cell: 70, octaves: 2)
    let flow = directions(swirl)
    var canvas = Canvas(side: side)
    let layers = [
      Layer(width: 64, length: 150, step: 50, reach: .infinity),
      Layer(width: 32, length: 84, step: 29, reach: 300),
      Layer(width: 15, length: 40, step: 11, reach: 44),
    ]
    var generator = SeededGenerator(seed: seed, stream: 3)
    for layer in layers {
      let count = Int(Float(side) / layer.step)
      var cells = Array(0..<count * count)
      generator.shuffle(&cells)
      for cell in cells {
        let x = (Float(cell % count) + Float(generator.unit())) * layer.step
        let y = (Float(cell / count) + Float(generator.unit())) * layer.step
        let jitter = Float(generator.unit()) - 0.5
        let (column, row) = (min(side - 1, Int(x)), min(side - 1, Int(y)))
        let index = row * side + column
        guard fields.distance.distances[index] < layer.reach else { continue }
        // Large brushes stay away from outlines, which small ones paint.
        if fields.isInside(index), fields.distance.distances[index] < layer.width * 0.3 { continue }
        let hue = Tone(Float(generator.unit()), Float(generator.unit()), Float(generator.unit()))
        let tone = subject(column, row, index, light) * (1 + 0.25 * jitter) + (hue - 0.5) * 0.07
        let direction = flow[row / 4 * (side / 4) + column / 4]
        canvas.stroke(
          SIMD2(x, y), direction, width: layer.width, length: layer.length, tone: tone,
          noise: noise, key: cell)
      }
    }
    outline(&canvas)
    return varnished(canvas)
  }

  /// The color of the scene that is painted: a dark, warm ground that is lighter around the middle,
  /// and lit regions.
  private func subject(_ x: Int, _ y: Int, _ index: Int, _ light: Plane) -> Tone {
    let label = Int(fields.labels[index])
    guard label > 0 else {
      let (u, v) = ((Float(x) - 480) / 1024, (Float(y) - 450) / 1024)
      let glow = smoothstep(0.42, 0.02, u * u + v * v)
      let ground = Tone(0x2a2530).mixed(with: Tone(0xb39a63), glow)
      return ground.mixed(with: Tone(0x2f5d7c), 0.55 * smoothstep(0.25, -0.5, v))
    }
    let tone = fields.regions[label].tone.mixed(with: Tone(0xc58a3a), 0.14)
    let lit = light[index]
    let bright = tone.mixed(with: Tone(0xfff0c4), max(0, min(0.7, lit * 0.95)))
    return bright.mixed(with: tone * Tone(0.32, 0.22, 0.24), max(0, min(0.85, -lit * 1.1)))
  }

  /// Brush strokes over the drawn lines, in their colors.
  private func outline(_ canvas: inout Canvas) {
    var key = 1 << 20
    for placed in fields.strokes where placed.tool != .eraser {
      let tone = placed.tone.mixed(with: Tone(0x2a1b12), 0.35)
      for line in placed.lines {
        let points = LineWork.resampled(line, spacing: 13)
        for (index, point) in points.enumerated() {
          let (a, b) = (
            points[max(0, index - 1)].place, points[min(points.count - 1, index + 1)].place
          )
          let step = b - a
          let length = (step.x * step.x + step.y * step.y).squareRoot()
          let (x, y) = (Int(point.place.x), Int(point.place.y))
          let isInside = 0..<fields.ink.side ~= x && 0..<fields.ink.side ~= y
          guard isInside, fields.ink[y * fields.ink.side + x] > 0.3 else { continue }
          key += 1
          canvas.stroke(
            point.place, length > 0 ? step / length : SIMD2(1, 0),
            width: max(5, point.radius * 1.9), length: 30,
            tone: tone * (0.85 + 0.4 * noise.unit(key, 1)), noise: noise, key: key)
        }
      }
    }
  }

  /// The direction to paint in, at a quarter of the size: along the nearest stroke, and along slow
  /// swirls far from all. Directions are averaged as double angles, for which opposite ones are
  /// equal.
  private func directions(_ swirl: Plane) -> [SIMD2<Float>] {
    let side = SketchFields.side
    func field(_ component: Int) -> Plane {
      Plane(side: side / 4) { x, y, index in
        let turn = swirl[index] * 2
        let drift = component == 0 ? cosine(turns: turn) : sine(turns: turn)
        let start = (4 * y + 2) * side + 4 * x + 2
        let site = Int(fields.distance.nearest[start])
        guard site >= 0 else { return drift }
        let along = fields.directions[site]
        let double =
          component == 0 ? along.x * along.x - along.y * along.y : 2 * along.x * along.y
        return mix(double, drift, smoothstep(30, 230, fields.distance.distances[start]))
      }
      .blurred(radius: 4)
    }
    let (cosines, sines) = (field(0), field(1))
    return cosines.values.indices.map { index in
      // Half of the angle.
      let (c, s) = (cosines[index], sines[index])
      let length = (c * c + s * s).squareRoot()
      guard length > 0.001 else { return SIMD2(1, 0) }
      let x = max(0, (1 + c / length) / 2).squareRoot()
      let y = max(0, (1 - c / length) / 2).squareRoot()
      return SIMD2(x, s < 0 ? -y : y)
    }
  }

  /// Light on the ridges of paint, and a darker rim.
  private func varnished(_ canvas: Canvas) -> RGBPicture {
    let side = canvas.side
    return RGBPicture(side: side) { x, y, index in
      let (left, above) = (max(0, x - 1), max(0, y - 1))
      let (right, below) = (min(side - 1, x + 1), min(side - 1, y + 1))
      let slope =
        (canvas.paint[below * side + right].w - canvas.paint[above * side + left].w)
        + 0.5 * (canvas.paint[y * side + right].w - canvas.paint[y * side + left].w)
      let relief = min(0.35, max(-0.35, slope * 0.8))
      let tone = canvas.tone(index) * (1 + 0.55 * relief)
      return tone + Tone(1, 0.95, 0.85) * max(0, relief - 0.1) * 0.35
    }
  }

  /// Paint: its color and height at each pixel.
  private struct Canvas {
    let side: Int
    /// Red, green, blue and height, row-major.
    var paint: [SIMD4<Float>]

    init(side: Int) {
      self.side = side
      paint = [SIMD4<Float>](repeating: SIMD4(Tone(0x3a2c1e), 0), count: side * side)
    }

    /// The color of a pixel.
    @inline(__always)
    func tone(_ index: Int) -> Tone { Tone(paint[index].x, paint[index].y, paint[index].z) }

    /// Paints one brush stroke with its middle at `center`.
    mutating func stroke(
      _ center: SIMD2<Float>, _ direction: SIMD2<Float>, width: Float, length: Float, tone: Tone,
      noise: Noise, key: Int
    ) {
      let (along, across) = (length / 2, width / 2)
      let height = abs(direction.y) * along + abs(direction.x) * across
      let bottom = min(Float(side - 1), center.y + height)
      guard bottom >= 0, center.y - height < Float(side) else { return }
      // The paint that each of the bristles carries.
      let bristles = (0..<9).map { noise.unit($0, key) }
      let (perAlong, perAcross) = (1 / along, 1 / across)
      for y in Int(max(0, center.y - height))...Int(bottom) {
        let dy = Float(y) + 0.5 - center.y
        let columns = Self.columns(dy, direction, along: along, across: across)
        let from = Int(max(0, center.x + columns.lowerBound))
        let to = Int(min(Float(side - 1), max(-1, center.x + columns.upperBound)))
        guard from <= to else { continue }
        for x in from...to {
          let dx = Float(x) + 0.5 - center.x
          let u = (dx * direction.x + dy * direction.y) * perAlong
          let v = (dy * direction.x - dx * direction.y) * perAcross
          guard abs(u) < 1, abs(v) < 1 else { continue }
          let place = (v + 1) * 4
          let bristle = Int(place)
          let load = mix(bristles[bristle], bristles[min(8, bristle + 1)], place - Float(bristle))
          // Bristles run out of paint one after another.
          let end = 0.55 + 0.45 * load
          let opacity =
            min(1, (end - abs(u)) * 4) * min(1, (1 - abs(v)) * 3.5) * (0.75 + 0.25 * load)
          guard opacity > 0.01 else { continue }
          let index = y * side + x
          // The fourth number is the height.
          let new = SIMD4(tone * (0.9 + 0.2 * load), load + 0.5 * (1 - v * v))
          paint[index] += (new - paint[index]) * opacity
        }
      }
    }

    /// The columns, from the stroke's middle, in which a row crosses its rectangle.
    private static func columns(
      _ dy: Float, _ direction: SIMD2<Float>, along: Float, across: Float
    ) -> ClosedRange<Float> {
      var (low, high) = (-along - across, along + across)
      if abs(direction.x) > 0.01 {
        let (middle, half) = (-dy * direction.y / direction.x, along / abs(direction.x))
        (low, high) = (max(low, middle - half), min(high, middle + half))
      }
      if abs(direction.y) > 0.01 {
        let (middle, half) = (dy * direction.x / direction.y, across / abs(direction.y))
        (low, high) = (max(low, middle - half), min(high, middle + half))
      }
      return low...max(low, high)
    }
  }
}
