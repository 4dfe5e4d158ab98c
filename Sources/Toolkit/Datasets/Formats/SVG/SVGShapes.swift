internal import Ink

/// The lengths among an element's values.
struct SVGLengths {
  private let values: SVGValues
  private let viewport: SVGViewport
  private let fontSize: Double

  init(_ values: SVGValues, _ context: SVGPainter.Context) {
    (self.values, viewport, fontSize) = (values, context.viewport, context.style.fontSize)
  }

  /// The length of a property or attribute; nil if it is not set, or `auto`.
  ///
  /// - Throws: `FormatFault` for a length that is not read.
  subscript(key: String) -> Double? {
    get throws(FormatFault) {
      guard let text = values[key], text != "auto" else { return nil }
      return try length(text, key)
    }
  }

  /// Whether percentages have no meaning.
  var hasNoSize: Bool { viewport.diagonal == nil }

  /// The length in `text`, the value of `key`.
  func length(_ text: String, _ key: String) throws(FormatFault) -> Double {
    guard let length = SVGLength(text) else {
      throw FormatFault("\(key)=\"\(text.prefix(20))\" is not read; it should be a number")
    }
    let axis: SVGLength.Axis =
      switch key {
      case "x", "x1", "x2", "cx", "rx", "width": .x
      case "y", "y1", "y2", "cy", "ry", "height": .y
      default: .diagonal
      }
    guard let value = length.value(in: viewport, along: axis, fontSize: fontSize) else {
      throw FormatFault(
        length.unit == "%"
          ? "\(key)=\"\(text.prefix(20))\" is a percentage of an unknown size; add a viewBox"
          : "the unit of \(key)=\"\(text.prefix(20))\" is not read; use none")
    }
    return value
  }
}

/// The transform of an element, from `transform` and `transform-origin`.
enum SVGTransforms {
  static func own(
    _ values: SVGValues, _ context: SVGPainter.Context
  ) throws(FormatFault) -> Transform {
    for key in ["rotate", "scale", "translate"] where values[key].map({ $0 != "none" }) ?? false {
      throw FormatFault("the property \(key) is not read; use transform")
    }
    guard let text = values["transform"], text != "none" else { return .identity }
    let map = try SVGNotation(text, of: "transform").transform()
    guard let origin = values["transform-origin"] else { return map }
    if let box = values["transform-box"], box != "view-box" {
      throw FormatFault("transform-box: \(box.prefix(20)) is not read; use view-box")
    }
    return map.about(try Self.origin(origin, context))
  }

  /// The place of `transform-origin`: one or two lengths or sides, and a depth that is not used.
  private static func origin(
    _ text: String, _ context: SVGPainter.Context
  ) throws(FormatFault) -> Point {
    var words = text.split(separator: " ").prefix(2).map(String.init)
    if words.count == 1 { words.append("center") }
    // Sides may come in any order.
    if ["top", "bottom"].contains(words[0]) || ["left", "right"].contains(words[1]) {
      words.swapAt(0, 1)
    }
    let shares = ["left": "0%", "top": "0%", "center": "50%", "right": "100%", "bottom": "100%"]
    let lengths = SVGLengths(SVGValues(attributes: [:]), context)
    func coordinate(_ word: String, _ key: String) throws(FormatFault) -> Double {
      do throws(FormatFault) { return try lengths.length(shares[word] ?? word, key) } catch {
        throw FormatFault("transform-origin: \(error)")
      }
    }
    return Point(x: try coordinate(words[0], "x"), y: try coordinate(words[1], "y"))
  }
}

/// Draws the outline of a shape.
struct SVGShapes {
  let values: SVGValues
  let lengths: SVGLengths
  /// The fault in the shape's data, up to which it was drawn.
  private(set) var fault: FormatFault?
  /// The corners of a rectangle.
  private var corners: (lower: SVGOutline.Place, upper: SVGOutline.Place)?
  private var isWhole = false

  init(values: SVGValues, lengths: SVGLengths) {
    (self.values, self.lengths) = (values, lengths)
  }

  /// Draws a shape of SVG's, up to the first fault in its data.
  ///
  /// - Throws: `FormatFault` for a length that is not read, and for a limit.
  mutating func draw(_ name: String, on outline: inout SVGOutline) throws(FormatFault) {
    switch name {
    case "path": try drawPath(on: &outline)
    case "line":
      try outline.move(to: .init(try lengths["x1"] ?? 0, try lengths["y1"] ?? 0))
      try outline.line(to: .init(try lengths["x2"] ?? 0, try lengths["y2"] ?? 0))
    case "polyline", "polygon":
      let (numbers, fault) = SVGNotation(values[raw: "points"] ?? "", of: "points")
        .numbersUpToFault()
      self.fault = fault
      for index in stride(from: 0, to: numbers.count - 1, by: 2) {
        let place = SVGOutline.Place(numbers[index], numbers[index + 1])
        if index == 0 { try outline.move(to: place) } else { try outline.line(to: place) }
      }
      if name == "polygon", numbers.count >= 2 { try outline.close() }
    case "rect": try drawRectangle(on: &outline)
    case "circle", "ellipse":
      var (rx, ry) =
        name == "circle" ? (try lengths["r"], nil) : (try radius("rx"), try radius("ry"))
      // One radius alone is that of a circle.
      (rx, ry) = (rx ?? ry ?? 0, ry ?? rx ?? 0)
      guard let rx, let ry, rx > 0, ry > 0 else { return }
      try outline.ellipse(
        center: .init(try lengths["cx"] ?? 0, try lengths["cy"] ?? 0), radii: .init(rx, ry))
    default: break
    }
  }

  private mutating func drawPath(on outline: inout SVGOutline) throws(FormatFault) {
    guard var text = values[raw: "d"] else { return }
    // As style sheets write it.
    if text.hasPrefix("path(") { text = text.dropFirst(5).filter { !"\"')".contains($0) } }
    guard text.trimmed.lowercased() != "none" else { return }
    let first = outline.count
    fault = try SVGNotation(text, of: "d").draw(on: &outline)
    if let text = values[raw: "data-times"] {
      outline.setTimes(try SVGNotation(text, of: "data-times").numbers(), ofStrokeAt: first)
    }
  }

  /// A radius that may be automatic, which negative ones are as well.
  private func radius(_ key: String) throws(FormatFault) -> Double? {
    guard let value = try lengths[key], value >= 0 else { return nil }
    return value
  }

  private mutating func drawRectangle(on outline: inout SVGOutline) throws(FormatFault) {
    // All of a picture whose size is not known.
    isWhole =
      values["width"] == "100%" && values["height"] == "100%"
      && [nil, "0", "0%"].contains(values["x"]) && [nil, "0", "0%"].contains(values["y"])
    if isWhole, lengths.hasNoSize { return }
    let (x, y) = (try lengths["x"] ?? 0, try lengths["y"] ?? 0)
    let (width, height) = (try lengths["width"] ?? 0, try lengths["height"] ?? 0)
    guard width > 0, height > 0 else { return }
    let (right, bottom) = (x + width, y + height)
    corners = (.init(x, y), .init(right, bottom))
    let (wide, high) = (try radius("rx"), try radius("ry"))
    let rx = min(wide ?? high ?? 0, width / 2)
    let ry = min(high ?? wide ?? 0, height / 2)
    let isRound = rx > 0 && ry > 0
    try outline.move(to: .init(isRound ? x + rx : x, y))
    let turns: [(before: SVGOutline.Place, corner: SVGOutline.Place, after: SVGOutline.Place)] = [
      (.init(right - rx, y), .init(right, y), .init(right, y + ry)),
      (.init(right, bottom - ry), .init(right, bottom), .init(right - rx, bottom)),
      (.init(x + rx, bottom), .init(x, bottom), .init(x, bottom - ry)),
      (.init(x, y + ry), .init(x, y), .init(x + rx, y)),
    ]
    for (before, corner, after) in turns {
      guard isRound else {
        try outline.line(to: corner)
        continue
      }
      if before != outline.pen { try outline.line(to: before) }
      try outline.arc(
        radii: .init(rx, ry), degrees: 0, isLarge: false, isClockwise: true, to: after)
    }
    try outline.close()
  }

  /// Whether the shape is a rectangle, perhaps with round corners, that covers the picture.
  func coversAll(_ canvas: Drawing.Canvas?, _ transform: Transform) -> Bool {
    guard let (lower, upper) = corners else { return isWhole }
    let places = [lower, .init(upper.x, lower.y), upper, .init(lower.x, upper.y)]
    let outline = places.map { place in
      let place = transform.applied(to: place)
      return Point(x: place.x, y: place.y)
    }
    return SVGArea([outline], isEvenOdd: false)?.covers(canvas) == true
  }
}
