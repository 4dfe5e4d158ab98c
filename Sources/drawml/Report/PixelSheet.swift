internal import Ink
internal import Support

/// Colours that are told apart on white, also by the colour-blind: Okabe and Ito's, darkened.
enum InkColours {
  static let all: [[Double]] = [
    [213, 94, 0], [0, 114, 178], [0, 140, 100], [190, 80, 150], [200, 130, 0], [40, 150, 210],
    [110, 60, 160], [90, 90, 90],
  ]

  /// The colour of the thing with the given number, from 0; they come again.
  static func colour(_ number: Int) -> [Double] { all[number % all.count] }
}

/// A white picture to paint lines on.
struct PixelSheet {
  let width: Int
  let height: Int
  /// Row-major, shape [height, width, 4].
  private(set) var pixels: [UInt8]

  /// A sheet of the given size in pixels.
  init(width: Int, height: Int) {
    (self.width, self.height) = (width, height)
    pixels = [UInt8](repeating: 255, count: width * height * 4)
  }

  /// Makes a pixel grey.
  mutating func set(_ column: Int, _ row: Int, tone: UInt8) {
    let start = (row * width + column) * 4
    for channel in 0..<3 { pixels[start + channel] = tone }
  }

  /// Paints all that is within `radius` of the line from `a` to `b`, with soft edges.
  mutating func paint(_ a: Point, _ b: Point, radius: Double, _ colour: [Double]) {
    let reach = radius + 1
    let (dx, dy) = (b.x - a.x, b.y - a.y)
    let square = dx * dx + dy * dy
    let (left, right) = (max(0, min(a.x, b.x) - reach), min(Double(width), max(a.x, b.x) + reach))
    let (top, bottom) = (max(0, min(a.y, b.y) - reach), min(Double(height), max(a.y, b.y) + reach))
    guard left < right, top < bottom else { return }
    for row in Int(top)...min(height - 1, Int(bottom)) {
      for column in Int(left)...min(width - 1, Int(right)) {
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

  /// The sheet's first `rows` rows as a PNG file.
  func png(rows: Int) throws -> [UInt8] {
    try PNG.encode(Array(pixels[..<(width * rows * 4)]), width: width, height: rows, as: .rgba)
  }
}
