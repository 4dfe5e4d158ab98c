public import Files
public import Ink

/// Reads the gesture files of the $1, $N and $P recognizers, one drawing a file.
///
/// A `Gesture` element holds `Point` elements (X, Y, T in milliseconds), in `Stroke` elements or,
/// for one stroke, directly. The label is its `Name` without the repetition's number ("arrow~02",
/// "arrow02"), underscores as spaces; a number ("2024") stays whole.
///
/// Source: Wobbrock, Wilson and Li, "Gestures without libraries, toolkits or training", UIST 2007,
/// doi:10.1145/1294211.1294238; Vatavu, Anthony and Wobbrock, "Gestures as point clouds", ICMI
/// 2012, doi:10.1145/2388676.2388732, and the data sets published with them.
public enum GestureXML {
  /// The drawing in `bytes`, without an id; errors name `path`.
  ///
  /// - Throws: `FileError` that names the line.
  public static func parse(_ bytes: [UInt8], path: String) throws(FileError) -> Drawing {
    var reader = try XMLReader(bytes, path: path)
    var drawing = Drawing(strokes: [])
    var points: [Point] = []
    var depth = 0
    func endStroke() {
      if !points.isEmpty { drawing.strokes.append(Stroke(points)) }
      points = []
    }
    while let part = try reader.next() {
      guard case .start(let name, let attributes) = part else {
        if case .end(let name) = part {
          depth -= 1
          if name == "Stroke" || depth == 0 { endStroke() }
        }
        continue
      }
      guard depth > 0 || name == "Gesture" else {
        throw reader.fault("it is not a gesture file: its first element is \(name), not Gesture")
      }
      if depth == 0, let text = attributes["Name"] {
        do throws(InkError) { try drawing.setNames(id: "", label: label(text)) } catch {
          throw reader.fault(error.description)
        }
      }
      depth += 1
      switch name {
      case "Stroke": endStroke()
      case "Point":
        func number(_ key: String) throws(FileError) -> Double? {
          guard let text = attributes[key] else { return nil }
          guard let value = Point.number(text) else {
            throw reader.fault(
              "stroke \(drawing.strokes.count), point \(points.count): \(key) is not a number "
                + "from -1e100 to 1e100")
          }
          return value
        }
        guard let x = try number("X"), let y = try number("Y") else {
          throw reader.fault(
            "stroke \(drawing.strokes.count), point \(points.count) has no X or no Y")
        }
        points.append(Point(x: x, y: y, t: try number("T")).flushed)
      default: break
      }
    }
    guard !drawing.strokes.isEmpty else {
      throw FileError(reading: path, "it has no Point")
    }
    do throws(InkError) { return try drawing.withTimesFromFirst() } catch {
      throw FileError(reading: path, error.description)
    }
  }

  /// The class in a gesture's name: the name up to "~", or without the two digits of a repetition.
  /// In numbers, such as "2024", "v1.10" and "12-01", the digits are not a repetition.
  private static func label(_ name: String) -> String {
    let text = name.prefix { $0 != "~" }.map { $0 == "_" ? " " : $0 }
    guard text.count == name.count, text.count > 2,
      text.suffix(2).allSatisfy({ $0.isASCII && $0.isNumber })
    else { return String(text) }
    let rest = String(text.dropLast(2))
    let word = rest.trimmed.last
    let endsInWord = word.map { !$0.isNumber && !$0.isPunctuation && !$0.isCurrencySymbol } ?? false
    return endsInWord && word?.isMathSymbol == false ? rest : String(text)
  }
}
