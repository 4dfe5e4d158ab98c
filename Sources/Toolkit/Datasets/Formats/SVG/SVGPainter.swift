internal import Ink
internal import Text

/// Walks through the elements of a document in the order in which they are painted, and collects
/// the outlines of its shapes.
struct SVGPainter {
  let document: SVGDocument
  var notes: ReadingNotes
  private(set) var outline = SVGOutline()
  private(set) var shapes: [SVGShape] = []
  private(set) var clips: [SVGClip] = []
  /// What is said of the picture, without strokes.
  private(set) var drawing = Drawing(strokes: [])
  /// Whether DrawML wrote the picture: see `SVGWriter`.
  private(set) var isOwn = false
  /// The line of the element painted last.
  private(set) var line = 1
  /// The first fault in the data of a path, which is drawn up to there.
  private(set) var firstFault: String?
  private var work: SVGWork
  /// The elements that are being copied.
  private var copied: [Int] = []

  /// What an element hands on to those within it.
  struct Context {
    var style = SVGStyle()
    /// The map to the picture's coordinates.
    var transform = Transform.identity
    var viewport = SVGViewport()
    /// The index of what it is clipped to.
    var clip: Int?
    var depth = 0
  }

  /// The maximum depth of elements, copies included.
  private static let mostDepth = 256
  private static let mostClips = 1 << 12

  init(_ document: SVGDocument, _ notes: ReadingNotes, _ work: SVGWork) {
    (self.document, self.notes, self.work) = (document, notes, work)
  }

  /// Paints the whole picture.
  mutating func paint() throws(FormatFault) {
    let values = try begin(0)
    isOwn = values[raw: "data-id"] != nil
    do throws(InkError) {
      try drawing.setNames(id: values[raw: "data-id"] ?? "", label: values[raw: "data-label"])
    } catch { throw FormatFault(error.description) }
    var context = Context()
    func length(_ key: String) -> Double? {
      values[key].flatMap { SVGLength($0)?.value(in: SVGViewport(), along: .x, fontSize: 16) }
    }
    let size = SVGViewport(width: length("width"), height: length("height")).known
    /// The corners of what is shown, in the picture's coordinates.
    var shown: (lower: SIMD2<Double>, upper: SIMD2<Double>)?
    var map = Transform.identity
    if let text = values[raw: "viewBox"] {
      let box = try SVGViewBox(text)
      map = .translation(x: -box.x, y: -box.y)
      (drawing.canvas, context.viewport) = (.init(width: box.width, height: box.height), .init(box))
      shown = (.zero, SIMD2(box.width, box.height))
      if let size {
        // A viewport of another shape shows more of the plane, or less, or stretches it.
        let fitted = box.fitted(to: size, values[raw: "preserveAspectRatio"])
        if abs(fitted.a - fitted.d) > 1e-9 * max(fitted.a, fitted.d) {
          (map, drawing.canvas) = (fitted, .init(width: size.x, height: size.y))
          shown = (.zero, size)
        } else {
          let lower = -(SIMD2(fitted.x, fitted.y) / fitted.a + SIMD2(box.x, box.y))
          shown = (lower, lower + size / fitted.a)
        }
      }
    } else if let size {
      drawing.canvas = .init(width: size.x, height: size.y)
      context.viewport = SVGViewport(width: size.x, height: size.y)
      shown = (.zero, size)
    }
    guard try enter(values, &context) else { return }
    context.transform = context.transform.then(map)
    if let shown, !isOwn, values["overflow"] != "visible" {
      clip(&context, shown.lower, shown.upper, .identity)
    }
    try paintChildren(of: 0, context)
  }

  /// Begins an element, and counts the work for it.
  private mutating func begin(_ index: Int) throws(FormatFault) -> SVGValues {
    let element = document.elements[index]
    line = element.line
    try work.spend(64 + element.attributes.values.reduce(0) { $0 + $1.utf8.count })
    return SVGValues(attributes: element.attributes)
  }

  /// Makes the context that of an element itself; false if it is not displayed.
  private mutating func enter(
    _ values: SVGValues, _ context: inout Context
  ) throws(FormatFault) -> Bool {
    guard Self.applies(values),
      let style = context.style.inside(values, context.viewport, isServer: isServer)
    else { return false }
    context.style = style
    context.depth += 1
    guard context.depth <= Self.mostDepth else {
      throw FormatFault(
        "its elements nest more than \(Self.mostDepth) deep with their copies", isLimit: true)
    }
    context.transform = try SVGTransforms.own(values, context).then(context.transform)
    try clip(&context, to: values)
    if ["marker", "marker-start", "marker-mid", "marker-end"].contains(where: {
      values[$0].map { $0 != "none" } ?? false
    }) {
      notes.add("its markers, such as arrow heads, are left out")
    }
    return true
  }

  /// Whether an element is meant for programs like this one: SVG's conditional attributes.
  private static func applies(_ values: SVGValues) -> Bool {
    guard values[raw: "requiredExtensions"] == nil else { return false }
    guard let languages = values[raw: "systemLanguage"] else { return true }
    return languages.split(separator: ",").contains {
      let language = $0.trimmed.lowercased()
      return language == "en" || language.hasPrefix("en-")
    }
  }

  /// Whether an id is that of a gradient or pattern that paints something.
  private func isServer(_ id: String) -> Bool {
    guard let index = document.indexOfID[id] else { return false }
    let element = document.elements[index]
    return ["linearGradient", "radialGradient", "pattern"].contains(element.name)
      && (element.end > index + 1 || element.attributes["href"] != nil)
  }

  // MARK: Elements

  private mutating func paintChildren(of index: Int, _ context: Context) throws(FormatFault) {
    for child in document.children(of: index) { try paint(child, context) }
  }

  private mutating func paint(_ index: Int, _ outer: Context) throws(FormatFault) {
    let name = document.elements[index].name
    guard Self.painted.contains(name) else { return }
    let values = try begin(index)
    var context = outer
    guard try enter(values, &context) else { return }
    switch name {
    case "g", "a": try paintChildren(of: index, context)
    case "switch":
      let chosen = document.children(of: index).first { child in
        let element = document.elements[child]
        return Self.painted.contains(element.name)
          && Self.applies(SVGValues(attributes: element.attributes))
      }
      if let chosen { try paint(chosen, context) }
    case "svg": try paintPicture(index, values, context)
    case "use": try paintCopy(index, values, context)
    case "text", "foreignObject":
      if context.style.isVisible { notes.add("its texts are left out") }
    case "image":
      if context.style.isVisible { notes.add("its pictures of pixels are left out") }
    default: try paintShape(name, values, context)
    }
  }

  private static let painted: Set = [
    "a", "circle", "ellipse", "foreignObject", "g", "image", "line", "path", "polygon", "polyline",
    "rect", "svg", "switch", "text", "use",
  ]

  /// Paints a picture within the picture, or a symbol, in a viewport of the given or its own size.
  private mutating func paintPicture(
    _ index: Int, _ values: SVGValues, _ outer: Context, size: (String?, String?) = (nil, nil)
  ) throws(FormatFault) {
    var context = outer
    let lengths = SVGLengths(values, context)
    /// A size, by default all of the viewport around; nil if that is not known.
    func side(_ given: String?, _ key: String, _ whole: Double?) throws(FormatFault) -> Double? {
      if let given, given != "auto" { return try lengths.length(given, key) }
      guard let own = values[key], own != "auto", own != "100%" else { return whole }
      return try lengths.length(own, key)
    }
    var width = try side(size.0, "width", context.viewport.width)
    var height = try side(size.1, "height", context.viewport.height)
    let offset = Transform.translation(x: try lengths["x"] ?? 0, y: try lengths["y"] ?? 0)
    context.transform = offset.then(context.transform)
    let box = try values[raw: "viewBox"].map { text throws(FormatFault) in try SVGViewBox(text) }
    (width, height) = (width ?? box?.width, height ?? box?.height)
    context.viewport = SVGViewport(width: width, height: height)
    if let width, let height {
      guard let size = context.viewport.known else { return }
      if values["overflow"] != "visible" {
        clip(&context, .zero, SIMD2(width, height), context.transform)
      }
      if let box {
        context.transform = box.fitted(to: size, values[raw: "preserveAspectRatio"])
          .then(context.transform)
        context.viewport = SVGViewport(box)
      }
    }
    try paintChildren(of: index, context)
  }

  /// Paints what a `use` refers to.
  private mutating func paintCopy(
    _ index: Int, _ values: SVGValues, _ outer: Context
  ) throws(FormatFault) {
    guard let reference = values[raw: "href"]?.trimmed, reference.hasPrefix("#"),
      let original = document.indexOfID[String(reference.dropFirst())]
    else { return notes.add("copies (use) of elements outside the file are left out") }
    let isWithin = (original..<document.elements[original].end).contains(index)
    guard !isWithin, !copied.contains(original) else {
      return notes.add("copies (use) of elements that contain them are left out")
    }
    copied.append(original)
    defer { copied.removeLast() }
    var context = outer
    let lengths = SVGLengths(values, context)
    context.transform = Transform.translation(x: try lengths["x"] ?? 0, y: try lengths["y"] ?? 0)
      .then(context.transform)
    let name = document.elements[original].name
    guard name == "symbol" || name == "svg" else { return try paint(original, context) }
    let own = try begin(original)
    guard try enter(own, &context) else { return }
    try paintPicture(original, own, context, size: (values["width"], values["height"]))
  }

  private mutating func paintShape(
    _ name: String, _ values: SVGValues, _ context: Context
  ) throws(FormatFault) {
    let style = context.style
    // A line has no area.
    let fill = style.fills && name != "line" ? style.fill : .none
    guard style.strokes || fill != .none else { return }
    outline.transform = context.transform
    outline.beginShape()
    let map = context.transform
    var shape = SVGShape(
      stroke: style.strokes ? style.stroke : .none, fill: fill,
      strokeOpacity: style.strokeOpacity * style.opacity,
      fillOpacity: style.fillOpacity * style.opacity,
      width: style.strokeWidth * abs(map.a * map.d - map.b * map.c).squareRoot(),
      hasCaps: style.hasCaps, isEvenOdd: style.isEvenOdd, dashes: style.dashes,
      clip: context.clip, isBare: !style.isPaintSet, coversAll: false)
    if shape.dashes != nil, shape.stroke != .none {
      // Dashes as long as the path are how animations draw it.
      let length = values["pathLength"].flatMap { SVGLength($0)?.number } ?? .infinity
      let first = style.dashes?.split { $0 == "," || $0 == " " }.first.flatMap {
        SVGLength(String($0))?.number
      }
      if (first ?? 0) < length {
        notes.add("its dashed lines, such as guides, are read as whole lines")
      } else {
        shape.dashes = nil
      }
    }
    var shapeReader = SVGShapes(values: values, lengths: SVGLengths(values, context))
    try shapeReader.draw(name, on: &outline)
    shape.coversAll = shapeReader.coversAll(drawing.canvas, context.transform)
    shapes.append(shape)
    if let fault = shapeReader.fault {
      let text = "line \(line): \(fault)"
      firstFault = firstFault ?? text
      notes.add(text + "; the part before it is read")
    }
  }

  // MARK: Clips

  private mutating func clip(
    _ context: inout Context, _ lower: SIMD2<Double>, _ upper: SIMD2<Double>, _ map: Transform
  ) {
    let outer = context.clip.map { clips[$0] }
    let clip = SVGClip(lower, upper, map, within: outer)
    guard clips.count < Self.mostClips, clip.sideCount <= SVGClip.mostSides else {
      return notes.add("not all of its clips are applied")
    }
    context.clip = clips.count
    clips.append(clip)
  }

  /// Clips to what `clip-path` refers to, if that is a rectangle.
  private mutating func clip(
    _ context: inout Context, to values: SVGValues
  ) throws(FormatFault) {
    if let mask = values["mask"], mask != "none" { notes.add("its masks are not applied") }
    guard let text = values["clip-path"], text != "none" else { return }
    let note = "its clips are not applied unless they are rectangles"
    let reference = (values[raw: "clip-path"] ?? "").trimmed.dropFirst(4).dropLast()
      .filter { $0 != "\"" && $0 != "'" }
    guard text.hasPrefix("url("), reference.hasPrefix("#") else { return notes.add(note) }
    guard let index = document.indexOfID[String(reference.dropFirst())],
      document.elements[index].name == "clipPath"
    else { return }
    let whole = SVGValues(attributes: document.elements[index].attributes)
    let parts = Array(document.children(of: index).prefix(2))
    guard parts.count == 1, document.elements[parts[0]].name == "rect",
      whole["clipPathUnits"] != "objectboundingbox"
    else { return notes.add(note) }
    let rectangle = SVGValues(attributes: document.elements[parts[0]].attributes)
    let lengths = SVGLengths(rectangle, context)
    let corner = SIMD2(try lengths["x"] ?? 0, try lengths["y"] ?? 0)
    let size = SIMD2(try lengths["width"] ?? 0, try lengths["height"] ?? 0)
    guard size.x > 0, size.y > 0 else { return notes.add(note) }
    let map = try SVGTransforms.own(rectangle, context).then(SVGTransforms.own(whole, context))
    clip(&context, corner, corner + size, map.then(context.transform))
  }
}
