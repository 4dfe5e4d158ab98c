public import Files
public import Ink
internal import JSON

/// Reads the drawings of tldraw's files (`.tldr`), version 2 and newer.
///
/// Each page is a drawing of many shapes, without a label. A `draw` or `highlight` shape is a
/// stroke; lines, arrows and geometric shapes are their outlines, placed and turned as the groups
/// and frames around them say, from back to front. An arrow that is bound to shapes ends at their
/// outlines. Frames are paper; texts, notes, pictures and web pages are passed over and told.
///
/// Source: the published types of tldraw's npm package `@tldraw/tlschema`,
/// https://tldraw.dev/reference/tlschema/TLShape.
public enum TldrawDrawings {
  /// The drawings in `bytes`, one for each page with ink, with ids made of `path` and the page's
  /// number. Errors name `path`.
  ///
  /// - Throws: `FileError` that names the record.
  public static func parse(
    _ bytes: [UInt8], path: String, notes: inout ReadingNotes
  ) throws(FileError) -> [Drawing] {
    try JSONDocument.read(bytes, path: path) { root throws(FormatFault) in
      var document = TldrawDocument(try records(of: root))
      try document.read()
      var drawings: [Drawing] = []
      var ink = DiagramInk()
      for (index, page) in document.pages.enumerated() {
        try document.draw(page, on: &ink)
        let strokes = ink.takeStrokes()
        guard !strokes.isEmpty else { continue }
        drawings.append(Drawing(id: DatasetFormat.id(of: index + 1, in: path), strokes: strokes))
      }
      document.passedOver.tell(&notes)
      guard !drawings.isEmpty else { throw FormatFault("it has no line or shape") }
      return drawings
    }
  }

  /// The records of a file, or of a snapshot, whose members they are.
  private static func records(of root: JSONValue) throws(FormatFault) -> [JSONValue] {
    if let records = root["records"]?.elements { return records }
    let snapshot = root["document"] ?? root
    if let records = snapshot["store"]?.members { return records.map(\.value) }
    guard root["document"]?["pages"] == nil else {
      throw FormatFault(
        "it is of the first version of tldraw; open it at tldraw.com and save it again")
    }
    throw FormatFault("it is not a tldraw file: it has no records")
  }
}

/// The shapes of a file of tldraw.
private struct TldrawDocument {
  typealias Place = SIMD2<Double>

  /// The ids of the pages, in their order.
  private(set) var pages: [String] = []
  private(set) var passedOver = PassedOver()
  private let records: [JSONValue]
  private var shapes: [String: TldrawShape] = [:]
  /// The ids of the shapes directly in each page, frame and group, from back to front.
  private var children: [String: [String]] = [:]
  /// What the ends of arrows are bound to, by the arrow's id and the name of the end.
  private var bindings: [String: [String: JSONValue]] = [:]
  /// The map from the coordinates of each shape of the current page to the page's.
  private var transforms: [String: Transform] = [:]
  private static let mostDepth = 128

  init(_ records: [JSONValue]) { self.records = records }

  mutating func read() throws(FormatFault) {
    var indexOfPage: [String: String] = [:]
    for record in records {
      switch try record.member("typeName", as: String.self) {
      case "page":
        indexOfPage[try record.required("id")] = try record.member("index") ?? ""
      case "shape":
        let shape = try TldrawShape(record)
        shapes[shape.id] = shape
      case "binding":
        let arrow: String = try record.required("fromId")
        if let end = try record["props"]?.member("terminal", as: String.self) {
          bindings[arrow, default: [:]][end] = record
        }
      default: break
      }
    }
    // Indices compare by their characters' codes.
    func precedes(_ a: (index: String, id: String), _ b: (index: String, id: String)) -> Bool {
      a.index == b.index
        ? a.id.utf8.lexicographicallyPrecedes(b.id.utf8)
        : a.index.utf8.lexicographicallyPrecedes(b.index.utf8)
    }
    pages = indexOfPage.map { (index: $0.value, id: $0.key) }.sorted(by: precedes).map(\.id)
    for shape in shapes.values { children[shape.parent, default: []].append(shape.id) }
    for (parent, ids) in children {
      children[parent] = ids.map { (index: shapes[$0]?.index ?? "", id: $0) }
        .sorted(by: precedes).map(\.id)
    }
  }

  /// Draws what is on a page.
  mutating func draw(_ page: String, on ink: inout DiagramInk) throws(FormatFault) {
    transforms = [:]
    var order: [TldrawShape] = []
    try place(children[page] ?? [], inside: .identity, depth: 0, &order)
    for shape in order {
      guard let transform = transforms[shape.id] else { continue }
      if shape.kind == "arrow" {
        for line in try arrow(shape) { try ink.add(line) }
      } else {
        for line in try shape.lines() ?? [] { try ink.add(line, transform) }
      }
      if let what = try shape.leftOut { passedOver.add(what) }
    }
  }

  /// Finds where shapes and those in them lie, and their order.
  private mutating func place(
    _ ids: [String], inside outer: Transform, depth: Int, _ order: inout [TldrawShape]
  ) throws(FormatFault) {
    guard depth < Self.mostDepth else {
      throw FormatFault("its groups nest more than \(Self.mostDepth) deep")
    }
    for id in ids {
      guard let shape = shapes[id], shape.isSeen else { continue }
      let transform = shape.transform.then(outer)
      transforms[id] = transform
      order.append(shape)
      try place(children[id] ?? [], inside: transform, depth: depth + 1, &order)
    }
  }

  // MARK: Arrows

  /// An arrow's shaft and heads, in the page's coordinates.
  private func arrow(_ shape: TldrawShape) throws(FormatFault) -> [[Place]] {
    let (start, end) = (try terminal("start", of: shape), try terminal("end", of: shape))
    guard let start, let end else { return [] }
    var shaft = [start.place, end.place]
    if let bend = try shape.properties.member("bend", as: Double.self), bend != 0,
      start.place != end.place
    {
      // To the left of the arrow's direction, where y grows downwards, for positive numbers.
      let along = (end.place - start.place) / DiagramOutline.distance(start.place, end.place)
      let middle = (start.place + end.place) / 2 + bend * Place(-along.y, along.x)
      shaft = DiagramOutline.arc(from: start.place, by: middle, to: end.place)
    }
    if let outline = end.outline { shaft = Self.cut(shaft, at: outline) }
    if let outline = start.outline { shaft = Self.cut(shaft.reversed(), at: outline).reversed() }
    var lines = [shaft]
    for (key, line) in [("arrowheadEnd", shaft), ("arrowheadStart", shaft.reversed())] {
      guard let head = try shape.properties.member(key, as: String.self), head != "none" else {
        continue
      }
      lines.append(DiagramOutline.arrowhead(head, of: line, size: 5 * (try shape.penWidth)))
    }
    return lines
  }

  /// Where an arrow's end is, and the outline of the shape at which it stops; nil if the shape that
  /// it is bound to is not on the page.
  private func terminal(
    _ name: String, of arrow: TldrawShape
  ) throws(FormatFault) -> (place: Place, outline: [Place]?)? {
    guard let transform = transforms[arrow.id] else { return nil }
    let given = try arrow.properties.member(name, as: JSONPlace.self)
    // Until 2024 an arrow's own record had its bindings.
    let old = arrow.properties[name]
    let binding = bindings[arrow.id]?[name]
    let oldTarget = try old?.member("boundShapeId", as: String.self)
    guard let target = try binding?.required("toId", as: String.self) ?? oldTarget else {
      return given?.place.map { (transform.applied(to: $0), nil) }
    }
    guard let shape = shapes[target], let map = transforms[target], let box = try shape.box()
    else { return nil }
    let details = binding?["props"] ?? old
    let anchor = try details?["normalizedAnchor"]?.place ?? Place(0.5, 0.5)
    let isExact = try details?.member("isExact", as: Bool.self) ?? false
    let place = map.applied(to: box.lower + (box.upper - box.lower) * anchor)
    let size = box.upper - box.lower
    let around = DiagramOutline.rectangle(size).map { $0 + box.lower }
    let outline = shape.kind == "geo" ? try shape.lines()?.first ?? around : around
    return (place, isExact ? nil : outline.map { map.applied(to: $0) })
  }

  /// The part of a line before it first crosses an outline; all of it if it does not.
  private static func cut(_ line: [Place], at outline: [Place]) -> [Place] {
    for index in 1..<max(1, line.count) {
      let (a, b) = (line[index - 1], line[index])
      var first: Double?
      for (c, d) in zip(outline, outline.dropFirst()) {
        let (along, edge, offset) = (b - a, d - c, c - a)
        let area = along.x * edge.y - along.y * edge.x
        let t = (offset.x * edge.y - offset.y * edge.x) / area
        let u = (offset.x * along.y - offset.y * along.x) / area
        // The very beginning may be on an outline that touches this one.
        if t > 1e-9, t <= 1, u >= 0, u <= 1, t < first ?? .infinity { first = t }
      }
      if let first { return line[..<index] + [a + (b - a) * first] }
    }
    return line
  }
}

/// The ends of arrows that are not bound have places; those that are bound may have none.
private struct JSONPlace: Decodable {
  var x: Double?
  var y: Double?

  var place: SIMD2<Double>? { x.flatMap { x in y.map { SIMD2(x, $0) } } }
}
