package import Ink

/// The drawings of a page: each is stored once as a symbol and shown as often as needed.
package struct Gallery {
  /// The side of a picture's square, in its units.
  private static let side = 128.0
  private static let margin = 8.0
  /// The usual budget of bytes, which keeps a page below about five million.
  package static let pageBytes = 3_000_000

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
    // Pages show the drawing's id beside it.
    cost += picture.html.utf8.count + drawings[index].id.utf8.count
    guard cost <= byteBudget else { return nil }
    byteBudget -= cost
    if let symbol {
      known.insert(index)
      symbols += symbol
    }
    return picture
  }

  /// The strokes as an SVG path in a 128 × 128 square, aspect ratio kept, centered.
  static func path(of drawing: Drawing) -> String {
    guard let box = drawing.boundingBox, box.width.isFinite, box.height.isFinite else { return "" }
    let extent = max(box.width, box.height)
    // Extents below 1e-300 become a dot: the scale would overflow.
    let scale = (side - 2 * margin) / max(extent, 1e-300)
    return StrokePath.data(of: Array(drawing.strokes.prefix(400)), tolerance: 0.9, points: 150) {
      Point(
        x: side / 2 + ($0.x - box.x - box.width / 2) * scale,
        y: side / 2 + ($0.y - box.y - box.height / 2) * scale)
    }.joined()
  }
}
