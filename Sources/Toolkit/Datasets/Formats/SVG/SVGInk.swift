internal import Ink

/// Finds the visible parts of a picture's painted lines, and which lines belong to one pen stroke.
///
/// A line is hidden where it lies outside of what the picture shows, or has the color of what is
/// below it: the area painted there last, or else the paper. Paper is what covers the whole picture,
/// white by default. A line in the paper's color erases thinner ones below it.
struct SVGInk {
  let shapes: [SVGShape]
  let clips: [SVGClip]
  /// The size of the picture; nil if it is not known.
  let canvas: Drawing.Canvas?
  /// Whether DrawML wrote the picture: each line is a stroke then, whole.
  let isOwn: Bool

  /// The lines that are seen of all `lines`, which are in the order of their shapes.
  func seen(_ lines: [SVGLine], _ notes: inout ReadingNotes) -> [SVGLine] {
    guard !isOwn else { return outlines(lines) }
    if isBare(lines) {
      notes.add("no path has a stroke or fill; all are read as lines")
      return joined(lines.filter { !shapes[$0.shape].coversAll })
    }
    let painted = joined(outlines(lines))
    var found: [SVGLine]
    var hidden: Bool
    (found, hidden) = contrasting(painted, onPaper: true)
    if found.isEmpty {
      // Such as a white icon, which is for dark pages.
      (found, hidden) = contrasting(painted, onPaper: false)
    }
    if hidden {
      notes.add("ink in the color of its background is left out, and erases thinner lines")
    }
    let shown = found.flatMap(shown)
    if shown.count != found.count || zip(shown, found).contains(where: { $0.points != $1.points }) {
      notes.add("ink outside the visible area is left out")
    }
    return shown
  }

  // MARK: Outlines

  /// Whether no line of the picture has a stroke or fill, as if only its paths were saved: SVG
  /// would then fill areas and show no straight line at all.
  private func isBare(_ lines: [SVGLine]) -> Bool {
    shapes.allSatisfy(\.isBare) && lines.contains { !$0.isDot && !$0.hasArea }
  }

  /// The lines that are painted: dots need round or square caps, and areas an extent.
  private func outlines(_ lines: [SVGLine]) -> [SVGLine] {
    lines.filter { line in
      let shape = shapes[line.shape]
      guard shape.stroke != .none else { return line.hasArea }
      return !line.isDot || shape.hasCaps || line.isTimed
    }
  }

  // MARK: Colors

  /// The lines whose color is not that of what is below them; whether there are others.
  private func contrasting(
    _ lines: [SVGLine], onPaper: Bool
  ) -> (lines: [SVGLine], hidden: Bool) {
    var paper: SVGColor? = onPaper ? .white : nil
    var areas: [SVGArea] = []
    var found: [SVGLine] = []
    var hidden = false
    // Together less than a second; lines beyond the limit count as visible, and are not erased.
    var (work, eraserWork) = (SVGWork(units: 1 << 27), SVGWork(units: 1 << 25))
    var index = 0
    for number in shapes.indices {
      let shape = shapes[number]
      let begin = index
      while index < lines.count, lines[index].shape == number { index += 1 }
      let own = lines[begin..<index]
      let fills = shape.fill != .none
      let area = fills ? SVGArea(own.map(\.points), isEvenOdd: shape.isEvenOdd) : nil
      let isPaper = fills && (shape.coversAll || area?.covers(canvas) == true)
      for line in own {
        let isStroked = shape.stroke != .none
        let samples = Self.samples(line)
        /// Whether a paint is seen on what is below.
        func isSeen(_ paint: SVGPaint, _ opacity: Double) -> Bool {
          guard case .color(let color) = paint else { return paint == .server }
          return samples.contains { point in
            guard let ground = ground(at: point, areas, paper, &work) else { return true }
            return !color.over(ground, opacity: opacity).isNear(ground)
          }
        }
        if isStroked, isSeen(shape.stroke, shape.strokeOpacity) {
          found.append(line)
        } else if fills, !isPaper, line.hasArea, isSeen(shape.fill, shape.fillOpacity) {
          found.append(line)
        } else if isStroked || !isPaper {
          hidden = true
          if isStroked, !fills || !line.hasArea {
            erase(&found, line, width: shape.width, &eraserWork)
          }
        }
      }
      guard fills else { continue }
      if isPaper {
        if onPaper { paper = color(shape, on: paper) }
      } else if var area {
        area.color = color(shape, on: paper)
        areas.append(area)
      }
    }
    return (found, hidden)
  }

  private func color(_ shape: SVGShape, on paper: SVGColor?) -> SVGColor? {
    guard case .color(let color) = shape.fill else { return nil }
    return color.over(paper ?? .white, opacity: shape.fillOpacity)
  }

  private static let sampleCount = 23

  /// Some points of a line, not at its ends, which often touch others.
  private static func samples(_ line: SVGLine) -> [Point] {
    let points = line.points
    guard points.count > 1 else { return points }
    return (1...sampleCount).map { number in
      let place = Double(points.count - 1) * Double(number) / Double(sampleCount + 1)
      let index = Int(place)
      let (from, to, share) = (points[index], points[index + 1], place - Double(index))
      return Point(x: from.x + share * (to.x - from.x), y: from.y + share * (to.y - from.y))
    }
  }

  /// The color at a place; nil if it is not known.
  private func ground(
    at point: Point, _ areas: [SVGArea], _ paper: SVGColor?, _ work: inout SVGWork
  ) -> SVGColor? {
    for area in areas.reversed() {
      guard work.canSpend(4) else { return nil }
      guard area.boxContains(point) else { continue }
      guard work.canSpend(area.pointCount) else { return nil }
      if area.contains(point) { return area.color }
    }
    return paper
  }

  /// Takes away what a line in the color of the paper covers.
  private func erase(
    _ lines: inout [SVGLine], _ line: SVGLine, width: Double, _ work: inout SVGWork
  ) {
    guard let eraser = SVGEraser(line, width: width), work.canSpend(4 * lines.count) else { return }
    var remains: [SVGLine] = []
    remains.reserveCapacity(lines.count)
    for line in lines {
      let shape = shapes[line.shape]
      guard shape.stroke != .none, work.canSpend(line.points.count),
        let box = BoundingBox(line.points), eraser.reaches(box, width: shape.width),
        work.canSpend(16 * eraser.cost(line))
      else {
        remains.append(line)
        continue
      }
      remains += eraser.remains(of: line)
    }
    lines = remains
  }

  // MARK: Edges

  /// What the picture shows of a line.
  private func shown(_ line: SVGLine) -> [SVGLine] {
    let shape = shapes[line.shape]
    guard let clip = shape.clip else { return [line] }
    let size = max(canvas?.width ?? 0, canvas?.height ?? 0)
    let half = shape.stroke == .none ? 0 : shape.width / 2
    return clips[clip].shown(line, margin: half + 1e-6 * size)
  }
}
