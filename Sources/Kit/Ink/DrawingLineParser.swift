internal import JSON

/// Parses drawings from lines of the most common forms in a single pass.
///
/// It accepts objects with one list of strokes as columns, `word` or `label`, `id` or `key_id`,
/// `recognized`, `canvas`, `shapes`, and other keys with a string value; keys without escapes;
/// numbers of up to seven digits on either side of the point. For anything else, invalid lines
/// included, it returns nil: then `DrawingParser` reads the line, or reports what is wrong with it.
struct DrawingLineParser {
  /// The x coordinates of one stroke.
  private var column = [Double](repeating: 0, count: 1 << 12)
  /// The last label, as its bytes in the file and decoded: neighboring lines often have the same
  /// label.
  private var labelBytes: [UInt8] = []
  private var label = ""

  /// The fields of a line.
  private struct Fields {
    var id: String?
    var keyID: String?
    var label: String?
    var word: String?
    var wasGuessed: Bool?
    var strokes: [Stroke] = []
    var canvas: Drawing.Canvas?
    var shapes: [Drawing.Shape]?
  }

  /// The drawing on the line that begins at `unread.lowerBound`, and the line's length in bytes,
  /// line feed included.
  mutating func drawing(in bytes: RawSpan, _ unread: Range<Int>) -> (drawing: Drawing, count: Int)?
  {
    var cursor = LineCursor(position: unread.lowerBound)
    var fields = Fields()
    guard cursor.take("{", bytes) else { return nil }
    repeat {
      guard let key = cursor.text(bytes), cursor.take(":", bytes),
        take(key, &cursor, bytes, &fields)
      else { return nil }
    } while cursor.take(",", bytes)
    guard cursor.take("}", bytes) else { return nil }
    _ = cursor.take("\r", bytes)
    // Bytes beyond `unread` are not valid.
    guard cursor.take("\n", bytes), cursor.position <= unread.upperBound,
      !fields.strokes.isEmpty
    else { return nil }
    let label = fields.label ?? fields.word
    let shapes = fields.shapes ?? []
    for shape in shapes {
      guard shape.strokes.allSatisfy(fields.strokes.indices.contains) else { return nil }
    }
    return (
      Drawing(
        id: fields.id ?? fields.keyID ?? "", label: label == "" ? nil : label,
        strokes: fields.strokes, canvas: fields.canvas, shapes: shapes,
        wasGuessed: fields.wasGuessed),
      cursor.position - unread.lowerBound
    )
  }

  /// Consumes the value of a key; false for what only `DrawingParser` accepts.
  @inline(__always)
  private mutating func take(
    _ key: Range<Int>, _ cursor: inout LineCursor, _ bytes: RawSpan, _ fields: inout Fields
  ) -> Bool {
    switch LineKey(key, bytes) {
    case .id: return Self.take(&fields.id, &cursor, bytes)
    case .keyID: return Self.take(&fields.keyID, &cursor, bytes)
    case .word: return takeLabel(&fields.word, &cursor, bytes)
    case .label: return takeLabel(&fields.label, &cursor, bytes)
    case .recognized:
      guard fields.wasGuessed == nil else { return false }
      if cursor.take("true", bytes) {
        fields.wasGuessed = true
      } else {
        guard cursor.take("false", bytes) else { return false }
        fields.wasGuessed = false
      }
      return true
    case .strokes:
      guard fields.strokes.isEmpty, let strokes = strokes(&cursor, bytes) else { return false }
      fields.strokes = strokes
      return true
    case .canvas:
      guard fields.canvas == nil, let canvas = Self.canvas(&cursor, bytes) else { return false }
      fields.canvas = canvas
      return true
    case .shapes:
      guard fields.shapes == nil, let shapes = shapes(&cursor, bytes) else { return false }
      fields.shapes = shapes
      return true
    case .other: return Self.text(&cursor, bytes) != nil
    case .special: return false
    }
  }

  /// A canvas as we write it: its width, then its height.
  private static func canvas(_ cursor: inout LineCursor, _ bytes: RawSpan) -> Drawing.Canvas? {
    guard cursor.take("{", bytes), cursor.take("\"width\"", bytes), cursor.take(":", bytes),
      let (width, isOnly) = cursor.number(bytes, closing: UInt8(ascii: "}")), !isOnly,
      cursor.take("\"height\"", bytes), cursor.take(":", bytes),
      let (height, isLast) = cursor.number(bytes, closing: UInt8(ascii: "}")), isLast
    else { return nil }
    return Drawing.Canvas(readWidth: width, height: height)
  }

  /// Shapes as we write them: strokes, then label.
  private mutating func shapes(_ cursor: inout LineCursor, _ bytes: RawSpan) -> [Drawing.Shape]? {
    guard cursor.take("[", bytes) else { return nil }
    if cursor.take("]", bytes) { return [] }
    var shapes: [Drawing.Shape] = []
    repeat {
      guard cursor.take("{", bytes), cursor.take("\"strokes\"", bytes), cursor.take(":", bytes),
        cursor.take("[", bytes)
      else { return nil }
      var strokes: [Int] = []
      var isLast = cursor.take("]", bytes)
      while !isLast {
        guard let number = cursor.number(bytes), let index = Int(exactly: number.value) else {
          return nil
        }
        strokes.append(index)
        isLast = number.isLast
      }
      var label: String?
      guard cursor.take(",", bytes), cursor.take("\"label\"", bytes), cursor.take(":", bytes),
        takeLabel(&label, &cursor, bytes), let label, cursor.take("}", bytes)
      else { return nil }
      shapes.append(Drawing.Shape(strokes: strokes, label: label))
    } while cursor.take(",", bytes)
    return cursor.take("]", bytes) ? shapes : nil
  }

  /// Any string.
  @inline(__always)
  private static func text(_ cursor: inout LineCursor, _ bytes: RawSpan) -> String? {
    let start = cursor
    if let range = cursor.text(bytes), range.count <= Drawing.longestText {
      return LineCursor.string(range, bytes)
    }
    cursor = start
    return anyText(&cursor, bytes)?.text
  }

  /// A string with escapes or non-ASCII characters, decoded, and its bytes with the quotes.
  private static func anyText(
    _ cursor: inout LineCursor, _ bytes: RawSpan
  ) -> (text: String, quoted: [UInt8])? {
    guard let range = cursor.anyText(bytes) else { return nil }
    let quoted = LineCursor.quoted(range, bytes)
    var scanner = JSONScanner(quoted)
    guard let raw = try? scanner.string(), raw.utf8.count <= Drawing.longestText,
      !raw.utf8.contains(0), scanner.position == quoted.count
    else { return nil }
    return (raw.inNormalFormC, quoted)
  }

  private static func take(
    _ text: inout String?, _ cursor: inout LineCursor, _ bytes: RawSpan
  ) -> Bool {
    guard text == nil, let found = Self.text(&cursor, bytes) else { return false }
    text = found
    return true
  }

  private mutating func takeLabel(
    _ text: inout String?, _ cursor: inout LineCursor, _ bytes: RawSpan
  ) -> Bool {
    guard text == nil else { return false }
    if cursor.take(labelBytes, bytes) {
      text = label
      return true
    }
    let start = cursor
    if let range = cursor.text(bytes), range.count <= Drawing.longestText {
      label = LineCursor.string(range, bytes).inLabelForm
      labelBytes = LineCursor.quoted(range, bytes)
    } else {
      cursor = start
      guard let found = Self.anyText(&cursor, bytes) else { return false }
      (label, labelBytes) = (found.text.inLabelForm, found.quoted)
    }
    text = label
    return true
  }

  private mutating func strokes(_ cursor: inout LineCursor, _ bytes: RawSpan) -> [Stroke]? {
    guard cursor.take("[", bytes) else { return nil }
    var strokes: [Stroke] = []
    strokes.reserveCapacity(8)
    repeat {
      guard cursor.take("[", bytes), let stroke = stroke(&cursor, bytes), cursor.take("]", bytes)
      else { return nil }
      strokes.append(stroke)
    } while cursor.take(",", bytes)
    return cursor.take("]", bytes) ? strokes : nil
  }

  private mutating func stroke(_ cursor: inout LineCursor, _ bytes: RawSpan) -> Stroke? {
    guard cursor.take("[", bytes) else { return nil }
    var xs = column.mutableSpan
    var count = 0
    while true {
      guard count < xs.count, let (value, isLast) = cursor.number(bytes) else { return nil }
      xs[count] = value
      count &+= 1
      if isLast { break }
    }
    guard cursor.take(",", bytes), cursor.take("[", bytes) else { return nil }
    // Faster than the initializers that take a count, which look up the element type each time.
    var points: [Point] = []
    points.reserveCapacity(count)
    for index in 0..<count {
      guard let (value, isLast) = cursor.number(bytes), isLast == (index == count &- 1) else {
        return nil
      }
      points.append(Point(x: xs[index], y: value))
    }
    if cursor.take(",", bytes) {
      guard cursor.take("[", bytes) else { return nil }
      for index in 0..<count {
        guard let (value, isLast) = cursor.number(bytes), isLast == (index == count - 1) else {
          return nil
        }
        points[index].t = value
      }
    }
    return Stroke(points)
  }
}

/// The meaning of a key.
private enum LineKey {
  case id, keyID, word, label, recognized, strokes, canvas, shapes
  /// A key that is ignored.
  case other
  /// A key that only `DrawingParser` reads.
  case special

  @inline(__always)
  init(_ key: Range<Int>, _ bytes: RawSpan) {
    func matches(_ name: StaticString) -> Bool { LineCursor.matches(name, key.lowerBound, bytes) }
    switch key.count {
    case 2: self = matches("id") ? .id : .other
    case 4: self = matches("word") ? .word : matches("file") ? .special : .other
    case 5: self = matches("label") ? .label : .other
    case 6:
      self =
        matches("key_id")
        ? .keyID : matches("canvas") ? .canvas : matches("shapes") ? .shapes : .other
    case 7: self = matches("drawing") || matches("strokes") ? .strokes : .other
    case 8: self = matches("alphabet") ? .special : .other
    case 9: self = matches("character") ? .special : .other
    case 10: self = matches("recognized") ? .recognized : .other
    default: self = .other
    }
  }
}
