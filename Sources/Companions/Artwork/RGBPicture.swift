internal import Pictures

/// An opaque 8-bit sRGB picture.
public struct RGBPicture: Hashable, Sendable {
  /// Columns.
  public let width: Int
  /// Rows.
  public let height: Int
  /// Red, green and blue of each pixel, row-major, shape [height, width, 3], each 0…255.
  public let bytes: [UInt8]

  /// A picture of `bytes`, which must be width × height × 3.
  public init(width: Int, height: Int, bytes: [UInt8]) {
    precondition(
      bytes.count == width * height * 3,
      "a \(width) × \(height) picture needs \(width * height * 3) bytes, got \(bytes.count)")
    (self.width, self.height, self.bytes) = (width, height, bytes)
  }

  /// The color of the pixel in column `x` and row `y`, which must be in the picture.
  public subscript(x: Int, y: Int) -> SketchColor {
    let start = (y * width + x) * 3
    return SketchColor(red: bytes[start], green: bytes[start + 1], blue: bytes[start + 2])
  }

  /// The PNG file of the picture, without metadata: its only chunks are IHDR, IDAT and IEND.
  ///
  /// - Throws: `PNG.Failure` when libpng cannot make it.
  public func png() throws -> [UInt8] {
    let file = try PNG.encode(rgb: bytes, width: width, height: height)
    // libpng adds sRGB, which is what readers assume without it.
    var kept = PNG.signature
    var start = kept.count
    while start + 12 <= file.count {
      let length = file[start..<start + 4].reduce(0) { $0 << 8 | Int($1) }
      let chunk = file[start..<start + 12 + length]
      let isNeeded = ["IHDR", "IDAT", "IEND"].contains { chunk.dropFirst(4).starts(with: $0.utf8) }
      if isNeeded { kept += chunk }
      start = chunk.endIndex
    }
    return kept
  }

  /// The picture made smaller: each pixel is the mean of a square of pixels, so that the longer side
  /// has at most `side` of them.
  public func reduced(toSide side: Int) -> RGBPicture {
    let step = (max(width, height) + side - 1) / max(1, side)
    guard step > 1 else { return self }
    let (columns, rows) = (max(1, width / step), max(1, height / step))
    var small = [UInt8]()
    small.reserveCapacity(columns * rows * 3)
    for row in 0..<rows {
      for column in 0..<columns {
        for channel in 0..<3 {
          var (sum, count) = (0, 0)
          for y in row * step..<min(height, (row + 1) * step) {
            for x in column * step..<min(width, (column + 1) * step) {
              sum += Int(bytes[(y * width + x) * 3 + channel])
              count += 1
            }
          }
          small.append(UInt8((sum + count / 2) / count))
        }
      }
    }
    return RGBPicture(width: columns, height: rows, bytes: small)
  }

  /// A square picture made pixel by pixel.
  ///
  /// - Parameters:
  ///   - side: Columns and rows.
  ///   - tone: The color in column `x` and row `y`; `index` is `y * side + x`.
  @inline(__always)
  init(side: Int, _ tone: (_ x: Int, _ y: Int, _ index: Int) -> Tone) {
    var bytes = [UInt8](repeating: 0, count: side * side * 3)
    var out = bytes.mutableSpan
    var place = 0
    for y in 0..<side {
      for x in 0..<side {
        let light = tone(x, y, y * side + x).clamped(lowerBound: .zero, upperBound: .one)
        // Conversion truncates.
        let value = light * 255 + 0.5
        out[place] = UInt8(value.x)
        out[place + 1] = UInt8(value.y)
        out[place + 2] = UInt8(value.z)
        place += 3
      }
    }
    self.init(width: side, height: side, bytes: bytes)
  }
}
