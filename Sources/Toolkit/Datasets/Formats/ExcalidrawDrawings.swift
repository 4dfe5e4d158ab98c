public import Files
public import Ink
internal import JSON

/// Reads the drawings of Excalidraw.
///
/// A file is one drawing of many shapes, without a label. A `freedraw` element is a stroke; lines,
/// arrows, rectangles, diamonds and ellipses are their outlines, with their rotation, in the order
/// of the file, which is from back to front. Left out is what is deleted or cannot be seen, and
/// frames; texts, pictures and web pages are passed over and told. In a library
/// (`.excalidrawlib`) each item is a drawing, its name the label.
///
/// Source: "JSON Schema", https://docs.excalidraw.com/docs/codebase/json-schema.
public enum ExcalidrawDrawings {
  /// The drawings in `bytes`: one without an id, or those of a library, with ids made of `path` and
  /// their number. Errors name `path`.
  ///
  /// - Throws: `FileError` that names the element.
  public static func parse(
    _ bytes: [UInt8], path: String, notes: inout ReadingNotes
  ) throws(FileError) -> [Drawing] {
    try JSONDocument.read(bytes, path: path) { root throws(FormatFault) in
      try drawings(of: root, path: path, notes: &notes)
    }
  }

  private static func drawings(
    of root: JSONValue, path: String, notes: inout ReadingNotes
  ) throws(FormatFault) -> [Drawing] {
    let kind = try root.member("type", as: String.self) ?? ""
    var passedOver = PassedOver()
    var ink = DiagramInk()
    var drawings: [Drawing] = []
    if kind == "excalidrawlib" {
      // In version 1, items are lists of elements.
      let items = try root.list(root["libraryItems"] == nil ? "library" : "libraryItems")
      for (index, item) in items.enumerated() {
        let elements: [JSONValue]
        var name: String?
        if let list = item.elements {
          elements = list
        } else {
          (elements, name) = (try item.list("elements"), try item.member("name"))
        }
        try draw(elements, on: &ink, paper: "#ffffff", &passedOver)
        var drawing = Drawing(strokes: ink.takeStrokes())
        guard !drawing.strokes.isEmpty else { continue }
        do throws(InkError) {
          try drawing.setNames(id: DatasetFormat.id(of: index + 1, in: path), label: name)
        } catch { throw FormatFault(error.description) }
        drawings.append(drawing)
      }
    } else {
      guard kind.hasPrefix("excalidraw") else {
        throw FormatFault("it is not an Excalidraw file: its type is not \"excalidraw\"")
      }
      let paper = try root["appState"]?.member("viewBackgroundColor", as: String.self)
      try draw(root.list("elements"), on: &ink, paper: paper ?? "#ffffff", &passedOver)
      let strokes = ink.takeStrokes()
      if !strokes.isEmpty { drawings.append(Drawing(strokes: strokes)) }
    }
    passedOver.tell(&notes)
    guard !drawings.isEmpty else { throw FormatFault("it has no line or shape") }
    return drawings
  }

  private static func draw(
    _ elements: [JSONValue], on ink: inout DiagramInk, paper: String,
    _ passedOver: inout PassedOver
  ) throws(FormatFault) {
    for element in elements {
      guard try element.member("isDeleted", as: Bool.self) != true else { continue }
      let kind = try element.member("type", as: String.self) ?? ""
      switch kind {
      case "text": passedOver.add("text")
      case "image": passedOver.add("image")
      case "iframe", "embeddable": passedOver.add("web page")
      case "frame", "magicframe", "selection": break
      default:
        guard try isSeen(element, on: paper) else { continue }
        try draw(element, kind, &ink, &passedOver)
      }
    }
  }

  /// Whether an element's line or fill differs from what is below it.
  private static func isSeen(
    _ element: JSONValue, on paper: String
  ) throws(FormatFault) -> Bool {
    guard try element.member("opacity", as: Double.self) != 0 else { return false }
    func isClear(_ color: String) -> Bool {
      let alpha = color.hasPrefix("#") && [5, 9].contains(color.utf8.count)
      return color == "transparent" || color.lowercased() == paper.lowercased()
        || alpha && color.suffix(color.utf8.count / 4).allSatisfy { $0 == "0" }
    }
    let stroke = try element.member("strokeColor", as: String.self) ?? "#000000"
    let fill = try element.member("backgroundColor", as: String.self) ?? "transparent"
    return !isClear(stroke) || !isClear(fill)
  }

  // MARK: Shapes

  private typealias Place = SIMD2<Double>

  private static func draw(
    _ element: JSONValue, _ kind: String, _ ink: inout DiagramInk, _ passedOver: inout PassedOver
  ) throws(FormatFault) {
    // Older files have words instead of a kind of rounding.
    let isOldRound = try element.member("strokeSharpness", as: String.self) == "round"
    let isRound = element["roundness"].map { $0.members != nil } ?? isOldRound
    var lines: [[Place]]
    switch kind {
    case "freedraw", "draw": lines = [try points(of: element)]
    case "line", "arrow":
      var points = try points(of: element)
      if isRound, try element.member("elbowed", as: Bool.self) != true {
        points = DiagramOutline.curve(through: points)
      }
      lines = [points]
      for (key, shaft) in [("endArrowhead", points), ("startArrowhead", points.reversed())] {
        guard let head = try element.member(key, as: String.self) else { continue }
        lines.append(
          DiagramOutline.arrowhead(head, of: shaft, size: head == "arrow" ? 30 : 15))
      }
    case "rectangle", "diamond", "ellipse":
      let (width, height) = (
        try element.required("width", as: Double.self),
        try element.required("height", as: Double.self)
      )
      let size = Place(width, height)
      let corners = [
        Place(width / 2, 0), Place(width, height / 2), Place(width / 2, height),
        Place(0, height / 2),
      ]
      // A quarter of the shorter side, for the newer rectangles at most 32.
      let quarter = min(abs(width), abs(height)) / 4
      let isAdaptive = try element["roundness"]?.member("type", as: Double.self) == 3
      let radius = isRound ? (isAdaptive ? min(quarter, 32) : quarter) : 0
      lines = [
        kind == "ellipse"
          ? DiagramOutline.ellipse(size)
          : kind == "diamond"
            ? DiagramOutline.polygon(corners)
            : DiagramOutline.rounded(
              Array(DiagramOutline.rectangle(size).dropLast()), radius: radius)
      ]
    default:
      passedOver.add("unknown element")
      return
    }
    let place = try element.place
    var transform = Transform.identity
    // About the middle of the shape itself, without the heads of arrows.
    if let angle = try element.member("angle", as: Double.self), angle != 0,
      let box = DiagramOutline.box(of: lines[0])
    {
      let center = (box.lower + box.upper) / 2
      transform = Transform.rotation(angle).about(Point(x: center.x, y: center.y))
    }
    for line in lines { try ink.add(line, transform.then(.translation(x: place.x, y: place.y))) }
  }

  /// The places of a line, in the element's coordinates.
  private static func points(of element: JSONValue) throws(FormatFault) -> [Place] {
    try element.list("points").map { point throws(FormatFault) in try point.pair }
  }
}
