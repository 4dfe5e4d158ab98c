public import Ink
internal import Numbers

/// Synthesizes drawings of everyday shapes as people draw them: with random variation, reproducible
/// by seed.
///
/// A drawing depends only on the seed, the shape's name and the drawing's index, not on other
/// drawings.
public struct Synthesizer: Sendable {
  /// The seed of all randomness.
  public let seed: UInt64
  /// The maximum error of the simplified strokes as a fraction of the drawing's size; 0 keeps all
  /// samples.
  public let tolerance: Double

  /// The side of the square canvas, in the units of the points.
  public static let canvasSide = 1024.0
  /// The minimum distance between ink and the edges of the canvas.
  static let margin = 24.0

  /// A synthesizer with the given `seed`.
  ///
  /// - Parameters:
  ///   - seed: The seed of all randomness.
  ///   - tolerance: The maximum distance, at any time, between the pen and the simplified stroke,
  ///     as a fraction of the larger side of the drawing; 0 keeps every sample (about 60 per
  ///     second).
  public init(seed: UInt64, tolerance: Double = 0.012) {
    precondition(tolerance >= 0, "a tolerance is 0 or more, got \(tolerance)")
    self.seed = seed
    self.tolerance = tolerance
  }

  /// The drawing number `index` of a shape.
  ///
  /// - Parameters:
  ///   - kind: What to draw.
  ///   - index: The index among the shape's drawings, from 0.
  /// - Returns: A drawing on a 1024 × 1024 canvas with integer coordinates inside it and times in
  ///   whole milliseconds from 0; its id is of the form "synthetic-star-0007", its label the
  ///   shape's emoji.
  public func drawing(of kind: ShapeKind, index: Int) -> Drawing {
    precondition(index >= 0, "a drawing's index is 0 or more, got \(index)")
    var generator = SeededGenerator(seed: seed, stream: Self.key(of: kind.name), index)
    let sketch = kind.sketch(using: &generator)
    let hand = DrawingHabits(using: &generator)
    let lines = Self.placed(hand.draw(sketch, using: &generator), using: &generator)

    let size = Self.size(of: lines)
    let tempo = Tempo(speed: hand.tempo, pause: hand.pause, halt: hand.halt)
    var strokes: [Stroke] = []
    var (clock, pen) = (0.0, lines[0][0])
    for line in lines {
      if !strokes.isEmpty {
        clock += tempo.pause(over: (line[0] - pen).length / size, using: &generator)
      }
      let samples = tempo.sample(line, size: size, from: clock, using: &generator)
      let points = samples.map {
        Point(x: $0.place.x.rounded(), y: $0.place.y.rounded(), t: $0.time)
      }
      strokes.append(
        Stroke(
          tolerance > 0
            ? TimedSimplification.simplified(points, tolerance: tolerance * size) : points))
      clock = samples[samples.count - 1].time
      pen = line[line.count - 1]
    }
    return Drawing(
      id: Self.id(of: kind, index: index), label: kind.label, strokes: strokes,
      canvas: .init(width: Self.canvasSide, height: Self.canvasSide))
  }

  /// The first `count` drawings of each of `kinds`, shape by shape.
  public func set(kinds: [ShapeKind] = ShapeCatalog.all, count: Int) -> [Drawing] {
    precondition(count >= 0, "a number of drawings is 0 or more, got \(count)")
    return kinds.flatMap { kind in (0..<count).map { drawing(of: kind, index: $0) } }
  }

  private static func id(of kind: ShapeKind, index: Int) -> String {
    let number = String(index)
    let zeros = String(repeating: "0", count: max(0, 4 - number.count))
    return "synthetic-\(kind.fileName)-\(zeros)\(number)"
  }

  /// The FNV-1a hash of a name, used as a random stream, so that new shapes in the catalog do not
  /// change old drawings.
  private static func key(of name: String) -> Int {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in name.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    return Int(bitPattern: UInt(truncatingIfNeeded: hash))
  }

  private static func bounds(of lines: [[Vector]]) -> (low: Vector, high: Vector) {
    var (low, high) = (lines[0][0], lines[0][0])
    for place in lines.joined() {
      low = at(min(low.x, place.x), min(low.y, place.y))
      high = at(max(high.x, place.x), max(high.y, place.y))
    }
    return (low, high)
  }

  private static func size(of lines: [[Vector]]) -> Double {
    let (low, high) = bounds(of: lines)
    return max(high.x - low.x, high.y - low.y, 1)
  }

  /// Places a drawing on the canvas with random size and position, mostly near the center.
  private static func placed(
    _ lines: [[Vector]], using generator: inout SeededGenerator
  ) -> [[Vector]] {
    let (low, high) = bounds(of: lines)
    let extent = high - low
    let side = 220 + 660 * (generator.unit() + generator.unit()) / 2
    let scale = side / max(extent.x, extent.y, 1e-6)
    let free = (at(canvasSide - 2 * margin, canvasSide - 2 * margin) - extent * scale)
    func fraction(_ generator: inout SeededGenerator) -> Double {
      min(max(generator.normal(mean: 0.5, deviation: 0.25), 0), 1)
    }
    let corner = at(margin, margin) + free * at(fraction(&generator), fraction(&generator))
    return lines.map { $0.map { corner + ($0 - low) * scale } }
  }
}

extension ShapeKind {
  /// The name in file names and ids, without spaces.
  package var fileName: String { String(name.map { $0 == " " ? "-" : $0 }) }
}
