internal import JSON
public import Text

/// What is wrong with a drawing, and where in it. Strokes and points are counted from 0.
public enum InkError: DescribedError, Equatable {
  /// Not JSON, or not one of the forms of a drawing; `byte` is counted from 0 within the text.
  case syntax(String, byte: Int)
  /// The text holds a second drawing, which begins at `byte`.
  case secondDrawing(byte: Int)
  /// A list of drawings begins at `byte`, where one drawing is due.
  case drawingList(byte: Int)
  /// No stroke has a point.
  case emptyDrawing
  /// A stroke's lists of coordinates or times differ in length.
  case unequalLengths(stroke: Int, x: Int, y: Int, t: Int?)
  /// A point lacks a coordinate.
  case missingCoordinate(stroke: Int, point: Int, axis: Axis)
  /// A coordinate or time is not a finite number.
  case invalidNumber(stroke: Int, point: Int, axis: Axis)
  /// A coordinate or time in a file is farther from 0 than 10^100.
  case numberTooLarge(stroke: Int, point: Int, axis: Axis)
  /// A shape of a labeled canvas names a stroke that does not exist.
  case unknownStroke(shape: Int, stroke: Int)
  /// A labeled canvas has no shapes.
  case noShapes
  /// An id or label is too long.
  case textTooLong(key: String, bytes: Int, limit: Int)
  /// The id has the character U+0000, which models and files of other kinds cannot hold.
  case zeroCharacterInID
  /// A shape of a labeled canvas has no strokes.
  case shapeWithoutStrokes(shape: Int)
  /// A stroke of a labeled canvas is in two shapes, or twice in one.
  case strokeInTwoShapes(stroke: Int, first: Int, second: Int)
  /// A labeled canvas, a trace or a template has too many strokes.
  case tooManyStrokes(count: Int, limit: Int)

  /// A component of a point.
  public enum Axis: String, Sendable {
    /// The distance from the left edge.
    case x
    /// The distance from the top edge.
    case y
    /// The time.
    case t
  }
}

extension InkError {
  /// Converts an error that a parser threw.
  init(_ error: any Error) {
    if let syntax = error as? JSONSyntaxError {
      self = .syntax(syntax.problem, byte: syntax.byte)
    } else {
      self = error as? InkError ?? .syntax("\(error)", byte: 0)
    }
  }

  /// One sentence for people.
  public var description: String {
    switch self {
    case .syntax(let what, let byte): "byte \(byte): \(what)"
    case .secondDrawing(let byte):
      """
      byte \(byte): another drawing begins here; put several in a list, [ ], or one per line in an \
      .ndjson file
      """
    case .drawingList(let byte):
      "byte \(byte): a list begins here, not a drawing; name a file that is one list .json"
    case .emptyDrawing: "the drawing has no points"
    case .unequalLengths(let stroke, let x, let y, let t):
      "stroke \(stroke): \(x) x, \(y) y" + (t.map { " and \($0) t" } ?? "")
        + " values; lengths must match"
    case .missingCoordinate(let stroke, let point, let axis):
      "stroke \(stroke), point \(point): \(axis.rawValue) is missing"
    case .invalidNumber(let stroke, let point, let axis):
      "stroke \(stroke), point \(point): \(axis.rawValue) is not a finite number"
    case .numberTooLarge(let stroke, let point, let axis):
      "stroke \(stroke), point \(point): \(axis.rawValue) must be from -1e100 to 1e100"
    case .unknownStroke(let shape, let stroke):
      "shape \(shape): there is no stroke \(stroke)"
    case .textTooLong(let key, let bytes, let limit):
      "\"\(key)\" takes \(bytes) bytes; at most \(limit) are read"
    case .zeroCharacterInID: "the id has the character U+0000; take it out"
    case .noShapes: "the canvas has no \"shapes\", which say which strokes belong together"
    case .shapeWithoutStrokes(let shape): "shape \(shape) has no strokes"
    case .strokeInTwoShapes(let stroke, let first, let second):
      first == second
        ? "shape \(first): stroke \(stroke) is named twice"
        : "stroke \(stroke) is in the shapes \(first) and \(second)"
    case .tooManyStrokes(let count, let limit):
      "it has \(count) strokes; canvases with shapes, traces and templates have at most \(limit)"
    }
  }
}
