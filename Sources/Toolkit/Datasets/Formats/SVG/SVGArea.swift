internal import Ink

/// An area that is painted over the background.
struct SVGArea {
  private let outlines: [[Point]]
  private let isEvenOdd: Bool
  private let box: BoundingBox
  /// The number of the points of its outlines: what `contains` costs.
  let pointCount: Int
  /// Its color; nil if it is not known.
  var color: SVGColor?

  /// The area within outlines, whose ends are joined; nil if they have no points.
  init?(_ outlines: [[Point]], isEvenOdd: Bool) {
    guard let box = BoundingBox(outlines.lazy.flatMap { $0 }) else { return nil }
    (self.outlines, self.isEvenOdd, self.box) = (outlines, isEvenOdd, box)
    pointCount = outlines.reduce(0) { $0 + $1.count }
  }

  /// Whether a point is in the smallest upright rectangle around the area.
  func boxContains(_ point: Point) -> Bool {
    point.x >= box.x && point.y >= box.y && point.x <= box.x + box.width
      && point.y <= box.y + box.height
  }

  /// Whether a point is in the area.
  func contains(_ point: Point) -> Bool {
    var winding = 0
    for outline in outlines {
      for (index, to) in outline.enumerated() {
        let from = outline[index == 0 ? outline.count - 1 : index - 1]
        guard (from.y > point.y) != (to.y > point.y) else { continue }
        let x = from.x + (point.y - from.y) / (to.y - from.y) * (to.x - from.x)
        if x > point.x { winding += to.y > from.y ? 1 : -1 }
      }
    }
    return isEvenOdd ? !winding.isMultiple(of: 2) : winding != 0
  }

  /// Whether it covers the picture except a narrow border.
  func covers(_ canvas: Drawing.Canvas?) -> Bool {
    guard let canvas, canvas.width > 0, canvas.height > 0 else { return false }
    let border = 0.01 * max(canvas.width, canvas.height)
    guard boxContains(Point(x: border, y: border)),
      boxContains(Point(x: canvas.width - border, y: canvas.height - border)),
      contains(Point(x: canvas.width / 2, y: canvas.height / 2))
    else { return false }
    // No outline runs through it.
    let inner = SVGClip(
      .init(border, border), .init(canvas.width - border, canvas.height - border), .identity,
      within: nil)
    return outlines.allSatisfy { points in
      let loop = points + points.prefix(1)
      let line = SVGLine(points: loop, isClosed: false, isTimed: false, shape: 0)
      return inner.shown(line, margin: 0).isEmpty
    }
  }
}
