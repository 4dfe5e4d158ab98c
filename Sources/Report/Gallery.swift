package import Ink

/// The drawings of a page: each is stored once as a symbol and shown as often as needed.
package struct Gallery {
  /// The side of a picture's square, in its units.
  private static let side = 128.0
  private static let margin = 8.0

  private let drawings: [Drawing]
  private let caption: (Int) -> String
  private var byteBudget: Int
  private var known: Set<Int> = []
  package private(set) var symbols = Markup()

  /// A gallery of drawings that adds at most about `byteBudget` bytes to the page; `caption`
  /// returns the text for screen readers by a drawing's index.
  package init(
    _ drawings: [Drawing], byteBudget: Int, caption: @escaping (Int) -> String = { _ in "" }
  ) {
    self.drawings = drawings
    self.caption = caption
    self.byteBudget = byteBudget
  }

  /// The picture of a drawing, or nil when the budget is used up.
  ///
  /// - Parameters:
  ///   - index: The drawing's index.
  ///   - isDecoration: Whether the adjacent text is sufficient, so that screen readers skip the
  ///     picture.
  /// - Returns: An `svg` element.
  package mutating func picture(of index: Int, isDecoration: Bool = false) -> Markup? {
    let name = "d\(index)"
    var cost = 0
    var symbol: Markup?
    if !known.contains(index) {
      let made = Markup.tag(
        "symbol", ["id": name, "viewBox": "0 0 128 128"],
        .tag("path", ["d": Self.path(of: drawings[index])]))
      symbol = made
      cost += made.html.utf8.count
    }
    let use = Markup.tag("use", ["href": "#\(name)"])
    let picture: Markup =
      if isDecoration {
        .tag("svg", ["class": "drawing", "aria-hidden": "true"], use)
      } else {
        .tag("svg", ["class": "drawing", "role": "img", "aria-label": caption(index)], use)
      }
    cost += picture.html.utf8.count
    guard cost <= byteBudget else { return nil }
    byteBudget -= cost
    if let symbol {
      known.insert(index)
      symbols += symbol
    }
    return picture
  }

  /// The strokes as an SVG path with integer coordinates in a 128 × 128 square, aspect ratio kept,
  /// centered.
  ///
  /// Consecutive points with equal coordinates are merged, and Ramer-Douglas-Peucker removes
  /// details not visible at this size. Of strokes that are still long, only every nth point is
  /// kept.
  static func path(of drawing: Drawing) -> String {
    guard let box = drawing.boundingBox, box.width.isFinite, box.height.isFinite else { return "" }
    let extent = max(box.width, box.height)
    // Extents below 1e-300 become a dot: the scale would overflow.
    let scale = (side - 2 * margin) / max(extent, 1e-300)
    let placed = drawing.strokes.prefix(400).map { stroke in
      Stroke(
        thinned(stroke.points, to: 4000).map { point in
          Point(
            x: side / 2 + (point.x - box.x - box.width / 2) * scale,
            y: side / 2 + (point.y - box.y - box.height / 2) * scale)
        })
    }
    var tolerance = 0.9
    var lines = placed.map { gridLine($0, tolerance: tolerance) }
    while lines.reduce(0, { $0 + $1.count }) > max(150, 2 * lines.count), tolerance < 16 {
      tolerance *= 1.6
      lines = placed.map { gridLine($0, tolerance: tolerance) }
    }
    let longest = max(4, 1000 / max(1, lines.count))
    return lines.filter { !$0.isEmpty }.map { text(thinned($0, to: longest)) }.joined()
  }

  /// About `count` of `points` at equal steps, including the first and the last.
  private static func thinned<Point>(_ points: [Point], to count: Int) -> [Point] {
    guard points.count > count, let last = points.last else { return points }
    let step = (points.count + count - 2) / (count - 1)
    return stride(from: 0, to: points.count - 1, by: step).map { points[$0] } + [last]
  }

  private static func gridLine(_ stroke: Stroke, tolerance: Double) -> [(x: Int, y: Int)] {
    var line: [(x: Int, y: Int)] = []
    for point in stroke.simplified(tolerance: tolerance).points {
      let next = (x: Int(point.x.rounded()), y: Int(point.y.rounded()))
      if let last = line.last, last == next { continue }
      line.append(next)
    }
    return line
  }

  private static func text(_ line: [(x: Int, y: Int)]) -> String {
    var text = "M\(line[0].x) \(line[0].y)"
    // A line of no length still gets its round cap: a dot.
    if line.count == 1 { return text + "h0" }
    text += "l"
    for (index, (from, to)) in zip(line, line.dropFirst()).enumerated() {
      let (dx, dy) = (to.x - from.x, to.y - from.y)
      text += (index > 0 && dx >= 0 ? " " : "") + "\(dx)" + (dy >= 0 ? " " : "") + "\(dy)"
    }
    return text
  }
}
