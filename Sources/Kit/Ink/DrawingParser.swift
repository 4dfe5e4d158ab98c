internal import JSON

/// Parses drawings from JSON text, one after the other.
struct DrawingParser {
  var scanner: JSONScanner
  /// One stroke's columns; reused, so that parsing allocates once per stroke.
  private var x: [Double] = []
  private var y: [Double] = []
  private var t: [Double] = []

  init(_ bytes: [UInt8], from position: Int = 0) {
    scanner = JSONScanner(bytes, from: position)
  }

  init(_ scanner: JSONScanner) { self.scanner = scanner }

  /// The fields of an object.
  private struct Fields {
    // These lists are short: a linear search is faster than hashing.
    var seen: [String] = []
    var strokes: [Stroke]?
    var texts: [(key: String, text: String)] = []
    var canvas: Drawing.Canvas?
    var shapes: [Drawing.Shape] = []
    var wasGuessed: Bool?
  }

  /// Parses the next object.
  mutating func drawing() throws(InkError) -> Drawing {
    do { return try object() } catch { throw InkError(error) }
  }

  private mutating func object() throws -> Drawing {
    guard !scanner.take(UInt8(ascii: "[")) else {
      throw InkError.drawingList(byte: scanner.position - 1)
    }
    try scanner.expect(UInt8(ascii: "{"), "a drawing's \"{\"")
    var fields = Fields()
    var isFirst = true
    while try scanner.next(isFirst: &isFirst, closing: UInt8(ascii: "}")) {
      scanner.skipWhitespace()
      let start = scanner.position
      let key = try scanner.key()
      if try take(key, into: &fields) {
        guard !fields.seen.contains(key) else {
          throw InkError.syntax("the key \"\(key)\" comes twice", byte: start)
        }
        fields.seen.append(key)
      } else {
        try scanner.skipValue(depth: 1)
      }
    }
    return try assemble(fields)
  }

  /// Consumes the value of a known key; false, consuming nothing, for any other.
  private mutating func take(_ key: String, into fields: inout Fields) throws -> Bool {
    switch key {
    case "strokes", "drawing":
      guard fields.strokes == nil else {
        throw InkError.syntax("a second list of strokes", byte: scanner.position)
      }
      fields.strokes = try strokes()
    case "label", "word", "alphabet", "character", "id", "key_id", "file":
      if let text = try text(key) { fields.texts.append((key, text)) }
    case "canvas": fields.canvas = try canvas()
    case "shapes": fields.shapes = try shapes()
    case "recognized": fields.wasGuessed = try flag()
    default: return false
    }
    return true
  }

  private func assemble(_ fields: Fields) throws -> Drawing {
    guard let all = fields.strokes else {
      throw InkError.syntax(
        "a drawing without \"strokes\" or \"drawing\"", byte: scanner.position - 1)
    }
    func text(_ key: String) -> String? { fields.texts.first { $0.key == key }?.text }
    var label = text("label") ?? text("word")
    if label == nil, let alphabet = text("alphabet"), let character = text("character") {
      label = "\(alphabet)/\(character)"
    }
    let id = text("id") ?? text("key_id") ?? text("file") ?? ""
    label = label?.inLabelForm
    // Labels are validated when they are added (`LabelRule`); ids have no other rule.
    guard !id.utf8.contains(0) else { throw InkError.zeroCharacterInID }
    var drawing = Drawing(
      id: id,
      label: label == "" ? nil : label, strokes: all, canvas: fields.canvas,
      shapes: fields.shapes, wasGuessed: fields.wasGuessed)
    for (index, shape) in drawing.shapes.enumerated() {
      for stroke in shape.strokes where !all.indices.contains(stroke) {
        throw InkError.unknownStroke(shape: index, stroke: stroke)
      }
    }
    try drawing.dropEmptyStrokes()
    return drawing
  }
}

// MARK: Strokes

extension DrawingParser {
  private mutating func strokes() throws -> [Stroke] {
    try scanner.expect(UInt8(ascii: "["), "a list of strokes")
    var strokes: [Stroke] = []
    var isFirst = true
    while try scanner.next(isFirst: &isFirst, closing: UInt8(ascii: "]")) {
      strokes.append(try stroke(strokes.count))
    }
    return strokes
  }

  private mutating func stroke(_ index: Int) throws -> Stroke {
    try scanner.expect(UInt8(ascii: "["), "stroke \(index)'s list")
    scanner.skipWhitespace()
    switch scanner.current {
    case UInt8(ascii: "["): return try columns(stroke: index)
    case UInt8(ascii: "{"): return try objects(stroke: index)
    default:
      guard scanner.take(UInt8(ascii: "]")) else {
        throw scanner.unexpected("stroke \(index)'s columns or points")
      }
      return Stroke([])
    }
  }

  private mutating func columns(stroke index: Int) throws -> Stroke {
    try scanner.column(&x, stroke: index, .x)
    guard scanner.take(UInt8(ascii: ",")) else {
      guard scanner.current == UInt8(ascii: "]") else { throw scanner.unexpected("\",\" or \"]\"") }
      throw InkError.missingCoordinate(stroke: index, point: 0, axis: .y)
    }
    try scanner.column(&y, stroke: index, .y)
    let hasTimes = scanner.take(UInt8(ascii: ","))
    if hasTimes { try scanner.column(&t, stroke: index, .t) }
    guard scanner.take(UInt8(ascii: "]")) else {
      throw scanner.unexpected("the end of stroke \(index) behind its x, y and t")
    }
    guard x.count == y.count, !hasTimes || t.count == x.count else {
      throw InkError.unequalLengths(
        stroke: index, x: x.count, y: y.count, t: hasTimes ? t.count : nil)
    }
    let count = x.count
    return Stroke(
      [Point](capacity: count) { points in
        if hasTimes {
          for i in 0..<count { points.append(Point(x: x[i], y: y[i], t: t[i])) }
        } else {
          for i in 0..<count { points.append(Point(x: x[i], y: y[i])) }
        }
      })
  }

  private mutating func objects(stroke: Int) throws -> Stroke {
    var points: [Point] = []
    var isFirst = true
    while try scanner.next(isFirst: &isFirst, closing: UInt8(ascii: "]")) {
      points.append(try point(points.count, stroke: stroke))
    }
    return Stroke(points)
  }

  private mutating func point(_ index: Int, stroke: Int) throws -> Point {
    try scanner.expect(UInt8(ascii: "{"), "a point's \"{\"")
    var (x, y, t): (Double?, Double?, Double?)
    var isFirst = true
    while try scanner.next(isFirst: &isFirst, closing: UInt8(ascii: "}")) {
      let start = scanner.position
      let key = try scanner.key()
      guard let axis = InkError.Axis(rawValue: key) else {
        try scanner.skipValue(depth: 3)
        continue
      }
      let value = try scanner.coordinate(stroke: stroke, point: index, axis)
      var old: Double?
      switch axis {
      case .x: (old, x) = (x, value)
      case .y: (old, y) = (y, value)
      case .t: (old, t) = (t, value)
      }
      guard old == nil else { throw InkError.syntax("the key \"\(key)\" comes twice", byte: start) }
    }
    guard let x else { throw InkError.missingCoordinate(stroke: stroke, point: index, axis: .x) }
    guard let y else { throw InkError.missingCoordinate(stroke: stroke, point: index, axis: .y) }
    return Point(x: x, y: y, t: t)
  }
}

extension JSONScanner {
  fileprivate mutating func column(
    _ values: inout [Double], stroke: Int, _ axis: InkError.Axis
  ) throws {
    guard take(UInt8(ascii: "[")) else {
      throw unexpected("stroke \(stroke)'s list of \(axis.rawValue)")
    }
    guard try numbers(into: &values) else {
      // Throws what is wrong with the value that `numbers` refused.
      _ = try coordinate(stroke: stroke, point: values.count, axis)
      return
    }
    var span = values.mutableSpan
    for point in span.indices { span[point] = span[point].flushed }
  }

  fileprivate mutating func coordinate(
    stroke: Int, point: Int, _ axis: InkError.Axis
  ) throws -> Double {
    if current <= 0x20 { skipWhitespace() }
    guard let value = try number() else {
      throw numberError(stroke: stroke, point: point, axis)
    }
    return try value.asRead(stroke: stroke, point: point, axis)
  }

  /// The error for a value that is not a number: a wrong type, or invalid JSON.
  private func numberError(stroke: Int, point: Int, _ axis: InkError.Axis) -> any Error {
    switch current {
    // Also NaN, Infinity and -Infinity, which some programs write.
    case UInt8(ascii: "\""), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "-"), UInt8(ascii: "+"),
      UInt8(ascii: "."), UInt8(ascii: "["), UInt8(ascii: "{"):
      InkError.invalidNumber(stroke: stroke, point: point, axis: axis)
    default: unexpected("a number")
    }
  }
}

// MARK: What is known about a drawing

extension DrawingParser {
  /// A string in normal form C, or a number as written; nil for null.
  private mutating func text(_ key: String) throws -> String? {
    if scanner.current == UInt8(ascii: "\"") {
      return try Drawing.checked(scanner.string(), key).inNormalFormC
    }
    if try scanner.takeNull() { return nil }
    let start = scanner.position
    guard try scanner.number() != nil else { throw scanner.unexpected("text for \"\(key)\"") }
    return try Drawing.checked(
      String(decoding: scanner.bytes[start..<scanner.position], as: UTF8.self), key)
  }

  private mutating func flag() throws -> Bool? {
    switch scanner.current {
    case UInt8(ascii: "t"):
      try scanner.literal("true")
      return true
    case UInt8(ascii: "f"):
      try scanner.literal("false")
      return false
    default:
      guard try scanner.takeNull() else { throw scanner.unexpected("true or false") }
      return nil
    }
  }

  private mutating func canvas() throws -> Drawing.Canvas? {
    if try scanner.takeNull() { return nil }
    let start = scanner.position
    try scanner.expect(UInt8(ascii: "{"), "the canvas's \"{\"")
    var (width, height): (Double?, Double?)
    var isFirst = true
    while try scanner.next(isFirst: &isFirst, closing: UInt8(ascii: "}")) {
      switch try scanner.key() {
      case "width": width = try scanner.number()
      case "height": height = try scanner.number()
      default: try scanner.skipValue(depth: 2)
      }
    }
    guard let width, let height, let canvas = Drawing.Canvas(readWidth: width, height: height)
    else { throw InkError.syntax("a canvas needs \(Drawing.Canvas.requirement)", byte: start) }
    return canvas
  }

  private mutating func shapes() throws -> [Drawing.Shape] {
    if try scanner.takeNull() { return [] }
    try scanner.expect(UInt8(ascii: "["), "the list of shapes")
    var shapes: [Drawing.Shape] = []
    var isFirst = true
    while try scanner.next(isFirst: &isFirst, closing: UInt8(ascii: "]")) {
      shapes.append(try shape(shapes.count))
    }
    return shapes
  }

  private mutating func shape(_ index: Int) throws -> Drawing.Shape {
    scanner.skipWhitespace()
    let start = scanner.position
    try scanner.expect(UInt8(ascii: "{"), "shape \(index)'s \"{\"")
    var strokes: [Int]?
    var label: String?
    var isFirst = true
    while try scanner.next(isFirst: &isFirst, closing: UInt8(ascii: "}")) {
      switch try scanner.key() {
      case "strokes": strokes = try indices(shape: index)
      case "label": label = try text("label")?.inLabelForm
      default: try scanner.skipValue(depth: 3)
      }
    }
    guard let strokes, let label else {
      throw InkError.syntax("shape \(index) needs strokes and a label", byte: start)
    }
    return Drawing.Shape(strokes: strokes, label: label)
  }

  private mutating func indices(shape: Int) throws -> [Int] {
    try scanner.expect(UInt8(ascii: "["), "shape \(shape)'s strokes")
    var indices: [Int] = []
    var isFirst = true
    while try scanner.next(isFirst: &isFirst, closing: UInt8(ascii: "]")) {
      scanner.skipWhitespace()
      let start = scanner.position
      guard let number = try scanner.number(), let index = Int(exactly: number) else {
        throw InkError.syntax("shape \(shape)'s strokes must be whole numbers", byte: start)
      }
      indices.append(index)
    }
    return indices
  }
}

extension Drawing {
  /// Removes the strokes without points and updates the indices in `shapes`.
  ///
  /// - Throws: `InkError.emptyDrawing` if no stroke is left.
  package mutating func dropEmptyStrokes() throws(InkError) {
    guard strokes.isEmpty || strokes.contains(where: { $0.points.isEmpty }) else { return }
    var newIndex: [Int?] = []
    var kept: [Stroke] = []
    for stroke in strokes {
      newIndex.append(stroke.points.isEmpty ? nil : kept.count)
      if !stroke.points.isEmpty { kept.append(stroke) }
    }
    strokes = kept
    for index in shapes.indices {
      shapes[index].strokes = shapes[index].strokes.compactMap { newIndex[$0] }
    }
    guard !strokes.isEmpty else { throw .emptyDrawing }
  }
}
