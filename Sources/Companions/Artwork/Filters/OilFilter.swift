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
      Layer(width: 44, length: 120, step: 26, reach: .infinity),
      Layer(width: 22, length: 64, step: 15, reach: 260),
      Layer(width: 11, length: 36, step: 9, reach: 60),
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
        let tone = subject(column, row, index, light) * (1 + 0.22 * jitter)
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
      let ground = Tone(0x2b2118).mixed(with: Tone(0x8d7a4e), glow)
      return ground.mixed(with: Tone(0x35506a), 0.38 * smoothstep(0.35, -0.5, v))
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
          let (a, b) = (points[max(0, index - 1)].place, points[min(points.count - 1, index + 1)].place)
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
        (canvas.heights[below * side + right] - canvas.heights[above * side + left])
        + 0.5 * (canvas.heights[y * side + right] - canvas.heights[y * side + left])
      let relief = min(0.4, max(-0.4, slope))
      let tone = canvas.tones[index] * (1 + 0.55 * relief)
      return tone + Tone(1, 0.95, 0.85) * max(0, relief - 0.1) * 0.35
    }
  }

  /// Paint: its color and height at each pixel.
  private struct Canvas {
    let side: Int
    var tones: [Tone]
    var heights: [Float]

    init(side: Int) {
      self.side = side
      tones = [Tone](repeating: Tone(0x3a2c1e), count: side * side)
      heights = [Float](repeating: 0, count: side * side)
    }

    /// Paints one brush stroke with its middle at `center`.
    mutating func stroke(
      _ center: SIMD2<Float>, _ direction: SIMD2<Float>, width: Float, length: Float, tone: Tone,
      noise: Noise, key: Int
    ) {
      let (along, across) = (length / 2, width / 2)
      let (extentX, extentY) = (
        abs(direction.x) * along + abs(direction.y) * across,
        abs(direction.y) * along + abs(direction.x) * across
      )
      let rows = max(0, Int(center.y - extentY))...max(0, min(side - 1, Int(center.y + extentY)))
      let columns = max(0, Int(center.x - extentX))...max(0, min(side - 1, Int(center.x + extentX)))
      // The paint that each of the bristles carries.
      let bristles = (0..<17).map { noise.unit($0, key) }
      for y in rows {
        for x in columns {
          let (dx, dy) = (Float(x) + 0.5 - center.x, Float(y) + 0.5 - center.y)
          let u = (dx * direction.x + dy * direction.y) / along
          let v = (dy * direction.x - dx * direction.y) / across
          guard abs(u) < 1, abs(v) < 1 else { continue }
          let place = (v + 1) * 8
          let bristle = Int(place)
          let load = mix(bristles[bristle], bristles[min(16, bristle + 1)], place - Float(bristle))
          // Bristles run out of paint one after another.
          let end = 0.55 + 0.45 * load
          let opacity =
            smoothstep(end, end - 0.22, abs(u)) * smoothstep(1, 0.72, abs(v)) * (0.75 + 0.25 * load)
          guard opacity > 0.01 else { continue }
          let index = y * side + x
          tones[index] = tones[index].mixed(with: tone * (0.9 + 0.2 * load), opacity)
          heights[index] = mix(heights[index], load + 0.3 * (1 - abs(v)), opacity)
        }
      }
    }
  }
}
