public import Ink
internal import Text

/// Writes a drawing as an SVG picture, which `SVGDrawings` reads back with label, id and times.
public enum SVGWriter {
  /// The thickness of lines, as a share of the longer side of the picture.
  private static let thickness = 0.02

  /// The picture of a drawing, whose numbers must be finite.
  ///
  /// - Parameters:
  ///   - drawing: What to draw, on its canvas if it has one with an area, and otherwise in a box
  ///     around its points.
  ///   - isAnimated: Whether the strokes appear one after the other, in the drawing's own time, or
  ///     at a steady pace if no times are known. It moves by SMIL, without a script.
  /// - Returns: The file's text.
  public static func text(_ drawing: Drawing, isAnimated: Bool = false) -> String {
    let box = drawing.boundingBox ?? BoundingBox(x: 0, y: 0, width: 1, height: 1)
    let longest = max(box.width, box.height)
    let margin = longest > 0 ? longest * 0.05 : 1
    var frame = [
      box.x - margin, box.y - margin, box.width + 2 * margin, box.height + 2 * margin,
    ]
    if let canvas = drawing.canvas, canvas.width > 0, canvas.height > 0 {
      frame = [0, 0, canvas.width, canvas.height]
    }
    let width = max(frame[2], frame[3]) * thickness
    let viewBox = frame.map(\.text).joined(separator: " ")
    var names = drawing.label.map { " data-label=\"\($0.escapedForXML)\"" } ?? ""
    // Also without an id: it marks each path as one whole stroke.
    names += " data-id=\"\(drawing.id.escapedForXML)\""
    let title = drawing.label.map { "<title>\($0.escapedForXML)</title>\n" } ?? ""
    var text = """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="\(viewBox)"\(names)>
      \(title)<g fill="none" stroke="#000000" stroke-width="\(width.text)" \
      stroke-linecap="round" stroke-linejoin="round">

      """
    let moments = isAnimated ? moments(of: drawing) : []
    for (index, stroke) in drawing.strokes.enumerated() where !stroke.points.isEmpty {
      let times = stroke.points.compactMap(\.t)
      text += "<path d=\"\(path(stroke))\""
      if times.count == stroke.points.count {
        text += " data-times=\"\(times.map(\.text).joined(separator: " "))\""
      }
      guard isAnimated else {
        text += "/>\n"
        continue
      }
      // The line is a dash of its own length that moves in from its beginning; it is hidden until
      // then, because round ends show even where a dash has no length. Programs that do not move
      // pictures show all of it.
      let moment = moments[index]
      text += """
         pathLength="1" stroke-dasharray="1">\
        <set attributeName="visibility" to="hidden" begin="0s" end="\(moment.begin.text)s"/>\
        <animate attributeName="stroke-dashoffset" from="1" to="0" begin="\(moment.begin.text)s" \
        dur="\(moment.duration.text)s"/></path>

        """
    }
    return text + "</g>\n</svg>\n"
  }

  /// The path data of a stroke; a dot is a line from a place to itself.
  private static func path(_ stroke: Stroke) -> String {
    let places = stroke.points.map { "\($0.x.text) \($0.y.text)" }
    let lines = places.count == 1 ? places : Array(places.dropFirst())
    return "M\(places[0])L\(lines.joined(separator: " "))"
  }

  /// When each stroke begins, and how long it takes, in seconds.
  private static func moments(of drawing: Drawing) -> [(begin: Double, duration: Double)] {
    let times = drawing.strokes.map { ($0.points.first?.t, $0.points.last?.t) }
    let isTimed = times.allSatisfy { first, last in
      if let first, let last { first >= 0 && last >= first } else { false }
    }
    func rounded(_ seconds: Double) -> Double { (seconds * 1000).rounded() / 1000 }
    if isTimed {
      return times.map { first, last in
        let (first, last) = (first ?? 0, last ?? 0)
        return (rounded(first / 1000), max(0.001, rounded((last - first) / 1000)))
      }
    }
    // As fast as a hand draws: twice the drawing's longer side a second, a third between strokes.
    let size = drawing.boundingBox.map { max($0.width, $0.height) } ?? 0
    var begin = 0.0
    return drawing.strokes.map { stroke in
      let duration = max(0.05, size > 0 ? stroke.length / (2 * size) : 0)
      defer { begin += duration + 1 / 3 }
      return (rounded(begin), rounded(duration))
    }
  }
}
