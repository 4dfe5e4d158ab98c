/// An opaque 24-bit sRGB color.
public struct SketchColor: Hashable, Sendable {
  /// Red, 0…255.
  public var red: UInt8
  /// Green, 0…255.
  public var green: UInt8
  /// Blue, 0…255.
  public var blue: UInt8

  /// A color from its three channels, each 0…255.
  public init(red: UInt8, green: UInt8, blue: UInt8) {
    (self.red, self.green, self.blue) = (red, green, blue)
  }

  /// A color as a number, such as `0xff8800`; only the lower 24 bits count.
  public init(_ number: UInt32) {
    self.init(
      red: UInt8(truncatingIfNeeded: number >> 16), green: UInt8(truncatingIfNeeded: number >> 8),
      blue: UInt8(truncatingIfNeeded: number))
  }

  /// A color as it is written in files.
  ///
  /// - Parameter text: `#` and six hexadecimal digits, such as "#ff8800"; otherwise nil.
  public init?(hexadecimal text: String) {
    let digits = text.utf8.dropFirst()
    // `UInt32` would also take a sign.
    guard text.utf8.first == UInt8(ascii: "#"), digits.count == 6,
      digits.first != UInt8(ascii: "+"), let number = UInt32(text.dropFirst(), radix: 16)
    else { return nil }
    self.init(number)
  }

  /// `#` and six lowercase hexadecimal digits.
  public var hexadecimal: String {
    let digits = String(number, radix: 16)
    return "#" + String(repeating: "0", count: 6 - digits.count) + digits
  }

  /// The color as a number, 0…0xffffff.
  public var number: UInt32 { UInt32(red) << 16 | UInt32(green) << 8 | UInt32(blue) }
}

extension SketchColor {
  /// Black, the color of a plain drawing.
  public static let black = SketchColor(0x000000)
  /// White.
  public static let white = SketchColor(0xffffff)

  /// The twelve bold colors of the color bar, in its order: red, orange, amber, yellow, lime, green,
  /// teal, sky, blue, purple, pink, brown.
  public static let bold: [SketchColor] = [
    0xe53935, 0xfb8c00, 0xffb300, 0xfdd835, 0x8bc34a, 0x2e9e4f, 0x00a99d, 0x29b6f6, 0x1e62d0,
    0x8e44ad, 0xec4899, 0x8d5a2b,
  ].map { SketchColor($0) }

  /// All colors of the color bar: the bold ones, black and white.
  public static let bar = bold + [.black, .white]
}
