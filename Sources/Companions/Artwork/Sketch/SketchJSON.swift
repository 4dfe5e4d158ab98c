internal import Ink
internal import JSON

// The JSON of a sketch is a drawing's (`StrokeJSON`) with one more key, `pens`, which other readers
// skip.
extension Sketch {
  /// The sketch in a JSON object.
  ///
  ///     {"canvas":{"width":640,"height":480},"strokes":[[[10,52],[20,24]]],
  ///      "pens":[{"color":"#e53935","width":5,"tool":"pen"}]}
  ///
  /// Without `pens`, it is a plain drawing: see `init(_:)`. With them there must be one for each
  /// stroke; a stroke without points is dropped together with its pen.
  ///
  /// - Throws: `SketchError`, which names the stroke and the point; `.drawing(.emptyDrawing)` if no
  ///   stroke has a point.
  public static func parse(_ bytes: [UInt8]) throws(SketchError) -> Sketch {
    let drawing: Drawing
    do { drawing = try StrokeJSON.parse(bytes) } catch { throw .drawing(error) }
    guard drawing.strokes.count <= maxStrokes else {
      throw .tooManyStrokes(count: drawing.strokes.count, limit: maxStrokes)
    }
    var points = 0
    for (index, stroke) in drawing.strokes.enumerated() {
      points += stroke.points.count
      guard points <= maxPoints else { throw .tooManyPoints(stroke: index, limit: maxPoints) }
    }
    var sketch = Sketch(drawing)
    do {
      let root = try JSONDocument(bytes).root
      guard let pens = try root.decoded(PenList.self).pens else {
        try sketch.checkInk()
        return sketch
      }
      let isEmpty = (root["strokes"] ?? root["drawing"])?.elements?.map(Self.isEmpty) ?? []
      guard pens.count == isEmpty.count else {
        throw SketchError.penCount(pens: pens.count, strokes: isEmpty.count)
      }
      let most = sketch.canvas.longerSide * SketchPen.maxWidthShare
      var line = 0
      for (index, pen) in pens.enumerated() {
        let pen = try pen.pen(stroke: index, maxWidth: most)
        guard !isEmpty[index] else { continue }
        sketch.lines[line].pen = pen
        line += 1
      }
      try sketch.checkInk()
    } catch let error as SketchError {
      throw error
    } catch {
      throw .json(error as? JSONFault ?? JSONFault("\(error)"))
    }
    return sketch
  }

  /// Checks the time that drawing takes. Segments count for as much as can be on the canvas.
  private func checkInk() throws(SketchError) {
    let side = canvas.longerSide
    var ink = 0.0
    for (index, line) in lines.enumerated() {
      // Filters draw thin lines wider.
      let width = max(line.pen.width / side, 0.01)
      for (a, b) in zip(line.stroke.points, line.stroke.points.dropFirst()) {
        let (dx, dy) = (abs(a.x / side - b.x / side), abs(a.y / side - b.y / side))
        ink += (min(2, max(dx, dy)) + width) * width
      }
      guard ink <= Double(Self.maxInk) else {
        throw .tooMuchInk(stroke: index, limit: Self.maxInk)
      }
    }
  }

  /// Whether a stroke, as columns or as a list of points, has no points.
  private static func isEmpty(_ stroke: JSONValue) -> Bool {
    guard let first = stroke.elements?.first else { return true }
    return first.elements?.isEmpty ?? false
  }

  /// The JSON object of the sketch, without a line feed.
  ///
  /// `parse` returns an equal sketch if no stroke is empty, there is at least one, and all numbers
  /// are in the ranges of files.
  public func json() -> [UInt8] {
    let drawing = Drawing(strokes: lines.map(\.stroke), canvas: canvas)
    let pens = lines.map { line in
      let width = line.pen.width
      let number = Int(exactly: width).map(String.init) ?? width.description
      return """
        {"color":"\(line.pen.color.hexadecimal)","width":\(number),"tool":"\(line.pen.tool.rawValue)"}
        """
    }
    let end = ",\"pens\":[\(pens.joined(separator: ","))]}"
    return StrokeJSON.encode(drawing).dropLast() + Array(end.utf8)
  }
}

/// The part of the JSON that drawings do not have.
private struct PenList: Decodable {
  struct Pen: Decodable {
    var color: String
    var width: Double
    var tool: String

    func pen(stroke: Int, maxWidth: Double) throws(SketchError) -> SketchPen {
      guard let color = SketchColor(hexadecimal: color) else {
        throw .color(stroke: stroke, text: self.color)
      }
      guard width > 0, width <= maxWidth else {
        throw .width(stroke: stroke, width: width, max: maxWidth)
      }
      guard let tool = SketchPen.Tool(rawValue: tool) else {
        throw .tool(stroke: stroke, text: self.tool)
      }
      return SketchPen(color: color, width: width, tool: tool)
    }
  }

  var pens: [Pen]?
}
