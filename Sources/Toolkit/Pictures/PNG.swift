internal import CLibrary
internal import CPNG
internal import CZlib
public import Text

/// Encodes and decodes 8-bit pictures as PNG.
public enum PNG {
  /// The pixel format.
  public enum Pixels: Sendable, Equatable {
    /// One byte per pixel, 0 black … 255 white.
    case gray
    /// Four bytes per pixel: red, green, blue, opacity (not premultiplied).
    case rgba

    /// Bytes per pixel.
    public var channels: Int { self == .gray ? 1 : 4 }
  }

  /// Why a picture could not be made or read.
  public struct Failure: DescribedError {
    /// The message, in most cases libpng's.
    public let description: String

    fileprivate init(description: String) {
      self.description = description
    }

    fileprivate init(_ message: [CChar]) {
      let text = String(
        decoding: message.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
      description = text == "read beyond end of data" ? "it ends too early" : text
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
    try encode(values, width: width, height: height, channels: pixels.channels)
  }

  /// The PNG file of an opaque picture in color.
  ///
  /// - Parameters:
  ///   - values: Red, green and blue of each pixel, row-major, shape [height, width, 3].
  ///   - width: Columns.
  ///   - height: Rows.
  /// - Returns: The file's bytes.
  /// - Throws: `Failure` when libpng cannot make it.
  public static func encode(rgb values: [UInt8], width: Int, height: Int) throws -> [UInt8] {
    try encode(values, width: width, height: height, channels: 3)
  }

  private static func encode(
    _ values: [UInt8], width: Int, height: Int, channels: Int
  ) throws -> [UInt8] {
    precondition(
      values.count == width * height * channels,
      "a \(width) × \(height) picture needs \(width * height * channels) bytes, "
        + "got \(values.count)")
    var size = drawml_png_most(UInt32(width), UInt32(height), Int32(channels))
    var message = [CChar](repeating: 0, count: 64)
    var bytes = [UInt8](repeating: 0, count: size)
    guard
      unsafe drawml_png_encode(
        values, UInt32(width), UInt32(height), Int32(channels), &bytes, &size, &message)
        != 0
    else { throw Failure(message) }
    return Array(bytes[..<size])
  }

  /// The picture's properties from a PNG header, read before decompression.
  public struct Header: Sendable, Equatable {
    /// Columns, before the Exif orientation is applied.
    public var width: Int
    /// Rows, before the Exif orientation is applied.
    public var height: Int
    /// Whether every pixel is opaque and has no color.
    public var isGray: Bool
    /// Whether there are 16 bits per channel.
    public var isWide: Bool
    /// Bits per pixel in the file.
    fileprivate var bits: Int

    /// The maximum inflated size of the rows in bytes, with slack for interlacing.
    fileprivate var mostRowBytes: Int { 2 * ((width * bits + 7) / 8 + 8) * height + 65_536 }
  }

  /// The first bytes of every PNG file.
  public static let signature: [UInt8] = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]

  /// The maximum number of pixels.
  public static let mostPixels = 1 << 26
  /// Decoding may allocate this many bytes plus `memoryPerByte` for each byte of the file: a 100 kB
  /// file can claim a picture of gigabytes.
  public static let memory = 64 << 20
  static let memoryPerByte = 20

  /// The header of the PNG file in `bytes`.
  public static func header(of bytes: [UInt8]) throws -> Header {
    try header(ofEssential: essential(bytes))
  }

  private static func header(ofEssential bytes: [UInt8]) throws -> Header {
    var (width, height): (UInt32, UInt32) = (0, 0)
    var isGray: Int32 = 0
    var message = [CChar](repeating: 0, count: 64)
    guard unsafe drawml_png_size(bytes, bytes.count, &width, &height, &isGray, &message) != 0
    else { throw Failure(message) }
    // The header comes first in every PNG file; its ninth byte is the depth, its tenth the color
    // type: gray 0, RGB 2, palette 3, gray with opacity 4, RGB with opacity 6.
    guard bytes.count > 25 else { throw Failure(description: "it ends in its header") }
    let channels = [2: 3, 4: 2, 6: 4][bytes[25]] ?? 1
    return Header(
      width: Int(width), height: Int(height), isGray: isGray != 0, isWide: bytes[24] == 16,
      bits: Int(bytes[24]) * channels)
  }

  /// The picture in a PNG file's `bytes`: its pixels (row-major, [height, width, channels]) and
  /// size, turned upright as its Exif orientation says.
  ///
  /// - Parameters:
  ///   - bytes: The file.
  ///   - pixels: What the values mean.
  ///   - memory: The bytes that may be allocated, besides those for the file's length.
  /// - Returns: The values, and the picture's size.
  /// - Throws: `Failure` when it is not a PNG file, is damaged, or needs more memory than the limit
  ///   for its length.
  public static func decode(
    _ bytes: [UInt8], as pixels: Pixels, memory: Int = memory
  ) throws -> (values: [UInt8], width: Int, height: Int) {
    let orientation = ExifOrientation(ofPNG: bytes) ?? .upright
    let (values, width, height) = try decode(essential: essential(bytes), as: pixels, memory)
    return orientation.applied(
      to: values, width: width, height: height, channels: pixels.channels)
  }

  private static func decode(
    essential bytes: [UInt8], as pixels: Pixels, _ memory: Int
  ) throws -> (values: [UInt8], width: Int, height: Int) {
    let header = try header(ofEssential: bytes)
    let (width, height) = (header.width, header.height)
    // Includes the tones computed from RGBA: luma, and those of another channel.
    let needed =
      width * height * (pixels.channels + (pixels == .gray ? 0 : 2) + (header.isWide ? 8 : 0))
    guard width * height <= mostPixels, needed <= memory + memoryPerByte * bytes.count else {
      throw Failure(
        description:
          "its \(width) × \(height) pixels need \(needed >> 20) MB, more than DrawML takes "
          + "for a file of \(bytes.count) bytes; make it smaller, or save it in shades of gray")
    }
    guard unsafe drawml_png_exceeds(bytes, bytes.count, header.mostRowBytes) == 0 else {
      throw Failure(description: "its data go on after its \(width) × \(height) pixels")
    }
    var message = [CChar](repeating: 0, count: 64)
    if header.isWide {
      return (try decodeWide(bytes, width * height, as: pixels), width, height)
    }
    var values = [UInt8](repeating: 0, count: width * height * pixels.channels)
    guard
      unsafe drawml_png_decode(
        bytes, bytes.count, Int32(pixels.channels), 8, &values, &message) != 0
    else { throw Failure(message) }
    return (values, width, height)
  }

  /// A chunk's places in a file.
  struct Chunk {
    /// The four letters of its name.
    var name: Range<Int>
    /// Its data.
    var data: Range<Int>
    /// All of it: length, name, data, checksum.
    var whole: Range<Int> { name.lowerBound - 4..<data.upperBound + 4 }
  }

  /// The whole chunks of the file in `bytes`, in order.
  static func chunks(of bytes: [UInt8]) -> [Chunk] {
    var chunks: [Chunk] = []
    // After the signature, each chunk is: length (4 bytes, big endian), name (4), data, CRC (4).
    var position = signature.count
    while position + 12 <= bytes.count {
      let length = bytes[position..<position + 4].reduce(0) { $0 << 8 | Int($1) }
      guard position + 12 + length <= bytes.count else { break }
      let data = position + 8..<position + 8 + length
      chunks.append(Chunk(name: position + 4..<position + 8, data: data))
      position = data.upperBound + 4
    }
    return chunks
  }

  /// Whether a chunk's checksum is that of its name and data.
  static func isIntact(_ chunk: Chunk, of bytes: [UInt8]) -> Bool {
    let stored = bytes[chunk.data.upperBound..<chunk.whole.upperBound]
    let summed = Array(bytes[chunk.name.lowerBound..<chunk.data.upperBound])
    let sum = unsafe drawml_png_checksum(summed, summed.count)
    return stored.reduce(0) { $0 << 8 | UInt32($1) } == sum
  }

  /// The file without the chunks that change no pixel. libpng would inflate texts that nobody
  /// reads: 194 kB can hold 200 MB.
  package static func essential(_ bytes: [UInt8]) -> [UInt8] {
    var kept: [UInt8] = []
    var start = 0
    for chunk in chunks(of: bytes) where isIdle(bytes[chunk.name]) {
      kept += bytes[start..<chunk.whole.lowerBound]
      start = chunk.whole.upperBound
    }
    return start == 0 ? bytes : kept + bytes[start...]
  }

  /// Whether chunks of a name may be left out (a small first letter, PNG specification, section
  /// 5.4) and change no pixel.
  private static func isIdle(_ name: ArraySlice<UInt8>) -> Bool {
    name.first.map { (0x61...0x7a).contains($0) } == true
      && !["tRNS", "gAMA", "cHRM", "sRGB", "sBIT", "iCCP"].contains { name.elementsEqual($0.utf8) }
  }

  /// The pixels of a file with 16 bits per channel: see `drawml_png_decode`. Gray is
  /// composited on black, as for 8 bits.
  private static func decodeWide(
    _ bytes: [UInt8], _ count: Int, as pixels: Pixels
  ) throws -> [UInt8] {
    var wide = [UInt16](repeating: 0, count: count * 4)
    var message = [CChar](repeating: 0, count: 64)
    guard unsafe drawml_png_decode(bytes, bytes.count, 4, 16, &wide, &message) != 0 else {
      throw Failure(message)
    }
    var values: [UInt8] = []
    values.reserveCapacity(count * pixels.channels)
    for start in Swift.stride(from: 0, to: wide.count, by: 4) {
      let opacity = Int(wide[start + 3])
      let (red, green, blue) = (Int(wide[start]), Int(wide[start + 1]), Int(wide[start + 2]))
      switch pixels {
      case .gray:
        // The ITU-R BT.709 weights, as libpng uses them.
        let sum = 6968 * red + 23434 * green + 2366 * blue
        values.append(tones[min(65535, (sum + 16384) >> 15)])
      case .rgba:
        func tone(_ light: Int) -> UInt8 {
          opacity == 0 ? 0 : tones[min(65535, (light * 65535 + opacity / 2) / opacity)]
        }
        values += [tone(red), tone(green), tone(blue)]
        values.append(UInt8((opacity * 255 + 32767) / 65535))
      }
    }
    return values
  }

  /// The 8-bit sRGB tone (IEC 61966-2-1) of each of 65,536 steps of linear light.
  private static let tones: [UInt8] = (0...65535).map { step in
    let light = Double(step) / 65535
    let tone = light <= 0.0031308 ? 12.92 * light : 1.055 * pow(light, 1 / 2.4) - 0.055
    return UInt8((tone * 255).rounded())
  }
}
