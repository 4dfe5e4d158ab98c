import Foundation
import Testing

@testable import Ink

@Suite("Ink in an app's own Codable types")
struct InkCodingTests {
  private let drawing = Drawing(
    id: "a", label: "⭐",
    strokes: [
      Stroke([Point(x: 1, y: 2.5, t: 0), Point(x: 3, y: 4, t: 16)]), Stroke([Point(x: -5, y: 6)]),
    ], canvas: .init(width: 100, height: 50), shapes: [.init(strokes: [1, 0], label: "x")],
    wasGuessed: true)

  @Test("A drawing reads back the same, and what is written is stroke JSON")
  func roundTrip() throws {
    let json = try JSONEncoder().encode(drawing)
    #expect(try JSONDecoder().decode(Drawing.self, from: json) == drawing)
    #expect(try StrokeJSON.parse(Array(json)) == drawing)
    let bare = Drawing(strokes: [Stroke([Point(x: 1, y: 2)])])
    let text = String(decoding: try JSONEncoder().encode(bare), as: UTF8.self)
    #expect(text == #"{"strokes":[[{"x":1,"y":2}]]}"# || text == #"{"strokes":[[{"y":2,"x":1}]]}"#)
    #expect(try JSONDecoder().decode(Drawing.self, from: Data(text.utf8)) == bare)
  }

  @Test("Numbers nearer to 0 than 1e-100 are read as 0")
  func smallNumbers() throws {
    let text = #"{"strokes":[[{"x":1e-200,"y":-1e-101,"t":1e-100}]]}"#
    #expect(
      try JSONDecoder().decode(Drawing.self, from: Data(text.utf8)).strokes
        == [Stroke([Point(x: 0, y: 0, t: 1e-100)])])
  }

  @Test(
    "What is unfit is refused",
    arguments: [
      "{}", #"{"strokes":[[{"x":1}]]}"#, #"{"strokes":[[{"x":1e101,"y":0}]]}"#,
      #"{"strokes":[[{"x":1,"y":0,"t":-1e200}]]}"#,
      #"{"strokes":[[{"x":1,"y":0}]],"shapes":[{"strokes":[1],"label":"a"}]}"#,
      #"{"strokes":[[{"x":1,"y":0}]],"canvas":{"width":0,"height":100}}"#,
    ])
  func unfit(json: String) {
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(Drawing.self, from: Data(json.utf8))
    }
  }
}
