/// Draws the strokes of a sketch again, as a hand with another tool would.
struct LineWork {
  /// The width of the new lines as a share of the old ones.
  var width: Float = 1
  /// The minimum width of a line, in pixels.
  var minWidth: Float = 2
  /// How far lines wander from where they were drawn, in pixels.
  var wander: Float = 0
  /// The length of the pointed ends, in pixels.
  var taper: Float = 0
  /// How much the width varies along a line, 0...1.
  var variation: Float = 0

  /// Draws all strokes. Markers cover half; erasers remove what is below.
  ///
  /// - Parameters:
  ///   - fields: The sketch.
  ///   - noise: Where and how lines wander and vary.
  /// - Returns: The coverage of each pixel, 0...1.
  func drawn(_ fields: SketchFields, noise: Noise) -> Plane {
    let all = 0..<SketchFields.side
    var painter = StrokePainter(side: SketchFields.side, columns: all, rows: all)
    var plane = Plane(side: SketchFields.side)
    for (stroke, placed) in fields.strokes.enumerated() {
      let isEraser = placed.tool == .eraser
      let opacity: Float = placed.tool == .marker ? 0.5 : 1
      let lines =
        isEraser ? placed.lines : placed.lines.map { redrawn($0, noise: noise, key: stroke) }
      painter.stroke(lines) { index, coverage, _ in
        let old = plane.values[index]
        plane.values[index] =
          isEraser ? old * (1 - coverage) : old + coverage * opacity * (1 - old)
      }
    }
    return plane
  }

  /// A line as it is drawn again: evenly spaced points, smoothed, moved and with new radii.
  func redrawn(_ line: [LinePoint], noise: Noise, key: Int) -> [LinePoint] {
    var points = Self.resampled(line, spacing: 4)
    for _ in 0..<2 where points.count > 2 {
      let old = points
      for index in 1..<points.count - 1 {
        points[index].place =
          (old[index - 1].place + old[index].place * 2 + old[index + 1].place) * 0.25
      }
    }
    for index in points.indices {
      // Smooth random walks: value noise along the line.
      let place = Float(index) / 9
      func walk(_ channel: Int) -> Float {
        let (cell, fraction) = (Int(place), smoothstep(0, 1, place - Float(Int(place))))
        let row = key * 4 + channel
        return mix(noise.unit(cell, row), noise.unit(cell + 1, row), fraction) - 0.5
      }
      if wander > 0 { points[index].place += SIMD2(walk(0), walk(1)) * (2 * wander) }
      let end = Float(min(index, points.count - 1 - index)) * 4
      // A dot has no ends.
      let ends = taper > 0 && points.count > 2 ? 0.25 + 0.75 * smoothstep(0, taper, end) : 1
      let radius = max(minWidth / 2, points[index].radius * width)
      points[index].radius = radius * ends * (1 + 1.4 * variation * walk(2))
    }
    return points
  }

  /// Points along a line, `spacing` pixels apart, and its last point.
  static func resampled(_ line: [LinePoint], spacing: Float) -> [LinePoint] {
    guard var last = line.first else { return [] }
    var points = [last]
    // The way from `last` to the next point.
    var due = spacing
    for point in line.dropFirst() {
      let step = point.place - last.place
      let length = (step.x * step.x + step.y * step.y).squareRoot()
      var along = due
      while along < length {
        points.append(LinePoint(last.place + step * (along / length), radius: point.radius))
        along += spacing
      }
      due = along - length
      last = point
    }
    if line.count > 1 { points.append(last) }
    return points
  }
}
