internal import CZlib

/// Compresses bytes without loss.
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
}
