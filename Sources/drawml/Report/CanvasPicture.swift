internal import Ink
internal import Recognition
internal import Segmentation

/// A picture of canvases: ink in a colour for each shape, its box, and its label above the box.
struct CanvasPicture {
  /// A shape to show.
  struct Shape {
    var strokes: [Int]
    var box: BoundingBox
    /// What it is; nil where it is not recognised.
    var label: String?
    var confidence: Double?
  }

  /// More canvases than this are not shown.
  static let most = 24
  private static let gap = 8

  private let cell: (width: Int, height: Int)
  private let columns: Int
  private var sheet: PixelSheet
  private var count = 0

  /// A picture for `count` canvases: one large one, or several side by side.
  init(count: Int) {
    let shown = max(1, min(count, Self.most))
    cell = shown == 1 ? (1200, 900) : (640, 480)
    columns = shown == 1 ? 1 : 2
    sheet = PixelSheet(
      width: columns * (cell.width + Self.gap),
      height: (shown + columns - 1) / columns * (cell.height + Self.gap))
  }

  /// Shows a canvas in the next cell.
  mutating func add(_ drawing: Drawing, _ shapes: [Shape]) {
    guard count < Self.most, let ink = drawing.boundingBox else { return }
    let left = Double(count % columns * (cell.width + Self.gap) + Self.gap / 2)
    let top = Double(count / columns * (cell.height + Self.gap) + Self.gap / 2)
    count += 1
    let (width, height) = (Double(cell.width), Double(cell.height))
    frame(left, top, left + width, top + height, radius: 0.5, [205, 205, 205])
    let whole = drawing.canvas.map {
      BoundingBox(x: 0, y: 0, width: $0.width, height: $0.height).union(ink)
    }
    let view = whole ?? ink
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
      let colour = InkColours.colour(number)
      for index in shape.strokes where drawing.strokes.indices.contains(index) {
        let points = drawing.strokes[index].points.map { place($0.x, $0.y) }
        guard points.count > 1 else {
          if let dot = points.first { sheet.paint(dot, dot, radius: 1.5 * pen, colour) }
          continue
        }
        for (a, b) in zip(points, points.dropFirst()) { sheet.paint(a, b, radius: pen, colour) }
      }
    }
    // Words last, so that no ink crosses them.
    for (number, shape) in shapes.enumerated() {
      let colour = InkColours.colour(number)
      let (first, last) = (
        place(shape.box.x, shape.box.y),
        place(shape.box.x + shape.box.width, shape.box.y + shape.box.height)
      )
      frame(
        first.x - 4, first.y - 4, last.x + 4, last.y + 4, radius: 0.2, colour.map { ($0 + 255) / 2 }
      )
      write(shape, above: first, within: left...(left + width), from: top, colour)
    }
  }

  private mutating func write(
    _ shape: Shape, above corner: Point, within sides: ClosedRange<Double>, from top: Double,
    _ colour: [Double]
  ) {
    let dot = cell.width > 1000 ? 2.0 : 1.5
    let confidence = shape.label == nil ? nil : shape.confidence
    let text = (shape.label ?? "?") + (confidence.map { " \(Int(($0 * 100).rounded()))%" } ?? "")
    let width = Double(PixelText.readable(text).count * PixelText.advance) * dot
    let x = max(sides.lowerBound + 4, min(corner.x - 4, sides.upperBound - width))
    let y = max(top + 4, corner.y - 8 - Double(PixelText.height) * dot)
    for place in PixelText.dots(text) {
      let point = Point(x: x + Double(place.x) * dot, y: y + Double(place.y) * dot)
      sheet.paint(point, point, radius: 0.6 * dot, colour)
    }
  }

  private mutating func frame(
    _ left: Double, _ top: Double, _ right: Double, _ bottom: Double, radius: Double,
    _ colour: [Double]
  ) {
    let corners = [
      Point(x: left, y: top), Point(x: right, y: top), Point(x: right, y: bottom),
      Point(x: left, y: bottom),
    ]
    for index in corners.indices {
      sheet.paint(corners[index], corners[(index + 1) % 4], radius: radius, colour)
    }
  }

  /// The picture as a PNG file.
  func png() throws -> [UInt8] { try sheet.png(rows: sheet.height) }
}

extension CanvasPicture.Shape {
  /// A shape of a canvas that was grouped at once.
  init(_ segment: Segment) {
    let decision = segment.answer?.decision
    self.init(
      strokes: segment.strokes, box: segment.box,
      label: decision?.isRecognized == true ? decision?.best?.label : nil,
      confidence: decision?.best?.confidence)
  }

  /// A shape of a live canvas.
  init(_ shape: LiveShape) {
    self.init(
      strokes: shape.strokes, box: shape.box, label: shape.item?.label,
      confidence: shape.item?.confidence)
  }
}
