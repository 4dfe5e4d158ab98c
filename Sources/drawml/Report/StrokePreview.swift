internal import Ink
internal import Support

/// Pictures in light grey with the strokes found in them, each in a colour of its own, its beginning marked by a disc.
struct StrokePreview {
  /// The sides of a cell, in pixels.
  private let cell: Int
  private let columns: Int
  private let rows: Int
  private var pixels: [UInt8]
  private var count = 0
  /// Where the lowest picture ends.
  private var bottom = 1

  /// More pictures than this are not shown.
  private static let mostPictures = 100
  private static let gap = 8
  /// Colours that are told apart on white, also by the colour-blind: Okabe and Ito's, darkened.
  private static let colours: [[Double]] = [
    [213, 94, 0], [0, 114, 178], [0, 140, 100], [190, 80, 150], [200, 130, 0], [40, 150, 210],
    [110, 60, 160], [90, 90, 90],
  ]

  /// A sheet for `count` pictures, of which it shows the first 100.
  init(count: Int) {
    let shown = max(1, min(count, Self.mostPictures))
    cell = shown == 1 ? 900 : 256
    columns = Int(Double(shown).squareRoot().rounded(.up))
    rows = (shown + columns - 1) / columns
    let side = cell + Self.gap
    pixels = [UInt8](repeating: 255, count: columns * side * rows * side * 4)
  }

  private var width: Int { columns * (cell + Self.gap) }

  /// Shows a picture and its strokes in the next cell.
  mutating func add(_ drawing: Drawing, on picture: GrayPicture) {
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
        let start = ((top + y) * width + left + x) * 4
        for channel in 0..<3 { pixels[start + channel] = 170 + tone / 3 }
      }
    }
    let pen = Double(cell) / 256 + 0.5
    for (number, stroke) in drawing.strokes.enumerated() {
      let colour = Self.colours[number % Self.colours.count]
      let points = stroke.points.map {
        Point(x: Double(left) + $0.x * scale, y: Double(top) + $0.y * scale)
      }
      for (a, b) in zip(points, points.dropFirst()) { paint(a, b, radius: pen / 2, colour) }
      if let first = points.first { paint(first, first, radius: 1.6 * pen, colour) }
    }
  }

  /// The sheet as a PNG file.
  func png() throws -> [UInt8] {
    try PNG.encode(Array(pixels[..<(width * bottom * 4)]), width: width, height: bottom, as: .rgba)
  }

  /// Paints all that is within `radius` of the line from `a` to `b`, with soft edges.
  private mutating func paint(_ a: Point, _ b: Point, radius: Double, _ colour: [Double]) {
    let height = rows * (cell + Self.gap)
    let reach = radius + 1
    let (dx, dy) = (b.x - a.x, b.y - a.y)
    let square = dx * dx + dy * dy
    let columns = max(0, Int(min(a.x, b.x) - reach))...min(width - 1, Int(max(a.x, b.x) + reach))
    let rows = max(0, Int(min(a.y, b.y) - reach))...min(height - 1, Int(max(a.y, b.y) + reach))
    for row in rows {
      for column in columns {
        let pixel = Point(x: Double(column) + 0.5, y: Double(row) + 0.5)
        let along = square > 0 ? ((pixel.x - a.x) * dx + (pixel.y - a.y) * dy) / square : 0
        let distance = pixel.distance(to: a.interpolated(to: b, max(0, min(1, along))))
        let cover = max(0, min(1, radius + 0.5 - distance))
        guard cover > 0 else { continue }
        let start = (row * width + column) * 4
        for channel in 0..<3 {
          let old = Double(pixels[start + channel])
          pixels[start + channel] = UInt8(old + (colour[channel] - old) * cover)
        }
      }
    }
  }
}
