internal import CQRCode

/// A QR code (ISO/IEC 18004) of a text, by libqrcodegen.
public struct QRCode: Sendable {
  /// The number of modules of a side, 21…177.
  public let size: Int
  /// Whether each module is dark, row by row.
  private let modules: [Bool]

  /// The width of the light border that readers need, in modules.
  public static let quietZone = 4

  /// Creates the smallest code of a text that is read with 15 % of it covered; nil for a text that
  /// is too long: 2,331 bytes always fit.
  public init?(_ text: String) {
    var scratch = [UInt8](repeating: 0, count: Int(drawml_qr_buffer_bytes))
    var code = scratch
    guard
      unsafe qrcodegen_encodeText(
        text, &scratch, &code, qrcodegen_Ecc_MEDIUM, qrcodegen_VERSION_MIN, qrcodegen_VERSION_MAX,
        qrcodegen_Mask_AUTO, true)
    else { return nil }
    let side = unsafe qrcodegen_getSize(code)
    size = Int(side)
    modules = (0..<side).flatMap { y in
      (0..<side).map { x in unsafe qrcodegen_getModule(code, x, y) }
    }
  }

  /// Whether a module is dark; those around the code are light.
  public func isDark(x: Int, y: Int) -> Bool {
    (0..<size).contains(x) && (0..<size).contains(y) && modules[y * size + x]
  }

  /// The dark modules as the data of an SVG path, one unit each, without the quiet zone.
  public var path: String {
    var path = ""
    for y in 0..<size {
      var x = 0
      while x < size {
        let start = x
        while isDark(x: x, y: y) { x += 1 }
        if x > start { path += "M\(start) \(y)h\(x - start)v1h-\(x - start)z" }
        x += 1
      }
    }
    return path
  }

  /// The lines for a terminal, with the quiet zone: each has two rows of modules, in half blocks.
  ///
  /// Escape codes make it black on white, because readers take no inverted codes and a terminal may
  /// be dark or light. They name entries of the color cube, which themes leave alone.
  public var terminalLines: [String] {
    let zone = Self.quietZone
    return stride(from: -zone, to: size + zone, by: 2).map { y in
      let blocks = (-zone..<size + zone).map { x in
        switch (isDark(x: x, y: y), isDark(x: x, y: y + 1)) {
        case (true, true): "█"
        case (true, false): "▀"
        case (false, true): "▄"
        case (false, false): " "
        }
      }
      return "\u{1b}[38;5;16;48;5;231m" + blocks.joined() + "\u{1b}[0m"
    }
  }
}
