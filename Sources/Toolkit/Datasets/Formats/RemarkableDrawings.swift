public import Files
public import Ink

/// Reads the pages of reMarkable's tablets (`.rm`), of versions 3, 5 and 6.
///
/// A file is one page, a drawing without a label. Hidden layers, and white strokes, are left out;
/// erasers' strokes, typed text and highlighted text of documents are passed over and told. The
/// canvas is the screen, 1,404 × 1,872 unless the file says another; pages may be longer. In
/// version 6 places count from the middle of the page's upper edge; here, as everywhere, from its
/// upper left corner. Version 6 ties strokes beside typed text to that text; as the text is not
/// read, they may lie too high, which is told.
///
/// Source: the description of rmscene, https://github.com/ricklupton/rmscene, and for older
/// versions "reMarkable .lines file format",
/// https://plasma.ninja/blog/devices/remarkable/binary/format/2017/12/26/reMarkable-lines-file-format.html.
public enum RemarkableDrawings {
  private static let header = "reMarkable .lines file, version="
  private static let headerLength = 43

  /// The drawing in `bytes`, without an id. Errors name `path`.
  ///
  /// - Throws: `FileError` that names the byte.
  public static func parse(
    _ bytes: [UInt8], path: String, notes: inout ReadingNotes
  ) throws(FileError) -> Drawing {
    var passedOver = PassedOver()
    let drawing: Drawing
    do throws(FormatFault) {
      guard bytes.count >= headerLength, bytes.starts(with: header.utf8) else {
        throw FormatFault("it is not a reMarkable page of version 3 or later")
      }
      let version = bytes[header.utf8.count]
      switch version {
      case UInt8(ascii: "6"):
        drawing = try RemarkableScene.drawing(in: bytes, from: headerLength, &passedOver, &notes)
      case UInt8(ascii: "3"), UInt8(ascii: "5"):
        drawing = try lines(
          in: bytes, isNewer: version == UInt8(ascii: "5"), &passedOver)
      default:
        throw FormatFault(
          "it is of version \(Character(UnicodeScalar(version))) of reMarkable's pages; "
            + "3, 5 and 6 are read")
      }
    } catch { throw FileError(reading: path, error.description) }
    passedOver.tell(&notes)
    guard !drawing.strokes.isEmpty else {
      throw FileError(reading: path, "the page has no stroke")
    }
    return drawing
  }

  /// The screen of the first tablets, in the units of places.
  static let screen = Drawing.Canvas(width: 1404, height: 1872)

  /// A point of two 32-bit floats.
  ///
  /// - Throws: `FormatFault` that names the byte for one that is not a number in the range of files.
  static func point(_ x: UInt32, _ y: UInt32, at byte: Int) throws(FormatFault) -> Point {
    let (x, y) = (Double(Float(bitPattern: x)), Double(Float(bitPattern: y)))
    guard Point.readable.contains(x), Point.readable.contains(y) else {
      throw FormatFault("byte \(byte): a point is not a number")
    }
    return Point(x: x, y: y).flushed
  }

  /// Whether a stroke of a pen and a color, by their numbers, is ink; counts those of erasers.
  static func isInk(pen: UInt32, color: UInt32, _ passedOver: inout PassedOver) -> Bool {
    // 6 erases, 8 erases what it surrounds.
    guard pen != 6, pen != 8 else {
      passedOver.add("eraser stroke")
      return false
    }
    // 2 is white.
    return color != 2
  }

  /// Reads a page of version 3 or 5 (`isNewer`): layers, strokes and points, each after its count.
  private static func lines(
    in bytes: [UInt8], isNewer: Bool, _ passedOver: inout PassedOver
  ) throws(FormatFault) -> Drawing {
    var drawing = Drawing(strokes: [], canvas: screen)
    var cursor = ByteCursor(bytes, at: headerLength)
    func next() throws(FormatFault) -> UInt32 {
      guard let number = cursor.next(UInt32.self) else {
        throw FormatFault("it ends within a page; it is truncated")
      }
      return number
    }
    for _ in 0..<(try next()) {
      for _ in 0..<(try next()) {
        let (pen, color) = (try next(), try next())
        // Not known; the pen's width; not known.
        for _ in 0..<(isNewer ? 3 : 2) { _ = try next() }
        let count = Int(try next())
        // x, y, speed, direction, width and pressure.
        guard count <= cursor.remaining / 24 else {
          throw FormatFault("byte \(cursor.offset): a stroke claims \(count) points")
        }
        var points: [Point] = []
        points.reserveCapacity(count)
        for _ in 0..<count {
          let byte = cursor.offset
          points.append(try point(try next(), try next(), at: byte))
          _ = cursor.next(16)
        }
        if isInk(pen: pen, color: color, &passedOver), !points.isEmpty {
          drawing.strokes.append(Stroke(points))
        }
      }
    }
    return drawing
  }
}
