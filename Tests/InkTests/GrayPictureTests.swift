import Foundation
import Ink
import Support
import TestTools
import Testing

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
