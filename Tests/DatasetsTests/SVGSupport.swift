import Datasets
import Ink
import TestTools
import Testing

extension Drawing {
  /// The strokes' places as text, rounded to hundredths: "1,2 3,4.5".
  var places: [String] {
    strokes.map { stroke in
      stroke.points.map { point in
        func text(_ value: Double) -> String {
          let rounded = (value * 100).rounded() / 100
          return (Int(exactly: rounded).map { "\($0)" } ?? "\(rounded)")
        }
        return "\(text(point.x)),\(text(point.y))"
      }.joined(separator: " ")
    }
  }
}

/// An SVG picture in a test.
struct SVGSample {
  let text: String

  /// A picture with `content`, and attributes such as its `viewBox`.
  init(_ content: String, _ attributes: String = "viewBox='0 0 100 100'") {
    text = "<svg xmlns='http://www.w3.org/2000/svg' \(attributes)>\(content)</svg>"
  }

  init(document: String) { text = document }

  var drawing: Drawing { get throws { try read().drawing } }

  /// The places of its strokes.
  var places: [String] { get throws { try drawing.places } }

  /// What is told about it.
  var notes: [String] { get throws { try read().notes } }

  /// The message with which it is refused.
  var error: String { refusal { try drawing } }

  private func read() throws -> (drawing: Drawing, notes: [String]) {
    var notes = ReadingNotes()
    let drawing = try SVGDrawings.parse(Array(text.utf8), path: "a.svg", notes: &notes)
    return (drawing, notes.texts)
  }
}
