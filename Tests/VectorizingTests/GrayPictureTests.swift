import Files
import Foundation
import Ink
import Pictures
import TestTools
import Testing
import Vectorizing

@Suite("Gray pictures")
struct GrayPictureTests {
  /// The picture that `scripts/make-picture-fixtures` writes.
  static let lines = [
    ".........", ".#....##.", ".#...#...", ".#..#....", ".#######.", ".....#...", ".....#..#",
  ]

  private func path(_ name: String) throws -> String {
    let folder = try #require(Bundle.module.resourcePath)
    return "\(folder)/Fixtures/png/\(name).png"
  }

  @Test(
    "Every form of PNG gives the same tones: depths, palettes, opacity, interlacing",
    arguments: [
      "gray-1", "gray-1-interlaced", "gray-4", "gray-8", "gray-8-interlaced", "gray-16",
      "gray-alpha-8", "rgb-8", "rgb-16", "rgba-8", "rgba-16-interlaced", "rgba-8-clear",
      "palette-2",
      "palette-8-interlaced", "palette-8-clear",
    ])
  func forms(name: String) throws {
    let picture = try GrayPicture(path: path(name))
    #expect(picture.width == 9 && picture.height == 7)
    #expect(picture.values == Self.lines.flatMap { $0.map { $0 == "#" ? 0 : 255 } })
  }

  @Test("A tone of 16 bits is the same tone in 8, not lighter")
  func sixteenBits() throws {
    let picture = try GrayPicture(path: path("gray-16-middle"))
    // libpng goes by way of linear light.
    #expect(Set(picture.values).subtracting([0, 128, 129]).isEmpty)
    #expect(picture.values[0] >= 128)
  }

  @Test("Colors become their luma")
  func luma() {
    let picture = GrayPicture(
      rgba: [255, 0, 0, 255, 0, 255, 0, 255, 0, 0, 255, 255, 10, 10, 10, 255], width: 4, height: 1)
    #expect(picture.values == [76, 150, 29, 10])
  }

  @Test("Ink on nothing stands out from the ground; a cut edge goes on in the picture's own tone")
  func opacity() {
    func tones(_ pixels: [[UInt8]]) -> [UInt8] {
      GrayPicture(rgba: pixels.flatMap(\.self), width: pixels.count, height: 1).values
    }
    let (nothing, black, white): ([UInt8], [UInt8], [UInt8]) = (
      [9, 9, 9, 0], [0, 0, 0, 255], [255, 255, 255, 255]
    )
    #expect(tones([nothing, black, [0, 0, 0, 51]]) == [255, 0, 204])
    #expect(tones([nothing, white, [255, 255, 255, 51]]) == [0, 255, 51])
    #expect(tones([nothing, white, white, white, black]) == [255, 255, 255, 255, 0])
    #expect(tones([nothing, nothing]) == [255, 255])
  }

  /// A PNG of 3 × 2 pixels with the tones 0, 50, … 250, and an `eXIf` chunk.
  private func picture(exif: [UInt8], checksum: UInt32? = nil) throws -> [UInt8] {
    let plain = try PNG.encode([0, 50, 100, 150, 200, 250], width: 3, height: 2, as: .gray)
    func big(_ number: UInt32) -> [UInt8] {
      (0..<4).map { UInt8(truncatingIfNeeded: number >> UInt32(24 - 8 * $0)) }
    }
    let named = Array("eXIf".utf8) + exif
    // CRC-32, bit by bit.
    let sum = ~named.reduce(~0 as UInt32) { sum, byte in
      (0..<8).reduce(sum ^ UInt32(byte)) { rest, _ in
        rest >> 1 ^ (rest & 1 == 1 ? 0xedb8_8320 : 0)
      }
    }
    // After the signature and the header.
    return plain[..<33] + big(UInt32(exif.count)) + named + big(checksum ?? sum) + plain[33...]
  }

  /// The orientation as Exif has it.
  private func exif(_ orientation: UInt8, isBig: Bool = true, kind: UInt8 = 3) -> [UInt8] {
    isBig
      ? [0x4d, 0x4d, 0, 42, 0, 0, 0, 8, 0, 1, 1, 18, 0, kind, 0, 0, 0, 1, 0, orientation, 0, 0]
        + [0, 0, 0, 0]
      : [0x49, 0x49, 42, 0, 8, 0, 0, 0, 1, 0, 18, 1, kind, 0, 1, 0, 0, 0, orientation, 0, 0, 0]
        + [0, 0, 0, 0]
  }

  @Test(
    "A PNG's eXIf turns it upright, as a JPEG's does, in both orders of bytes",
    arguments: [
      (1, 3, [0, 50, 100, 150, 200, 250]), (2, 3, [100, 50, 0, 250, 200, 150]),
      (3, 3, [250, 200, 150, 100, 50, 0]), (4, 3, [150, 200, 250, 0, 50, 100]),
      (5, 2, [0, 150, 50, 200, 100, 250]), (6, 2, [150, 0, 200, 50, 250, 100]),
      (7, 2, [250, 100, 200, 50, 150, 0]), (8, 2, [100, 250, 50, 200, 0, 150]),
    ] as [(UInt8, Int, [UInt8])])
  func exif(orientation: UInt8, width: Int, tones: [UInt8]) throws {
    let big = exif(orientation)
    for exif in [big, exif(orientation, isBig: false), Array("Exif".utf8) + [0, 0] + big] {
      let found = try GrayPicture(png: picture(exif: exif))
      #expect(found.width == width && found.height == 6 / width)
      #expect(found.values == tones)
    }
  }

  @Test("An eXIf chunk that is damaged, or says nothing valid, changes nothing")
  func badExif() throws {
    let sound = exif(6)
    let bad = [[], exif(0), exif(9), exif(6, kind: 4), Array("PNG!".utf8)]
    // Cut off before the value ends.
    for exif in bad + (0..<20).map({ Array(sound.prefix($0)) }) {
      #expect(try GrayPicture(png: picture(exif: exif)).values == [0, 50, 100, 150, 200, 250])
    }
    let changed = try picture(exif: sound, checksum: 1)
    #expect(try GrayPicture(png: changed).width == 3)
  }

  @Test(
    "Pictures of other formats are named for what they are",
    arguments: [
      ("RIFF\u{4}\0\0\0WEBPVP8 ", "a WebP picture; save it as PNG or JPEG"),
      ("GIF89a\u{1}\0\u{1}\0", "a GIF picture; save it as PNG or JPEG"),
      ("BM6\0\0\0\0\0\0\06\0\0\0(\0\0\0", "a BMP picture; save it as PNG or JPEG"),
      ("II*\0\u{8}\0\0\0", "a TIFF picture; save it as PNG or JPEG"),
      ("MM\0*\0\0\0\u{8}", "a TIFF picture; save it as PNG or JPEG"),
      (
        "\0\0\0\u{18}ftypheic\0\0\0\0mif1heic", "a HEIC picture; save it as PNG or JPEG"
      ),
      (
        "\0\0\0\u{1c}ftypmif1\0\0\0\0mif1avifmiaf",
        "an AVIF picture; save it as PNG or JPEG"
      ),
      ("%PDF-1.7\n", "a PDF document; save its page as a PNG picture, or its lines as SVG"),
    ])
  func otherFormats(start: String, name: String) throws {
    let folder = try TemporaryFolder()
    let path = try folder.put(start, "a.png")
    let error = #expect(throws: FileError.self) { try GrayPicture(path: path) }
    #expect(error?.description == "cannot read \(path): it is \(name)")
  }

  @Test(
    "Texts that begin like a picture are no picture of another format", arguments: ["BMX", "P1"])
  func noOtherFormat(start: String) throws {
    let folder = try TemporaryFolder()
    let path = try folder.put(start + " bikes and more of them", "a.png")
    let error = #expect(throws: FileError.self) { try GrayPicture(path: path) }
    #expect(error?.reason == .foreign(expected: "PNG or JPEG picture"))
  }

  @Test("What is no PNG file, or a damaged one, is refused with the file's name")
  func unreadable() throws {
    let folder = try TemporaryFolder()
    let file = folder.file("a.png")
    let sound = try AtomicFile.read(path("gray-8"))
    for (bytes, text) in [
      (Array("hello".utf8), "cannot read \(file): it is not a PNG or JPEG picture"),
      ([], "cannot read \(file): it is empty"),
      (Array(sound.prefix(20)), "cannot read \(file): it ends too early"),
      (Array(sound.prefix(60)), "cannot read \(file): it ends too early"),
    ] {
      try AtomicFile.write(bytes, to: file)
      let error = #expect(throws: FileError.self) { try GrayPicture(path: file) }
      #expect(error?.description.hasPrefix(text) == true)
    }
    let missing = folder.file("none.png")
    #expect(throws: FileError.self) { try GrayPicture(path: missing) }
  }
}
