import Artwork
import Foundation
import Pictures
import Testing

@Suite("Pictures from others")
struct ReceivedPictureTests {
  /// A PNG file of red, green and blue pixels with an opacity.
  private static func png(
    _ pixels: [[UInt8]] = [[255, 0, 0, 255], [0, 255, 0, 128], [0, 0, 255, 0]]
  ) throws -> [UInt8] {
    try PNG.encode(pixels.flatMap(\.self), width: pixels.count, height: 1, as: .rgba)
  }

  /// 16 × 16 pixels of gray 200, made by Pillow.
  private static let jpeg = """
    /9j/4AAQSkZJRgABAQAAAQABAAD/2wBDABALDA4MChAODQ4SERATGCgaGBYWGDEjJR0oOjM9PDkzODdASFxOQERXRTc4UG1R\
    V19iZ2hnPk1xeXBkeFxlZ2P/wAALCAAQABABAREA/8QAFQABAQAAAAAAAAAAAAAAAAAAAAb/xAAUEAEAAAAAAAAAAAAAAAAA\
    AAAA/9oACAEBAAA/AKQB/9k=
    """

  @Test("TF-022: A PNG file gives its pixels, on white where it is transparent")
  func opacity() throws {
    let picture = try RGBPicture(file: Self.png())
    #expect(picture.width == 3 && picture.height == 1)
    #expect(picture.bytes == [255, 0, 0, 127, 255, 127, 255, 255, 255])
  }

  @Test("TF-022: A JPEG file gives its pixels")
  func photograph() throws {
    let file = try #require(Data(base64Encoded: Self.jpeg))
    let picture = try RGBPicture(file: Array(file))
    #expect(picture.width == 16 && picture.height == 16)
    #expect(picture.bytes.allSatisfy { (198...202).contains($0) })
  }

  @Test("TF-022: What is kept is a PNG file with the same pixels, and without metadata")
  func metadata() throws {
    let file = try Self.png([[9, 8, 7, 255]])
    let text = Array("Comment\0Secret".utf8)
    let name = Array("tEXt".utf8)
    let chunk = [0, 0, 0, UInt8(text.count)] + name + text + [0, 0, 0, 0]
    let picture = try RGBPicture(file: Array(file.dropLast(12)) + chunk + Array(file.suffix(12)))
    #expect(picture.bytes == [9, 8, 7])
    let kept = try picture.png()
    #expect(kept.starts(with: PNG.signature))
    #expect(kept.firstRange(of: Array("Secret".utf8)) == nil)
    #expect(try RGBPicture(file: kept) == picture)
  }

  @Test("TF-022: What is cut off, too large or no picture is refused in a sentence")
  func refused() throws {
    let png = try Self.png()
    let jpeg = Array(try #require(Data(base64Encoded: Self.jpeg)))
    let wide = try PNG.encode(
      [UInt8](repeating: 9, count: 4097 * 2), width: 4097, height: 2, as: .gray)
    let gif = Array("GIF89a".utf8) + [UInt8](repeating: 0, count: 60)
    // A header that claims the side is read before any pixels are.
    var tall = png
    tall[20...22] = [0x7f, 0xff, 0xff]
    for (file, sentence) in [
      (Array(png.dropLast(20)), "too early"), (Array(jpeg.dropLast(20)), ""), ([], "neither PNG"),
      (wide, "4097 × 2 pixels; at most 4096 a side"), (tall, ""),
      (gif, "it is a GIF picture, neither PNG nor JPEG"),
      (Array("I am no picture.".utf8), "it is neither PNG nor JPEG"),
    ] {
      let error = #expect(throws: RGBPicture.Unreadable.self) { try RGBPicture(file: file) }
      #expect(error?.description.contains(sentence) == true || sentence.isEmpty, "\(error as Any)")
    }
  }

  @Test("TF-022: The largest picture is taken, however short its file is")
  func largest() throws {
    let side = RGBPicture.mostSide
    let file = try PNG.encode(
      [UInt8](repeating: 9, count: side * side), width: side, height: side, as: .gray)
    #expect(file.count < 1 << 20)
    #expect(try RGBPicture(file: file).width == side)
  }

  @Test("TF-022: The file of a picture is read again, also where it is longer than one that came")
  func longer() throws {
    // Noise, which nothing makes shorter.
    var state: UInt32 = 7
    let bytes = (0..<4000 * 2800 * 3).map { _ in
      state = state &* 1_664_525 &+ 1_013_904_223
      return UInt8(state >> 24)
    }
    let picture = RGBPicture(width: 4000, height: 2800, bytes: bytes)
    let file = try picture.png()
    #expect(file.count > 32 << 20 && file[25] == 2, "red, green and blue")
    #expect(try RGBPicture(file: file) == picture)
  }
}
