internal import Ink

/// Reads the text of InkML's traces: see InkML, section 3.3.1.
///
/// A value is a number, `T` or `F`; `*`, "as before"; or `?`, unknown. A mark before it says that
/// it is itself (`!`), or a first or second difference to the values before (`'` and `"`); that
/// holds for the channel until another mark. "As before" goes on by the last difference where these
/// are marked. Intermittent channels that a point leaves out are as before.
struct InkMLTraceText {
  private enum Role { case x, y, t, skipped }

  private let channels: [InkMLTraceFormat.Channel]
  private let roles: [Role]
  private let regularCount: Int
  /// What X, Y and T are multiplied by.
  private let factors: (x: Double, y: Double, t: Double)

  /// A reader of traces in `format`.
  ///
  /// - Parameters:
  ///   - format: The format, which must have one channel X and one Y.
  ///   - scale: What X and Y are multiplied by.
  ///   - millisecondsPerTime: What T is multiplied by.
  init(
    _ format: InkMLTraceFormat, scale: (x: Double, y: Double), millisecondsPerTime: Double
  ) {
    channels = format.channels
    regularCount = channels.count { !$0.isIntermittent }
    let firstTime = channels.firstIndex { $0.name == "T" }
    roles = channels.enumerated().map { index, channel in
      switch channel.name {
      case "X": .x
      case "Y": .y
      case "T": index == firstTime ? .t : .skipped
      default: .skipped
      }
    }
    func sign(_ name: String) -> Double {
      format.channels.contains { $0.name == name && $0.isReversed } ? -1 : 1
    }
    factors = (scale.x * sign("X"), scale.y * sign("Y"), millisecondsPerTime)
  }

  /// The points of a trace's text; empty for an empty trace.
  ///
  /// - Throws: `FormatFault` that names the point, from 0.
  func points(_ text: String) throws(FormatFault) -> [Point] {
    var points: [Point] = []
    var memory = channels.map { Memory(last: $0.initial) }
    var bytes = text.utf8[...]
    func fault(_ what: String) -> FormatFault { FormatFault("point \(points.count): \(what)") }
    Self.skipSpace(&bytes)
    while !bytes.isEmpty {
      var point = Point(x: .nan, y: .nan)
      for index in channels.indices {
        Self.skipSpace(&bytes)
        let value: Double?
        if let first = bytes.first, first != UInt8(ascii: ",") {
          value = try take(&bytes, index, &memory[index], fault)
        } else if index >= regularCount {
          value = memory[index].next(.same)
        } else {
          // The last regular channels may be left out, though they should not.
          value = nil
        }
        guard let value else { continue }
        switch roles[index] {
        case .x: point.x = value * factors.x
        case .y: point.y = value * factors.y
        case .t: point.t = value * factors.t
        case .skipped: break
        }
      }
      guard Point.readable.contains(point.x), Point.readable.contains(point.y),
        point.t.map(Point.readable.contains) ?? true
      else { throw fault("it has no X or Y, or a time beyond 1e100") }
      points.append(point.flushed)
      Self.skipSpace(&bytes)
      guard bytes.isEmpty || bytes.first == UInt8(ascii: ",") else {
        throw fault("it has more values than the \(channels.count) channels")
      }
      bytes = bytes.dropFirst()
      // A comma may end the text.
      Self.skipSpace(&bytes)
    }
    return points
  }

  private static func skipSpace(_ bytes: inout Substring.UTF8View) {
    while let byte = bytes.first, byte == 0x20 || (0x09...0x0d).contains(byte) {
      bytes.removeFirst()
    }
  }

  /// Takes the value of a channel; nil if it is unknown, which a place may not be.
  private func take(
    _ bytes: inout Substring.UTF8View, _ index: Int, _ memory: inout Memory,
    _ fault: (String) -> FormatFault
  ) throws(FormatFault) -> Double? {
    if let mark = bytes.first.flatMap(Memory.Mark.init) {
      memory.mark = mark
      bytes.removeFirst()
      Self.skipSpace(&bytes)
    }
    let isPlace = roles[index] == .x || roles[index] == .y
    let value: Value?
    switch bytes.first {
    case UInt8(ascii: "*"): value = .same
    case UInt8(ascii: "?") where !isPlace: value = .unknown
    case UInt8(ascii: "T") where roles[index] == .skipped: value = .number(1)
    case UInt8(ascii: "F") where roles[index] == .skipped: value = .number(0)
    default: value = nil
    }
    if let value {
      bytes.removeFirst()
      if case .unknown = value { return nil }
      guard let result = memory.next(value) else {
        guard isPlace else { return nil }
        throw fault("\(channels[index].name) repeats its last value (*), but has none")
      }
      return result
    }
    guard let number = Self.takeNumber(&bytes), let result = memory.next(.number(number)) else {
      throw fault("the value of \(channels[index].name) should be a number from -1e100 to 1e100")
    }
    return result
  }

  private enum Value { case number(Double), same, unknown }

  /// The values of a channel before the next one.
  private struct Memory {
    enum Mark: UInt8 {
      case explicit = 0x21, first = 0x27, second = 0x22
    }

    var mark = Mark.explicit
    var last: Double?
    var velocity = 0.0
    var acceleration = 0.0

    init(last: Double?) { self.last = last }

    /// The value of a number or of "as before"; nil if it is unknown or out of range.
    mutating func next(_ value: Value) -> Double? {
      let result: Double
      switch (value, mark) {
      case (.unknown, _): return nil
      case (.number(let number), .explicit): result = number
      case (.number(let number), .first): result = (last ?? 0) + number
      case (.number(let number), .second): result = (last ?? 0) + velocity + number
      case (.same, _):
        guard let last else { return nil }
        switch mark {
        case .explicit: result = last
        case .first: result = last + velocity
        case .second: result = last + velocity + acceleration
        }
      }
      guard Point.readable.contains(result) else { return nil }
      let newVelocity = last.map { result - $0 } ?? 0
      (acceleration, velocity, last) = (newVelocity - velocity, newVelocity, result)
      return result
    }
  }

  /// Takes a decimal number, or a whole one in hexadecimal digits after `#`.
  private static func takeNumber(_ bytes: inout Substring.UTF8View) -> Double? {
    var isNegative = false
    if let sign = bytes.first, sign == UInt8(ascii: "-") || sign == UInt8(ascii: "+") {
      isNegative = sign == UInt8(ascii: "-")
      bytes.removeFirst()
      skipSpace(&bytes)
    }
    let isHexadecimal = bytes.first == UInt8(ascii: "#")
    if isHexadecimal { bytes.removeFirst() }
    var isFirst = true
    var isExponent = false
    let digits = bytes.prefix { byte in
      defer {
        isFirst = false
        isExponent = byte | 0x20 == UInt8(ascii: "e")
      }
      switch byte {
      case 0x30...0x39: return true
      case UInt8(ascii: "+"), UInt8(ascii: "-"): return isExponent && !isHexadecimal
      case UInt8(ascii: "."): return !isHexadecimal
      case UInt8(ascii: "e"), UInt8(ascii: "E"): return !isFirst || isHexadecimal
      default: return isHexadecimal && (0x61...0x66).contains(byte | 0x20)
      }
    }
    bytes = bytes.dropFirst(digits.count)
    let text = String(decoding: digits, as: UTF8.self)
    let number =
      isHexadecimal
      ? Int32(text, radix: 16).map(Double.init)
      : Double(text).flatMap { Point.readable.contains($0) ? $0 : nil }
    return number.map { isNegative ? -$0 : $0 }
  }
}
