import Foundation
import Ink
import Pictures
import Testing
import Vectorizing

/// Colored ink, in the tones in which it is seen best.
@Suite("Tones of colored ink")
struct InkTonesTests {
  /// Bars across a page of 120 × 100 pixels, each in a color and of a height in pixels.
  private func page(
    _ bars: [(color: [UInt8], height: Int)], paper: [UInt8] = [250, 250, 248]
  ) throws -> GrayPicture {
    var values: [UInt8] = []
    for row in 0..<100 {
      for column in 0..<120 {
        let index = row / 20
        let isInk =
          bars.indices.contains(index) && (4..<(4 + bars[index].height)).contains(row % 20)
          && (10..<110).contains(column)
        values += (isInk ? bars[index].color : paper) + [255]
      }
    }
    return try GrayPicture(png: PNG.encode(values, width: 120, height: 100, as: .rgba))
  }

  private let black: [UInt8] = [40, 40, 45]
  private let yellow: [UInt8] = [252, 228, 90]

  @Test("Pencils that luma hardly shows are ink: yellow alone, beside black, and pastels")
  func pale() throws {
    for colors in [
      [yellow], [black, yellow],
      [[252, 190, 200], [252, 236, 150], [185, 228, 190], [176, 205, 248]],
    ] {
      let picture = try page(colors.map { ($0, 3) })
      #expect(try Vectorizer()(picture).strokes.count == colors.count, "\(colors)")
    }
  }

  @Test("They are ink in a JPEG, too, whose height is no multiple of 8")
  func paleInJPEG() throws {
    // 1024 × 683, by `scripts/make-jpeg-fixtures`: a black line, and a yellow one at row 460.
    let folder = try #require(Bundle.module.resourcePath)
    let picture = try GrayPicture(path: "\(folder)/Fixtures/jpeg/pencils.jpg")
    #expect(picture.width == 1024 && picture.height == 683)
    let strokes = try Vectorizer()(picture).strokes
    #expect(strokes.count == 2)
    #expect(strokes.contains { $0.points.allSatisfy { (440...480).contains($0.y) } })
  }

  @Test("Colored chalk on a dark board is ink")
  func board() throws {
    let colors: [[UInt8]] = [[230, 90, 80], [70, 110, 220], [240, 230, 120]]
    let picture = try page(colors.map { ($0, 3) }, paper: [30, 60, 45])
    #expect(try Vectorizer()(picture).strokes.count == 3)
  }

  @Test("Where luma shows the strokes, tones are luma: black ink, and what is colored in")
  func luma() throws {
    let plain = try page([(black, 3)])
    #expect(Set(plain.values) == [41, 250])
    let filled = try page([(black, 3), (yellow, 16)])
    // 0.299 · 252 + 0.587 · 228 + 0.114 · 90
    #expect(Set(filled.values) == [41, 219, 250])
  }
}
