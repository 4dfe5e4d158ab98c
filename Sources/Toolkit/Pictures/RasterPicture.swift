public import Ink

extension Raster {
  /// The picture as the bytes of an 8-bit gray PNG file.
  ///
  /// - Throws: `PNG.Failure` when libpng cannot make it.
  public func png(_ style: Style = .blackOnWhite) throws -> [UInt8] {
    let bytes = style == .whiteOnBlack ? bytes : bytes.map { 255 - $0 }
    return try PNG.encode(bytes, width: width, height: height, as: .gray)
  }
}
