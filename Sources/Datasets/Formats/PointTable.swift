public import Ink
public import Support

/// Reads drawings as a table of points (CSV), one a row.
///
/// The first row names the columns: `x` and `y`, and if known `drawing` (or `id`), `label` (or
/// `word`), `stroke` (or `stroke_id`) and `t` (milliseconds); others are skipped. Rows of one
/// drawing, and of one stroke in it, follow one another. Commas, semicolons or tabs separate;
/// values in double quotes may hold them (RFC 4180), but no line feed.
public enum PointTable {
  /// The longest row in bytes.
  private static let longestRow = 1 << 16

  /// The drawings in `bytes`; ids that it does not give are the name of `path`, with the number of
  /// the drawing's first line. Errors name `path`.
  ///
  /// - Throws: `FileError` that names the line.
  public static func parse(_ bytes: [UInt8], path: String) throws(FileError) -> [Drawing] {
    var lines = LineReader(bytes, named: path, limit: longestRow)
    func fault(_ what: String, _ line: Int) -> FileError {
      FileError(reading: path, "line \(line): \(what)")
    }
    guard var header = try lines.nextText() else {
      throw FileError(reading: path, "it is empty")
    }
    if header.first == "\u{feff}" { header.removeFirst() }
    let separator: Character = [",", ";", "\t"].first { header.contains($0) } ?? ","
    let names = (fields(header, separator) ?? []).map { $0.trimmed.lowercased() }
    guard let columns = Columns(names) else {
      throw fault(
        "the first row should name the columns x and y, and drawing, label, stroke and t if known",
        1)
    }
    for name in columns.used.map({ names[$0] }) where names.count(where: { $0 == name }) > 1 {
      throw fault("the first row names the column \(name) twice", 1)
    }
    var drawings: [Drawing] = []
    var seen: Set<String> = []
    /// The strokes of the current drawing.
    var strokes: Set<String> = []
    var last: (drawing: String, stroke: String, label: String)?
    while let row = try lines.nextText() {
      guard !row.allSatisfy(\.isWhitespace) else { continue }
      let number = lines.lineNumber
      guard let values = fields(row, separator) else {
        throw fault("a quote does not end, or text follows it", number)
      }
      guard values.count >= columns.count else {
        throw fault("it has \(values.count) of \(columns.count) values", number)
      }
      // Such as numbers with a decimal comma between commas.
      guard values.dropFirst(columns.named).allSatisfy(\.trimmed.isEmpty) else {
        throw fault(
          "it has \(values.count) values, but the first row names \(columns.named) columns", number)
      }
      func coordinate(_ column: Int, _ name: String) throws(FileError) -> Double {
        guard let value = Point.number(values[column].trimmed) else {
          throw fault("\(name) is not a number from -1e100 to 1e100", number)
        }
        return value
      }
      var point = Point(x: try coordinate(columns.x, "x"), y: try coordinate(columns.y, "y"))
      if let column = columns.t, !values[column].trimmed.isEmpty {
        point.t = try coordinate(column, "t")
      }
      let name = columns.drawing.map { values[$0] } ?? ""
      let stroke = columns.stroke.map { values[$0] } ?? ""
      let label = columns.label.map { values[$0] } ?? ""
      if last?.drawing != name {
        guard seen.insert(name).inserted else {
          throw fault(
            "drawing \(name.prefix(60)) goes on after another; sort the rows by drawing", number)
        }
        var drawing = Drawing(strokes: [])
        do throws(InkError) {
          try drawing.setNames(
            id: name.isEmpty ? DatasetFormat.id(of: number, in: path) : name,
            label: label)
        } catch { throw fault(error.description, number) }
        drawings.append(drawing)
        (last, strokes) = (nil, [])
      }
      let index = drawings.count - 1
      guard last == nil || last?.label == label else {
        throw fault("drawing \(drawings[index].id.prefix(60)) has a second label", number)
      }
      if last?.stroke != stroke {
        guard strokes.insert(stroke).inserted else {
          throw fault(
            "stroke \(stroke.prefix(60)) goes on after another; sort by drawing and stroke", number)
        }
        drawings[index].strokes.append(Stroke([]))
      }
      drawings[index].strokes[drawings[index].strokes.count - 1].points.append(point.flushed)
      last = (name, stroke, label)
    }
    guard !drawings.isEmpty else {
      throw FileError(reading: path, "it has no rows of points")
    }
    return try drawings.map { drawing throws(FileError) in
      do throws(InkError) { return try drawing.withTimesFromFirst() } catch {
        throw FileError(reading: path, "drawing \(drawing.id.prefix(60)), \(error)")
      }
    }
  }

  /// Where each value is in a row.
  private struct Columns {
    var x: Int
    var y: Int
    var t: Int?
    var drawing: Int?
    var stroke: Int?
    var label: Int?
    /// All of these.
    var used: [Int]
    /// How many values a row has at least, and how many the first row names.
    var count: Int
    var named: Int

    init?(_ names: [String]) {
      func index(_ choices: String...) -> Int? {
        choices.lazy.compactMap(names.firstIndex).first
      }
      guard let x = index("x"), let y = index("y") else { return nil }
      (self.x, self.y) = (x, y)
      t = index("t", "time")
      drawing = index("drawing", "id", "key_id")
      stroke = index("stroke", "stroke_id")
      label = index("label", "word")
      named = names.count
      used = [x, y] + [t, drawing, stroke, label].compactMap(\.self)
      count = used.reduce(0, max) + 1
    }
  }

  /// The values of a row; nil where a quote is not closed.
  private static func fields(_ row: String, _ separator: Character) -> [String]? {
    let separator = separator.asciiValue
    var fields: [[UInt8]] = [[]]
    var isQuoted = false
    var isClosed = false
    var bytes = row.utf8[...]
    if bytes.last == 0x0d { bytes = bytes.dropLast() }
    while let byte = bytes.popFirst() {
      if isQuoted {
        guard byte == 0x22 else {
          fields[fields.count - 1].append(byte)
          continue
        }
        if bytes.first == 0x22 {
          bytes = bytes.dropFirst()
          fields[fields.count - 1].append(byte)
        } else {
          (isQuoted, isClosed) = (false, true)
        }
      } else if byte == separator {
        fields.append([])
        isClosed = false
      } else if byte == 0x22, fields[fields.count - 1].isEmpty, !isClosed {
        isQuoted = true
      } else if isClosed {
        return nil
      } else {
        fields[fields.count - 1].append(byte)
      }
    }
    return isQuoted ? nil : fields.map { String(decoding: $0, as: UTF8.self) }
  }
}
