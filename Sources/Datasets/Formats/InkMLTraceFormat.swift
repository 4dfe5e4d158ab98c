internal import Ink
internal import Support

/// The channels of InkML's traces, and how their text becomes strokes.
struct InkMLTraceFormat: Equatable {
  /// A column of the traces.
  struct Channel: Equatable {
    var name: String
    /// What a value is multiplied by: to milliseconds for T; to an X that grows to the right and a
    /// Y that grows downwards.
    var factor = 1.0
  }

  /// Those of a file that states none are X and Y.
  var channels = [Channel(name: "X"), Channel(name: "Y")]

  /// Adds a `channel` element.
  mutating func add(_ attributes: [String: String]) throws(FormatFault) {
    guard channels.count < 64 else { throw FormatFault("it has over 64 channels") }
    var channel = Channel(name: attributes["name"] ?? "")
    if channel.name == "T" {
      switch attributes["units"] ?? "ms" {
      case "ms": break
      case "s": channel.factor = 1000
      case let unit:
        throw FormatFault("times in \(unit.prefix(20)) are not read; use ms or s")
      }
    }
    if ["X", "Y"].contains(channel.name), attributes["orientation"] == "-ve" {
      channel.factor = -1
    }
    channels.append(channel)
  }

  /// Checks that a place can be read.
  func check() throws(FormatFault) {
    for name in ["X", "Y"] where channels.count(where: { $0.name == name }) != 1 {
      throw FormatFault("its traceFormat should have one channel \(name)")
    }
  }

  /// The stroke of a trace's text; `number`, from 0, names it in errors.
  ///
  /// A value may be marked as a first or second difference to the values before (`'` and `"`),
  /// which holds for the channel until another mark (InkML, 3.3.1); `?` is an unknown time.
  func stroke(_ text: String, number: Int) throws(FormatFault) -> Stroke {
    var points: [Point] = []
    var memory = [Memory](repeating: Memory(), count: channels.count)
    var bytes = text.utf8[...]
    func fault(_ what: String) -> FormatFault {
      FormatFault("trace \(number), point \(points.count): \(what)")
    }
    func skipSpace() { bytes = bytes.drop { $0 == 0x20 || (0x09...0x0d).contains($0) } }
    skipSpace()
    while !bytes.isEmpty {
      var point = Point(x: .nan, y: .nan)
      for (index, channel) in channels.enumerated() {
        skipSpace()
        // The last channels may be left out.
        guard let first = bytes.first, first != UInt8(ascii: ",") else { break }
        if let mark = Memory.Mark(rawValue: first) {
          memory[index].mark = mark
          bytes = bytes.dropFirst()
          skipSpace()
        }
        if bytes.first == UInt8(ascii: "?"), channel.name != "X", channel.name != "Y" {
          bytes = bytes.dropFirst()
          continue
        }
        guard let value = memory[index].next(Self.takeNumber(&bytes)) else {
          throw fault("the value of \(channel.name) should be a number from -1e100 to 1e100")
        }
        switch channel.name {
        case "X": point.x = value * channel.factor
        case "Y": point.y = value * channel.factor
        case "T": point.t = value * channel.factor
        default: break
        }
      }
      guard Point.readable.contains(point.x), Point.readable.contains(point.y),
        point.t.map(Point.readable.contains) ?? true
      else { throw fault("it has no X or Y, or a time beyond 1e100") }
      points.append(point.flushed)
      skipSpace()
      guard bytes.isEmpty || bytes.first == UInt8(ascii: ",") else {
        throw fault("it has more values than the \(channels.count) channels")
      }
      bytes = bytes.dropFirst()
    }
    guard !points.isEmpty else { throw fault("there is no point") }
    return Stroke(points)
  }

  /// The values of a channel before the next one.
  private struct Memory {
    enum Mark: UInt8 {
      case explicit = 0x21, first = 0x27, second = 0x22
    }

    var mark = Mark.explicit
    var last: Double?
    var velocity = 0.0

    /// The value that a number stands for; nil if there is none in range.
    mutating func next(_ number: Double?) -> Double? {
      guard let number else { return nil }
      let value =
        switch mark {
        case .explicit: number
        case .first: (last ?? 0) + number
        case .second: (last ?? 0) + velocity + number
        }
      guard Point.readable.contains(value) else { return nil }
      (velocity, last) = (last.map { value - $0 } ?? 0, value)
      return value
    }
  }

  /// Takes a decimal number, or a whole one in hexadecimal digits after `#`.
  private static func takeNumber(_ bytes: inout Substring.UTF8View) -> Double? {
    let isHexadecimal = bytes.first == UInt8(ascii: "#")
    if isHexadecimal { bytes = bytes.dropFirst() }
    var isFirst = true
    var isExponent = false
    let digits = bytes.prefix { byte in
      defer {
        isFirst = false
        isExponent = byte | 0x20 == UInt8(ascii: "e")
      }
      switch byte {
      case 0x30...0x39: return true
      case UInt8(ascii: "+"), UInt8(ascii: "-"): return isFirst || isExponent
      case UInt8(ascii: "."): return !isHexadecimal
      case UInt8(ascii: "e"), UInt8(ascii: "E"): return !isFirst || isHexadecimal
      default: return isHexadecimal && (0x61...0x66).contains(byte | 0x20)
      }
    }
    bytes = bytes.dropFirst(digits.count)
    let text = String(decoding: digits, as: UTF8.self)
    return isHexadecimal
      ? Int32(text, radix: 16).map(Double.init)
      : Double(text).flatMap { Point.readable.contains($0) ? $0 : nil }
  }
}
