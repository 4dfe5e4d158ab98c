internal import Foundation
package import Ink
package import Report

/// A vector picture under construction: x grows to the right, y downwards, both in pixels.
package struct SVG: Sendable {
  private let width: Double
  private let height: Double
  private var content = Markup()

  /// Dark gray, for text and axes.
  package static let ink = "#333333"
  /// Light gray, for grids and frames.
  package static let faint = "#d8d8d8"
  /// Colors that are distinguishable with and without color vision deficiency (Okabe and Ito 2008,
  /// "Color Universal Design"), without yellow and black, which are hard to see on white or next to
  /// text.
  package static let palette = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9"]

  /// An empty picture.
  package init(width: Double, height: Double) {
    (self.width, self.height) = (width, height)
  }

  /// The file.
  package var markup: Markup { .picture(width: width, height: height, content) }

  /// A rectangle with its top left corner at (`x`, `y`).
  package mutating func rectangle(
    x: Double, y: Double, width: Double, height: Double, fill: String = "none",
    outline: String = "none"
  ) {
    content += .tag(
      "rect",
      [
        "x": number(x), "y": number(y), "width": number(width), "height": number(height),
        "fill": fill, "stroke": outline,
      ])
  }

  /// A line through `points`.
  package mutating func line(
    _ points: [(x: Double, y: Double)], color: String = SVG.ink, thickness: Double = 1,
    isDashed: Bool = false
  ) {
    guard let first = points.first else { return }
    // A path of one point has no length; round caps still show it as a dot.
    let all = points.count == 1 ? [first, first] : points
    content += .tag(
      "polyline",
      [
        "points": all.map { "\(number($0.x)),\(number($0.y))" }.joined(separator: " "),
        "fill": "none", "stroke": color, "stroke-width": number(thickness),
        "stroke-linecap": "round", "stroke-linejoin": "round",
        "stroke-dasharray": isDashed ? "4 4" : "none",
      ])
  }

  /// A filled circle around (`x`, `y`).
  package mutating func circle(x: Double, y: Double, radius: Double, color: String) {
    content += .tag(
      "circle", ["cx": number(x), "cy": number(y), "r": number(radius), "fill": color])
  }

  /// Text whose base line is at `y`; `anchor` is "start", "middle" or "end" at `x`; `angle` rotates
  /// it about that point, in degrees clockwise.
  package mutating func text(
    _ text: String, x: Double, y: Double, size: Double = 12, anchor: String = "start",
    color: String = SVG.ink, angle: Double = 0
  ) {
    content += .tag(
      "text",
      [
        "x": number(x), "y": number(y), "font-size": number(size), "text-anchor": anchor,
        "fill": color, "transform": "rotate(\(number(angle)) \(number(x)) \(number(y)))",
      ], Markup(text))
  }

  /// A drawing, proportions kept, centered in the square with its top left corner at (`x`, `y`).
  package mutating func sketch(
    _ drawing: Drawing, x: Double, y: Double, size: Double, color: String = SVG.ink,
    thickness: Double = 1.5
  ) {
    guard let box = drawing.boundingBox else { return }
    let extent = max(box.width, box.height)
    let scale = extent > 0 ? (size - 2 * thickness) / extent : 0
    let left = x + size / 2 - scale * (box.x + box.width / 2)
    let top = y + size / 2 - scale * (box.y + box.height / 2)
    for stroke in drawing.strokes {
      line(
        stroke.points.map { (left + scale * $0.x, top + scale * $0.y) }, color: color,
        thickness: thickness)
    }
  }
}

/// A number with at most two decimals, without trailing zeros.
package func number(_ value: Double) -> String {
  let text = String(format: "%.2f", value)
  var short = text[...]
  while short.last == "0" { short.removeLast() }
  if short.last == "." { short.removeLast() }
  return String(short)
}
