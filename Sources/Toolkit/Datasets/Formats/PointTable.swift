public import Files
public import Ink

/// Reads drawings as a table (CSV): a point a row, or as Kaggle has Quick, Draw!, a drawing a row.
///
/// The first row names the columns: `x` and `y`, and if known `drawing` (or `id`), `label` (or
/// `word`), `stroke` (or `stroke_id`), `t` (milliseconds), and one that tells when the pen is down
/// (see `PenColumn`). Rows of one drawing, and of one stroke in it, follow one another. Commas,
/// semicolons or tabs separate. A table with a column of whole drawings is read by `DrawingTable`.
public enum PointTable {
  /// The longest row of a point, and of a drawing, in bytes.
  private static let longestRow = 1 << 16
  private static let longestDrawing = LineReader.defaultLimit

  /// Reads the drawings in `bytes`; ids that it does not give are the name of `path`, with the
  /// number of the drawing's first line. Errors name `path`.
  ///
  /// - Parameters:
  ///   - bytes: The file.
  ///   - path: Its name.
  ///   - notes: Gets the columns that were not used, and whether points were left out.
  /// - Returns: The drawings, in the order of the file.
  /// - Throws: `FileError` that names the line.
  public static func parse(
    _ bytes: [UInt8], path: String, notes: inout ReadingNotes
  ) throws(FileError) -> [Drawing] {
    func rows(_ separator: Character) -> TableRows {
      TableRows(bytes, path: path, separator: separator, longestRow: longestRow)
    }
    var firstLine = 1
    for separator in TableRows.separators(of: bytes) {
      var header = rows(separator)
      guard let values = try header.next() else {
        throw FileError(reading: path, "it is empty")
      }
      firstLine = header.line
      let names = values.map(ColumnName.plain)
      if let columns = Columns(names) {
        if let name = columns.twice(names) {
          throw header.fault("the first row names the column \(name) twice")
        }
        let pen = try PenColumn.find(
          in: names, used: Set(columns.used), drawing: columns.drawing,
          hasStrokes: columns.stroke != nil, consume header)
        var reader = Reader(columns: columns, pen: pen, separator: separator, path: path)
        var points = rows(separator)
        _ = try points.next()
        while let row = try points.next() {
          do throws(FormatFault) { try reader.add(row, points.line) } catch {
            throw points.fault(error.description)
          }
        }
        reader.tell(values.map(\.trimmed), &notes)
        return try reader.drawings()
      }
      if let columns = DrawingTable(names) {
        var drawings = TableRows(
          bytes, path: path, separator: separator, longestRow: longestDrawing)
        _ = try drawings.next()
        return try columns.drawings(&drawings, path: path)
      }
    }
    throw FileError(
      reading: path,
      "line \(firstLine): the first row should name the columns x and y, and drawing, label, stroke "
        + "and t if known; or a column drawing with strokes as JSON")
  }

  /// Where each value is in a row.
  private struct Columns {
    var x: Int
    var y: Int
    var t: Int?
    var drawing: Int?
    var stroke: Int?
    var label: Int?
    /// How many columns the first row names.
    var named: Int

    init?(_ names: [String]) {
      func index(_ choices: String...) -> Int? {
        choices.lazy.compactMap(names.firstIndex).first
      }
      guard let x = index("x"), let y = index("y") else { return nil }
      (self.x, self.y, named) = (x, y, names.count)
      t = index("t", "time")
      drawing = index("drawing", "drawing_id", "id", "key_id")
      stroke = index("stroke", "stroke_id")
      label = index("label", "word")
    }

    /// All that are used.
    var used: [Int] { [x, y] + [t, drawing, stroke, label].compactMap(\.self) }

    /// A used name that the first row has twice.
    func twice(_ names: [String]) -> String? {
      used.map { names[$0] }.first { name in names.count { $0 == name } > 1 }
    }
  }

  /// Makes drawings of rows, one after the other.
  private struct Reader {
    private let columns: Columns
    private var pen: PenColumn?
    private var numbers: TableNumbers
    private let path: String
    /// How many values a row has at least.
    private let count: Int
    private var found: [Drawing] = []
    /// The line on which each drawing begins.
    private var beginnings: [Int] = []
    private var seen: Set<String> = []
    /// The strokes of the current drawing.
    private var strokes: Set<String> = []
    private var last: (drawing: String, stroke: String?, label: String)?
    /// Whether the pen was lifted since the last point.
    private var isLifted = true
    private var hasLeftOut = false

    init(columns: Columns, pen: PenColumn?, separator: Character, path: String) {
      (self.columns, self.pen, self.path) = (columns, pen, path)
      numbers = TableNumbers(separator: separator)
      count = (columns.used + [pen?.index ?? 0]).reduce(0, max) + 1
    }

    /// Adds a row that begins on `line`.
    mutating func add(_ values: [String], _ line: Int) throws(FormatFault) {
      guard values.count >= count else {
        throw FormatFault("it has \(values.count) of \(count) values")
      }
      // Such as numbers with a decimal comma between commas.
      guard values.dropFirst(columns.named).allSatisfy(\.trimmed.isEmpty) else {
        throw FormatFault(
          "it has \(values.count) values, but the first row names \(columns.named) columns; are "
            + "there decimal commas between commas?")
      }
      try beginDrawing(values, line)
      let step = try pen?.step(in: values) ?? .ink
      if case .air = step {
        (isLifted, hasLeftOut) = (true, true)
        return
      }
      if case .first = step { isLifted = true }
      var point = Point(
        x: try numbers.number(values[columns.x], "x"), y: try numbers.number(values[columns.y], "y")
      )
      if let column = columns.t, !values[column].trimmed.isEmpty {
        point.t = try numbers.number(values[column], "t")
      }
      let stroke = columns.stroke.map { values[$0] } ?? ""
      let index = found.count - 1
      if last?.stroke != stroke {
        guard strokes.insert(stroke).inserted else {
          throw FormatFault(
            "stroke \(stroke.prefix(60)) continues after another; sort by drawing and stroke")
        }
        isLifted = true
      }
      if isLifted { found[index].strokes.append(Stroke([])) }
      found[index].strokes[found[index].strokes.count - 1].points.append(point.flushed)
      last?.stroke = stroke
      isLifted = if case .last = step { true } else { false }
    }

    /// Begins a drawing, if a row belongs to another one than the row before.
    private mutating func beginDrawing(_ values: [String], _ line: Int) throws(FormatFault) {
      let name = columns.drawing.map { values[$0] } ?? ""
      let label = columns.label.map { values[$0] } ?? ""
      guard last?.drawing != name else {
        guard last?.label == label else {
          throw FormatFault("drawing \(found[found.count - 1].id.prefix(60)) has a second label")
        }
        return
      }
      guard seen.insert(name).inserted else {
        throw FormatFault(
          "drawing \(name.prefix(60)) continues after another; sort the rows by drawing")
      }
      var drawing = Drawing(strokes: [])
      do throws(InkError) {
        try drawing.setNames(
          id: name.isEmpty ? DatasetFormat.id(of: line, in: path) : name, label: label)
      } catch { throw FormatFault(error.description) }
      found.append(drawing)
      beginnings.append(line)
      (last, strokes, isLifted) = ((name, nil, label), [], true)
      pen?.reset()
    }

    /// Adds notes about columns that were not used, and about points that were left out.
    func tell(_ names: [String], _ notes: inout ReadingNotes) {
      if let pen, hasLeftOut {
        notes.add(
          "points with the pen up are left out, by the column \(names[pen.index].prefix(40))")
      }
      let used = Set(columns.used + [pen?.index].compactMap(\.self))
      for (index, name) in names.enumerated() where !used.contains(index) && !name.isEmpty {
        notes.add("a column is not used: \(name.prefix(40))")
      }
    }

    /// The drawings.
    func drawings() throws(FileError) -> [Drawing] {
      guard !found.isEmpty else {
        throw FileError(reading: path, "it has no rows of points")
      }
      for (drawing, line) in zip(found, beginnings) where drawing.strokes.isEmpty {
        throw FileError(
          reading: path,
          "line \(line): drawing \(drawing.id.prefix(60)) has no point with the pen down, by the "
            + "column \(pen?.name.prefix(40) ?? "")")
      }
      return try found.map { drawing throws(FileError) in
        do throws(InkError) { return try drawing.withTimesFromFirst() } catch {
          throw FileError(reading: path, "drawing \(drawing.id.prefix(60)), \(error)")
        }
      }
    }
  }
}

/// A column's name as tables have it: "Stroke ID" and "stroke-id" are "stroke_id".
enum ColumnName {
  static func plain(_ name: String) -> String {
    String(name.trimmed.lowercased().map { $0 == " " || $0 == "-" ? "_" : $0 })
  }
}
