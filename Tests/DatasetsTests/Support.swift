import Foundation
import Ink
import Support

/// The path of a committed file in `Fixtures`.
func fixture(_ name: String) throws -> String {
  guard let folder = Bundle.module.resourcePath else { throw CocoaError(.fileNoSuchFile) }
  return "\(folder)/Fixtures/\(name)"
}

/// A drawing of random strokes with random times, or none.
func randomDrawing(_ generator: inout SeededGenerator, id: String) -> Drawing {
  var drawing = Drawing(
    id: id, label: generator.pick([nil, "a", "\u{2b50}", "ice cream", "\"q\\\nr"]),
    strokes: (0..<(1 + generator.integer(below: 4))).map { _ in
      let isTimed = generator.chance(0.5)
      return Stroke(
        (0..<(1 + generator.integer(below: 6))).map { _ in
          Point(
            x: generator.normal(deviation: 1e3), y: Double(generator.integer(below: 256)),
            t: isTimed ? generator.uniform(0...5000) : nil)
        })
    },
    canvas: generator.chance(0.5) ? .init(width: 640, height: 480.5) : nil,
    wasGuessed: generator.pick([nil, true, false]))
  if generator.chance(0.3) {
    drawing.shapes = [
      .init(strokes: [0], label: "s\(generator.integer(below: 3))"),
      .init(strokes: Array(drawing.strokes.indices), label: "a"),
    ]
  }
  return drawing
}
