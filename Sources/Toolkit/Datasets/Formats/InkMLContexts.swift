internal import Ink
internal import Text

/// An element that has begun: its name and its attributes.
typealias InkMLElement = (name: String, attributes: [String: String])

/// How traces are to be read: the contexts of an InkML file, and the trace formats, ink sources,
/// timestamps and brushes of which they are made.
///
/// What has a name can be referred to; what lies directly in `ink` holds for the traces after it
/// that name no context; anything else in `definitions` does not apply (InkML, sections 4 and 6).
struct InkMLContexts {
  /// A context as the file has it, before what it refers to is looked up.
  private struct Context {
    var parent: String?
    var format: Part<InkMLTraceFormat>?
    var source: Part<Source>?
    var timestamp: Part<Timestamp>?
    var brush: Part<Brush>?
  }

  /// What is written in a place, or the name of what is written elsewhere.
  private enum Part<Value> {
    case written(Value)
    case named(String)
  }

  private struct Source {
    var format: Part<InkMLTraceFormat>?
    var resolutions: [String: InkMLResolution] = [:]
    /// The milliseconds between two points, where they are always the same.
    var interval: Double?
  }

  private struct Timestamp {
    /// Milliseconds since 1970, or after another timestamp.
    var milliseconds: Double?
    var parent: String?
  }

  private struct Brush {
    /// Whether it takes ink away.
    var isEraser = false
  }

  /// What is known of how a trace is to be read.
  struct Resolved {
    var format: InkMLTraceFormat?
    var resolutions: [String: InkMLResolution] = [:]
    var interval: Double?
    /// When its offsets begin, in milliseconds since 1970.
    var timestamp: Double?
    var isEraser = false
  }

  private var contexts: [String: Context] = [:]
  private var formats: [String: InkMLTraceFormat] = [:]
  private var sources: [String: Source] = [:]
  private var timestamps: [String: Timestamp] = [:]
  private var brushes: [String: Brush] = [:]
  /// What lies directly in `ink`, so far.
  private var current = Context()
  private var resolved: [String: Resolved] = [:]
  private var resolvedCurrent: Resolved?

  /// The number of formats in the file, and the last of them.
  private(set) var formatCount = 0
  private(set) var lastFormat: InkMLTraceFormat?
  /// Whether strokes should be moved, turned or stretched, which is not done.
  private(set) var hasTransform = false

  private static let mostNames = 1 << 16
  private static let mostReferences = 32

  // MARK: What is being read

  private var openContexts: [Context] = []
  private var openFormat: InkMLTraceFormat?
  private var openSource: Source?
  private var openBrush: Brush?

  /// The name that a reference within the file has.
  static func name(_ reference: String) -> String { String(reference.trimmed.drop { $0 == "#" }) }

  /// The name of an element.
  static func id(_ attributes: [String: String]) -> String? {
    attributes["xml:id"] ?? attributes["id"]
  }

  /// Takes note of an element that begins within `path`.
  mutating func begin(
    _ element: InkMLElement, in path: ArraySlice<InkMLElement>
  ) throws(FormatFault) {
    let attributes = element.attributes
    func reference<Value>(_ key: String) -> Part<Value>? {
      attributes[key].map { .named(Self.name($0)) }
    }
    switch element.name {
    case "context":
      openContexts.append(
        Context(
          parent: attributes["contextRef"].map(Self.name), format: reference("traceFormatRef"),
          source: reference("inkSourceRef"), timestamp: reference("timestampRef"),
          brush: reference("brushRef")))
    case "traceFormat": openFormat = InkMLTraceFormat(channels: [])
    case "channel":
      try openFormat?.add(
        attributes, isIntermittent: path.last?.name == "intermittentChannels")
    case "inkSource": openSource = Source(format: reference("traceFormatRef"))
    case "channelProperty" where attributes["name"] == "resolution":
      guard let channel = attributes["channel"], openSource?.resolutions.count ?? 0 < 64 else {
        break
      }
      openSource?.resolutions[channel] = InkMLResolution(
        value: attributes["value"] ?? "", units: attributes["units"] ?? "")
    case "sampleRate" where attributes["uniform"] == "true":
      guard let rate = attributes["value"].flatMap({ Point.number($0.trimmed) }), rate > 0 else {
        break
      }
      openSource?.interval = 1000 / rate
    case "brush":
      openBrush = Brush(isEraser: Self.isEraser(Self.id(attributes)))
    case "brushProperty":
      let value = attributes["value"].map { $0.trimmed.lowercased() }
      if Self.isEraser(value) || Self.isEraser(attributes["name"]) && value != "false",
        value != "0"
      {
        openBrush?.isEraser = true
      }
    case "mapping":
      if path.contains(where: { $0.name == "canvasTransform" }),
        attributes["type"] != "identity" && attributes["type"] != "unknown"
      {
        hasTransform = true
      }
    default: break
    }
  }

  /// Takes note of an element that ends within `path`.
  mutating func end(_ element: InkMLElement, in path: [InkMLElement]) throws(FormatFault) {
    let id = Self.id(element.attributes)
    let parent = path.last?.name ?? ""
    switch element.name {
    case "traceFormat":
      guard var format = openFormat else { break }
      format.end()
      openFormat = nil
      (formatCount, lastFormat) = (formatCount + 1, format)
      try keep(format, id, in: \.formats)
      if parent == "inkSource" {
        openSource?.format = .written(format)
      } else {
        attach(.written(format), to: \.format, parent)
      }
    case "inkSource":
      guard let source = openSource else { break }
      openSource = nil
      try keep(source, id, in: \.sources)
      attach(.written(source), to: \.source, parent)
    case "timestamp":
      let timestamp = Self.timestamp(element.attributes)
      try keep(timestamp, id, in: \.timestamps)
      attach(.written(timestamp), to: \.timestamp, parent)
    case "brush":
      guard let brush = openBrush else { break }
      openBrush = nil
      try keep(brush, id, in: \.brushes)
      attach(.written(brush), to: \.brush, parent)
    case "context":
      guard let context = openContexts.popLast() else { break }
      try keep(context, id, in: \.contexts)
      guard parent == "ink" else { break }
      if context.parent != nil {
        current = context
      } else {
        // Attributes that it omits are unchanged.
        current.format = context.format ?? (context.source == nil ? current.format : nil)
        current.source = context.source ?? current.source
        current.timestamp = context.timestamp ?? current.timestamp
        current.brush = context.brush ?? current.brush
      }
      resolvedCurrent = nil
    default: break
    }
  }

  private mutating func keep<Value>(
    _ value: Value, _ id: String?, in names: WritableKeyPath<Self, [String: Value]>
  ) throws(FormatFault) {
    guard let id else { return }
    self[keyPath: names][id] = value
    guard self[keyPath: names].count <= Self.mostNames else {
      throw FormatFault("it defines more than \(grouped(Self.mostNames)) contexts or brushes")
    }
  }

  /// Makes a part that of the context around it, or of the traces that follow.
  private mutating func attach<Value>(
    _ part: Part<Value>, to place: WritableKeyPath<Context, Part<Value>?>, _ parent: String
  ) {
    if parent == "context", !openContexts.isEmpty {
      openContexts[openContexts.count - 1][keyPath: place] = part
    } else if parent == "ink" {
      current[keyPath: place] = part
      resolvedCurrent = nil
    }
  }

  /// Keeps the names of a file, and forgets what lies directly in its `ink`.
  mutating func rewind() {
    (current, resolvedCurrent) = (Context(), nil)
  }

  // MARK: What holds for a trace

  /// What holds for a trace that names a context, or none.
  mutating func resolve(_ name: String?) throws(FormatFault) -> Resolved {
    guard let name else {
      if let resolvedCurrent { return resolvedCurrent }
      let found = try resolve(current, depth: 0)
      resolvedCurrent = found
      return found
    }
    if let known = resolved[name] { return known }
    // The one that every file has (InkML, 4.3.1).
    let standard = name == "DefaultContext" ? Context() : nil
    guard let context = contexts[name] ?? standard else {
      throw FormatFault("it refers to the context \(name.prefix(40)), which is not there")
    }
    let found = try resolve(context, depth: 0)
    resolved[name] = found
    return found
  }

  private func resolve(_ context: Context, depth: Int) throws(FormatFault) -> Resolved {
    guard depth < Self.mostReferences else {
      throw FormatFault("its contexts refer to each other without an end")
    }
    var found = Resolved()
    if let parent = context.parent.flatMap({ contexts[$0] }) {
      found = try resolve(parent, depth: depth + 1)
    }
    if let source = value(context.source, sources) {
      (found.resolutions, found.interval) = (source.resolutions, source.interval)
      found.format = value(source.format, formats) ?? found.format
    }
    found.format = value(context.format, formats) ?? found.format
    if let timestamp = value(context.timestamp, timestamps) {
      found.timestamp = milliseconds(timestamp, depth: 0)
    }
    if let brush = value(context.brush, brushes) { found.isEraser = brush.isEraser }
    return found
  }

  private func value<Value>(_ part: Part<Value>?, _ named: [String: Value]) -> Value? {
    switch part {
    case nil: nil
    case .written(let value): value
    case .named(let name): named[name]
    }
  }

  /// Whether a brush takes ink away: one with this name, which InkML has no word for.
  func isEraser(brush name: String) -> Bool {
    brushes[name]?.isEraser ?? Self.isEraser(name)
  }

  private static func isEraser(_ text: String?) -> Bool {
    text?.lowercased().contains("eraser") ?? false
  }

  // MARK: Timestamps

  /// When a timestamp is, in milliseconds since 1970; nil if that is not known.
  func milliseconds(ofTimestamp name: String) -> Double? {
    timestamps[name].flatMap { milliseconds($0, depth: 0) }
  }

  private func milliseconds(_ timestamp: Timestamp, depth: Int) -> Double? {
    guard let parent = timestamp.parent else { return timestamp.milliseconds }
    guard depth < Self.mostReferences, let parent = timestamps[parent] else { return nil }
    return milliseconds(parent, depth: depth + 1).map { $0 + (timestamp.milliseconds ?? 0) }
  }

  private static func timestamp(_ attributes: [String: String]) -> Timestamp {
    func number(_ key: String) -> Double? { attributes[key].flatMap { Point.number($0.trimmed) } }
    if let parent = attributes["timestampRef"] {
      return Timestamp(milliseconds: number("timeOffset"), parent: name(parent))
    }
    let time = number("time") ?? attributes["timeString"].flatMap(ISODate.milliseconds)
    return Timestamp(milliseconds: time.map { $0 + (number("timeOffset") ?? 0) })
  }
}
