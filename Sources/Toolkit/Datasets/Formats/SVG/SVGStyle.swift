/// How an element is painted, and the style that its children inherit.
struct SVGStyle {
  var fill = SVGPaint.color(.black)
  var stroke = SVGPaint.none
  /// The value of `currentColor`.
  var color = SVGColor.black
  /// The product of the opacities of the element and those around it, in 0...1.
  var opacity = 1.0
  var fillOpacity = 1.0
  var strokeOpacity = 1.0
  /// In the element's own units.
  var strokeWidth = 1.0
  var fontSize = 16.0
  var isVisible = true
  /// Whether it, or an element around it, sets a fill or a stroke.
  var isPaintSet = false
  var isEvenOdd = false
  /// Whether a line without length is a dot.
  var hasCaps = false
  /// The dashes as written; nil for a whole line.
  var dashes: String?

  /// Whether its lines are painted.
  var strokes: Bool {
    isVisible && stroke != .none && strokeWidth > 0 && strokeOpacity * opacity > 0
  }
  /// Whether its areas are painted.
  var fills: Bool { isVisible && fill != .none && fillOpacity * opacity > 0 }

  /// The properties that style sheets may set: those for visibility and position.
  static let properties: Set = [
    "clip-path", "color", "cx", "cy", "d", "display", "fill", "fill-opacity", "fill-rule",
    "font-size", "height", "marker", "marker-end", "marker-mid", "marker-start", "mask", "opacity",
    "overflow", "r", "rotate", "rx", "ry", "scale", "stroke", "stroke-dasharray", "stroke-linecap",
    "stroke-opacity", "stroke-width", "transform", "transform-box", "transform-origin", "translate",
    "visibility", "width", "x", "y",
  ]
}

/// The values of an element's attributes and properties.
struct SVGValues {
  let attributes: [String: String]

  /// The unchanged text of an attribute.
  subscript(raw key: String) -> String? { attributes[key] }

  /// The value of a property, in lower case and with single spaces; nil if it is not set, or
  /// inherited.
  subscript(key: String) -> String? {
    guard var text = attributes[key]?.trimmed.lowercased() else { return nil }
    if text.hasSuffix("!important") { text = String(text.dropLast(10)).trimmed }
    return text == "inherit" || text == "unset" || text.isEmpty ? nil : text
  }
}

extension SVGStyle {
  /// The style of an element with `values` inside one with this style, or nil if neither it nor
  /// what is within it is displayed.
  ///
  /// A value that the property does not allow is as if it were not set.
  func inside(
    _ values: SVGValues, _ viewport: SVGViewport, isServer: (String) -> Bool
  ) -> SVGStyle? {
    var style = self
    guard values["display"] != "none" else { return nil }
    if let share = Self.share(values["opacity"]) { style.opacity *= share }
    guard style.opacity > 0 else { return nil }
    if let size = values["font-size"].flatMap({
      SVGLength($0)?.value(in: viewport, along: .fontSize(fontSize), fontSize: fontSize)
    }), size > 0 {
      style.fontSize = size
    }
    if let color = values["color"].flatMap(SVGColor.init) { style.color = color }
    if values["fill"] != nil || values["stroke"] != nil { style.isPaintSet = true }
    if let fill = values["fill"] {
      style.fill =
        SVGPaint(fill, written: values[raw: "fill"] ?? "", style.color, isServer) ?? style.fill
    }
    if let stroke = values["stroke"] {
      style.stroke =
        SVGPaint(stroke, written: values[raw: "stroke"] ?? "", style.color, isServer)
        ?? style.stroke
    }
    if let share = Self.share(values["fill-opacity"]) { style.fillOpacity = share }
    if let share = Self.share(values["stroke-opacity"]) { style.strokeOpacity = share }
    if let width = values["stroke-width"].flatMap({
      SVGLength($0)?.value(in: viewport, along: .diagonal, fontSize: style.fontSize)
    }) {
      style.strokeWidth = width
    }
    if let visibility = values["visibility"] {
      style.isVisible = visibility != "hidden" && visibility != "collapse"
    }
    if let rule = values["fill-rule"] { style.isEvenOdd = rule == "evenodd" }
    if let cap = values["stroke-linecap"] { style.hasCaps = cap == "round" || cap == "square" }
    if let dashes = values["stroke-dasharray"] { style.dashes = Self.dashes(dashes) }
    return style
  }

  /// A share in 0...1, as a number or a percentage; nil if it is neither.
  private static func share(_ text: String?) -> Double? {
    guard let text, let length = SVGLength(text), ["", "%"].contains(length.unit) else {
      return nil
    }
    return min(1, max(0, length.unit == "%" ? length.number / 100 : length.number))
  }

  /// Dashes, or nil where they leave no gaps.
  private static func dashes(_ text: String) -> String? {
    let numbers = text.split { $0 == "," || $0 == " " }.map { SVGLength(String($0))?.number ?? -1 }
    // The gaps are every second number, of a list of odd length those of two rounds.
    let gaps =
      numbers.count.isMultiple(of: 2)
      ? numbers.indices.filter { !$0.isMultiple(of: 2) }.map { numbers[$0] } : numbers
    let isValid = numbers.allSatisfy { $0 >= 0 } && numbers.contains { $0 > 0 }
    return isValid && gaps.contains { $0 > 0 } ? text : nil
  }
}
