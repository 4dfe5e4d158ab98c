public import Ink
public import Support

/// Reads drawings in InkML, as tablets and collections of handwriting have them.
///
/// A file with traces directly in `ink` is one drawing; its groups of traces with an annotation are
/// the shapes of a labeled canvas. In others each outermost group is a drawing, and the groups
/// within it are its shapes. Annotations of type `truth` or `label` give labels, those of type `id`
/// and `canvas` what `InkMLWriter` writes there. The channels are X, Y and, if known, T, in
/// milliseconds or, as its unit says, seconds; others are skipped.
///
/// Source: Ink Markup Language (InkML), W3C Recommendation, 20 September 2011,
/// https://www.w3.org/TR/InkML/.
public enum InkMLDrawings {
  /// The drawings in `bytes`; errors, and ids that the file does not give, name `path`.
  ///
  /// - Throws: `FileError` that names the line.
  public static func parse(_ bytes: [UInt8], path: String) throws(FileError) -> [Drawing] {
    var reader = try XMLReader(bytes, path: path)
    var document = InkMLDocument()
    while let part = try reader.next() {
      do throws(FormatFault) {
        switch part {
        case .start(let name, let attributes): try document.begin(name, attributes)
        case .text(let text): document.text += text
        case .end: try document.end()
        }
      } catch { throw reader.fault(error.description) }
    }
    do throws(FormatFault) { return try document.drawings(named: path) } catch {
      throw FileError(reading: path, error.description)
    }
  }
}

/// What is known of an InkML file while it is read.
private struct InkMLDocument {
  /// The text of the current element.
  var text = ""
  /// The elements that have begun and not ended.
  private var path: [(name: String, attributes: [String: String])] = []
  private var format = InkMLTraceFormat()
  private var hasFormat = false
  /// The format whose channels are being read.
  private var newFormat: InkMLTraceFormat?
  private var traces: [Stroke] = []
  /// The outermost group of each trace; 0 for those directly in `ink`.
  private var groupOfTrace: [Int] = []
  private var indices: [String: Int] = [:]
  /// All groups, `ink` the first, each before those within it.
  private var groups = [Group()]
  private static let mostGroups = 1 << 18
  /// The indices of the groups that have begun and not ended.
  private var open = [0]

  /// The `ink` element or a `traceGroup`.
  private struct Group {
    var id = ""
    var label: String?
    var canvas: Drawing.Canvas?
    /// The outermost group around it, possibly itself; 0 for `ink`.
    var outermost = 0
    /// The traces directly in it.
    var traces: [Int] = []
    /// The names of traces that it refers to.
    var references: [String] = []
    var hasGroups = false
  }

  mutating func begin(_ name: String, _ attributes: [String: String]) throws(FormatFault) {
    guard !path.isEmpty || name == "ink" else {
      throw FormatFault("it is not InkML: its first element is \(name)")
    }
    path.append((name, attributes))
    text = ""
    switch name {
    case "traceGroup":
      guard groups.count < Self.mostGroups else {
        throw FormatFault("it has more than \(grouped(Self.mostGroups)) groups")
      }
      groups[open[open.count - 1]].hasGroups = true
      open.append(groups.count)
      groups.append(Group(outermost: open[1]))
    case "traceFormat":
      newFormat = InkMLTraceFormat(channels: [])
    case "intermittentChannels":
      throw FormatFault("intermittentChannels are not read")
    case "channel": try newFormat?.add(attributes)
    default: break
    }
  }

  mutating func end() throws(FormatFault) {
    guard let (name, attributes) = path.popLast() else { return }
    let group = open[open.count - 1]
    switch name {
    case "traceFormat": try endFormat()
    case "trace": try addTrace(attributes)
    case "traceView":
      if let reference = attributes["traceDataRef"] {
        groups[group].references.append(String(reference.drop { $0 == "#" }))
      }
    case "annotation" where path.last.map { $0.name == "ink" || $0.name == "traceGroup" } == true:
      try annotate(group, attributes["type"] ?? "")
    case "traceGroup": open.removeLast()
    default: break
    }
    text = ""
  }

  private mutating func endFormat() throws(FormatFault) {
    guard let newFormat else { return }
    try newFormat.check()
    guard !hasFormat || format == newFormat else {
      throw FormatFault("its traceFormats differ; only files with one kind of traces are read")
    }
    (format, hasFormat, self.newFormat) = (newFormat, true, nil)
  }

  private mutating func addTrace(_ attributes: [String: String]) throws(FormatFault) {
    guard attributes["type"] != "penUp" else { return }
    guard attributes["continuation"] == nil else {
      throw FormatFault("a trace in several parts (continuation) is not read")
    }
    let index = traces.count
    traces.append(try format.stroke(text, number: index))
    groups[open[open.count - 1]].traces.append(index)
    groupOfTrace.append(open.count > 1 ? open[1] : 0)
    if let id = attributes["xml:id"] ?? attributes["id"] { indices[id] = index }
  }

  private mutating func annotate(_ group: Int, _ type: String) throws(FormatFault) {
    let value = text.trimmed
    var named = Drawing(id: groups[group].id, label: groups[group].label, strokes: [])
    do throws(InkError) {
      switch type {
      case "truth", "label":
        // The first is kept: "label" goes before "normalizedLabel" and the like.
        if named.label == nil { try named.setNames(id: named.id, label: value) }
      case "id": try named.setNames(id: text, label: named.label)
      case "canvas":
        let sizes = value.split(separator: " ").compactMap { Double($0) }
        guard sizes.count == 2, sizes.allSatisfy({ (0...1e100).contains($0) }) else {
          throw InkError.syntax("a canvas is a width and a height, from 0 to 1e100", byte: 0)
        }
        groups[group].canvas = Drawing.Canvas(width: sizes[0], height: sizes[1]).flushed
      default: break
      }
    } catch { throw FormatFault(error.description) }
    (groups[group].id, groups[group].label) = (named.id, named.label)
  }

  /// The drawings, those without an id named after the file.
  func drawings(named path: String) throws(FormatFault) -> [Drawing] {
    let isOne = !groups[0].traces.isEmpty
    var drawings: [Drawing] = []
    var drawingOfGroup: [Int: Int] = [:]
    /// The drawing of each trace, and the stroke that it is there.
    var places: [(drawing: Int, stroke: Int)] = []
    for (trace, group) in zip(traces, groupOfTrace) {
      let group = isOne ? 0 : group
      if drawingOfGroup[group] == nil {
        drawingOfGroup[group] = drawings.count
        let id = DatasetFormat.id(of: drawings.count + 1, in: path)
        drawings.append(
          Drawing(
            id: groups[group].id.isEmpty ? id : groups[group].id, label: groups[group].label,
            strokes: [], canvas: groups[group].canvas))
      }
      let drawing = drawingOfGroup[group] ?? 0
      places.append((drawing, drawings[drawing].strokes.count))
      drawings[drawing].strokes.append(trace)
    }
    guard !drawings.isEmpty else { throw FormatFault("it has no trace") }
    // A file of one drawing may name it at its beginning.
    if !isOne, drawings.count == 1, drawings[0].label == nil { drawings[0].label = groups[0].label }
    for (index, group) in groups.enumerated() where isOne ? index > 0 : group.outermost != index {
      guard let label = group.label, !group.hasGroups,
        let drawing = drawingOfGroup[isOne ? 0 : group.outermost]
      else { continue }
      var members = group.traces
      var known = Set(members)
      for reference in group.references {
        guard let trace = indices[reference] else {
          throw FormatFault(
            "the group of \(label.prefix(40)) refers to trace "
              + "\(reference.prefix(40)), which is not there")
        }
        if known.insert(trace).inserted { members.append(trace) }
      }
      guard members.allSatisfy({ places[$0].drawing == drawing }) else {
        throw FormatFault("the group of \(label.prefix(40)) refers to a trace of another drawing")
      }
      guard !members.isEmpty else { continue }
      drawings[drawing].shapes.append(
        .init(strokes: members.map { places[$0].stroke }, label: label))
    }
    return try drawings.map { drawing throws(FormatFault) in
      do throws(InkError) { return try drawing.withTimesFromFirst() } catch {
        throw FormatFault(error.description)
      }
    }
  }
}
