public import Ink
public import JSON
public import Text

/// Why a text is not a sketch. Strokes and points are counted from 0.
public enum SketchError: DescribedError, Equatable {
  /// The strokes or the canvas are invalid.
  case drawing(InkError)
  /// The pens are not of the right form.
  case json(JSONFault)
  /// The list of pens has not one pen for each stroke.
  case penCount(pens: Int, strokes: Int)
  /// A color is not `#` and six hexadecimal digits.
  case color(stroke: Int, text: String)
  /// A width is 0 or less, or too large for the canvas.
  case width(stroke: Int, width: Double, max: Double)
  /// A tool is not "pen", "marker" or "eraser".
  case tool(stroke: Int, text: String)
  /// There are too many strokes.
  case tooManyStrokes(count: Int, limit: Int)
  /// There are too many points; the limit is exceeded in `stroke`.
  case tooManyPoints(stroke: Int, limit: Int)
  /// The strokes would cover the canvas too often; the limit is exceeded in `stroke`.
  case tooMuchInk(stroke: Int, limit: Int)

  /// One sentence for people.
  public var description: String {
    switch self {
    case .drawing(let error): error.description
    case .json(let fault): fault.description
    case .penCount(let pens, let strokes):
      "\"pens\" has \(pens) pens for \(strokes) strokes; each stroke needs one"
    case .color(let stroke, let text):
      "stroke \(stroke): the color \"\(text.prefix(20))\" must be # and six hexadecimal digits"
    case .width(let stroke, let width, let max):
      "stroke \(stroke): the width \(width) must be above 0 and at most \(max), an eighth of the "
        + "canvas"
    case .tool(let stroke, let text):
      "stroke \(stroke): the tool \"\(text.prefix(20))\" must be pen, marker or eraser"
    case .tooManyStrokes(let count, let limit):
      "it has \(count) strokes; a sketch has at most \(limit)"
    case .tooMuchInk(let stroke, let limit):
      "stroke \(stroke): length times width of the strokes up to here is more than \(limit) times "
        + "the canvas"
    case .tooManyPoints(let stroke, let limit):
      "stroke \(stroke): the sketch has more than \(limit) points up to here"
    }
  }
}
