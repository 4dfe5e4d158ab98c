internal import Ink

/// Reads the blocks of version 6 of reMarkable's pages: a tree of groups, which are layers and what
/// is tied to text, and the lines in them.
struct RemarkableScene {
  /// The kinds of blocks that are read.
  private enum Kind: UInt8 {
    case group = 2
    case highlightedText = 3
    case groupItem = 4
    case line = 5
    case text = 7
    case page = 13
  }

  /// Names a group or an item: who made it, and its number.
  private struct ID: Hashable {
    var author: UInt8
    var number: UInt64
  }

  /// A line, and the group that it is in.
  private struct Line {
    var group: ID
    var stroke: Stroke
  }

  private var lines: [Line] = []
  private var hiddenGroups: Set<ID> = []
  private var groupOf: [ID: ID] = [:]
  private var canvas = RemarkableDrawings.screen
  /// How far to the right those groups begin that are tied to typed text.
  private var shiftOfTied: [ID: Double] = [:]
  private static let mostDepth = 128

  /// The drawing of the blocks from a byte on.
  static func drawing(
    in bytes: [UInt8], from start: Int, _ passedOver: inout PassedOver,
    _ notes: inout ReadingNotes
  ) throws(FormatFault) -> Drawing {
    var scene = RemarkableScene()
    var cursor = ByteCursor(bytes, at: start)
    while !cursor.isAtEnd {
      let begin = cursor.offset
      guard let length = cursor.next(UInt32.self), cursor.next(UInt8.self) != nil,
        cursor.next(UInt8.self) != nil, let version = cursor.next(UInt8.self),
        let kind = cursor.next(UInt8.self), Int(length) <= cursor.remaining
      else { throw FormatFault("byte \(begin): a block is damaged or truncated") }
      let end = cursor.offset + Int(length)
      if let kind = Kind(rawValue: kind) {
        var fields = Fields(bytes, cursor.offset..<end)
        try scene.read(kind, version: version, &fields, &passedOver)
      }
      _ = cursor.next(Int(length))
    }
    return try scene.drawing(&notes)
  }

  private mutating func read(
    _ kind: Kind, version: UInt8, _ fields: inout Fields, _ passedOver: inout PassedOver
  ) throws(FormatFault) {
    switch kind {
    case .text: passedOver.add("typed text")
    case .page:
      while let (index, value) = try fields.next() {
        // Two whole numbers, for tablets with other screens.
        if index == 5, case .block(var size) = value, let width = size.number(UInt32.self),
          let height = size.number(UInt32.self), width > 0, height > 0
        {
          canvas = Drawing.Canvas(width: Double(width), height: Double(height))
        }
      }
    case .group:
      var group: ID?
      while let (index, value) = try fields.next() {
        switch (index, value) {
        case (1, .id(let id)): group = id
        case (3, .block(var inner)):
          while let (index, value) = try inner.next() {
            if index == 2, case .byte(0) = value, let group { hiddenGroups.insert(group) }
          }
        case (7, .block): if let group { shiftOfTied[group] = shiftOfTied[group] ?? 0 }
        case (10, .block(var inner)):
          while let (index, value) = try inner.next() {
            if index == 2, case .number(let bits) = value, let group {
              shiftOfTied[group] = Double(Float(bitPattern: bits))
            }
          }
        default: break
        }
      }
    case .groupItem, .line, .highlightedText:
      var group: ID?
      while let (index, value) = try fields.next() {
        switch (index, value) {
        case (1, .id(let id)): group = id
        // Missing in deleted items.
        case (6, .block(var item)):
          guard let group, item.number(UInt8.self) != nil else { continue }
          switch kind {
          case .highlightedText: passedOver.add("highlighted text")
          case .groupItem:
            while let (index, value) = try item.next() {
              if index == 2, case .id(let id) = value { groupOf[id] = group }
            }
          default: try readLine(&item, version: version, group: group, &passedOver)
          }
        default: break
        }
      }
    }
  }

  private mutating func readLine(
    _ item: inout Fields, version: UInt8, group: ID, _ passedOver: inout PassedOver
  ) throws(FormatFault) {
    var (pen, color) = (UInt32(0), UInt32(0))
    var places: Fields?
    while let (index, value) = try item.next() {
      switch (index, value) {
      case (1, .number(let number)): pen = number
      case (2, .number(let number)): color = number
      case (5, .block(let block)): places = block
      default: break
      }
    }
    guard RemarkableDrawings.isInk(pen: pen, color: color, &passedOver), var places else { return }
    // Behind x and y are speed, width, direction and pressure.
    let rest = version < 2 ? 16 : 6
    guard places.count.isMultiple(of: 8 + rest) else {
      throw FormatFault("byte \(places.offset): the points of a line are damaged")
    }
    var points: [Point] = []
    points.reserveCapacity(places.count / (8 + rest))
    while places.count > 0 {
      let byte = places.offset
      guard let x = places.number(UInt32.self), let y = places.number(UInt32.self) else { break }
      points.append(try RemarkableDrawings.point(x, y, at: byte))
      places.skip(rest)
    }
    if !points.isEmpty { lines.append(Line(group: group, stroke: Stroke(points))) }
  }

  /// The lines that are in no hidden group, in the file's order.
  private func drawing(_ notes: inout ReadingNotes) throws(FormatFault) -> Drawing {
    /// How far the lines of a group move to the right; nil if they are hidden.
    var shifts: [ID: Double?] = [:]
    var drawing = Drawing(strokes: [], canvas: canvas)
    for line in lines {
      if shifts[line.group] == nil {
        var (group, depth) = (Optional(line.group), 0)
        var shift: Double? = canvas.width / 2
        while let next = group {
          guard depth < Self.mostDepth else {
            throw FormatFault("its groups nest more than \(Self.mostDepth) deep")
          }
          if hiddenGroups.contains(next) { shift = nil }
          if let more = shiftOfTied[next] {
            shift = shift.map { $0 + more }
            notes.add("lines beside typed text may be too high, because the text is not read")
          }
          (group, depth) = (groupOf[next], depth + 1)
        }
        shifts[line.group] = .some(shift)
      }
      guard let shift = shifts[line.group] ?? nil else { continue }
      guard Point.readable.contains(shift) else { throw FormatFault("a group has no place") }
      drawing.strokes.append(
        Stroke(line.stroke.points.map { Point(x: $0.x + shift, y: $0.y).flushed }))
    }
    return drawing
  }

  // MARK: Fields

  /// Values with numbers, one after the other, of a block or of a block within it.
  private struct Fields {
    enum Value {
      case id(ID)
      case byte(UInt8)
      case number(UInt32)
      case long(UInt64)
      case block(Fields)
    }

    private let bytes: [UInt8]
    private let end: Int
    private(set) var offset: Int

    init(_ bytes: [UInt8], _ place: Range<Int>) {
      (self.bytes, offset, end) = (bytes, place.lowerBound, place.upperBound)
    }

    /// The number of bytes left.
    var count: Int { end - offset }

    /// The next value and its number; nil at the end.
    mutating func next() throws(FormatFault) -> (index: UInt64, value: Value)? {
      guard count > 0 else { return nil }
      let begin = offset
      guard let tag = variable(), let value = value(kind: tag & 0xf) else {
        throw FormatFault("byte \(begin): a value is damaged or of an unknown kind")
      }
      return (tag >> 4, value)
    }

    private mutating func value(kind: UInt64) -> Value? {
      switch kind {
      case 0x1: return number(UInt8.self).map { .byte($0) }
      case 0x4: return number(UInt32.self).map { .number($0) }
      case 0x8: return number(UInt64.self).map { .long($0) }
      case 0xc:
        guard let length = number(UInt32.self), Int(length) <= count else { return nil }
        defer { offset += Int(length) }
        return .block(Fields(bytes, offset..<(offset + Int(length))))
      case 0xf:
        guard let author = number(UInt8.self), let number = variable() else { return nil }
        return .id(ID(author: author, number: number))
      default: return nil
      }
    }

    /// The next little-endian number; nil if too few bytes are left.
    mutating func number<Number: FixedWidthInteger>(_ type: Number.Type) -> Number? {
      guard count >= Number.bitWidth / 8 else { return nil }
      var cursor = ByteCursor(bytes, at: offset)
      offset += Number.bitWidth / 8
      return cursor.next()
    }

    /// Skips the given number of bytes.
    mutating func skip(_ count: Int) { offset += min(count, self.count) }

    /// The next number of seven bits a byte, the lowest first.
    private mutating func variable() -> UInt64? {
      var result: UInt64 = 0
      for shift in stride(from: 0, to: 64, by: 7) {
        guard let byte = number(UInt8.self) else { return nil }
        result |= UInt64(byte & 0x7f) << UInt64(shift)
        if byte & 0x80 == 0 { return result }
      }
      return nil
    }
  }
}
