internal import Ink
internal import JSON
internal import Workspace

/// Drawings in requests.
struct DrawingInput {
  let limits: StudioLimits

  /// Parses a JSON object with `strokes`, `canvas` and, optionally, `label` and `id`.
  ///
  /// - Throws: `StudioError` that names the stroke and the point.
  func drawing(_ bytes: [UInt8]) throws -> Drawing {
    try checked { () throws(InkError) in try StrokeJSON.parse(bytes) }
  }

  /// Parses a drawing that is a part of a body.
  ///
  /// - Throws: `StudioError` that names the place in the body, the stroke and the point.
  func drawing(of value: JSONValue, in place: String) throws -> Drawing {
    try checked(in: place) { () throws(InkError) in try StrokeJSON.parse(value) }
  }

  private func checked(
    in place: String = "", _ parse: () throws(InkError) -> Drawing
  ) throws -> Drawing {
    let drawing: Drawing
    do throws(InkError) { drawing = try parse() } catch {
      throw StudioError.drawing(error, in: place)
    }
    try check(drawing, in: place)
    guard drawing.canvas != nil else { throw StudioError.malformed("\(place)canvas is missing") }
    return drawing
  }

  /// Parses the `strokes` of an object in a body.
  ///
  /// - Throws: `StudioError` that names the place in the body, the stroke and the point.
  func strokes(of value: JSONValue, in place: String) throws -> [Stroke] {
    let drawing: Drawing
    do throws(InkError) { drawing = try StrokeJSON.parse(value) } catch {
      throw StudioError.drawing(error, in: place)
    }
    try check(drawing, in: place)
    return drawing.strokes
  }

  /// Throws if a drawing has too much ink, or coordinates or times out of range.
  func check(_ drawing: Drawing, in place: String = "") throws {
    guard drawing.strokes.count <= limits.strokes else {
      throw StudioError.tooLarge(
        "\(place)the drawing has \(drawing.strokes.count) strokes; the maximum is \(limits.strokes)"
      )
    }
    guard drawing.pointCount <= limits.points else {
      throw StudioError.tooLarge(
        "\(place)the drawing has \(drawing.pointCount) points; the maximum is \(limits.points)")
    }
    let places = -WorkspaceLimits.farthest...WorkspaceLimits.farthest
    for (stroke, points) in drawing.strokes.lazy.map(\.points).enumerated() {
      for (index, point) in points.enumerated()
      where !places.contains(point.x) || !places.contains(point.y) {
        throw StudioError.drawing("\(place)stroke \(stroke), point \(index) is too far away")
      }
      for (index, point) in points.enumerated() where abs(point.t ?? 0) > StudioLimits.latest {
        throw StudioError.drawing(
          "\(place)stroke \(stroke), point \(index) is too early or too late")
      }
    }
    if let canvas = drawing.canvas { try Self.check(canvas) }
  }

  /// Throws if a canvas's width or height is out of range.
  static func check(_ canvas: Drawing.Canvas) throws {
    let sizes = 1...WorkspaceLimits.farthest
    guard sizes.contains(canvas.width), sizes.contains(canvas.height) else {
      throw StudioError.malformed(
        "canvas: width and height are in 1...\(Int(WorkspaceLimits.farthest))")
    }
  }
}
