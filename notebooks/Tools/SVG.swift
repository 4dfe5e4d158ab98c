internal import Foundation
public import Ink

/// A vector picture under construction: x grows to the right, y downwards, both in pixels.
public struct SVG: Sendable {
  /// Columns of the picture.
  public let width: Double
  /// Rows of the picture.
  public let height: Double
  private var elements: [String] = []

  /// Dark grey, for text and axes.
  public static let ink = "#333333"
  /// Light grey, for grids and frames.
  public static let faint = "#d8d8d8"
  /// Colours that people with and without colour vision tell apart (Okabe and Ito 2008, "Color
  /// Universal Design"), without yellow and black, which do not show on white or among text.
  public static let palette = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9"]

  /// An empty picture.
  public init(width: Double, height: Double) {
    self.width = width
    self.height = height
  }

  /// The file's text.
  public var text: String {
    """
    <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(number(width)) \(number(height))" \
    width="\(number(width))" height="\(number(height))" font-family="system-ui, sans-serif">
    <rect width="100%" height="100%" fill="#ffffff"/>
    \(elements.joined(separator: "\n"))
    </svg>

    """
  }

  /// A rectangle with its top left corner at (`x`, `y`).
  public mutating func rectangle(
    x: Double, y: Double, width: Double, height: Double, fill: String = "none",
    outline: String = "none", thickness: Double = 1
  ) {
    elements.append(
      "<rect x=\"\(number(x))\" y=\"\(number(y))\" width=\"\(number(width))\" "
        + "height=\"\(number(height))\" fill=\"\(fill)\" stroke=\"\(outline)\" "
        + "stroke-width=\"\(number(thickness))\"/>")
  }

  /// A line through `points`.
  public mutating func line(
    _ points: [(x: Double, y: Double)], color: String = SVG.ink, thickness: Double = 1,
    isDashed: Bool = false
  ) {
    guard let first = points.first else { return }
    // A path of one point has no length; with round ends it still shows as a dot.
    let all = points.count == 1 ? [first, first] : points
    let path = all.map { "\(number($0.x)),\(number($0.y))" }.joined(separator: " ")
    elements.append(
      "<polyline points=\"\(path)\" fill=\"none\" stroke=\"\(color)\" "
        + "stroke-width=\"\(number(thickness))\" stroke-linecap=\"round\" stroke-linejoin=\"round\""
        + (isDashed ? " stroke-dasharray=\"4 4\"" : "") + "/>")
  }

  /// A filled polygon; fewer than three corners show nothing. `opacity` is in 0...1.
  public mutating func area(
    _ corners: [(x: Double, y: Double)], color: String, opacity: Double = 1
  ) {
    guard corners.count > 2 else { return }
    let path = corners.map { "\(number($0.x)),\(number($0.y))" }.joined(separator: " ")
    elements.append(
      "<polygon points=\"\(path)\" fill=\"\(color)\" fill-opacity=\"\(number(opacity))\"/>")
  }

  /// A filled circle around (`x`, `y`).
  public mutating func circle(x: Double, y: Double, radius: Double, color: String) {
    elements.append(
      "<circle cx=\"\(number(x))\" cy=\"\(number(y))\" r=\"\(number(radius))\" fill=\"\(color)\"/>")
  }

  /// Text whose base line is at `y`; `anchor` is "start", "middle" or "end" at `x`; `angle` turns
  /// it about that place, in degrees clockwise.
  public mutating func text(
    _ text: String, x: Double, y: Double, size: Double = 12, anchor: String = "start",
    color: String = SVG.ink, angle: Double = 0
  ) {
    let turn =
      angle == 0 ? "" : " transform=\"rotate(\(number(angle)) \(number(x)) \(number(y)))\""
    elements.append(
      "<text x=\"\(number(x))\" y=\"\(number(y))\" font-size=\"\(number(size))\" "
        + "text-anchor=\"\(anchor)\" fill=\"\(color)\"\(turn)>\(escaped(text))</text>")
  }

  /// A drawing, proportions kept, centred in the square with its top left corner at (`x`, `y`).
  public mutating func sketch(
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

/// At most two decimals, none where they are zero.
public func number(_ value: Double) -> String {
  let text = String(format: "%.2f", value)
  var short = text[...]
  while short.last == "0" { short.removeLast() }
  if short.last == "." { short.removeLast() }
  return String(short)
}

/// The text with what XML reserves escaped.
func escaped(_ text: String) -> String {
  text.reduce(into: "") { result, character in
    switch character {
    case "&": result += "&amp;"
    case "<": result += "&lt;"
    case ">": result += "&gt;"
    case "\"": result += "&quot;"
    default: result.append(character)
    }
  }
}
