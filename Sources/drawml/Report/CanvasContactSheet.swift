internal import Ink

/// Small pictures of canvases side by side, each group of strokes in a colour of its own, with its
/// box.
struct CanvasContactSheet {
  /// The width of a canvas's picture, in pixels.
  private static let cellWidth = 480
  private static let cellHeight = 360
  private static let columns = 4
  private static let gap = 6
  /// More are not shown.
  static let most = 40

  private var sheet: PixelSheet
  private let rows: Int
  private var count = 0

  /// A sheet for `count` canvases.
  init(count: Int) {
    rows = (max(1, min(count, Self.most)) + Self.columns - 1) / Self.columns
    sheet = PixelSheet(
      width: Self.columns * (Self.cellWidth + Self.gap),
      height: rows * (Self.cellHeight + Self.gap))
  }

  /// Shows a canvas, whose strokes belong to the given groups, in the next cell.
  ///
  /// Boxes of groups that are in `marked` are thick.
  mutating func add(_ drawing: Drawing, groups: [[Int]], marked: Set<Int> = []) {
    guard count < Self.most, let ink = drawing.boundingBox else { return }
    let left = Double(count % Self.columns * (Self.cellWidth + Self.gap))
    let top = Double(count / Self.columns * (Self.cellHeight + Self.gap))
    count += 1
    let whole = drawing.canvas.map {
      BoundingBox(x: 0, y: 0, width: $0.width, height: $0.height).union(ink)
    }
    let view = whole ?? ink
    // Ink from one end of the numbers to the other cannot be drawn to scale.
    guard view.width.isFinite, view.height.isFinite else { return }
    let scale = min(
      Double(Self.cellWidth) / max(view.width, 1), Double(Self.cellHeight) / max(view.height, 1))
    func place(_ x: Double, _ y: Double) -> Point {
      Point(x: left + (x - view.x) * scale, y: top + (y - view.y) * scale)
    }
    let frame = [
      Point(x: left, y: top), Point(x: left + Double(Self.cellWidth), y: top),
      Point(x: left + Double(Self.cellWidth), y: top + Double(Self.cellHeight)),
      Point(x: left, y: top + Double(Self.cellHeight)),
    ]
    outline(frame, radius: 0.5, [200, 200, 200])
    for (number, group) in groups.enumerated() {
      let colour = InkColours.colour(number)
      for stroke in group {
        let points = drawing.strokes[stroke].points.map { place($0.x, $0.y) }
        for (a, b) in zip(points, points.dropFirst()) {
          sheet.paint(a, b, radius: 0.7, colour)
        }
        if let only = points.first, points.count == 1 {
          sheet.paint(only, only, radius: 1, colour)
        }
      }
      guard let box = BoundingBox(group.lazy.flatMap { drawing.strokes[$0].points }) else {
        continue
      }
      let (right, bottom) = (box.x + box.width, box.y + box.height)
      let corners = [
        place(box.x, box.y), place(right, box.y), place(right, bottom), place(box.x, bottom),
      ]
      let pale = colour.map { ($0 + 255) / 2 }
      outline(corners, radius: marked.contains(number) ? 1.5 : 0.3, pale)
    }
  }

  private mutating func outline(_ corners: [Point], radius: Double, _ colour: [Double]) {
    for index in corners.indices {
      sheet.paint(corners[index], corners[(index + 1) % corners.count], radius: radius, colour)
    }
  }

  /// The sheet as a PNG file.
  func png() throws -> [UInt8] {
    try sheet.png(rows: sheet.height)
  }
}
