internal import Ink
internal import Pictures

/// A white picture on which lines can be painted.
struct PixelSheet {
  /// Colors that are distinguishable on white, also for color-blind people: Okabe and Ito's,
  /// darkened.
  private static let colors: [[Double]] = [
    [213, 94, 0], [0, 114, 178], [0, 140, 100], [190, 80, 150], [200, 130, 0], [40, 150, 210],
    [110, 60, 160], [90, 90, 90],
  ]

  /// The color for the given number, from 0; colors repeat.
  static func color(_ number: Int) -> [Double] { colors[number % colors.count] }

  let width: Int
  let height: Int
  /// Row-major, shape [height, width, 4].
  private(set) var pixels: [UInt8]

  /// A sheet of the given size in pixels.
  init(width: Int, height: Int) {
    (self.width, self.height) = (width, height)
    pixels = [UInt8](repeating: 255, count: width * height * 4)
  }

  /// Makes a pixel gray.
  mutating func set(_ column: Int, _ row: Int, tone: UInt8) {
    let start = (row * width + column) * 4
    for channel in 0..<3 { pixels[start + channel] = tone }
  }

  /// Paints everything within `radius` of the line from `a` to `b`, with antialiased edges.
  mutating func paint(_ a: Point, _ b: Point, radius: Double, _ color: [Double]) {
    let reach = radius + 1
    let (dx, dy) = (b.x - a.x, b.y - a.y)
    let square = dx * dx + dy * dy
    let (left, right) = (max(0, min(a.x, b.x) - reach), min(Double(width), max(a.x, b.x) + reach))
    let (top, bottom) = (max(0, min(a.y, b.y) - reach), min(Double(height), max(a.y, b.y) + reach))
    guard left < right, top < bottom else { return }
    for row in Int(top)...min(height - 1, Int(bottom)) {
      var (first, last) = (left, right)
      if dy != 0 {
        // In each row, only pixels within reach of the line through both points.
        let middle = a.x + (Double(row) + 0.5 - a.y) / dy * dx
        let half = reach * (square.squareRoot() / abs(dy))
        if middle.isFinite, half.isFinite {
          (first, last) = (max(left, middle - half), min(right, middle + half))
        }
      }
      guard first < last else { continue }
      for column in Int(first)...min(width - 1, Int(last)) {
        let pixel = Point(x: Double(column) + 0.5, y: Double(row) + 0.5)
        let along = square > 0 ? ((pixel.x - a.x) * dx + (pixel.y - a.y) * dy) / square : 0
        let distance = pixel.distance(to: a.interpolated(to: b, max(0, min(1, along))))
        let cover = max(0, min(1, radius + 0.5 - distance))
        guard cover > 0 else { continue }
        let start = (row * width + column) * 4
        for channel in 0..<3 {
          let old = Double(pixels[start + channel])
          pixels[start + channel] = UInt8(old + (color[channel] - old) * cover)
        }
      }
    }
  }

  /// The sheet's first `rows` rows as a PNG file.
  func png(rows: Int) throws -> [UInt8] {
    try PNG.encode(Array(pixels[..<(width * rows * 4)]), width: width, height: rows, as: .rgba)
  }
}

/// A bitmap font for pictures: the program includes no other font, and pictures must look the same
/// everywhere.
enum PixelText {
  /// The width of a letter with the gap after it, and its height, in dots.
  static let advance = 6
  static let height = 7

  /// Seven rows per letter; the lowest five bits of each are its dots from left to right.
  private static let glyphs: [Character: [UInt8]] = [
    "a": [0, 0, 14, 1, 15, 17, 15], "b": [16, 16, 30, 17, 17, 17, 30],
    "c": [0, 0, 14, 17, 16, 17, 14], "d": [1, 1, 15, 17, 17, 17, 15],
    "e": [0, 0, 14, 17, 31, 16, 14], "f": [6, 9, 8, 28, 8, 8, 8],
    "g": [0, 15, 17, 17, 15, 1, 14], "h": [16, 16, 30, 17, 17, 17, 17],
    "i": [4, 0, 12, 4, 4, 4, 14], "j": [2, 0, 6, 2, 2, 18, 12],
    "k": [16, 16, 18, 20, 24, 20, 18], "l": [12, 4, 4, 4, 4, 4, 14],
    "m": [0, 0, 26, 21, 21, 21, 21], "n": [0, 0, 30, 17, 17, 17, 17],
    "o": [0, 0, 14, 17, 17, 17, 14], "p": [0, 30, 17, 17, 30, 16, 16],
    "q": [0, 15, 17, 17, 15, 1, 1], "r": [0, 0, 22, 25, 16, 16, 16],
    "s": [0, 0, 15, 16, 14, 1, 30], "t": [8, 8, 28, 8, 8, 9, 6],
    "u": [0, 0, 17, 17, 17, 17, 15], "v": [0, 0, 17, 17, 17, 10, 4],
    "w": [0, 0, 17, 21, 21, 21, 10], "x": [0, 0, 17, 10, 4, 10, 17],
    "y": [0, 17, 17, 17, 15, 1, 14], "z": [0, 0, 31, 2, 4, 8, 31],
    "0": [14, 17, 19, 21, 25, 17, 14], "1": [4, 12, 4, 4, 4, 4, 14],
    "2": [14, 17, 1, 6, 8, 16, 31], "3": [30, 1, 1, 14, 1, 1, 30],
    "4": [2, 6, 10, 18, 31, 2, 2], "5": [31, 16, 30, 1, 1, 17, 14],
    "6": [6, 8, 16, 30, 17, 17, 14], "7": [31, 1, 2, 4, 8, 8, 8],
    "8": [14, 17, 17, 14, 17, 17, 14], "9": [14, 17, 17, 15, 1, 2, 12],
    "?": [14, 17, 1, 6, 4, 0, 4], "%": [24, 25, 2, 4, 8, 19, 3],
    "-": [0, 0, 0, 14, 0, 0, 0], "/": [1, 1, 2, 4, 8, 16, 16],
    ".": [0, 0, 0, 0, 0, 12, 12], ":": [0, 12, 12, 0, 12, 12, 0],
    "+": [0, 4, 4, 31, 4, 4, 0], " ": [0, 0, 0, 0, 0, 0, 0],
  ]

  /// The replacement glyph.
  private static let box: [UInt8] = [31, 17, 17, 17, 17, 17, 31]

  /// Text reduced to letters with glyphs: an emoji is replaced by its Unicode name.
  static func readable(_ text: String) -> String {
    text.lowercased().map { letter in
      if glyphs[letter] != nil { return String(letter) }
      // In an emoji of several scalars, the first is the most specific; the others are tones,
      // joiners and variants.
      return letter.unicodeScalars.first?.properties.name?.lowercased() ?? "?"
    }.joined()
  }

  /// The positions of the dots of `text`, in dots from its top left corner.
  static func dots(_ text: String) -> [(x: Int, y: Int)] {
    var dots: [(x: Int, y: Int)] = []
    for (index, letter) in readable(text).enumerated() {
      for (row, bits) in (glyphs[letter] ?? box).enumerated() {
        for column in 0..<5 where bits & (16 >> column) != 0 {
          dots.append((index * advance + column, row))
        }
      }
    }
    return dots
  }
}
