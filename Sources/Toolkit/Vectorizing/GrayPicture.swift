public import Files
public import Ink
public import Pictures

/// A grayscale picture, such as a scan, a photograph or a canvas: the input of a `Vectorizer`.
public struct GrayPicture: Hashable, Sendable {
  /// Columns, at least 1.
  public let width: Int
  /// Rows, at least 1.
  public let height: Int
  /// Tones, row-major, shape [height, width], 0 black … 255 white.
  public let values: [UInt8]

  /// A picture of `values`, row-major, shape [height, width], 0 black … 255 white.
  public init(width: Int, height: Int, values: [UInt8]) {
    precondition(
      width >= 1 && height >= 1, "a picture has at least one pixel, got \(width) × \(height)")
    precondition(
      values.count == width * height,
      "a \(width) × \(height) picture needs \(width * height) values, got \(values.count)")
    self.width = width
    self.height = height
    self.values = values
  }

  /// Converts a color picture, possibly with transparency, to gray.
  ///
  /// A color's tone is its luma (ITU-R BT.601). The background of transparent pixels is:
  /// - black or white, whichever is farther from the opaque pixels' median tone, if these have
  ///   nearly one tone: ink on a transparent ground;
  /// - that median tone, if they have several tones: a cropped picture.
  ///
  /// - Parameters:
  ///   - rgba: Red, green, blue and opacity (not premultiplied), row-major, shape [height, width,
  ///     4].
  ///   - width: Columns, at least 1.
  ///   - height: Rows, at least 1.
  public init(rgba: [UInt8], width: Int, height: Int) {
    precondition(
      rgba.count == width * height * 4,
      "a \(width) × \(height) picture needs \(width * height * 4) bytes, got \(rgba.count)")
    var tones = [UInt8](repeating: 0, count: width * height)
    var opaque = Histogram()
    var isTransparent = false
    for index in tones.indices {
      let pixel = index * 4
      let (red, green, blue) = (Int(rgba[pixel]), Int(rgba[pixel + 1]), Int(rgba[pixel + 2]))
      tones[index] = UInt8((299 * red + 587 * green + 114 * blue + 500) / 1000)
      if rgba[pixel + 3] >= 128 { opaque.add(tones[index]) }
      if rgba[pixel + 3] < 255 { isTransparent = true }
    }
    if isTransparent {
      let median = opaque.quantile(0.5)
      let spread = opaque.quantile(0.95) - opaque.quantile(0.05)
      let ground = spread >= 64 ? median : median < 128 ? 255 : 0
      for index in tones.indices {
        let opacity = Int(rgba[index * 4 + 3])
        tones[index] = UInt8(
          (opacity * Int(tones[index]) + (255 - opacity) * ground + 127) / 255)
      }
    }
    self.init(width: width, height: height, values: tones)
  }

  /// Which tones the colors of a picture get.
  public enum Tones: Sendable {
    /// Luma, or where that hardly tells ink from paper, those of the channel that does.
    case ink
    /// Luma: for finding a sheet of paper, whose color is not that of most of the picture.
    case luma
  }

  /// Converts a color picture to gray: to luma as by `init(rgba:width:height:)`, or to `InkTones`.
  init(_ picture: ColorPicture, as tones: Tones = .ink) {
    self.init(rgba: picture.values, width: picture.width, height: picture.height)
    guard tones == .ink else { return }
    let small = picture.reduced(toSide: InkTones.decidingSide)
    if let tones = InkTones(whereLumaMissesInkOf: small) { self = tones.picture(of: picture) }
  }

  /// The picture in a PNG file's `bytes`: gray, palette or color, 1 to 16 bits deep, interlaced or
  /// not, upright as its Exif orientation says; see `init(rgba:width:height:)` for opacity.
  ///
  /// - Throws: `PNG.Failure` when it is not a PNG file, is damaged or is too large.
  public init(png bytes: [UInt8], as tones: Tones = .ink) throws {
    let header = try PNG.header(of: bytes)
    let isPlain = header.isGray && !header.isWide
    let (values, width, height) = try PNG.decode(bytes, as: isPlain ? .gray : .rgba)
    if isPlain {
      self.init(width: width, height: height, values: values)
    } else {
      self.init(ColorPicture(width: width, height: height, values: values), as: tones)
    }
  }

  /// The picture in a JPEG file's `bytes`, upright as its Exif orientation says.
  ///
  /// - Throws: `JPEG.Failure` when it is not a JPEG file, is damaged or is too large.
  public init(jpeg bytes: [UInt8], as tones: Tones = .ink) throws(JPEG.Failure) {
    let (values, width, height) = try JPEG.decode(bytes, as: .gray)
    self.init(width: width, height: height, values: values)
    guard tones == .ink, try !JPEG.header(of: bytes).isGray else { return }
    let side = InkTones.decidingSide
    let small = try ColorPicture(jpeg: bytes, reducedTo: side).reduced(toSide: side)
    // The colors of a large picture may need more memory than its tones, which are kept then.
    if let tones = InkTones(whereLumaMissesInkOf: small),
      let picture = try? ColorPicture(jpeg: bytes, memory: PNG.memory - self.values.count)
    {
      self = tones.picture(of: picture)
    }
  }

  /// The picture in the PNG or JPEG file at `path`; its first bytes tell which.
  ///
  /// - Throws: `FileError` when it cannot be read or is neither.
  public init(path: String, as tones: Tones = .ink) throws(FileError) {
    try self.init(file: try AtomicFile.read(path), named: path, as: tones)
  }

  /// The picture in the bytes of a PNG or JPEG file; `path` is what errors call it.
  ///
  /// - Throws: `FileError` when it is neither, or damaged.
  public init(
    file bytes: [UInt8], named path: String, as tones: Tones = .ink
  ) throws(FileError) {
    do {
      if bytes.starts(with: PNG.signature) {
        try self.init(png: bytes, as: tones)
      } else if bytes.starts(with: JPEG.signature) {
        try self.init(jpeg: bytes, as: tones)
      } else {
        if bytes.isEmpty { throw FileError(reading: path, "it is empty") }
        if let kind = UnreadPicture(bytes) {
          throw FileError(reading: path, "it is \(kind.rawValue); \(kind.advice)")
        }
        throw FileError("read", path: path, reason: .foreign(expected: "PNG or JPEG picture"))
      }
    } catch let error as FileError {
      throw error
    } catch {
      throw FileError(reading: path, "\(error)")
    }
  }

  /// The pixels of `raster`, black on white.
  public init(_ raster: Raster) {
    self.init(
      width: raster.width, height: raster.height, values: raster.bytes.map { 255 - $0 })
  }

  /// The picture with black and white exchanged.
  public var inverted: GrayPicture {
    GrayPicture(width: width, height: height, values: values.map { 255 - $0 })
  }
}

/// How often each tone occurs.
struct Histogram {
  /// The count of each tone, 0 … 255.
  private(set) var counts = [Int](repeating: 0, count: 256)
  /// The sum of the counts.
  private(set) var total = 0

  init() {}

  init(_ values: [UInt8]) {
    for value in values { counts[Int(value)] += 1 }
    total = values.count
  }

  mutating func add(_ value: UInt8) {
    counts[Int(value)] += 1
    total += 1
  }

  /// The tone below which `fraction` of the values lie; 0 for an empty histogram.
  func quantile(_ fraction: Double) -> Int {
    var left = Int(Double(total) * fraction)
    for (tone, count) in counts.enumerated() {
      left -= count
      if left < 0 { return tone }
    }
    return total == 0 ? 0 : 255
  }
}
