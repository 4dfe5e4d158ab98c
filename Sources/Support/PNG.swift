internal import CPNG

/// 8-bit pictures as PNG bytes.
public enum PNG {
  /// What the numbers of a pixel mean.
  public enum Pixels: Sendable, Equatable {
    /// One byte a pixel, 0 black … 255 white.
    case gray
    /// Four bytes a pixel: red, green, blue, opacity (not premultiplied).
    case rgba

    /// Bytes a pixel.
    public var channels: Int { self == .gray ? 1 : 4 }
  }

  /// Why a picture could not be made or read.
  public struct Failure: Error, CustomStringConvertible {
    /// libpng's own words.
    public let description: String

    fileprivate init(description: String) {
      self.description = description
    }

    fileprivate init(_ message: [CChar]) {
      description = String(
        decoding: message.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
  }

  /// The PNG file of a picture.
  ///
  /// - Parameters:
  ///   - values: Bytes, row-major, shape [height, width, channels].
  ///   - width: Columns.
  ///   - height: Rows.
  ///   - pixels: What the bytes mean.
  /// - Returns: The file's bytes.
  /// - Throws: `Failure` when libpng cannot make it.
  public static func encode(
    _ values: [UInt8], width: Int, height: Int, as pixels: Pixels
  ) throws -> [UInt8] {
    precondition(
      values.count == width * height * pixels.channels,
      "a \(width) × \(height) picture needs \(width * height * pixels.channels) bytes, "
        + "got \(values.count)")
    var size = 0
    var message = [CChar](repeating: 0, count: 64)
    guard
      unsafe drawml_png_encode(
        values, UInt32(width), UInt32(height), Int32(pixels.channels), nil, &size, &message) != 0
    else { throw Failure(message) }
    var bytes = [UInt8](repeating: 0, count: size)
    guard
      unsafe drawml_png_encode(
        values, UInt32(width), UInt32(height), Int32(pixels.channels), &bytes, &size, &message)
        != 0
    else { throw Failure(message) }
    return Array(bytes[..<size])
  }

  /// The picture in a PNG file's `bytes`: its pixels (row-major, [height, width, channels]) and size.
  public static func decode(
    _ bytes: [UInt8], as pixels: Pixels
  ) throws -> (values: [UInt8], width: Int, height: Int) {
    var (width, height): (UInt32, UInt32) = (0, 0)
    var message = [CChar](repeating: 0, count: 64)
    guard unsafe drawml_png_size(bytes, bytes.count, &width, &height, &message) != 0 else {
      throw Failure(message)
    }
    guard Int(width) * Int(height) <= 1 << 28 else {
      throw Failure(
        description: "the picture has \(width) × \(height) pixels, more than DrawML reads")
    }
    var values = [UInt8](repeating: 0, count: Int(width) * Int(height) * pixels.channels)
    guard
      unsafe drawml_png_decode(bytes, bytes.count, Int32(pixels.channels), &values, &message) != 0
    else { throw Failure(message) }
    return (values, Int(width), Int(height))
  }
}
