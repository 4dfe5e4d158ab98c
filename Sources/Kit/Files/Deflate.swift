internal import CZlib

/// Compresses bytes without loss, and unpacks them.
public enum Deflate {
  /// The bytes in zlib's format (RFC 1950), which browsers call "deflate"; the same bytes for the
  /// same version of zlib.
  public static func compressed(_ bytes: [UInt8]) -> [UInt8] {
    var size = compressBound(UInt(bytes.count))
    var result = [UInt8](repeating: 0, count: Int(size))
    let status = unsafe compress2(
      &result, &size, bytes, UInt(bytes.count), Z_BEST_COMPRESSION)
    precondition(status == Z_OK, "zlib has no memory to compress \(bytes.count) bytes")
    return Array(result.prefix(Int(size)))
  }

  private static let mostUnpacked = 8 << 20
  private static let mostPerByte = 8

  /// How many bytes a file of `count` packed bytes may unpack to: strokes shrink to a third, but a
  /// file that is made to fill memory shrinks to a thousandth.
  package static func mostUnpacked(from count: Int) -> Int {
    mostUnpacked + mostPerByte * count
  }

  /// What a file that unpacks to more than `mostUnpacked(from:)` does, in words.
  package static let tooMuch =
    "unpack to more than \(mostUnpacked >> 20) MiB and \(mostPerByte) times its size"

  /// What packed bytes are, as the number by which zlib knows it.
  private enum Form: Int32 {
    /// Deflate's data (RFC 1951), without a header or checksum.
    case bare = -15
    /// zlib's format (RFC 1950): a header, the data and their Adler-32.
    case zlib = 15
    /// A gzip file (RFC 1952).
    case gzip = 31
  }

  /// Unpacks deflate's data (RFC 1951), without a header.
  ///
  /// - Parameters:
  ///   - bytes: What holds them.
  ///   - place: Where they are, which must be within `bytes`.
  ///   - count: How many bytes they unpack to; the caller bounds it.
  /// - Returns: The bytes; nil if the data are damaged, or unpack to more or fewer.
  package static func unpacked(
    _ bytes: [UInt8], at place: Range<Int>, count: Int
  ) -> [UInt8]? {
    unpacked(bytes, at: place, count: count, as: .bare)
  }

  /// Unpacks what `compressed` gives, and checks its checksum.
  ///
  /// - Parameters:
  ///   - bytes: All bytes in zlib's format (RFC 1950).
  ///   - count: How many bytes they unpack to; the caller bounds it.
  /// - Returns: The bytes; nil if the data are damaged, or unpack to more or fewer.
  package static func unpacked(_ bytes: [UInt8], count: Int) -> [UInt8]? {
    unpacked(bytes, at: bytes.indices, count: count, as: .zlib)
  }

  private static func unpacked(
    _ bytes: [UInt8], at place: Range<Int>, count: Int, as form: Form
  ) -> [UInt8]? {
    precondition(
      place.lowerBound >= 0 && place.upperBound <= bytes.count,
      "\(bytes.count) bytes have none at \(place)")
    // At least one, so that the array has storage.
    var result = [UInt8](repeating: 0, count: max(1, count))
    let isWhole = unsafe drawml_inflate(
      form.rawValue, &result, count, bytes, place.lowerBound, place.count)
    guard isWhole else { return nil }
    return count == 0 ? [] : result
  }

  /// Whether bytes begin as a gzip file (RFC 1952).
  package static func isGzip(_ bytes: [UInt8]) -> Bool { bytes.starts(with: [0x1f, 0x8b]) }

  /// Unpacks a gzip file of one member, which says at its end how long it is.
  ///
  /// - Returns: The bytes; nil if the data are damaged, or unpack to more than
  ///   `mostUnpacked(from:)`.
  package static func gunzipped(_ bytes: [UInt8]) -> [UInt8]? {
    // A header of ten bytes and a trailer of eight.
    guard bytes.count >= 18 else { return nil }
    let count = bytes.suffix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
    guard count <= mostUnpacked(from: bytes.count) else { return nil }
    return unpacked(bytes, at: bytes.indices, count: count, as: .gzip)
  }

  /// The CRC-32 of bytes, as zip and gzip use it.
  package static func crc32(_ bytes: [UInt8]) -> UInt32 {
    unsafe UInt32(truncatingIfNeeded: CZlib.crc32_z(0, bytes, bytes.count))
  }
}
