public import Text

/// Drawings in flat arrays of numbers, as programs in other languages hold them: the rules for
/// coordinates, times and empty strokes are those of stroke JSON.
public enum StrokeArrays {
  /// The maximum number of drawings, of strokes and of points.
  public static let maxCount = 1 << 28

  /// The drawings in flat arrays.
  ///
  /// A stroke whose times are all NaN has no times.
  ///
  /// - Parameters:
  ///   - points: Row-major, shape [points, columns]: x, y and, with three columns, the time in
  ///     milliseconds.
  ///   - columns: 2 or 3.
  ///   - strokeStarts: The first point of each stroke, and the number of points.
  ///   - drawingStarts: The first stroke of each drawing, and the number of strokes.
  /// - Returns: The drawings, without ids and labels.
  /// - Throws: `StrokeArraysError`, which names drawing, stroke and point, from 0.
  /// - Complexity: O(*n*) in the numbers.
  public static func drawings(
    points: Span<Double>, columns: Int, strokeStarts: Span<Int64>, drawingStarts: Span<Int64>
  ) throws(StrokeArraysError) -> [Drawing] {
    guard columns == 2 || columns == 3 else { throw .columns(columns) }
    guard points.count % columns == 0 else { throw .notRows(count: points.count, columns: columns) }
    let pointCount = points.count / columns
    let strokes = try count(strokeStarts, of: .strokes, end: pointCount)
    let drawings = try count(drawingStarts, of: .drawings, end: strokes)
    var found: [Drawing] = []
    found.reserveCapacity(drawings)
    for drawing in 0..<drawings {
      let (first, end) = (Int(drawingStarts[drawing]), Int(drawingStarts[drawing + 1]))
      var strokes: [Stroke] = []
      strokes.reserveCapacity(end - first)
      do throws(InkError) {
        for index in first..<end where strokeStarts[index] < strokeStarts[index + 1] {
          let rows = Int(strokeStarts[index])..<Int(strokeStarts[index + 1])
          strokes.append(try stroke(index - first, rows, of: points, columns: columns))
        }
        guard !strokes.isEmpty else { throw .emptyDrawing }
      } catch {
        throw .drawing(drawing, error)
      }
      found.append(Drawing(strokes: strokes))
    }
    return found
  }

  private static func stroke(
    _ index: Int, _ rows: Range<Int>, of points: Span<Double>, columns: Int
  ) throws(InkError) -> Stroke {
    let hasTimes = columns == 3 && rows.contains { !points[$0 * 3 + 2].isNaN }
    var found: [Point] = []
    found.reserveCapacity(rows.count)
    for row in rows {
      func value(_ column: Int, _ axis: InkError.Axis) throws(InkError) -> Double {
        try points[row * columns + column].asRead(
          stroke: index, point: row - rows.lowerBound, axis)
      }
      found.append(
        Point(x: try value(0, .x), y: try value(1, .y), t: hasTimes ? try value(2, .t) : nil))
    }
    return Stroke(found)
  }

  /// Checks a list of starts.
  ///
  /// - Returns: The number of things that start.
  private static func count(
    _ starts: Span<Int64>, of list: StrokeArraysError.List, end: Int
  ) throws(StrokeArraysError) -> Int {
    guard starts.count > 0, starts[0] == 0, starts[starts.count - 1] == Int64(end) else {
      throw .bounds(list, end: end)
    }
    for index in 1..<starts.count where starts[index] < starts[index - 1] {
      throw .order(list, index: index)
    }
    return starts.count - 1
  }
}

/// Why flat arrays are not drawings; everything is counted from 0.
public enum StrokeArraysError: DescribedError, Equatable {
  /// A list of starts.
  public enum List: String, Sendable {
    /// The first point of each stroke.
    case strokes
    /// The first stroke of each drawing.
    case drawings

    fileprivate var things: String { self == .strokes ? "points" : "strokes" }
  }

  /// A drawing is invalid.
  case drawing(Int, InkError)
  /// Points do not have two or three numbers.
  case columns(Int)
  /// The last point is incomplete.
  case notRows(count: Int, columns: Int)
  /// A list of starts does not begin with 0 or does not end with `end`.
  case bounds(List, end: Int)
  /// A start is below the one before.
  case order(List, index: Int)

  /// One sentence for people: where, and what.
  public var description: String {
    switch self {
    case .drawing(let index, let error): "drawing \(index): \(error)"
    case .columns(let count):
      "a point has \(count) numbers; it must have x and y, or x, y and t"
    case .notRows(let count, let columns):
      "\(count) numbers are not points of \(columns) numbers each"
    case .bounds(let list, let end):
      "the starts of \(list.rawValue) must go from 0 to the number of \(list.things), \(end)"
    case .order(let list, let index):
      "the starts of \(list.rawValue) must ascend; number \(index) is below the one before"
    }
  }
}
