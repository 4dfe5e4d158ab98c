import Files
import Ink
import Pictures
import TestTools
import Testing
import Vectorizing

@testable import Trace

@Suite("Templates of the user's")
struct TemplateContentsTests {
  /// The refusal of a file; nil if it is taken.
  private func refusal(_ bytes: [UInt8]) -> TemplateError? {
    do throws(TemplateError) {
      _ = try TemplateContents(file: bytes)
      return nil
    } catch { return error }
  }

  private func fixture(_ name: String) throws -> [UInt8] {
    try AtomicFile.read(Repository.path + "/Tests/VectorizingTests/Fixtures/" + name)
  }

  /// A white picture with a black bar, `rows` high, along its top.
  private func bar(width: Int, height: Int, rows: Int) throws -> [UInt8] {
    var values = [UInt8](repeating: 255, count: width * height)
    for index in 0..<(width * rows) { values[index] = 0 }
    return try PNG.encode(values, width: width, height: height, as: .gray)
  }

  /// A PNG file of one transparent pixel whose header claims another size, in colors of 8 bits.
  private func claiming(width: UInt32, height: UInt32) throws -> [UInt8] {
    var bytes = try PNG.encode([0, 0, 0, 0], width: 1, height: 1, as: .rgba)
    func big(_ number: UInt32) -> [UInt8] {
      (0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - 8 * $0)) }
    }
    bytes.replaceSubrange(16..<24, with: big(width) + big(height))
    // CRC-32 (ISO 3309), bit by bit.
    var crc = UInt32.max
    for byte in bytes[12..<29] {
      crc ^= UInt32(byte)
      for _ in 0..<8 { crc = crc & 1 == 1 ? crc >> 1 ^ 0xedb8_8320 : crc >> 1 }
    }
    bytes.replaceSubrange(29..<33, with: big(~crc))
    return bytes
  }

  @Test("TR-031: a small picture keeps its pixels and colors")
  func small() throws {
    let values: [UInt8] = [255, 0, 0, 255, 0, 0, 255, 128]
    let file = try PNG.encode(values, width: 2, height: 1, as: .rgba)
    let picture = try #require(TemplateContents(file: file).picture)
    #expect(picture.size == Template.PictureSize(width: 2, height: 1))
    #expect(try PNG.decode(picture.png, as: .rgba).values == values)
  }

  @Test("TR-031: a larger one is reduced to 2,048 pixels a side, by area averages")
  func reduced() throws {
    let file = try bar(width: 4096, height: 100, rows: 25)
    let picture = try #require(TemplateContents(file: file).picture)
    #expect(picture.size == Template.PictureSize(width: 2048, height: 50))
    let values = try PNG.decode(picture.png, as: .gray).values
    #expect([0, 11, 12, 13, 49].map { values[$0 * 2048] } == [0, 0, 128, 255, 255])
  }

  @Test("What is transparent gives its pixel no color, however many are averaged")
  func opacity() {
    // A red pixel beside three that are green and invisible.
    let green: [UInt8] = [0, 255, 0, 0]
    let picture = ColorPicture(
      width: 2, height: 2, values: [255, 0, 0, 255] + green + green + green)
    #expect(picture.reduced(toSide: 1).values == [255, 0, 0, 64])
  }

  @Test("TR-031: a photograph is upright and in color however the camera was held")
  func photograph() throws {
    for orientation in 1...8 {
      let file = try fixture("jpeg/orientation-\(orientation).jpg")
      let picture = try #require(TemplateContents(file: file).picture)
      #expect(picture.size == Template.PictureSize(width: 24, height: 16))
      let values = try PNG.decode(picture.png, as: .gray).values
      #expect(values[0] < 20 && values[23] < 20 && values[8 * 24 + 20] > 235)
    }
    let (values, _, _) = try JPEG.decode(try fixture("jpeg/color.jpg"), as: .rgba)
    #expect(values.count == 24 * 16 * 4 && values[3] == 255)
  }

  @Test("libjpeg reduces a photograph by eighths, to no less than what is asked")
  func eighths() throws {
    let file = try fixture("jpeg/progressive.jpg")
    let sizes = try [24, 15, 13, 3].map { side in
      let (_, width, height) = try JPEG.decode(file, as: .rgba, reducedTo: side)
      return [width, height]
    }
    #expect(sizes == [[24, 16], [15, 10], [15, 10], [3, 2]])
  }

  @Test("TR-031: SVG is strokes at once, without more points than are seen")
  func svg() throws {
    let circle = "<circle cx=\"50\" cy=\"50\" r=\"40\"/><path d=\"M1 2L3 4\"/>"
    let text = "\u{feff}\n<svg viewBox=\"0 0 100 100\" data-label=\"a\">\(circle)</svg>"
    let drawing = try #require(TemplateContents(file: Array(text.utf8)).drawing)
    #expect(drawing.strokes.count == 2 && drawing.label == nil)
    #expect(drawing.strokes[1].points.map(\.x) == [1, 3])
    #expect((20...200).contains(drawing.strokes[0].points.count))
  }

  @Test("TR-033: the ink of a picture becomes lines; lines stay, and a blank sheet has none")
  func lines() throws {
    var values = [UInt8](repeating: 255, count: 100 * 60)
    for row in 28..<32 { for column in 10..<90 { values[row * 100 + column] = 0 } }
    let file = try PNG.encode(values, width: 100, height: 60, as: .gray)
    let drawing = try #require(TemplateContents(file: file).lines().drawing)
    #expect(drawing.strokes.count == 1)
    #expect(drawing.canvas == Drawing.Canvas(width: 100, height: 60))
    #expect(try TemplateContents.lines(drawing).lines() == .lines(drawing))
    let blank = try TemplateContents(file: try bar(width: 20, height: 20, rows: 0))
    #expect(throws: TemplateError.vectorizer(.noInk)) { try blank.lines() }
  }

  @Test("TR-031: what cannot be a template is refused in one sentence")
  func refused() throws {
    #expect(refusal([]) == .foreign)
    #expect(refusal(Array("no picture".utf8)) == .foreign)
    #expect(
      refusal(Array("GIF89a".utf8))
        == .unreadable("it is a GIF picture; save it as PNG or JPEG"))
    #expect(
      refusal(Array("<html></html>".utf8))
        == .unreadable("line 1: it is not SVG: its first element is html"))
    #expect(refusal([UInt8](repeating: 0, count: (20 << 20) + 1)) == .tooLong)
    let file = try bar(width: 64, height: 64, rows: 9)
    for bytes in [Array(file.dropLast(30)), Array(file.prefix(20))] {
      #expect(refusal(bytes)?.isUnreadable == true, "\(bytes.count) bytes")
    }
    let photograph = try fixture("jpeg/color.jpg")
    #expect(refusal(Array(photograph.dropLast(40)))?.isUnreadable == true)
  }

  @Test("TR-031: 41 megapixels are refused by the header, and so is a bomb")
  func bombs() throws {
    let wide = refusal(try claiming(width: 8200, height: 5000))
    #expect(wide == .tooManyPixels(width: 8200, height: 5000))
    #expect(
      wide?.description
        == "it has 8,200 × 5,000 pixels; at most 40 million are accepted: make it smaller")
    #expect(refusal(try claiming(width: 1 << 30, height: 1 << 30)) != nil)
    #expect(refusal(try claiming(width: 6000, height: 6000)) != nil, "it has no pixels")
    let entities = """
      <!DOCTYPE svg [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><svg><path d="M0 0L1 1"/>&b;</svg>
      """
    #expect(refusal(Array(entities.utf8))?.isUnreadable == true)
  }

  @Test("TR-031: 40 megapixels are taken, however well they compress")
  func large() throws {
    let (width, height) = (8_000, 5_000)
    let white = [UInt8](repeating: 255, count: width * height * 4)
    let file = try PNG.encode(white, width: width, height: height, as: .rgba)
    #expect(file.count < 1 << 20)
    let picture = try #require(TemplateContents(file: file).picture)
    #expect(picture.size == Template.PictureSize(width: 2_048, height: 1_280))
  }

  @Test("Lines have at most 500 strokes and 5,000 points, and some length")
  func limits() {
    func error(_ strokes: [Stroke]) -> TemplateError? {
      do throws(TemplateError) {
        _ = try TemplateContents.lines(checking: Drawing(strokes: strokes))
        return nil
      } catch { return error }
    }
    let line = Stroke([Point(x: 0, y: 0), Point(x: 1, y: 0)])
    #expect(error(Array(repeating: line, count: 500)) == nil)
    #expect(error(Array(repeating: line, count: 501)) == .tooManyStrokes(501))
    let long = Stroke((0...5_000).map { Point(x: Double($0), y: 0) })
    #expect(error([long]) == .tooManyPoints(5_001))
    #expect(error([Stroke([Point(x: 1, y: 1)])]) == .noExtent)
    #expect(error([]) == .noExtent)
  }

  @Test("TR-003: a template says where it comes from, and an imported one what it consists of")
  func sources() throws {
    #expect(Template.bundled.allSatisfy { $0.source == .bundled && $0.picture == nil })
    let size = Template.PictureSize(width: 3, height: 2)
    let picture = Template(
      imported: "a", name: "cat", drawing: Drawing(strokes: []), picture: size)
    #expect(picture.id == "imported/a" && picture.picture == size)
    #expect(picture.source.name == "imported")
    let lines = Template(imported: "b", name: "cat", drawing: Template.bundled[0].drawing)
    #expect(lines.source == .imported(picture: nil) && lines.isFound(by: "CAT"))
  }
}

extension TemplateContents {
  fileprivate var picture: TemplatePicture? {
    if case .picture(let picture) = self { picture } else { nil }
  }

  fileprivate var drawing: Drawing? {
    if case .lines(let drawing) = self { drawing } else { nil }
  }
}

extension TemplateError {
  fileprivate var isUnreadable: Bool { if case .unreadable = self { true } else { false } }
}
