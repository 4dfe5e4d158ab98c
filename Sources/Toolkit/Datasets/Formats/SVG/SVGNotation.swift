internal import CLibrary
internal import Ink

/// The notations inside SVG attributes: lists of numbers, path data, transforms.
///
/// Source: Scalable Vector Graphics 2, chapters 8.5 "The transform property" and 9.3 "Path data".
struct SVGNotation {
  private let attribute: String
  private let bytes: [UInt8]
  private var position = 0

  /// The notation in the value of `attribute`, which errors name.
  init(_ text: String, of attribute: String) {
    bytes = Array(text.utf8)
    self.attribute = attribute
  }

  // MARK: Path data

  /// Draws path data on an outline, up to the first fault in them, which is returned.
  ///
  /// - Throws: `FormatFault` for a limit.
  consuming func draw(on outline: inout SVGOutline) throws(FormatFault) -> FormatFault? {
    do throws(FormatFault) {
      try drawAll(on: &outline)
      return nil
    } catch {
      guard !error.isLimit else { throw error }
      return error
    }
  }

  private mutating func drawAll(on outline: inout SVGOutline) throws(FormatFault) {
    var command: UInt8?
    /// The last control point of the curve before, for the smooth curve after it.
    var control: (place: SVGOutline.Place, isCubic: Bool)?
    var isFirst = true
    while skipSeparators(), position < bytes.count {
      let begin = position
      if Self.commands.contains(bytes[position] | 0x20) {
        command = bytes[position]
        position += 1
      } else if command.map({ $0 | 0x20 }) == UInt8(ascii: "z") || command == nil {
        throw fault("it should be a command such as M, L or C")
      }
      guard let current = command else { break }
      let isRelative = current & 0x20 != 0
      guard !isFirst || current | 0x20 == UInt8(ascii: "m") else {
        throw fault("a path begins with M", at: begin)
      }
      // The first place is absolute, also after "m".
      let base = isRelative && !isFirst ? outline.pen : .zero
      isFirst = false
      func mirrored(cubic: Bool) -> SVGOutline.Place {
        guard let control, control.isCubic == cubic else { return outline.pen }
        return 2 * outline.pen - control.place
      }
      var next: (SVGOutline.Place, Bool)?
      switch current | 0x20 {
      case UInt8(ascii: "m"):
        try outline.move(to: try place(base))
        // Further pairs are lines.
        command = isRelative ? UInt8(ascii: "l") : UInt8(ascii: "L")
      case UInt8(ascii: "l"): try outline.line(to: try place(base))
      case UInt8(ascii: "h"):
        try outline.line(to: .init(try number() + base.x, outline.pen.y))
      case UInt8(ascii: "v"):
        try outline.line(to: .init(outline.pen.x, try number() + base.y))
      case UInt8(ascii: "c"):
        let (first, second) = (try place(base), try place(base))
        try outline.curve(first, second, to: try place(base))
        next = (second, true)
      case UInt8(ascii: "s"):
        let (first, second) = (mirrored(cubic: true), try place(base))
        try outline.curve(first, second, to: try place(base))
        next = (second, true)
      case UInt8(ascii: "q"):
        let first = try place(base)
        try outline.curve(first, to: try place(base))
        next = (first, false)
      case UInt8(ascii: "t"):
        let first = mirrored(cubic: false)
        try outline.curve(first, to: try place(base))
        next = (first, false)
      case UInt8(ascii: "a"):
        let radii = try place(.zero)
        let degrees = try number()
        let (isLarge, isClockwise) = (try flag(), try flag())
        try outline.arc(
          radii: radii, degrees: degrees, isLarge: isLarge, isClockwise: isClockwise,
          to: try place(base))
      default: try outline.close()
      }
      control = next
    }
  }

  private static let commands = Set("mlhvcsqtaz".utf8)

  // MARK: Transforms

  /// The map of a list of transforms, whose numbers may have units, as in style sheets.
  consuming func transform() throws(FormatFault) -> Transform {
    var whole = Transform.identity
    while skipSeparators(), position < bytes.count {
      let begin = position
      while position < bytes.count, Self.isLetter(bytes[position]) { position += 1 }
      let name = String(decoding: bytes[begin..<position], as: UTF8.self)
      skipSpace()
      guard position < bytes.count, bytes[position] == UInt8(ascii: "(") else {
        throw fault("a transform is written like translate(3 4)", at: begin)
      }
      position += 1
      var values: [Double] = []
      while skipSeparators(), position < bytes.count, bytes[position] != UInt8(ascii: ")") {
        values.append(try transformNumber(of: name))
        guard values.count <= 6 else { throw fault("\(name) has too many numbers", at: begin) }
      }
      guard position < bytes.count else { throw fault("a transform lacks its )") }
      position += 1
      guard let part = Self.transform(name, values) else {
        throw fault(
          "\(name) of \(values.count) numbers is not a transform", at: begin)
      }
      // The last one is applied first.
      whole = part.then(whole)
    }
    return whole
  }

  /// A number of a transform: without a unit or in pixels, and of angles in degrees.
  private mutating func transformNumber(of name: String) throws(FormatFault) -> Double {
    let begin = position
    let value = try number()
    let unitBegin = position
    while position < bytes.count, Self.isLetter(bytes[position]) || bytes[position] == 0x25 {
      position += 1
    }
    let unit = String(decoding: bytes[unitBegin..<position], as: UTF8.self).lowercased()
    switch unit {
    case "", "px", "deg": return value
    case "rad": return value * 180 / .pi
    case "grad": return value * 0.9
    case "turn": return value * 360
    case "%" where name.lowercased().hasPrefix("scale"): return value / 100
    default:
      guard let pixels = SVGLength.pixels[unit] else {
        throw fault("the unit \(unit) is not read; use none", at: begin)
      }
      return value * pixels
    }
  }

  private static func transform(_ name: String, _ values: [Double]) -> Transform? {
    let radians = (values.first ?? 0) * .pi / 180
    return switch (name.lowercased(), values.count) {
    case ("matrix", 6):
      Transform(
        a: values[0], b: values[1], c: values[2], d: values[3], x: values[4], y: values[5])
    case ("translate", 1), ("translatex", 1): .translation(x: values[0], y: 0)
    case ("translate", 2): .translation(x: values[0], y: values[1])
    case ("translatey", 1): .translation(x: 0, y: values[0])
    case ("scale", 1): .scale(values[0])
    case ("scale", 2): .scale(x: values[0], y: values[1])
    case ("scalex", 1): .scale(x: values[0], y: 1)
    case ("scaley", 1): .scale(x: 1, y: values[0])
    case ("rotate", 1), ("rotatez", 1): .rotation(radians)
    case ("rotate", 3): .rotation(radians).about(Point(x: values[1], y: values[2]))
    case ("skewx", 1), ("skew", 1): .shear(x: tan(radians), y: 0)
    case ("skewy", 1): .shear(x: 0, y: tan(radians))
    case ("skew", 2): .shear(x: tan(radians), y: tan(values[1] * .pi / 180))
    default: nil
    }
  }

  // MARK: Numbers

  /// All numbers of a list.
  consuming func numbers() throws(FormatFault) -> [Double] {
    var values: [Double] = []
    while skipSeparators(), position < bytes.count { values.append(try number()) }
    return values
  }

  /// The numbers of a list up to the first fault in it.
  consuming func numbersUpToFault() -> (numbers: [Double], fault: FormatFault?) {
    var values: [Double] = []
    do throws(FormatFault) {
      while skipSeparators(), position < bytes.count { values.append(try number()) }
      return (values, nil)
    } catch { return (values, error) }
  }

  /// The text after what was read.
  var rest: String { String(decoding: bytes[position...], as: UTF8.self) }

  private mutating func place(_ base: SVGOutline.Place) throws(FormatFault) -> SVGOutline.Place {
    let x = try number()
    return .init(x, try number()) + base
  }

  /// The next number, which ends where it can end: "1.5.5-2" are three.
  mutating func number() throws(FormatFault) -> Double {
    _ = skipSeparators()
    let begin = position
    func digits() {
      while position < bytes.count, (0x30...0x39).contains(bytes[position]) { position += 1 }
    }
    func isNext(_ characters: Character...) -> Bool {
      position < bytes.count && characters.contains { $0.asciiValue == bytes[position] }
    }
    if isNext("+", "-") { position += 1 }
    digits()
    if isNext(".") {
      position += 1
      digits()
    }
    let mantissa = position
    if isNext("e", "E") {
      position += 1
      if isNext("+", "-") { position += 1 }
      let exponent = position
      digits()
      // "1em" is a number with a unit.
      if position == exponent { position = mantissa }
    }
    let text = String(decoding: bytes[begin..<position], as: UTF8.self)
    guard let value = Double(text.hasSuffix(".") ? text + "0" : text),
      Point.readable.contains(value)
    else {
      position = begin
      throw fault("it should be a number from -1e100 to 1e100")
    }
    return value
  }

  /// 0 or 1, which nothing need follow: "0110" are two flags and the number 10.
  private mutating func flag() throws(FormatFault) -> Bool {
    _ = skipSeparators()
    guard position < bytes.count, bytes[position] == 0x30 || bytes[position] == 0x31 else {
      throw fault("an arc's flag should be 0 or 1")
    }
    defer { position += 1 }
    return bytes[position] == 0x31
  }

  private mutating func skipSpace() {
    while position < bytes.count, Self.isSpace(bytes[position]) { position += 1 }
  }

  /// Skips white space and a comma; always true, for use in conditions.
  @discardableResult
  private mutating func skipSeparators() -> Bool {
    skipSpace()
    if position < bytes.count, bytes[position] == UInt8(ascii: ",") {
      position += 1
      skipSpace()
    }
    return true
  }

  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || (0x09...0x0d).contains(byte)
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    (0x61...0x7a).contains(byte | 0x20)
  }

  /// Bytes are counted from 0 within the attribute.
  private func fault(_ what: String, at byte: Int? = nil) -> FormatFault {
    FormatFault("\(attribute), byte \(byte ?? position): \(what)")
  }
}
