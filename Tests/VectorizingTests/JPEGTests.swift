import Files
import Foundation
import Ink
import Pictures
import TestTools
import Testing
import Vectorizing

/// The fixtures are made by `scripts/make-jpeg-fixtures`.
@Suite("JPEG pictures")
struct JPEGTests {
  private func bytes(_ name: String) throws -> [UInt8] {
    let folder = try #require(Bundle.module.resourcePath)
    return try AtomicFile.read("\(folder)/Fixtures/jpeg/\(name).jpg")
  }

  /// 24 × 16: a black bar along the top, and a gray square at the bottom left, give or take what
  /// compression changes.
  private func isFixture(_ picture: GrayPicture) -> Bool {
    guard picture.width == 24, picture.height == 16 else { return false }
    return picture.values.enumerated().allSatisfy { index, value in
      let (x, y) = (index % 24, index / 24)
      let expected = y < 4 ? 0 : y >= 8 && x < 8 ? 128 : 255
      return abs(Int(value) - expected) <= 12
    }
  }

  @Test("A picture is upright however the camera was held", arguments: 1...8)
  func orientations(orientation: Int) throws {
    let bytes = try bytes("orientation-\(orientation)")
    #expect(ExifOrientation(ofJPEG: bytes)?.rawValue == UInt16(orientation))
    #expect(isFixture(try GrayPicture(jpeg: bytes)))
  }

  @Test(
    "Color and progressive pictures are read as their tones", arguments: ["color", "progressive"])
  func forms(name: String) throws {
    #expect(isFixture(try GrayPicture(jpeg: bytes(name))))
  }

  @Test("An orientation in big-endian order is read; one that is not valid is none")
  func exif() throws {
    func file(_ value: UInt8, kind: UInt8 = 3) -> [UInt8] {
      let tiff: [UInt8] =
        [0x4d, 0x4d, 0, 42, 0, 0, 0, 8, 0, 1, 1, 18, 0, kind, 0, 0, 0, 1, 0, value, 0, 0]
        + [0, 0, 0, 0]
      let segment = Array("Exif\0\0".utf8) + tiff
      return [0xff, 0xd8, 0xff, 0xe1, 0, UInt8(segment.count + 2)] + segment + [0xff, 0xd9]
    }
    #expect(ExifOrientation(ofJPEG: file(6)) == .quarterTurn)
    #expect(ExifOrientation(ofJPEG: file(0)) == nil)
    #expect(ExifOrientation(ofJPEG: file(9)) == nil)
    #expect(ExifOrientation(ofJPEG: file(6, kind: 4)) == nil)
    for count in 0..<file(6).count { _ = ExifOrientation(ofJPEG: Array(file(6).prefix(count))) }
  }

  @Test(
    "Colors for print are read, plain and inverted as Adobe's programs store them",
    arguments: ["cmyk", "cmyk-plain", "ycck"])
  func print(name: String) throws {
    let bytes = try bytes(name)
    #expect(isFixture(try GrayPicture(jpeg: bytes)))
    let colors = try ColorPicture(jpeg: bytes)
    #expect(colors.width == 24 && colors.values.suffix(1) == [255])
  }

  @Test("JPEG of another kind is named: 12 bits, lossless, hierarchical")
  func otherKinds() throws {
    let color = try bytes("color")
    let frame = try #require(
      color.indices.first { color[$0...].starts(with: [0xff, 0xc0, 0, 17]) })
    func error(_ marker: UInt8, precision: UInt8) -> String? {
      var changed = color
      (changed[frame + 1], changed[frame + 4]) = (marker, precision)
      return #expect(throws: JPEG.Failure.self) { try GrayPicture(jpeg: changed) }?.description
    }
    #expect(
      error(0xc1, precision: 12)
        == "its colors have 12 bits, and JPEG is read with 8; save it as PNG, or with 8")
    #expect(error(0xc3, precision: 8)?.hasPrefix("it is a lossless JPEG") == true)
    #expect(error(0xc5, precision: 8)?.hasPrefix("it is a hierarchical JPEG") == true)
  }

  @Test("What cannot be read is refused with its reason")
  func refused() throws {
    func error(_ bytes: [UInt8]) -> String? {
      #expect(throws: JPEG.Failure.self) { try GrayPicture(jpeg: bytes) }?.description
    }
    let whole = try bytes("color")
    #expect(error(Array(whole.dropLast(40)))?.contains("remature end") == true)
    #expect(error([]) != nil && error([0xff, 0xd8, 0xff]) != nil)
    // The frame's header says 16,384 × 16,384.
    var huge = whole
    let frame = try #require(huge.indices.first { huge[$0...].starts(with: [0xff, 0xc0, 0, 17]) })
    huge.replaceSubrange((frame + 5)..<(frame + 9), with: [0x40, 0, 0x40, 0])
    #expect(error(huge)?.contains("more than DrawML takes") == true)
    // Very many scans, each of which would go over all pixels.
    let progressive = try bytes("progressive")
    let last = try #require(
      progressive.indices.last { progressive[$0...].starts(with: [0xff, 0xda]) })
    var scans = Array(progressive[..<last])
    scans.reserveCapacity(20 << 20)
    let scan = progressive[last..<(progressive.count - 2)]
    // 24 × 16 pixels: 2^30 of them take 2,796,202 scans.
    for _ in 0..<(1 << 30) / 384 { scans += scan.prefix(2) }
    #expect(error(scans)?.contains("save it as a baseline JPEG") == true)
  }

  @Test("The first bytes tell PNG from JPEG, whatever the name says")
  func names() throws {
    let folder = try TemporaryFolder()
    try AtomicFile.write(bytes("orientation-6"), to: folder.file("star.png"))
    #expect(isFixture(try GrayPicture(path: folder.file("star.png"))))
    try folder.put("text", "star.jpg")
    let error = #expect(throws: FileError.self) { try GrayPicture(path: folder.file("star.jpg")) }
    #expect(error?.description.contains("it is not a PNG or JPEG picture") == true)
  }
}
