internal import CJPEG

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
  /// Bytes for each pixel: its tone, and the coefficients of three channels, which a progressive
  /// picture keeps.
  private static let memoryPerPixel = 7
  /// The maximum number of pixels of all scans together: each scan of a progressive picture goes
  /// over all of them, and those of cameras have about ten.
  private static let mostScannedPixels = 1 << 30

  /// The picture's tones, 0 black … 255 white, row-major, shape [height, width], turned upright as
  /// its Exif orientation says.
  ///
  /// - Throws: `Failure` when it is no JPEG picture, is damaged, or needs more memory than the limit
  ///   for its length.
  public static func decodeGray(
    _ bytes: [UInt8]
  ) throws(Failure) -> (values: [UInt8], width: Int, height: Int) {
    guard let decoder = unsafe tjInitDecompress() else {
      throw Failure(description: "no memory for a JPEG decoder")
    }
    defer { unsafe tjDestroy(decoder) }
    func failure() -> Failure {
      let message = unsafe tjGetErrorStr2(decoder).map { unsafe String(cString: $0) }
      return Failure(description: message ?? "unknown fault")
    }
    var (width, height, sampling, space): (Int32, Int32, Int32, Int32) = (0, 0, 0, 0)
    guard
      unsafe tjDecompressHeader3(
        decoder, bytes, UInt(bytes.count), &width, &height, &sampling, &space) == 0
    else { throw failure() }
    guard ![TJCS_CMYK, TJCS_YCCK].contains(where: { $0.rawValue == UInt32(space) }) else {
      throw Failure(description: "its colors are for print (CMYK); save it in RGB or gray")
    }
    let pixels = Int(width) * Int(height)
    let needed = pixels * memoryPerPixel
    guard pixels <= mostPixels, needed <= PNG.memory + PNG.memoryPerByte * bytes.count else {
      throw Failure(
        description: "its \(width) × \(height) pixels need \(needed >> 20) MB, more than DrawML "
          + "takes for a file of \(bytes.count) bytes; make it smaller")
    }
    // A scan begins with these two bytes, which its data cannot hold.
    let scans = zip(bytes, bytes.dropFirst()).count { $0 == 0xff && $1 == 0xda }
    guard scans * pixels <= mostScannedPixels else {
      throw Failure(
        description: "its \(width) × \(height) pixels come in \(scans) scans, more than DrawML "
          + "takes; save it as a baseline JPEG")
    }
    var values = [UInt8](repeating: 0, count: pixels)
    let status = unsafe tjDecompress2(
      decoder, bytes, UInt(bytes.count), &values, width, 0, height, TJPF_GRAY.rawValue,
      TJFLAG_ACCURATEDCT | TJFLAG_LIMITSCANS)
    if status != 0 {
      // Cameras and editors leave bytes between segments, which changes no pixel.
      let failure = failure()
      let isWarning = unsafe tjGetErrorCode(decoder) == Int32(TJERR_WARNING.rawValue)
      guard isWarning, failure.description.contains("extraneous bytes") else { throw failure }
    }
    return (ExifOrientation(ofJPEG: bytes) ?? .upright).applied(
      to: values, width: Int(width), height: Int(height))
  }
}
