internal import Ink

/// A drawing in the bytes of a shard; nothing that training sees is lost.
///
/// Whole numbers are varints: seven bits a byte, the lowest first, the highest bit set where more
/// follow; signed ones are zigzag (2n, or -2n - 1 below 0). Coordinates and times are whole numbers
/// of a power of ten, each the difference from the number before; or 64-bit floats where six
/// decimals do not hold them.
///
/// | field | form |
/// |---|---|
/// | flags | a byte: guessed (0 unknown, 1 no, 2 yes), 4 canvas, 8 number or 16 text id, 32 times |
/// | decimals | a byte: of coordinates + 16 × of times, 15 for floats |
/// | id | varint; or its length in bytes and UTF-8 |
/// | canvas | width, height as floats |
/// | number of strokes | varint |
/// | each stroke | number of points; x, y of each; then t of each |
///
/// A missing time beside others is NaN, as a float.
enum ShardRecord {
  /// The powers of ten that coordinates and times are whole numbers of.
  private static let powers: [Double] = [1, 10, 100, 1000, 1e4, 1e5, 1e6]
  /// In place of decimals: numbers are 64-bit floats.
  private static let floats: UInt8 = 15
  /// Whole numbers of at most this size: differences of two, and the floats they stand for, are
  /// exact.
  private static let mostWhole = 0x1p52
  /// The shortest stroke, in bytes: its number of points, and x and y of one.
  private static let shortestStroke = 3

  // MARK: Writing

  /// Appends a drawing without its label and shapes.
  ///
  /// - Parameters:
  ///   - drawing: The drawing, which has strokes, each with points.
  ///   - id: Its id; empty for none.
  ///   - bytes: What it is appended to.
  static func append(_ drawing: Drawing, id: String, to bytes: inout [UInt8]) {
    let number = number(id)
    let timed = drawing.strokes.reduce(0) { $0 + $1.points.count { $0.t != nil } }
    let places = decimals { isWhole in
      drawing.strokes.allSatisfy { $0.points.allSatisfy { isWhole($0.x) && isWhole($0.y) } }
    }
    let times =
      timed < drawing.pointCount
      ? floats
      : decimals { isWhole in
        drawing.strokes.allSatisfy { $0.points.allSatisfy { isWhole($0.t ?? .nan) } }
      }
    var flags: UInt8 = drawing.wasGuessed.map { $0 ? 2 : 1 } ?? 0
    if drawing.canvas != nil { flags |= 4 }
    if number != nil { flags |= 8 } else if !id.isEmpty { flags |= 16 }
    if timed > 0 { flags |= 32 }
    bytes.append(flags)
    bytes.append(places | times << 4)
    if let number {
      bytes.append(varint: number)
    } else if !id.isEmpty {
      bytes.append(varint: UInt64(id.utf8.count))
      bytes.append(contentsOf: id.utf8)
    }
    if let canvas = drawing.canvas {
      bytes.append(float: canvas.width)
      bytes.append(float: canvas.height)
    }
    bytes.append(varint: UInt64(drawing.strokes.count))
    var (x, y, t) = (Axis(places), Axis(places), Axis(times))
    for stroke in drawing.strokes {
      bytes.append(varint: UInt64(stroke.points.count))
      for point in stroke.points {
        x.append(point.x, to: &bytes)
        y.append(point.y, to: &bytes)
      }
      guard timed > 0 else { continue }
      for point in stroke.points { t.append(point.t ?? .nan, to: &bytes) }
    }
  }

  /// The fewest decimals that hold all numbers, or `floats`; `holds` says whether all are whole, by
  /// what it is given to tell that of one.
  @inline(__always)
  private static func decimals(_ holds: ((Double) -> Bool) -> Bool) -> UInt8 {
    for (decimals, power) in powers.enumerated() {
      let fit = holds { value in
        let scaled = (value * power).rounded()
        return scaled.magnitude <= mostWhole && scaled / power == value
      }
      if fit { return UInt8(decimals) }
    }
    return floats
  }

  /// An id as a number, if writing the number gives the id back.
  private static func number(_ id: String) -> UInt64? {
    guard let first = id.utf8.first, id.utf8.count <= 19,
      first != UInt8(ascii: "0") || id.utf8.count == 1
    else { return nil }
    var number: UInt64 = 0
    for digit in id.utf8 {
      guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) else { return nil }
      number = number * 10 + UInt64(digit - UInt8(ascii: "0"))
    }
    return number
  }

  /// The numbers of an axis, each relative to the one before.
  private struct Axis {
    private let power: Double?
    private var last: Int64 = 0

    init(_ decimals: UInt8) {
      power = decimals == floats ? nil : powers[Int(decimals)]
    }

    @inline(__always)
    mutating func append(_ value: Double, to bytes: inout [UInt8]) {
      guard let power else { return bytes.append(float: value) }
      let whole = Int64((value * power).rounded())
      let step = whole - last
      bytes.append(varint: UInt64(bitPattern: step << 1 ^ step >> 63))
      last = whole
    }

    /// The next number; nil if it is cut off or too large.
    @inline(__always)
    mutating func next(from cursor: inout ByteCursor) -> Double? {
      guard let power else { return cursor.next(UInt64.self).map(Double.init(bitPattern:)) }
      guard let code = cursor.varint() else { return nil }
      let step = Int64(bitPattern: code >> 1) ^ -Int64(bitPattern: code & 1)
      last &+= step
      guard last.magnitude <= UInt64(mostWhole), step.magnitude <= UInt64(2 * mostWhole) else {
        return nil
      }
      return power == 1 ? Double(last) : Double(last) / power
    }
  }

  // MARK: Reading

  /// The drawing that the cursor's bytes begin with; the bytes are not trusted.
  ///
  /// - Throws: `FormatFault`.
  static func drawing(
    from cursor: inout ByteCursor, label: String
  ) throws(FormatFault) -> Drawing {
    guard let flags = cursor.next(UInt8.self), let decimals = cursor.next(UInt8.self) else {
      throw cutOff
    }
    guard flags < 64, flags & 3 < 3, flags & 24 < 24, isKnown(decimals & 15), isKnown(decimals >> 4)
    else { throw FormatFault("has the flags \(flags) and the decimals \(decimals)") }
    var drawing = Drawing(id: "", label: label, strokes: [])
    drawing.wasGuessed = flags & 3 == 0 ? nil : flags & 3 == 2
    if flags & 8 != 0 {
      drawing.id = String(try count(&cursor, in: 0...UInt64.max))
    } else if flags & 16 != 0 {
      let length = try count(&cursor, in: 1...UInt64(Drawing.longestText))
      guard let text = cursor.next(Int(length)) else { throw cutOff }
      guard !text.contains(0), let id = String(validating: text, as: UTF8.self) else {
        throw FormatFault("has an id that is not text")
      }
      drawing.id = id
    }
    if flags & 4 != 0 {
      guard let width = cursor.next(UInt64.self), let height = cursor.next(UInt64.self) else {
        throw cutOff
      }
      drawing.canvas = Drawing.Canvas(
        readWidth: Double(bitPattern: width), height: Double(bitPattern: height))
      guard drawing.canvas != nil else { throw FormatFault("has a canvas without a size") }
    }
    let strokes = Int(
      try count(&cursor, in: 1...UInt64(cursor.remaining / shortestStroke + 1)))
    drawing.strokes.reserveCapacity(strokes)
    var (x, y) = (Axis(decimals & 15), Axis(decimals & 15))
    var t = Axis(decimals >> 4)
    for _ in 0..<strokes {
      drawing.strokes.append(
        try stroke(from: &cursor, &x, &y, &t, hasTimes: flags & 32 != 0))
    }
    return drawing
  }

  private static func stroke(
    from cursor: inout ByteCursor, _ x: inout Axis, _ y: inout Axis, _ t: inout Axis,
    hasTimes: Bool
  ) throws(FormatFault) -> Stroke {
    let count = Int(try count(&cursor, in: 1...UInt64(cursor.remaining / 2 + 1)))
    var points: [Point] = []
    points.reserveCapacity(count)
    for _ in 0..<count {
      guard let x = x.next(from: &cursor), let y = y.next(from: &cursor) else { throw cutOff }
      guard Point.readable.contains(x), Point.readable.contains(y) else { throw outOfRange }
      points.append(Point(x: x, y: y).flushed)
    }
    if hasTimes {
      for index in 0..<count {
        guard let t = t.next(from: &cursor) else { throw cutOff }
        guard t.isNaN || Point.readable.contains(t) else { throw outOfRange }
        points[index] = Point(x: points[index].x, y: points[index].y, t: t).flushed
      }
    }
    return Stroke(points)
  }

  private static func isKnown(_ decimals: UInt8) -> Bool {
    decimals == floats || Int(decimals) < powers.count
  }

  private static let cutOff = FormatFault("ends too early, or has a number that is too large")
  private static let outOfRange = FormatFault("has a number that is not from -1e100 to 1e100")

  private static func count(
    _ cursor: inout ByteCursor, in range: ClosedRange<UInt64>
  ) throws(FormatFault) -> UInt64 {
    guard let count = cursor.varint(), range.contains(count) else { throw cutOff }
    return count
  }
}

extension [UInt8] {
  /// Appends a whole number, seven bits a byte.
  @inline(__always)
  mutating func append(varint number: UInt64) {
    var rest = number
    while rest >= 0x80 {
      append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    append(UInt8(rest))
  }

  /// Appends the eight bytes of a float, the lowest first.
  fileprivate mutating func append(float: Double) {
    append(littleEndian: float.bitPattern)
  }

  /// Appends the bytes of a number, the lowest first.
  mutating func append<Number: FixedWidthInteger>(littleEndian number: Number) {
    for shift in stride(from: 0, to: Number.bitWidth, by: 8) {
      append(UInt8(truncatingIfNeeded: number >> shift))
    }
  }
}

extension ByteCursor {
  /// The next whole number of seven bits a byte; nil if it is cut off or has more than 64 bits.
  @inline(__always)
  mutating func varint() -> UInt64? {
    guard let first = next(UInt8.self) else { return nil }
    var number = UInt64(first & 0x7f)
    var (byte, shift) = (first, UInt64(7))
    while byte >= 0x80 {
      guard shift < 64, let more = next(UInt8.self), shift < 63 || more < 2 else { return nil }
      number |= UInt64(more & 0x7f) << shift
      (byte, shift) = (more, shift + 7)
    }
    return number
  }
}
