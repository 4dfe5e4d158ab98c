public import Ink
internal import Numbers

extension ShapeKind {
  /// The shape as one draws it most often, in clean lines: without a hand's errors, and with the
  /// same proportions each time.
  ///
  /// - Returns: A drawing without times in the middle of the synthesizer's canvas, its larger side
  ///   800 units; its label is the shape's.
  public var outline: Drawing {
    var generator = SeededGenerator(seed: 1)
    let most = ways.reduce(ways[0]) { $1.weight > $0.weight ? $1 : $0 }
    let lines = most.draw(&generator).joined().map { path in
      Stroke(
        (path.isClosed ? path.points + path.points.prefix(1) : path.points).map {
          Point(x: $0.x, y: $0.y)
        })
    }
    let box =
      BoundingBox(lines.lazy.flatMap(\.points)) ?? BoundingBox(x: 0, y: 0, width: 1, height: 1)
    let middle = Synthesizer.canvasSide / 2
    let placement = Transform.translation(x: -box.x - box.width / 2, y: -box.y - box.height / 2)
      .then(.scale(800 / max(box.width, box.height)))
      .then(.translation(x: middle, y: middle))
    return Drawing(
      id: "outline-\(fileName)", label: label,
      strokes: lines.map { $0.transformed(by: placement).simplified(tolerance: 0.5) },
      canvas: .init(width: Synthesizer.canvasSide, height: Synthesizer.canvasSide))
  }
}
