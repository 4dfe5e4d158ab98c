/// A kind of picture that DrawML does not read, by its first bytes; the raw value describes it in a
/// sentence.
///
/// Sources: each format's specification; the brands of HEIC and AVIF are those of ISO/IEC 23008-12
/// and of "AV1 Image File Format".
package enum UnreadPicture: String, Sendable {
  case webP = "a WebP picture"
  case gif = "a GIF picture"
  case bmp = "a BMP picture"
  case tiff = "a TIFF picture"
  case heic = "a HEIC picture"
  case avif = "an AVIF picture"
  case jpegXL = "a JPEG XL picture"
  case jpeg2000 = "a JPEG 2000 picture"
  case photoshop = "a Photoshop picture"
  case icon = "a Windows icon"
  case portableMap = "a PNM picture"
  case pdf = "a PDF document"
  case postScript = "a PostScript document"

  /// The number of bytes of a file that are needed.
  package static let length = 64

  private static let beginnings: [(bytes: [UInt8], kind: UnreadPicture)] = [
    (Array("GIF87a".utf8), .gif), (Array("GIF89a".utf8), .gif),
    ([0x49, 0x49, 42, 0], .tiff), ([0x4d, 0x4d, 0, 42], .tiff),
    ([0x49, 0x49, 43, 0], .tiff), ([0x4d, 0x4d, 0, 43], .tiff),
    ([0xff, 0x0a], .jpegXL), ([0, 0, 0, 12] + Array("JXL ".utf8), .jpegXL),
    ([0xff, 0x4f, 0xff, 0x51], .jpeg2000), ([0, 0, 0, 12] + Array("jP  ".utf8), .jpeg2000),
    (Array("8BPS".utf8), .photoshop), ([0, 0, 1, 0], .icon),
    (Array("%PDF-".utf8), .pdf), (Array("%!PS".utf8), .postScript),
  ]

  /// The kind of the file that begins with `bytes`; nil for one of another kind.
  package init?(_ bytes: some Collection<UInt8>) {
    let start = Array(bytes.prefix(Self.length))
    func has(_ text: String, at offset: Int) -> Bool {
      start.dropFirst(offset).starts(with: text.utf8)
    }
    if let found = Self.beginnings.first(where: { start.starts(with: $0.bytes) })?.kind {
      self = found
    } else if has("RIFF", at: 0), has("WEBP", at: 8) {
      self = .webP
    } else if has("BM", at: 0), start.count > 17, start[15...17].allSatisfy({ $0 == 0 }),
      [12, 16, 40, 52, 56, 64, 108, 124].contains(start[14])
    {
      // "BM" also begins texts; the length of the header of the picture follows 14 bytes later.
      self = .bmp
    } else if has("ftyp", at: 4) {
      guard let kind = Self.brand(start) else { return nil }
      self = kind
    } else if has("P", at: 0), start.count > 3, (0x31...0x37).contains(start[1]),
      [0x0a, 0x0d, 0x20].contains(start[2]),
      (0x30...0x39).contains(start[3]) || [0x23, 0x57].contains(start[3])
    {
      // Then a number, a comment or, in the newest form, "WIDTH".
      self = .portableMap
    } else {
      return nil
    }
  }

  /// The kind by the brands in a file's first box: the main one, a version, and compatible ones.
  private static func brand(_ start: [UInt8]) -> UnreadPicture? {
    let length = Int(start[3])
    let brands = stride(from: 8, to: min(start.count - 3, max(12, length)), by: 4).map {
      String(decoding: start[$0..<($0 + 4)], as: UTF8.self)
    }
    if brands.contains(where: { ["avif", "avis"].contains($0) }) { return .avif }
    let isHEIC = brands.contains { ["heic", "heix", "hevc", "heim", "heis", "mif1"].contains($0) }
    return isHEIC ? .heic : nil
  }

  /// What to do with such a file, as the end of a sentence.
  package var advice: String {
    switch self {
    case .pdf, .postScript: "save its page as a PNG picture, or its lines as SVG"
    default: "save it as PNG or JPEG"
    }
  }
}
