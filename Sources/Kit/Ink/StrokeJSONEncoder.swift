internal import Text

extension StrokeJSON {
  /// The JSON object of `drawing`, without a line feed: `id`, `label`, `recognized`, `canvas`,
  /// `strokes`, `shapes`.
  ///
  /// Numbers are the shortest that round-trip, whole ones without a fraction. A stroke's times are
  /// omitted if none is known; a stroke with only some known is written as a list of objects. The
  /// numbers must be finite. `parse` returns a drawing equal to `drawing` if its label is not empty
  /// and in normal form C, no stroke is empty, and no number but 0 is farther from 0 than 10^100 or
  /// nearer than 10^-100.
  public static func encode(_ drawing: Drawing) -> [UInt8] {
    var writer = Writer()
    writer.reserve(drawing.pointCount * 10 + 100)
    writer.write("{")
    if !drawing.id.isEmpty {
      writer.write("\"id\":")
      writer.write(quoted: drawing.id)
      writer.write(",")
    }
    if let label = drawing.label {
      writer.write("\"label\":")
      writer.write(quoted: label)
      writer.write(",")
    }
    if let wasGuessed = drawing.wasGuessed { writer.write("\"recognized\":\(wasGuessed),") }
    if let canvas = drawing.canvas {
      writer.write("\"canvas\":{\"width\":")
      writer.write(canvas.width)
      writer.write(",\"height\":")
      writer.write(canvas.height)
      writer.write("},")
    }
    writer.write("\"strokes\":")
    writer.writeList(drawing.strokes) { writer, stroke in writer.write(stroke) }
    if !drawing.shapes.isEmpty {
      writer.write(",\"shapes\":")
      writer.writeList(drawing.shapes) { writer, shape in
        writer.write("{\"strokes\":")
        writer.writeList(shape.strokes) { writer, index in writer.write(index) }
        writer.write(",\"label\":")
        writer.write(quoted: shape.label)
        writer.write("}")
      }
    }
    writer.write("}")
    return writer.bytes
  }
}

/// Builds JSON text.
private struct Writer {
  private(set) var bytes: [UInt8] = []

  mutating func reserve(_ count: Int) {
    bytes.reserveCapacity(count)
  }

  mutating func write(_ text: String) {
    bytes.append(contentsOf: text.utf8)
  }

  mutating func write(quoted text: String) {
    bytes.append(UInt8(ascii: "\""))
    let start = bytes.count
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"):
        bytes.append(UInt8(ascii: "\\"))
        bytes.append(byte)
      case 0..<0x20:
        write("\\u00" + (byte < 0x10 ? "0" : "") + String(byte, radix: 16))
      default: bytes.append(byte)
      }
    }
    // The other characters that `visibleJSON` escapes contain at least one such byte.
    if bytes[start...].contains(where: { $0 >= 0x7f }) {
      let shown = String(decoding: bytes[start...], as: UTF8.self).visibleJSON
      bytes.replaceSubrange(start..., with: shown.utf8)
    }
    bytes.append(UInt8(ascii: "\""))
  }

  mutating func write(_ number: Double) {
    precondition(number.isFinite, "JSON has no number for \(number)")
    // Below 2^53 every integer is exact; above, the shortest form may be shorter.
    if abs(number) < 0x1p53, number == number.rounded(.towardZero) {
      write(Int(number))
    } else {
      write(number.description)
    }
  }

  mutating func write(_ number: Int) {
    if number < 0 { bytes.append(UInt8(ascii: "-")) }
    var rest = number.magnitude
    let start = bytes.count
    repeat {
      bytes.append(UInt8(ascii: "0") + UInt8(rest % 10))
      rest /= 10
    } while rest > 0
    bytes[start...].reverse()
  }

  mutating func write(_ stroke: Stroke) {
    let timed = stroke.points.count { $0.t != nil }
    guard timed == 0 || timed == stroke.points.count else {
      writeList(stroke.points) { writer, point in
        writer.write("{\"x\":")
        writer.write(point.x)
        writer.write(",\"y\":")
        writer.write(point.y)
        if let t = point.t {
          writer.write(",\"t\":")
          writer.write(t)
        }
        writer.write("}")
      }
      return
    }
    write("[")
    writeList(stroke.points) { writer, point in writer.write(point.x) }
    write(",")
    writeList(stroke.points) { writer, point in writer.write(point.y) }
    if timed > 0 {
      write(",")
      writeList(stroke.points) { writer, point in writer.write(point.t ?? 0) }
    }
    write("]")
  }

  mutating func writeList<Element>(
    _ elements: [Element], element write: (inout Writer, Element) -> Void
  ) {
    var separator = UInt8(ascii: "[")
    for element in elements {
      bytes.append(separator)
      separator = UInt8(ascii: ",")
      write(&self, element)
    }
    if elements.isEmpty { bytes.append(UInt8(ascii: "[")) }
    bytes.append(UInt8(ascii: "]"))
  }
}
