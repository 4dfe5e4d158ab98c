import Artwork
import Ink
import Pictures
import Testing

@Suite("Pictures of sketches")
struct SketchPictureTests {
  private static func picture(_ lines: [Sketch.Line]) -> RGBPicture {
    SketchPicture.picture(of: Sketches.sketch(lines))
  }

  @Test("TF-003: 1,024 × 1,024 on white: a line in its color, between antialiased edges")
  func line() {
    let red = SketchColor(0xe53935)
    let picture = Self.picture([Sketches.line([(20, 50), (80, 50)], color: red, width: 10)])
    #expect(picture.width == 1024 && picture.height == 1024)
    #expect(picture[512, 512] == red)
    for (x, y) in [(0, 0), (1023, 0), (0, 1023), (1023, 1023), (512, 450), (512, 574)] {
      #expect(picture[x, y] == .white)
    }
    // The line's upper edge is at 512 - 51.2: four fifths of row 460 are white.
    #expect(picture[512, 461] == red)
    #expect((0xd0..<0xff).contains(picture[512, 460].blue))
    // The round cap ends 51.2 pixels to the left of 204.8.
    #expect(picture[156, 512] == red && picture[152, 512] == .white)
    #expect(picture[160, 470] == .white)
  }

  @Test("TF-003: A marker lets half through, once per stroke; an eraser paints white")
  func tools() {
    let blue = SketchColor(0x0000ff)
    let cross: [(Double, Double)] = [(20, 50), (80, 50), (50, 20), (50, 80)]
    let marker = Sketches.line(cross, color: blue, width: 8, tool: .marker)
    #expect(Self.picture([marker])[512, 512] == SketchColor(0x8080ff))
    #expect(Self.picture([marker, marker])[512, 512] == SketchColor(0x4040ff))
    let eraser = Sketches.line([(50, 50)], width: 6, tool: .eraser)
    let erased = Self.picture([marker, eraser])
    #expect(erased[512, 512] == .white && erased[300, 512] == SketchColor(0x8080ff))
  }

  @Test("TF-003: The canvas keeps its aspect and is centered; what is beyond it is cut off")
  func aspect() {
    let canvas = Drawing.Canvas(width: 200, height: 100)
    let picture = SketchPicture.picture(
      of: Sketches.sketch(
        [
          Sketches.line([(-50, 50), (250, 50)], width: 10),
          Sketches.line([(100, -99), (100, 199)]),
        ],
        canvas: canvas))
    #expect(picture[0, 512] == .black && picture[1023, 512] == .black)
    #expect(picture[512, 256] == .black && picture[512, 767] == .black)
    #expect(picture[512, 255] == .white && picture[512, 768] == .white)
  }

  @Test("TF-003: The PNG file has no metadata and gives the pixels back")
  func png() throws {
    let picture = SketchPicture.picture(of: Sketches.square)
    let file = try picture.png()
    #expect(file.starts(with: PNG.signature))
    var names: [String] = []
    var start = 8
    while start < file.count {
      let length = file[start..<start + 4].reduce(0) { $0 << 8 | Int($1) }
      names.append(String(decoding: file[start + 4..<start + 8], as: UTF8.self))
      start += length + 12
    }
    #expect(names.first == "IHDR" && names.last == "IEND" && start == file.count)
    #expect(names.dropFirst().dropLast().allSatisfy { $0 == "IDAT" })
    let (values, width, height) = try PNG.decode(file, as: .rgba)
    #expect(width == 1024 && height == 1024)
    #expect(values.indices.filter { $0 % 4 != 3 }.map { values[$0] } == picture.bytes)
  }
}
