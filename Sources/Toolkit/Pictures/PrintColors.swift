/// Pixels in the colors of print: cyan, magenta, yellow and black ink, as a JPEG file has them.
struct PrintColors {
  /// The four inks of each pixel, row-major, shape [height, width, 4], 255 none … 0 full.
  private let lights: [UInt8]

  /// The colors that libjpeg gives for the file in `bytes`: as stored. Adobe's programs store them
  /// inverted, which their marker (APP14, "Adobe") tells.
  init(_ stored: [UInt8], of bytes: [UInt8]) {
    let isInverted = JPEG.segments(of: bytes).contains {
      $0.marker == 0xee && bytes[$0.data].starts(with: "Adobe".utf8)
    }
    lights = isInverted ? stored : stored.map { 255 - $0 }
  }

  /// The colors on a screen, without a profile: each ink takes its share of one color, black of
  /// all.
  func values(as pixels: PNG.Pixels) -> [UInt8] {
    var values: [UInt8] = []
    values.reserveCapacity(lights.count / 4 * pixels.channels)
    for start in stride(from: 0, to: lights.count, by: 4) {
      let black = Int(lights[start + 3])
      func channel(_ index: Int) -> Int { (Int(lights[start + index]) * black + 127) / 255 }
      let (red, green, blue) = (channel(0), channel(1), channel(2))
      switch pixels {
      case .gray: values.append(UInt8((299 * red + 587 * green + 114 * blue + 500) / 1000))
      case .rgba: values += [UInt8(red), UInt8(green), UInt8(blue), 255]
      }
    }
    return values
  }
}
