public import Ink
public import Support

/// Reads the lines of SVG pictures as strokes.
///
/// What is drawn or filled is read: paths, lines, polylines, polygons, rectangles, circles and
/// ellipses, with the transforms of the groups around them; a filled shape is its outline, but a
/// rectangle over the whole canvas is paper. What is neither stroked nor filled, texts, pictures,
/// definitions and style sheets are left out. Copies (`use`) and pictures within the picture are
/// refused.
///
/// The label is that of `data-label` of the `svg` element, as `SVGWriter` writes it, and else given
/// by the caller; a path's `data-times` are its points' times, if it has as many.
///
/// Source: Scalable Vector Graphics 2, W3C, https://www.w3.org/TR/SVG2/.
public enum SVGDrawings {
  /// The drawing in `bytes`; errors name `path`.
  ///
  /// - Throws: `FileError` that names the line.
  public static func parse(_ bytes: [UInt8], path: String) throws(FileError) -> Drawing {
    var notes = ReadingNotes()
    return try parse(bytes, path: path, notes: &notes)
  }

  /// The drawing in `bytes`, with `notes` about what was not read; errors name `path`.
  ///
  /// - Throws: `FileError` that names the line.
  public static func parse(
    _ bytes: [UInt8], path: String, notes: inout ReadingNotes
  ) throws(FileError) -> Drawing {
    var reader = try XMLReader(bytes, path: path)
    var contents = Contents()
    while let part = try reader.next() {
      do throws(FormatFault) {
        switch part {
        case .start("style", _):
          notes.add("its style sheet is not read, so that hidden parts may be strokes")
          try contents.begin("style", [:])
        case .start(let name, let attributes): try contents.begin(name, attributes)
        case .end: contents.end()
        case .text: break
        }
      } catch { throw reader.fault(error.description) }
    }
    let strokes: [Stroke]
    do throws(FormatFault) { strokes = try contents.outline.strokes() } catch {
      throw FileError(reading: path, error.description)
    }
    guard !strokes.isEmpty else {
      throw FileError(reading: path, "no line is drawn in it; its shapes must be paths")
    }
    contents.drawing.strokes = strokes
    return contents.drawing
  }
}

/// What is known of a picture while it is read.
private struct Contents {
  var outline = SVGOutline()
  /// What is said of it, without strokes.
  var drawing = Drawing(strokes: [])
  /// The state inside each element that has begun and not ended; nil inside those left out.
  private var stack: [Style?] = []

  /// What elements inherit.
  private struct Style {
    var transform = Transform.identity
    var isStroked = false
    var isFilled = true
    var isVisible = true
    var strokeHasWidth = true
    /// Whether strokes and fills have some opacity.
    var strokeCovers = true
    var fillCovers = true

    var strokes: Bool { isVisible && isStroked && strokeHasWidth && strokeCovers }
    var fills: Bool { isVisible && isFilled && fillCovers }
  }

  mutating func begin(_ name: String, _ attributes: [String: String]) throws(FormatFault) {
    guard let outer = stack.last else {
      guard name == "svg" else {
        throw FormatFault("it is not SVG: its first element is \(name)")
      }
      try beginPicture(attributes)
      return
    }
    guard let outer, let style = try Self.style(attributes, inside: outer) else {
      stack.append(nil)
      return
    }
    switch name {
    case "g", "a", "switch":
      stack.append(style)
    case "svg", "use":
      throw FormatFault(
        "<\(name)> within the picture is not read; save it as 'plain SVG' with "
          + "clones unlinked")
    default:
      stack.append(nil)
      guard style.strokes || style.fills else { return }
      outline.transform = style.transform
      try draw(name, attributes, style)
    }
  }

  mutating func end() { stack.removeLast() }

  private mutating func beginPicture(_ attributes: [String: String]) throws(FormatFault) {
    guard var style = try Self.style(attributes, inside: Style()) else {
      stack.append(nil)
      return
    }
    do throws(InkError) {
      try drawing.setNames(
        id: attributes["data-id"] ?? "", label: attributes["data-label"])
    } catch { throw FormatFault(error.description) }
    func length(_ key: String) throws(FormatFault) -> Double? {
      try attributes[key].flatMap { text throws(FormatFault) in
        try SVGNotation(text, of: key).length()
      }
    }
    if let text = attributes["viewBox"] {
      let box = try SVGNotation(text, of: "viewBox").numbers()
      guard box.count == 4, box[2] > 0, box[3] > 0 else {
        throw FormatFault("viewBox should be four numbers, the last two above 0")
      }
      drawing.canvas = .init(width: box[2], height: box[3])
      style.transform = style.transform.then(.translation(x: -box[0], y: -box[1]))
    } else if let width = try length("width"), let height = try length("height"),
      width > 0, height > 0
    {
      drawing.canvas = .init(width: width, height: height)
    }
    stack.append(style)
  }

  // MARK: Shapes

  /// Whether a rectangle covers the whole canvas: paper, not a line.
  private func isBackground(
    _ x: Double, _ y: Double, _ width: Double, _ height: Double
  ) -> Bool {
    guard let canvas = drawing.canvas else { return false }
    let first = outline.transform.applied(to: .init(x, y))
    let last = outline.transform.applied(to: .init(x + width, y + height))
    return first.x <= 0 && first.y <= 0 && last.x >= canvas.width && last.y >= canvas.height
  }

  private mutating func draw(
    _ name: String, _ attributes: [String: String], _ style: Style
  ) throws(FormatFault) {
    func number(_ key: String) throws(FormatFault) -> Double {
      guard let text = attributes[key] else { return 0 }
      let length = try SVGNotation(text, of: key).length()
      guard let length else {
        throw FormatFault("the unit of \(key)=\"\(text.prefix(20))\" is not read; use none")
      }
      return length
    }
    switch name {
    case "path":
      guard let text = attributes["d"] else { return }
      let first = outline.count
      try SVGNotation(text, of: "d").draw(on: &outline)
      if let text = attributes["data-times"] {
        outline.setTimes(
          try SVGNotation(text, of: "data-times").numbers(), ofStrokeAt: first)
      }
    case "line":
      try outline.move(to: .init(try number("x1"), try number("y1")))
      try outline.line(to: .init(try number("x2"), try number("y2")))
    case "polyline", "polygon":
      let values = try SVGNotation(attributes["points"] ?? "", of: "points").numbers()
      for index in stride(from: 0, to: values.count - 1, by: 2) {
        let place = SVGOutline.Place(values[index], values[index + 1])
        if index == 0 { try outline.move(to: place) } else { try outline.line(to: place) }
      }
      if name == "polygon", values.count >= 2 { try outline.close() }
    case "rect":
      guard attributes["width"] != "100%" || attributes["height"] != "100%" else { return }
      let (x, y) = (try number("x"), try number("y"))
      let (width, height) = (try number("width"), try number("height"))
      guard width > 0, height > 0 else { return }
      var (rx, ry) = (try number("rx"), try number("ry"))
      if attributes["rx"] == nil { rx = ry }
      if attributes["ry"] == nil { ry = rx }
      if isBackground(x, y, width, height), !style.strokes { return }
      try drawRectangle(x, y, width, height, min(rx, width / 2), min(ry, height / 2))
    case "circle", "ellipse":
      let r = try number("r")
      let radii =
        name == "circle" ? SVGOutline.Place(r, r) : .init(try number("rx"), try number("ry"))
      guard radii.x > 0, radii.y > 0 else { return }
      try outline.ellipse(center: .init(try number("cx"), try number("cy")), radii: radii)
    default: break
    }
  }

  private mutating func drawRectangle(
    _ x: Double, _ y: Double, _ width: Double, _ height: Double, _ rx: Double, _ ry: Double
  ) throws(FormatFault) {
    let (right, bottom) = (x + width, y + height)
    try outline.move(to: .init(x + rx, y))
    let corners: [(before: SVGOutline.Place, after: SVGOutline.Place)] = [
      (.init(right - rx, y), .init(right, y + ry)),
      (.init(right, bottom - ry), .init(right - rx, bottom)),
      (.init(x + rx, bottom), .init(x, bottom - ry)),
      (.init(x, y + ry), .init(x + rx, y)),
    ]
    for (before, after) in corners {
      if before != outline.pen { try outline.line(to: before) }
      guard rx > 0, ry > 0 else { continue }
      try outline.arc(
        radii: .init(rx, ry), degrees: 0, isLarge: false, isClockwise: true, to: after)
    }
    try outline.close()
  }

  // MARK: Attributes

  /// The style inside an element; nil if it is not displayed.
  private static func style(
    _ attributes: [String: String], inside outer: Style
  ) throws(FormatFault) -> Style? {
    var style = outer
    var declared: [String: String] = [:]
    for declaration in (attributes["style"] ?? "").split(separator: ";") {
      let parts = declaration.split(separator: ":", maxSplits: 1)
      guard parts.count == 2 else { continue }
      declared[trimmed(parts[0]).lowercased()] = trimmed(parts[1])
    }
    /// The value of a property, in lower case; nil if it is inherited.
    func value(_ key: String) -> String? {
      guard var text = declared[key] ?? attributes[key] else { return nil }
      text = trimmed(text[...]).lowercased()
      if text.hasSuffix("!important") { text = trimmed(text.dropLast(10)) }
      return text == "inherit" ? nil : text
    }
    guard value("display") != "none", value("opacity").map(isZero) != true else { return nil }
    if var text = declared["transform"] ?? attributes["transform"], value("transform") != "none" {
      // Units belong to style sheets; the attribute has none.
      for word in ["!important", "px", "deg"] { text = text.replacing(word, with: "") }
      let own = try SVGNotation(text, of: "transform").transform()
      style.transform = own.then(outer.transform)
    }
    if let stroke = value("stroke") { style.isStroked = isPaint(stroke) }
    if let fill = value("fill") { style.isFilled = isPaint(fill) }
    if let visibility = value("visibility") {
      style.isVisible = visibility != "hidden" && visibility != "collapse"
    }
    if let width = value("stroke-width") { style.strokeHasWidth = !isZero(width) }
    if let share = value("stroke-opacity") { style.strokeCovers = !isZero(share) }
    if let share = value("fill-opacity") { style.fillCovers = !isZero(share) }
    return style
  }

  /// Whether a color, in lower case, covers what is below it.
  private static func isPaint(_ text: String) -> Bool {
    if text.hasPrefix("#"), text.count == 5 || text.count == 9 {
      return text.suffix(text.count / 4).contains { $0 != "0" }
    }
    if text.hasPrefix("rgb") || text.hasPrefix("hsl"), text.hasSuffix(")") {
      let parts = text.dropLast().split { $0 == "," || $0 == "/" }
      return !(parts.count == 4 || text.contains("/")) || !isZero(trimmed(parts[parts.count - 1]))
    }
    return text != "none" && text != "transparent"
  }

  /// Whether a number, with or without a unit, is 0.
  private static func isZero(_ text: String) -> Bool {
    let number = text.prefix { $0.isNumber || "+-.".contains($0) }
    return number.contains("0") && number.allSatisfy { "+-.0".contains($0) }
  }

  private static func trimmed(_ text: Substring) -> String {
    text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }
}
