public import Files
public import Ink

/// Reads the sets of handwritten characters of the UCI Machine Learning Repository, of which each
/// file holds many drawings: "Pen-Based Recognition of Handwritten Digits" (`.tra`, `.tes`), as it
/// was recorded and in rows of eight points, and both versions of "UJI Pen Characters".
///
/// What was recorded is in a form like UNIPEN's: a `.SEGMENT` names a character, and what follows
/// `.PEN_DOWN` are the points of a stroke. In the second version of UJI's characters `WORD` names a
/// character, and each line `POINTS` is a stroke. A row of digits is `x,y` eight times and the
/// digit: one stroke, as the places where the pen was lifted are not kept. y grows upwards in
/// digits and downwards in UJI's characters; here always downwards. Times are not kept.
///
/// Source: Alpaydin and Alimoglu, https://doi.org/10.24432/C5MG6K; Llorens and others,
/// https://doi.org/10.24432/C5W604; the format of UNIPEN: Guyon and others, "UNIPEN project of
/// on-line data exchange and recognizer benchmarks", ICPR 1994, doi:10.1109/ICPR.1994.576870.
public enum PenCharacters {
  /// The longest line in bytes.
  private static let longestLine = 1 << 16
  /// The number of points of a row of digits, and the side of their box.
  private static let rowPoints = 8
  private static let rowSide = 100.0

  /// The drawings in `bytes`, with ids made of `path` and their first line. Errors name `path`.
  ///
  /// - Throws: `FileError` that names the line.
  public static func parse(_ bytes: [UInt8], path: String) throws(FileError) -> [Drawing] {
    var lines = LineReader(bytes, named: path, limit: longestLine)
    var set = Characters(path: path)
    while let line = try lines.nextText() {
      do throws(FormatFault) { try set.read(line, number: lines.lineNumber) } catch {
        throw FileError(reading: path, "line \(lines.lineNumber): \(error)")
      }
    }
    let drawings = set.drawings.compactMap { drawing -> Drawing? in
      var drawing = drawing
      drawing.strokes.removeAll { $0.points.isEmpty }
      return drawing.strokes.isEmpty ? nil : drawing
    }
    guard !drawings.isEmpty else {
      throw FileError(
        reading: path,
        "it has no characters; a .tra or .tes file is read as pen digits or characters of UCI")
    }
    return drawings
  }

  /// What is known of a set while it is read.
  private struct Characters {
    let path: String
    /// Those begun, some without strokes.
    var drawings: [Drawing] = []
    private var isPenDown = false
    /// Whether y grows upwards in the current character.
    private var isUpward = false

    init(path: String) { self.path = path }

    mutating func read(_ line: String, number: Int) throws(FormatFault) {
      let words = line.split(whereSeparator: \.isWhitespace)
      guard let first = words.first, !first.hasPrefix("//") else { return }
      switch first {
      case ".SEGMENT":
        isPenDown = false
        isUpward = words.dropFirst().first == "DIGIT"
        try begin(quoted(line), number)
      case ".PEN_DOWN":
        guard !drawings.isEmpty else { throw FormatFault("a stroke begins before a .SEGMENT") }
        isPenDown = true
        addStroke([])
      case ".PEN_UP": isPenDown = false
      case ".INCLUDE" where words.last?.hasSuffix(".dat") == true:
        throw FormatFault("it takes strokes from another file, which is not read")
      case "WORD":
        guard words.count > 1 else { throw FormatFault("WORD names no character") }
        (isPenDown, isUpward) = (false, false)
        try begin(String(words[1]), number)
      case "NUMSTROKES": return
      case "POINTS":
        guard !drawings.isEmpty else { throw FormatFault("a stroke begins before a WORD") }
        let numbers = try numbers(words.dropFirst(3))
        guard words.count > 2, Int(words[1]) == numbers.count / 2, numbers.count.isMultiple(of: 2)
        else { throw FormatFault("it has another number of points than it says") }
        addStroke(places(numbers))
      default:
        guard !first.hasPrefix(".") else { return }
        if isPenDown {
          let numbers = try numbers(words[...])
          guard numbers.count >= 2 else { throw FormatFault("a point has no y") }
          addPoint(numbers[0], isUpward ? 0 - numbers[1] : numbers[1])
        } else {
          try readRow(line, number)
        }
      }
    }

    /// Reads a row of places and a digit.
    private mutating func readRow(_ line: String, _ number: Int) throws(FormatFault) {
      let values = line.split(separator: ",", omittingEmptySubsequences: false).map {
        $0.filter { !$0.isWhitespace }
      }
      guard values.count == 2 * rowPoints + 1 else {
        throw FormatFault(
          "it has \(values.count) values; a row of pen digits is \(rowPoints) times x,y and the "
            + "digit")
      }
      let numbers = try numbers(values.dropLast())
      try begin(values[2 * rowPoints], number)
      addStroke(
        places(numbers).map { Point(x: $0.x, y: PenCharacters.rowSide - $0.y).flushed })
      drawings[drawings.count - 1].canvas = .init(width: rowSide, height: rowSide)
    }

    private mutating func begin(_ label: String, _ number: Int) throws(FormatFault) {
      var drawing = Drawing(strokes: [])
      do throws(InkError) {
        try drawing.setNames(id: DatasetFormat.id(of: number, in: path), label: label)
      } catch { throw FormatFault(error.description) }
      drawings.append(drawing)
    }

    private mutating func addStroke(_ points: [Point]) {
      drawings[drawings.count - 1].strokes.append(Stroke(points))
    }

    private mutating func addPoint(_ x: Double, _ y: Double) {
      let index = drawings.count - 1
      let stroke = drawings[index].strokes.count - 1
      drawings[index].strokes[stroke].points.append(Point(x: x, y: y).flushed)
    }

    private func places(_ numbers: [Double]) -> [Point] {
      stride(from: 0, to: numbers.count - 1, by: 2).map {
        Point(x: numbers[$0], y: numbers[$0 + 1]).flushed
      }
    }

    private func numbers(
      _ words: ArraySlice<some StringProtocol>
    ) throws(FormatFault) -> [Double] {
      try words.map { word throws(FormatFault) in
        guard let number = Point.number(word) else {
          throw FormatFault("\"\(word.prefix(20))\" is not a number from -1e100 to 1e100")
        }
        return number
      }
    }

    /// What is in quotes, without the mark before a quote in it.
    private func quoted(_ line: String) throws(FormatFault) -> String {
      guard let begin = line.firstIndex(of: "\""), let end = line.lastIndex(of: "\""), begin < end
      else { throw FormatFault("a .SEGMENT names no character in quotes") }
      let text = line[line.index(after: begin)..<end]
      return String(text.count == 2 && text.first == "\\" ? text.dropFirst() : text)
    }
  }
}
