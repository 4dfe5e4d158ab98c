internal import Pictures
public import Text

extension RGBPicture {
  /// Why a file is not taken as a picture.
  public struct Unreadable: DescribedError, Equatable {
    /// What is wrong, such as "it has 9000 × 10 pixels; at most 4096 a side are taken".
    public let description: String
  }

  /// The most pixels of a side.
  public static let mostSide = 4096

  /// The picture in a PNG or JPEG file from others, such as an image model: on white where it is
  /// transparent, upright as its Exif orientation says, and without anything but its pixels.
  ///
  /// - Parameter file: The file, of at most `mostSide` pixels a side.
  /// - Throws: `Unreadable` when it has more of them, is damaged, or no such file.
  public init(file: [UInt8]) throws(Unreadable) {
    let (rgba, width, height): ([UInt8], Int, Int)
    // Pixels of 16 bits a channel take 14 bytes each while they are read.
    let memory = Self.mostSide * Self.mostSide * 14
    do {
      if file.starts(with: PNG.signature) {
        let header = try PNG.header(of: file)
        try Self.check(header.width, header.height)
        (rgba, width, height) = try PNG.decode(file, as: .rgba, memory: memory)
      } else if file.starts(with: JPEG.signature) {
        let header = try JPEG.header(of: file)
        try Self.check(header.width, header.height)
        (rgba, width, height) = try JPEG.decode(file, as: .rgba, memory: memory)
      } else {
        let kind = UnreadPicture(file).map { "it is \($0.rawValue), " } ?? "it is "
        throw Unreadable(description: kind + "neither PNG nor JPEG")
      }
    } catch let error as Unreadable {
      throw error
    } catch {
      throw Unreadable(description: "\(error)")
    }
    self.init(width: width, height: height, bytes: Self.onWhite(rgba))
  }

  private static func check(_ width: Int, _ height: Int) throws(Unreadable) {
    guard max(width, height) <= mostSide else {
      throw Unreadable(
        description: "it has \(width) × \(height) pixels; at most \(mostSide) a side are taken")
    }
  }

  /// The colors of pixels with opacity (not premultiplied), shape [pixels, 4], on white, shape
  /// [pixels, 3].
  private static func onWhite(_ rgba: [UInt8]) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: rgba.count / 4 * 3)
    for pixel in 0..<rgba.count / 4 {
      let opacity = Int(rgba[pixel * 4 + 3])
      for channel in 0..<3 {
        let light = Int(rgba[pixel * 4 + channel]) * opacity + 255 * (255 - opacity)
        bytes[pixel * 3 + channel] = UInt8((light + 127) / 255)
      }
    }
    return bytes
  }
}
