package import Ink
internal import Pictures
package import Vectorizing

/// Pictures in light gray with the strokes found in them, each in its own color, its beginning
/// marked by a disc.
package struct StrokePreview {
  /// The sides of a cell, in pixels.
  private let cell: Int
  private let columns: Int
  private let rows: Int
  private var sheet: PixelSheet
  private var count = 0
  /// The bottom of the lowest picture.
  private var bottom = 1

  /// The maximum number of pictures shown.
  private static let mostPictures = 100
  private static let gap = 8

  /// A sheet for `count` pictures, of which it shows the first 100.
  package init(count: Int) {
    let shown = max(1, min(count, Self.mostPictures))
    cell = shown == 1 ? 900 : 256
    columns = Int(Double(shown).squareRoot().rounded(.up))
    rows = (shown + columns - 1) / columns
    let side = cell + Self.gap
    sheet = PixelSheet(width: columns * side, height: rows * side)
  }

  /// Shows a picture and its strokes in the next cell.
  package mutating func add(_ drawing: Drawing, on picture: GrayPicture) {
    guard count < Self.mostPictures else { return }
    let left = count % columns * (cell + Self.gap) + Self.gap / 2
    let top = count / columns * (cell + Self.gap) + Self.gap / 2
    count += 1
    let scale = Double(cell) / Double(max(picture.width, picture.height))
    bottom = max(bottom, top + Int(Double(picture.height) * scale) + Self.gap / 2)
    for y in 0..<Int(Double(picture.height) * scale) {
      for x in 0..<Int(Double(picture.width) * scale) {
        let (row, column) = (Int((Double(y) + 0.5) / scale), Int((Double(x) + 0.5) / scale))
        let tone = picture.values[
          min(row, picture.height - 1) * picture.width + min(column, picture.width - 1)]
        sheet.set(left + x, top + y, tone: 170 + tone / 3)
      }
    }
    let pen = Double(cell) / 256 + 0.5
    for (number, stroke) in drawing.strokes.enumerated() {
      let color = PixelSheet.color(number)
      let points = stroke.points.map {
        Point(x: Double(left) + $0.x * scale, y: Double(top) + $0.y * scale)
      }
      for (a, b) in zip(points, points.dropFirst()) { sheet.paint(a, b, radius: pen / 2, color) }
      if let first = points.first { sheet.paint(first, first, radius: 1.6 * pen, color) }
    }
  }

  /// The sheet as a PNG file.
  package func png() throws -> [UInt8] {
    try sheet.png(rows: bottom)
  }
}
