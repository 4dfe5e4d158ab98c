internal import Ink
internal import Text

/// The traces of an InkML file and how they are grouped, as its elements tell it.
struct InkMLInk {
  /// What a group holds, by its index.
  enum Part: Hashable {
    case trace(Int)
    case group(Int)
    case view(Int)
  }

  /// A `trace`: some points of a stroke, all of them unless the stroke has several traces; none if
  /// it is empty or no ink.
  struct Trace {
    var stroke: Int?
    var points: Range<Int>
  }

  /// A `traceView` of some other part.
  struct View {
    var reference: String
    /// The first and last of what it shows, from 1: a child of the part, then a child of that, or
    /// a point; empty for all.
    var from: [Int]
    var to: [Int]
  }

  /// The `ink` element, `definitions`, a `traceGroup`, or a `traceView` that holds others or has a
  /// label.
  struct Group {
    var id = ""
    var label: String?
    var canvas: Drawing.Canvas?
    /// The outermost group around it, possibly itself; 0 for `ink`.
    var outermost = 0
    /// Whether it lies in `definitions`, and so is no ink by itself.
    var isDefinition = false
    var parts: [Part] = []

    /// Whether it has groups in it, and so is no shape.
    var hasGroups: Bool {
      parts.contains { if case .group = $0 { true } else { false } }
    }
  }

  private(set) var strokes: [Stroke] = []
  /// Whether each stroke lies in `definitions`.
  private(set) var isDefined: [Bool] = []
  private(set) var traces: [Trace] = []
  private(set) var views: [View] = []
  /// All groups, `ink` the first, each before those within it.
  private(set) var groups = [Group()]
  /// The parts that have names.
  private(set) var names: [String: Part] = [:]
  private(set) var notes = ReadingNotes()

  private static let mostGroups = 1 << 18

  private enum Open {
    case group(Int)
    /// A view in a group that holds no others so far, and whether it shows a part.
    case view(in: Int, isShowing: Bool)

    /// The group that what begins within belongs to.
    var group: Int {
      switch self {
      case .group(let index), .view(in: let index, _): index
      }
    }
  }

  /// The text of the current element.
  private var text = ""
  /// The elements that have begun and not ended.
  private var path: [InkMLElement] = []
  /// The groups and views that have begun and not ended.
  private var open = [Open.group(0)]
  /// How many elements deep in foreign annotations the reader is.
  private var foreignDepth = 0
  private var contexts: InkMLContexts
  private var pen: InkMLPen
  /// The trace that the next one with a `continuation` continues.
  private var unfinished: Int?

  /// Begins; `contexts` have the file's names already, also those that come after their use.
  init(_ contexts: InkMLContexts) {
    pen = InkMLPen(onlyFormat: contexts.formatCount == 1 ? contexts.lastFormat : nil)
    self.contexts = contexts
    self.contexts.rewind()
    if contexts.hasTransform {
      notes.add("a canvasTransform is ignored; strokes have the pen's coordinates")
    }
  }

  private var group: Int { open[open.count - 1].group }

  // MARK: Elements

  mutating func begin(_ name: String, _ attributes: [String: String]) throws(FormatFault) {
    guard !path.isEmpty || name == "ink" else {
      throw FormatFault("it is not InkML: its first element is \(name.prefix(40))")
    }
    text = ""
    guard foreignDepth == 0, name != "annotationXML" else {
      foreignDepth += 1
      return
    }
    try contexts.begin((name, attributes), in: path[...])
    path.append((name, attributes))
    switch name {
    case "traceGroup":
      let outermost = open.count > 1 ? groups[group].outermost : groups.count
      let index = try addGroup(outermost: outermost)
      groups[group].parts.append(.group(index))
      open.append(.group(index))
    case "definitions":
      open.append(.group(try addGroup(outermost: 0)))
      groups[group].isDefinition = true
    case "traceView":
      try makeGroupOfView()
      let view = try Self.view(attributes)
      if let view {
        groups[group].parts.append(.view(views.count))
        views.append(view)
      }
      open.append(.view(in: group, isShowing: view != nil))
    default: break
    }
  }

  mutating func addText(_ more: String) {
    if foreignDepth == 0 { text += more }
  }

  mutating func end() throws(FormatFault) {
    guard foreignDepth == 0 else {
      foreignDepth -= 1
      return
    }
    guard let element = path.popLast() else { return }
    defer { text = "" }
    let attributes = element.attributes
    try contexts.end(element, in: path)
    switch element.name {
    case "trace": try addTrace(attributes)
    case "annotation":
      if ["ink", "traceGroup", "traceView"].contains(path.last?.name) {
        try annotate(attributes["type"] ?? "")
      }
    case "definitions": open.removeLast()
    case "traceGroup", "traceView":
      switch open.removeLast() {
      case .group(let index): name(.group(index), attributes)
      case .view(in: let index, let isShowing):
        if isShowing, let view = groups[index].parts.last { name(view, attributes) }
      }
    default: break
    }
  }

  private mutating func name(_ part: Part, _ attributes: [String: String]) {
    if let id = InkMLContexts.id(attributes) { names[id] = part }
  }

  private mutating func addGroup(outermost: Int) throws(FormatFault) -> Int {
    guard groups.count < Self.mostGroups else {
      throw FormatFault("it has more than \(grouped(Self.mostGroups)) groups")
    }
    groups.append(Group(outermost: outermost, isDefinition: groups[group].isDefinition))
    return groups.count - 1
  }

  // MARK: Views

  /// What a `traceView` shows; nil if it only holds others.
  private static func view(_ attributes: [String: String]) throws(FormatFault) -> View? {
    guard let reference = attributes["traceDataRef"] else { return nil }
    return View(
      reference: InkMLContexts.name(reference), from: try place(attributes["from"] ?? ""),
      to: try place(attributes["to"] ?? ""))
  }

  /// The numbers in a place such as "2:3".
  private static func place(_ text: String) throws(FormatFault) -> [Int] {
    let numbers = text.trimmed.split(separator: ":", omittingEmptySubsequences: false)
    guard !text.trimmed.isEmpty else { return [] }
    return try numbers.map { part throws(FormatFault) in
      guard let number = Int(part), number > 0, numbers.count < 100 else {
        throw FormatFault("a traceView is from or to \(text.prefix(40)); count from 1")
      }
      return number
    }
  }

  /// Turns the innermost view into a group, unless it is one already.
  private mutating func makeGroupOfView() throws(FormatFault) {
    guard case .view(in: let parent, let isShowing) = open[open.count - 1] else { return }
    let index = try addGroup(outermost: parent == 0 ? groups.count : groups[parent].outermost)
    if isShowing { groups[index].parts = [groups[parent].parts.removeLast()] }
    groups[parent].parts.append(.group(index))
    open[open.count - 1] = .group(index)
  }

  // MARK: Annotations

  private mutating func annotate(_ type: String) throws(FormatFault) {
    guard ["truth", "label", "id", "canvas"].contains(type) else { return }
    try makeGroupOfView()
    let value = text.trimmed
    var named = Drawing(id: groups[group].id, label: groups[group].label, strokes: [])
    do throws(InkError) {
      switch type {
      case "id": try named.setNames(id: text, label: named.label)
      case "canvas":
        let sizes = value.split(separator: " ").compactMap { Double($0) }
        guard sizes.count == 2,
          let canvas = Drawing.Canvas(readWidth: sizes[0], height: sizes[1])
        else {
          throw InkError.syntax("a canvas needs \(Drawing.Canvas.requirement)", byte: 0)
        }
        groups[group].canvas = canvas
      default:
        // The first is kept: "label" goes before "normalizedLabel" and the like.
        if named.label == nil { try named.setNames(id: named.id, label: value) }
      }
    } catch { throw FormatFault(error.description) }
    (groups[group].id, groups[group].label) = (named.id, named.label)
  }

  // MARK: Traces

  private mutating func addTrace(_ attributes: [String: String]) throws(FormatFault) {
    func inherited(_ key: String) -> String? {
      attributes[key] ?? path.lazy.reversed().compactMap { $0.attributes[key] }.first
    }
    let index = traces.count
    var points: [Point] = []
    do throws(FormatFault) {
      let context = try contexts.resolve(inherited("contextRef").map(InkMLContexts.name))
      let brush = inherited("brushRef").map(InkMLContexts.name)
      if attributes["type"] == "penUp" {
        // Where the pen went without ink.
      } else if brush.map(contexts.isEraser) ?? context.isEraser {
        notes.add("strokes of an eraser are left out")
      } else {
        points = try pen.points(text, attributes, context, contexts)
      }
      let stroke = try strokeToContinue(attributes)
      traces.append(add(points, to: stroke, isBegun: attributes["continuation"] == "begin"))
    } catch {
      let colon = error.description.hasPrefix("point ") ? "," : ":"
      throw FormatFault("trace \(index)\(colon) \(error.description)")
    }
    let isUnfinished = ["begin", "middle"].contains(attributes["continuation"])
    if attributes["continuation"] != nil { unfinished = isUnfinished ? index : nil }
    groups[group].parts.append(.trace(index))
    name(.trace(index), attributes)
  }

  /// The stroke that a trace continues; nil if it is a separate stroke.
  private func strokeToContinue(
    _ attributes: [String: String]
  ) throws(FormatFault) -> Int? {
    guard ["middle", "end"].contains(attributes["continuation"]) else { return nil }
    if let reference = attributes["priorRef"] {
      guard case .trace(let prior)? = names[InkMLContexts.name(reference)] else {
        throw FormatFault(
          "it continues trace \(reference.prefix(40)), which is not there before it")
      }
      return traces[prior].stroke
    }
    guard let unfinished else { throw FormatFault("it continues a trace that is not there") }
    return traces[unfinished].stroke
  }

  /// Adds a trace's points to a stroke, or as one if there are any or others will follow.
  private mutating func add(_ points: [Point], to stroke: Int?, isBegun: Bool) -> Trace {
    if let stroke {
      let count = strokes[stroke].points.count
      strokes[stroke].points += points
      return Trace(stroke: stroke, points: count..<(count + points.count))
    }
    guard !points.isEmpty || isBegun else { return Trace(stroke: nil, points: 0..<0) }
    strokes.append(Stroke(points))
    isDefined.append(groups[group].isDefinition)
    return Trace(stroke: strokes.count - 1, points: 0..<points.count)
  }
}
