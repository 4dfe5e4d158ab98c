internal import Ink
internal import JSON

/// A shape of tldraw, and its lines in its own coordinates, whose origin is its upper left corner.
struct TldrawShape {
  typealias Place = SIMD2<Double>

  let id: String
  /// Such as "draw" or "geo".
  let kind: String
  /// The id of the page, frame or group that it is in.
  let parent: String
  /// Orders the shapes within their parent.
  let index: String
  let isSeen: Bool
  /// The map to the parent's coordinates.
  let transform: Transform
  let properties: JSONValue

  init(_ record: JSONValue) throws(FormatFault) {
    id = try record.required("id")
    kind = try record.required("type")
    parent = try record.required("parentId")
    index = try record.member("index") ?? ""
    guard let properties = record["props"], properties.members != nil else {
      throw record.wrong("has no props")
    }
    self.properties = properties
    let place = try record.place
    transform = Transform.rotation(try record.member("rotation") ?? 0)
      .then(.translation(x: place.x, y: place.y))
    // White is seen only if it is filled, as paper is white.
    let isWhite = try properties.member("color", as: String.self) == "white"
    let fill = try properties.member("fill", as: String.self) ?? "none"
    isSeen = try record.member("opacity", as: Double.self) != 0 && !(isWhite && fill == "none")
  }

  /// The width of the pen: a size by its name, scaled.
  var penWidth: Double {
    get throws(FormatFault) {
      let widths = ["s": 2.0, "m": 3.5, "l": 5.0, "xl": 10.0]
      let size = try properties.member("size", as: String.self) ?? "m"
      return (widths[size] ?? 3.5) * (try properties.member("scale") ?? 1)
    }
  }

  /// What is not read of the shape, in the singular: all of it, or its text; nil for nothing.
  var leftOut: String? {
    get throws(FormatFault) {
      switch kind {
      case "draw", "highlight", "line", "frame", "group": return nil
      case "geo", "arrow":
        let text = try properties.member("text", as: String.self) ?? ""
        return !text.isEmpty || properties["richText"].map(Self.hasText) == true ? "text" : nil
      case "text", "image", "video", "note": return kind
      case "embed", "bookmark": return "web page"
      default: return "unknown shape"
      }
    }
  }

  /// Whether a part of a rich text has letters.
  private static func hasText(_ part: JSONValue) -> Bool {
    part["text"] != nil || part["content"]?.elements?.contains(where: hasText) == true
  }

  /// The lines of the shape; nil if it has none, as texts and frames. Arrows, which may be bound to
  /// others, have none here.
  func lines() throws(FormatFault) -> [[Place]]? {
    switch kind {
    case "draw", "highlight": return [try penLine()]
    case "line": return [try cornerLine()]
    case "geo":
      guard let box = try box() else { return nil }
      let kind = try properties.member("geo", as: String.self) ?? "rectangle"
      return TldrawGeometry.lines(of: kind, size: box.upper)
    default: return nil
    }
  }

  /// The box around the shape, in its own coordinates; nil if that is not known.
  func box() throws(FormatFault) -> (lower: Place, upper: Place)? {
    if let width = try properties.member("w", as: Double.self),
      let height = try properties.member("h", as: Double.self)
    {
      // What a text within needs beyond the height.
      let more = try properties.member("growY", as: Double.self) ?? 0
      return (.zero, Place(width, height + more))
    }
    guard kind != "geo" else { return nil }
    return DiagramOutline.box(of: try lines()?.first ?? [.zero])
  }

  /// The line of a pen: its segments, free or straight, follow one another without lifting it.
  private func penLine() throws(FormatFault) -> [Place] {
    var places: [Place] = []
    for segment in try properties.list("segments") {
      let next = try TldrawPoints.places(of: segment)
      places += next.first == places.last ? next.dropFirst() : next[...]
    }
    let scale = Place(
      try properties.member("scaleX") ?? 1, try properties.member("scaleY") ?? 1)
    if scale != Place(1, 1) { places = places.map { $0 * scale } }
    if try properties.member("isClosed", as: Bool.self) == true, places.count > 2,
      let first = places.first, places.last != first
    {
      places.append(first)
    }
    return places
  }

  /// The line of a `line` shape, through places that have indices for their order.
  private func cornerLine() throws(FormatFault) -> [Place] {
    // Until 2024 they were handles; those between two corners did not count.
    guard let members = properties["points"]?.members ?? properties["handles"]?.members else {
      throw properties.wrong("has no points")
    }
    var corners: [(index: String, place: Place)] = []
    for (_, corner) in members {
      guard try corner.member("type", as: String.self) ?? "vertex" == "vertex" else { continue }
      corners.append((try corner.member("index") ?? "", try corner.place))
    }
    corners.sort { $0.index.utf8.lexicographicallyPrecedes($1.index.utf8) }
    let places = corners.map(\.place)
    return try properties.member("spline", as: String.self) == "cubic"
      ? DiagramOutline.curve(through: places) : places
  }
}
