internal import Numbers

/// A shape that can be synthesized: its name, its emoji and the ways in which people draw it.
public struct ShapeKind: Sendable {
  /// The shape's English name in lower case, such as "ice cream".
  public let name: String
  /// The emoji that labels drawings of it, in Unicode normal form C.
  public let label: String
  /// The ways to draw it.
  let ways: [ShapeVariant]
  /// The probability of mirroring it, in 0...1.
  let mirroring: Double
  /// The range of deliberate rotation in degrees, in addition to the hand's tilt.
  let turn: ClosedRange<Double>

  init(
    _ name: String, _ label: String, mirroring: Double = 0, turn: ClosedRange<Double> = 0...0,
    ways: [ShapeVariant]
  ) {
    self.name = name
    self.label = label
    self.ways = ways
    self.mirroring = mirroring
    self.turn = turn
  }

  /// A random ideal drawing: a way chosen by weight, with random proportions.
  func sketch(using generator: inout SeededGenerator) -> Sketch {
    var rest = generator.unit() * ways.reduce(0) { $0 + $1.weight }
    var chosen = ways[0]
    for way in ways {
      chosen = way
      rest -= way.weight
      if rest < 0 { break }
    }
    var sketch = chosen.draw(&generator)
    let mirror = generator.chance(mirroring)
    let degrees = generator.uniform(turn)
    for part in sketch.indices {
      sketch[part] = sketch[part].map { path in
        (mirror ? path.mirrored() : path).turned(degrees: degrees)
      }
    }
    return sketch
  }
}

/// The strokes of an ideal drawing, grouped in parts: parts are mostly drawn in order, strokes
/// within a part in any order.
typealias Sketch = [[Path]]

/// One way to draw a shape.
struct ShapeVariant: Sendable {
  /// Its weight relative to the shape's other ways.
  let weight: Double
  /// Returns the ideal strokes, with random proportions.
  let draw: @Sendable (inout SeededGenerator) -> Sketch

  init(_ weight: Double = 1, _ draw: @escaping @Sendable (inout SeededGenerator) -> Sketch) {
    self.weight = weight
    self.draw = draw
  }
}

/// The shapes of the starter set.
public enum ShapeCatalog {
  /// All shapes in a fixed order; names and labels are unique.
  public static let all: [ShapeKind] =
    ShapeKind.figures + ShapeKind.signs + ShapeKind.skyAndLand + ShapeKind.plants
    + ShapeKind.creatures + ShapeKind.buildingsAndVehicles + ShapeKind.wearables
    + ShapeKind.household + ShapeKind.foodAndPlay

  /// Shapes outside the starter set, to teach to a model trained on it.
  public static let extras: [ShapeKind] = ShapeKind.extras

  /// The shape with the given English `name`, in the starter set or outside, or nil if there is
  /// none.
  public static func kind(named name: String) -> ShapeKind? {
    (all + extras).first { $0.name == name }
  }
}
