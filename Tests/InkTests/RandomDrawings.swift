import Ink
import Numbers

extension Drawing {
  /// A drawing with all that the format can say, or little of it.
  static func random(_ generator: inout some RandomNumberGenerator) -> Drawing {
    let labels = ["star", "⭐", "caf\u{e9}", "a \"b\" \\ c", "line\nfeed", "\u{1}\u{7f}"]
    let magnitude = generator.pick([1.0, 255, 1e-9, 1e18, 1e98, 1e-90])
    let isWhole = generator.chance(0.4)
    func number(_ generator: inout some RandomNumberGenerator) -> Double {
      let value = generator.normal() * magnitude
      return isWhole ? value.rounded() : value
    }
    let strokes = (0...generator.integer(below: 4)).map { _ in
      let timed = generator.integer(below: 3)
      return Stroke(
        (0...generator.integer(below: 6)).map { index in
          let hasTime = timed == 2 || (timed == 1 && generator.chance(0.5))
          return Point(
            x: number(&generator), y: number(&generator), t: hasTime ? Double(index) * 16.5 : nil)
        })
    }
    return Drawing(
      id: generator.chance(0.5) ? "id-\(generator.integer(below: 100))" : "",
      label: generator.chance(0.7) ? generator.pick(labels) : nil, strokes: strokes,
      canvas: generator.chance(0.3) ? Canvas(width: 1024, height: 0.5) : nil,
      shapes: generator.chance(0.3)
        ? [Shape(strokes: Array(strokes.indices), label: generator.pick(labels))] : [],
      wasGuessed: generator.pick([true, false, nil]))
  }

  /// A drawing as people make them: a few smooth strokes within 0...256.
  static func doodle(_ generator: inout some RandomNumberGenerator) -> Drawing {
    let strokes = (0...generator.integer(below: 4)).map { _ in
      var (x, y) = (generator.uniform(0...256), generator.uniform(0...256))
      var direction = generator.uniform(0...(2 * .pi))
      let isSharp = generator.chance(0.3)
      return Stroke(
        (0...generator.integer(below: 12)).map { _ in
          direction += generator.normal(deviation: isSharp ? 1.5 : 0.5)
          let turn = Transform.rotation(direction)
          let step = generator.uniform(5...60)
          x += turn.a * step
          y += turn.b * step
          return Point(x: x, y: y)
        })
    }
    return Drawing(strokes: strokes)
  }
}

extension Stroke {
  init(at places: [(Double, Double)]) { self.init(places.map { Point(x: $0.0, y: $0.1) }) }
}
