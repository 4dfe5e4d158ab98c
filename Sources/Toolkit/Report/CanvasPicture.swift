package import Ink
internal import Pictures

/// A picture of canvases: each shape's ink in its own color, with its box and label.
package struct CanvasPicture {
  /// A shape to show.
  package struct Shape {
    package var strokes: [Int]
    package var box: BoundingBox
    /// The label; nil if the shape is not recognized.
    package var label: String?
    package var confidence: Double?
    fileprivate var isMarked = false

    package init(strokes: [Int], box: BoundingBox, label: String?, confidence: Double?) {
      (self.strokes, self.box) = (strokes, box)
      (self.label, self.confidence) = (label, confidence)
    }
  }

  /// The content shown for each canvas.
  package enum Content: Sendable {
    /// Shapes with their labels.
    case labels
    /// Groups of strokes, on small canvases without text.
    case groups

    /// The maximum number of canvases shown.
    package var most: Int { self == .labels ? 24 : 40 }
  }

  private static let gap = 8

  private let content: Content
  private let cell: (width: Int, height: Int)
  private let columns: Int
  private var sheet: PixelSheet
  private var count = 0

  /// A picture for `count` canvases: one large one, or several side by side.
  package init(count: Int, of content: Content = .labels) {
    self.content = content
    let shown = max(1, min(count, content.most))
    cell = content == .groups ? (480, 360) : shown == 1 ? (1200, 900) : (640, 480)
    columns = content == .groups ? 4 : shown == 1 ? 1 : 2
    sheet = PixelSheet(
      width: columns * (cell.width + Self.gap),
      height: (shown + columns - 1) / columns * (cell.height + Self.gap))
  }

  /// Shows a canvas with its groups of strokes in the next cell; the boxes of groups in `marked`
  /// are thick.
  package mutating func add(_ drawing: Drawing, groups: [[Int]], marked: Set<Int> = []) {
    let shapes = groups.enumerated().compactMap { number, strokes -> Shape? in
      guard let box = BoundingBox(strokes.lazy.flatMap { drawing.strokes[$0].points }) else {
        return nil
      }
      var shape = Shape(strokes: strokes, box: box, label: nil, confidence: nil)
      shape.isMarked = marked.contains(number)
      return shape
    }
    add(drawing, shapes)
  }

  /// Shows a canvas in the next cell.
  package mutating func add(_ drawing: Drawing, _ shapes: [Shape]) {
    guard count < content.most, let ink = drawing.boundingBox else { return }
    let left = Double(count % columns * (cell.width + Self.gap) + Self.gap / 2)
    let top = Double(count / columns * (cell.height + Self.gap) + Self.gap / 2)
    count += 1
    let (width, height) = (Double(cell.width), Double(cell.height))
    frame(left, top, left + width, top + height, radius: 0.5, [205, 205, 205])
    let whole = drawing.canvas.map {
      BoundingBox(x: 0, y: 0, width: $0.width, height: $0.height).union(ink)
    }
    let view = whole ?? ink
    // Ink whose extent overflows cannot be drawn to scale.
    guard view.width.isFinite, view.height.isFinite else { return }
    // Room for labels above the topmost shapes and for boxes at the edges.
    let margin = 0.04 * width
    let scale = min(
      (width - 2 * margin) / max(view.width, 1e-9), (height - 2 * margin) / max(view.height, 1e-9))
    func place(_ x: Double, _ y: Double) -> Point {
      Point(
        x: left + (width - view.width * scale) / 2 + (x - view.x) * scale,
        y: top + (height - view.height * scale) / 2 + (y - view.y) * scale)
    }
    let pen = width / 1000 + 0.5
    for (number, shape) in shapes.enumerated() {
      let color = PixelSheet.color(number)
      for index in shape.strokes where drawing.strokes.indices.contains(index) {
        let points = drawing.strokes[index].points.map { place($0.x, $0.y) }
        guard points.count > 1 else {
          if let dot = points.first { sheet.paint(dot, dot, radius: 1.5 * pen, color) }
          continue
        }
        for (a, b) in zip(points, points.dropFirst()) { sheet.paint(a, b, radius: pen, color) }
      }
    }
    var labels: [(text: String, label: LabelPlaces.Label)] = []
    var places = LabelPlaces(
      in: BoundingBox(x: left + 3, y: top + 3, width: width - 6, height: height - 6))
    for (number, shape) in shapes.enumerated() {
      let color = PixelSheet.color(number)
      let (first, last) = (
        place(shape.box.x, shape.box.y),
        place(shape.box.x + shape.box.width, shape.box.y + shape.box.height)
      )
      let box = BoundingBox(
        x: first.x - 4, y: first.y - 4, width: last.x - first.x + 8, height: last.y - first.y + 8)
      frame(
        box.x, box.y, box.x + box.width, box.y + box.height, radius: shape.isMarked ? 1.5 : 0.2,
        color.map { ($0 + 255) / 2 })
      guard content == .labels else { continue }
      let corners = box.corners
      for index in corners.indices {
        places.addInk(from: corners[index], to: corners[(index + 1) % 4], weight: 0.25)
      }
      for index in shape.strokes where drawing.strokes.indices.contains(index) {
        let points = drawing.strokes[index].points.map { place($0.x, $0.y) }
        for (a, b) in zip(points, points.dropFirst() + points.suffix(1)) {
          places.addInk(from: a, to: b)
        }
      }
      let text = text(of: shape)
      labels.append(
        (
          text,
          .init(
            width: Double(PixelText.readable(text).count * PixelText.advance) * dot + 2,
            height: Double(PixelText.height) * dot + 2, box: box)
        ))
    }
    // Text last, so that no ink crosses it.
    for (number, corner) in places.places(for: labels.map(\.label)).enumerated() {
      write(labels[number].text, at: corner, labels[number].label, PixelSheet.color(number))
    }
  }

  /// The side of a letter's dot, in pixels.
  private var dot: Double { cell.width > 1000 ? 2 : 1.5 }

  /// The text beside a shape, at most as wide as the picture.
  private func text(of shape: Shape) -> String {
    let confidence = shape.label == nil ? nil : shape.confidence
    let text = PixelText.readable(
      (shape.label ?? "?") + (confidence.map { " \(Int(($0 * 100).rounded()))%" } ?? ""))
    let most = (cell.width - 12) / Int(Double(PixelText.advance) * dot)
    return text.count <= most ? text : String(text.prefix(most - 2)) + ".."
  }

  private mutating func write(
    _ text: String, at corner: Point, _ label: LabelPlaces.Label, _ color: [Double]
  ) {
    // A line connects a distant label to its box.
    let box = label.box
    let near = Point(
      x: max(box.x, min(box.x + box.width, corner.x + label.width / 2)),
      y: max(box.y, min(box.y + box.height, corner.y + label.height / 2)))
    let end = Point(
      x: max(corner.x, min(corner.x + label.width, near.x)),
      y: max(corner.y, min(corner.y + label.height, near.y)))
    if near.distance(to: end) > 10 {
      sheet.paint(near, end, radius: 0.2, color.map { ($0 + 255) / 2 })
    }
    for place in PixelText.dots(text) {
      let point = Point(
        x: corner.x + 1 + (Double(place.x) + 0.5) * dot,
        y: corner.y + 1 + (Double(place.y) + 0.5) * dot)
      sheet.paint(point, point, radius: 0.6 * dot, color)
    }
  }

  private mutating func frame(
    _ left: Double, _ top: Double, _ right: Double, _ bottom: Double, radius: Double,
    _ color: [Double]
  ) {
    let corners =
      BoundingBox(x: left, y: top, width: right - left, height: bottom - top).corners
    for index in corners.indices {
      sheet.paint(corners[index], corners[(index + 1) % 4], radius: radius, color)
    }
  }

  /// The picture as a PNG file.
  package func png() throws -> [UInt8] { try sheet.png(rows: sheet.height) }
}

extension BoundingBox {
  /// Its corners, in order around the box.
  var corners: [Point] {
    [
      Point(x: x, y: y), Point(x: x + width, y: y), Point(x: x + width, y: y + height),
      Point(x: x, y: y + height),
    ]
  }
}
