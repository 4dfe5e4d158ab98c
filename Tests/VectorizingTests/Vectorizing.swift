import Ink
import Numbers
import Pictures
import Vectorizing

/// A drawing as a picture, and where its strokes are there.
struct Drawn {
  var picture: GrayPicture
  var truth: Drawing

  /// Draws with a round pen, black on white.
  init(_ drawing: Drawing, side: Int = 105, pen: Double = 3, margin: Double = 4) throws {
    let rasterizer = Rasterizer(width: side, height: side, strokeWidth: pen, margin: margin)
    picture = GrayPicture(try rasterizer(drawing))
    let inset = margin + pen / 2
    truth = try drawing.normalized(side: Double(side) - 2 * inset)
      .transformed(by: .translation(x: inset, y: inset))
  }

  init(_ strokes: [[(Double, Double)]], side: Int = 105, pen: Double = 3) throws {
    try self.init(Drawing(strokes: strokes.map(Stroke.init(at:))), side: side, pen: pen)
  }
}

extension Stroke {
  init(at places: [(Double, Double)]) { self.init(places.map { Point(x: $0.0, y: $0.1) }) }
}

extension Drawing {
  /// Points all along the strokes, half a unit apart.
  var dense: [Point] {
    strokes.flatMap { $0.points.count > 1 ? $0.resampled(spacing: 0.5).points : $0.points }
  }

  /// The distances of this drawing's ink from `other`'s that the given shares of it do not exceed.
  func distances(to other: Drawing, _ shares: [Double]) -> [Double] {
    let others = other.dense
    let found = dense.map { point in
      others.reduce(Double.infinity) { min($0, point.distance(to: $1)) }
    }.sorted()
    return shares.map { found[min(found.count - 1, Int(Double(found.count) * $0))] }
  }

  /// The largest distance of a point of one from the other, 5 in 100 points of each left out.
  func farness(from other: Drawing) -> Double {
    max(distances(to: other, [0.95])[0], other.distances(to: self, [0.95])[0])
  }
}

extension GrayPicture {
  /// A picture by a rule for each pixel's tone: row, column, old tone.
  func mapped(_ tone: (Int, Int, UInt8) -> Double) -> GrayPicture {
    GrayPicture(
      width: width, height: height,
      values: values.indices.map {
        UInt8(max(0, min(255, tone($0 / width, $0 % width, values[$0]).rounded())))
      })
  }

  /// The picture turned a quarter clockwise.
  var turned: GrayPicture {
    GrayPicture(
      width: height, height: width,
      values: (0..<width).flatMap { row in
        (0..<height).map { column in values[(height - 1 - column) * width + row] }
      })
  }

  /// The picture moved, with what comes in at the edges white.
  func moved(right: Int, down: Int) -> GrayPicture {
    mapped { row, column, _ in
      let (y, x) = (row - down, column - right)
      return (0..<height).contains(y) && (0..<width).contains(x)
        ? Double(values[y * width + x]) : 255
    }
  }
}

/// Smooth strokes as people make them, some crossing.
func doodles(_ count: Int, seed: UInt64) -> [Drawing] {
  var generator = SeededGenerator(seed: seed)
  return (0..<count).map { _ in
    Drawing(
      strokes: (0..<(1 + generator.integer(below: 3))).map { _ in
        var direction = generator.uniform(0...(2 * .pi))
        var (x, y) = (generator.uniform(20...80), generator.uniform(20...80))
        let bend = generator.normal(deviation: 0.12)
        return Stroke(
          (0..<30).map { _ in
            direction += bend + generator.normal(deviation: 0.06)
            let turn = Transform.rotation(direction)
            (x, y) = (x + 3 * turn.a, y + 3 * turn.b)
            return Point(x: x, y: y)
          })
      })
  }
}
