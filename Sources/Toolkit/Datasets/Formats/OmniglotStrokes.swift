public import Files
public import Ink
internal import Text

/// Omniglot's stroke text: one drawing per file.
///
/// The first line is `START`; a line `x,y,t` is a point; `BREAK` ends a stroke. In the files y
/// grows upwards from the top edge, so it is negative; the reader negates it, so y grows downwards.
/// `t` is in milliseconds from the first point.
///
/// Source: Lake, Salakhutdinov and Tenenbaum, "Human-level concept learning through probabilistic
/// program induction", Science 2015, doi:10.1126/science.aab3050.
public enum OmniglotStrokes {
  /// The id "alphabet/character/file" and the label "alphabet/character" of the file at `path`: the
  /// set has a folder per alphabet, which has a folder per character.
  public static func identity(ofPath path: String) -> (id: String, label: String?) {
    var parts = path.split(separator: "/").suffix(3).map(String.init)
    guard let name = parts.popLast() else { return ("", nil) }
    let stem = DatasetFormat(path: name) == .omniglotStrokes ? DatasetFormat.stem(of: name) : name
    let label = parts.isEmpty ? nil : parts.joined(separator: "/").inLabelForm
    return ((parts + [stem]).joined(separator: "/"), label)
  }

  /// The maximum length of a line, in bytes.
  private static let longestLine = 4096

  /// The drawing in `bytes`, without id and label; errors name `path`.
  ///
  /// - Throws: `FileError` that names the line.
  public static func parse(_ bytes: [UInt8], path: String) throws(FileError) -> Drawing {
    func noDrawing() -> FileError {
      FileError(
        reading: path,
        "it is not a drawing; a .txt file is read as strokes of Omniglot, whose first line "
          + "is START. Other drawings are "
          + DatasetFormat.listed(DatasetFormat.allCases.filter { $0 != .omniglotStrokes })
          + " files")
    }
    func fault(_ line: Int, _ what: String) -> FileError {
      FileError(reading: path, "line \(line): \(what)")
    }
    var strokes: [Stroke] = []
    var points: [Point] = []
    var hasStarted = false
    var start: Double?
    var lines = LineReader(bytes, named: path, limit: longestLine)
    while true {
      let next: String?
      do throws(FileError) { next = try lines.nextText() } catch {
        if case .lineTooLong = error.reason, !hasStarted { throw noDrawing() }
        throw error
      }
      guard let line = next else { break }
      let number = lines.lineNumber
      let trimmed = line.filter { !$0.isWhitespace }
      guard !trimmed.isEmpty else { continue }
      guard hasStarted else {
        guard trimmed == "START" else { throw noDrawing() }
        hasStarted = true
        continue
      }
      switch trimmed {
      case "START":
        throw fault(number, "START comes twice")
      case "BREAK":
        guard !points.isEmpty else { throw fault(number, "BREAK ends a stroke without points") }
        strokes.append(Stroke(points))
        points = []
      default:
        let fields = trimmed.split(
          separator: ",", maxSplits: 3, omittingEmptySubsequences: false)
        let numbers = fields.compactMap(Point.number)
        guard fields.count == 3, numbers.count == 3 else {
          throw fault(
            number, "\"\(line.prefix(60))\" is not x,y,t in numbers from -1e100 to 1e100")
        }
        let first = start ?? numbers[2]
        start = first
        let time = numbers[2] - first
        guard Point.readable.contains(time) else {
          throw fault(number, "its time is too far from the first")
        }
        points.append(Point(x: numbers[0], y: 0 - numbers[1], t: time).flushed)
      }
    }
    guard hasStarted else { throw noDrawing() }
    guard points.isEmpty else {
      throw fault(lines.lineNumber, "the file ends without BREAK; it is truncated")
    }
    guard !strokes.isEmpty else { throw fault(lines.lineNumber, "there are no strokes") }
    return Drawing(strokes: strokes)
  }
}
