public import Ink
internal import Text

/// Writes drawings in InkML, each a `traceGroup`: see `InkMLDrawings`, which reads them back.
public enum InkMLWriter {
  /// The file of `drawings`, whose numbers must be finite; whether Quick, Draw! recognized a
  /// drawing is left out.
  public static func text(_ drawings: [Drawing]) -> String {
    let isTimed = drawings.contains { $0.strokes.contains { $0.points.contains { $0.t != nil } } }
    var text = """
      <?xml version="1.0" encoding="UTF-8"?>
      <ink xmlns="http://www.w3.org/2003/InkML">
      <traceFormat><channel name="X" type="decimal"/><channel name="Y" type="decimal"/>\
      \(isTimed ? #"<channel name="T" type="decimal" units="ms"/>"# : "")</traceFormat>

      """
    var count = 0
    for drawing in drawings {
      text += "<traceGroup>\n"
      if !drawing.id.isEmpty { text += annotation("id", drawing.id) }
      if let label = drawing.label { text += annotation("truth", label) }
      if let canvas = drawing.canvas {
        text += annotation("canvas", "\(canvas.width.text) \(canvas.height.text)")
      }
      let first = count
      for stroke in drawing.strokes {
        let points = stroke.points.map { point in
          let time = isTimed ? " " + (point.t.map(\.text) ?? "?") : ""
          return "\(point.x.text) \(point.y.text)\(time)"
        }
        text += "<trace xml:id=\"t\(count)\">\(points.joined(separator: ", "))</trace>\n"
        count += 1
      }
      for shape in drawing.shapes {
        text += "<traceGroup>" + annotation("truth", shape.label)
        for stroke in shape.strokes { text += "<traceView traceDataRef=\"#t\(first + stroke)\"/>" }
        text += "</traceGroup>\n"
      }
      text += "</traceGroup>\n"
    }
    return text + "</ink>\n"
  }

  private static func annotation(_ type: String, _ value: String) -> String {
    "<annotation type=\"\(type)\">\(value.escapedForXML)</annotation>\n"
  }
}
