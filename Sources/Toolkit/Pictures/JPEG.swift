internal import CJPEG
public import Text

/// Decodes JPEG pictures, by libjpeg-turbo.
public enum JPEG {
  /// Why a picture cannot be read.
  public struct Failure: DescribedError {
    /// The message, in most cases libjpeg's.
    public let description: String
  }

  /// The first bytes of every JPEG file.
  public static let signature: [UInt8] = [0xff, 0xd8, 0xff]

  /// The maximum number of pixels.
  public static let mostPixels = PNG.mostPixels
  /// The maximum number of pixels of all scans together: each scan of a progressive picture goes
  /// over all of them, and those of cameras have about ten.
  private static let mostScannedPixels = 1 << 30

  /// The picture's properties from a JPEG header, read before decompression.
  public struct Header: Sendable, Equatable {
    /// Columns, before the Exif orientation is applied.
    public var width: Int
    /// Rows, before the Exif orientation is applied.
    public var height: Int
    /// Whether it has tones only.
    public var isGray: Bool
    /// Whether its colors are for print (CMYK).
    fileprivate var isForPrint: Bool
    /// Bytes for each pixel of the coefficients, which a progressive picture keeps.
    fileprivate var coefficientBytes: Int
  }

  /// The header of the JPEG file in `bytes`.
  ///
  /// - Throws: `Failure` when it is no JPEG picture.
  public static func header(of bytes: [UInt8]) throws(Failure) -> Header {
    try Decoder().header(of: bytes)
  }

  /// The picture's pixels, row-major, shape [height, width, channels], turned upright as its Exif
  /// orientation says; every pixel is opaque.
  ///
  /// - Parameters:
  ///   - bytes: The file.
  ///   - pixels: What the values mean.
  ///   - side: Where the larger side has more pixels than this, it may be reduced to any number of
  ///     pixels from this on: that takes less memory.
  ///   - memory: The bytes that may be allocated, besides those for the file's length.
  /// - Returns: The values, and the upright picture's size.
  /// - Throws: `Failure` when it is no JPEG picture, is damaged, or needs more memory than that.
  public static func decode(
    _ bytes: [UInt8], as pixels: PNG.Pixels, reducedTo side: Int = .max, memory: Int = PNG.memory
  ) throws(Failure) -> (values: [UInt8], width: Int, height: Int) {
    let decoder = try Decoder()
    let header = try decoder.header(of: bytes)
    let (width, height) = header.size(reducedTo: side)
    let count = header.width * header.height
    let channels = pixels.channels + (header.isForPrint ? 4 : 0)
    let needed = count * header.coefficientBytes + width * height * channels
    guard count <= mostPixels, needed <= memory + PNG.memoryPerByte * bytes.count else {
      throw Failure(
        description: "its \(header.width) × \(header.height) pixels need \(needed >> 20) MB, more "
          + "than DrawML takes for a file of \(bytes.count) bytes; make it smaller")
    }
    // A scan begins with these two bytes, which its data cannot hold.
    let scans = zip(bytes, bytes.dropFirst()).count { $0 == 0xff && $1 == 0xda }
    guard scans * count <= mostScannedPixels else {
      throw Failure(
        description: "its \(header.width) × \(header.height) pixels come in \(scans) scans, more "
          + "than DrawML takes; save it as a baseline JPEG")
    }
    let values =
      header.isForPrint
      ? PrintColors(
        try decoder.pixels(of: bytes, TJPF_CMYK, 4, width: width, height: height), of: bytes
      ).values(as: pixels)
      : try decoder.pixels(
        of: bytes, pixels == .gray ? TJPF_GRAY : TJPF_RGBA, pixels.channels, width: width,
        height: height)
    return (ExifOrientation(ofJPEG: bytes) ?? .upright).applied(
      to: values, width: width, height: height, channels: pixels.channels)
  }
}

extension JPEG.Header {
  /// The smallest size that libjpeg reduces to, by eighths, whose larger side is at least `side`.
  fileprivate func size(reducedTo side: Int) -> (width: Int, height: Int) {
    func scaled(_ length: Int, _ eighths: Int) -> Int { (length * eighths + 7) / 8 }
    let eighths = (1..<8).first { scaled(max(width, height), $0) >= side } ?? 8
    return (scaled(width, eighths), scaled(height, eighths))
  }
}

/// libjpeg-turbo's state for one picture.
@safe private struct Decoder: ~Copyable {
  private let handle: tjhandle

  init() throws(JPEG.Failure) {
    guard let handle = unsafe tjInitDecompress() else {
      throw JPEG.Failure(description: "no memory for a JPEG decoder")
    }
    unsafe self.handle = handle
  }

  deinit { unsafe tjDestroy(handle) }

  private var failure: JPEG.Failure {
    let message = unsafe tjGetErrorStr2(handle).map { unsafe String(cString: $0) }
    return JPEG.Failure(description: message ?? "unknown fault")
  }

  func header(of bytes: [UInt8]) throws(JPEG.Failure) -> JPEG.Header {
    if let problem = JPEGFrame(of: bytes)?.problem { throw JPEG.Failure(description: problem) }
    var (width, height, sampling, space): (Int32, Int32, Int32, Int32) = (0, 0, 0, 0)
    guard
      unsafe tjDecompressHeader3(
        handle, bytes, UInt(bytes.count), &width, &height, &sampling, &space) == 0
    else { throw failure }
    let isForPrint = [TJCS_CMYK, TJCS_YCCK].contains { $0.rawValue == UInt32(space) }
    // Two bytes for each coefficient of the tones, and of two colors in as many places; print has a
    // fourth one.
    let coefficientBytes =
      switch UInt32(sampling) {
      case _ where isForPrint: 8
      case TJSAMP_GRAY.rawValue: 2
      case TJSAMP_420.rawValue, TJSAMP_411.rawValue: 3
      case TJSAMP_422.rawValue, TJSAMP_440.rawValue: 4
      default: 6
      }
    return JPEG.Header(
      width: Int(width), height: Int(height), isGray: UInt32(space) == TJCS_GRAY.rawValue,
      isForPrint: isForPrint,
      coefficientBytes: coefficientBytes)
  }

  /// The pixels as they are in the file, reduced to a size that libjpeg can make.
  func pixels(
    of bytes: [UInt8], _ format: TJPF, _ channels: Int, width: Int, height: Int
  ) throws(JPEG.Failure) -> [UInt8] {
    var values = [UInt8](repeating: 0, count: width * height * channels)
    let status = unsafe tjDecompress2(
      handle, bytes, UInt(bytes.count), &values, Int32(width), 0, Int32(height), format.rawValue,
      TJFLAG_ACCURATEDCT | TJFLAG_LIMITSCANS)
    if status != 0 {
      // Cameras and editors leave bytes between segments, which changes no pixel.
      let failure = failure
      let isWarning = unsafe tjGetErrorCode(handle) == Int32(TJERR_WARNING.rawValue)
      guard isWarning, failure.description.contains("extraneous bytes") else { throw failure }
    }
    return values
  }
}
