import Ink
import Testing

@testable import Trace

@Suite("Templates")
struct TemplateTests {
  @Test("TR-030: there are at least 52 bundled ones, as strokes, each with a name and an emoji")
  func bundled() {
    let templates = Template.bundled
    #expect(templates.count >= 52)
    #expect(Set(templates.map(\.id)).count == templates.count)
    for template in templates {
      #expect(template.source == .bundled)
      #expect(template.drawing.label?.count == 1, "\(template.name)")
      #expect(template.drawing.strokes.allSatisfy { !$0.points.isEmpty }, "\(template.name)")
      #expect(template.drawing.strokes.contains { $0.points.count > 1 }, "\(template.name)")
    }
    #expect(templates.map(\.id).contains("bundled/ice-cream"))
  }

  @Test("TR-030: their larger side is 800, in the middle of a canvas of 1,024")
  func placed() throws {
    for template in Template.bundled {
      let box = try #require(template.drawing.boundingBox)
      // Simplified by at most half a unit.
      #expect(abs(max(box.width, box.height) - 800) <= 1, "\(template.name)")
      #expect(abs(box.x + box.width / 2 - 512) <= 1, "\(template.name)")
      #expect(abs(box.y + box.height / 2 - 512) <= 1, "\(template.name)")
    }
  }

  @Test("A square is a closed line with four corners, the same each time")
  func square() throws {
    let square = try #require(Template.bundled.first { $0.name == "square" })
    #expect(square.drawing.strokes.count == 1)
    let points = square.drawing.strokes[0].points
    #expect(points.count == 5)
    #expect(points.first == points.last)
  }

  @Test("TR-030: a label's prototype is the drawing most like the others")
  func prototype() throws {
    func line(_ x: Double, _ y: Double) -> Drawing {
      Drawing(strokes: [Stroke([Point(x: 0, y: 0), Point(x: x, y: y)])])
    }
    // Slopes 0, 1/4, 1/2 and, far off, straight up.
    let drawings = [line(8, 0), line(8, 2), line(8, 4), line(0, 8)]
    let found = try Template.prototype(of: "⭐", named: "star", among: drawings)
    #expect(found?.drawing.strokes == drawings[1].strokes)
    #expect(found?.drawing.label == "⭐")
    #expect(found?.id == "label/⭐")
    #expect(found?.name == "star")
    #expect(try Template.prototype(of: "⭐", among: []) == nil)
    #expect(try Template.prototype(of: "⭐", among: [line(8, 0)])?.name == "⭐")
  }

  @Test("A drawing without points is refused, not skipped")
  func empty() {
    #expect(throws: InkError.emptyDrawing) {
      try Template.prototype(of: "⭐", among: [Drawing(strokes: [])])
    }
  }

  @Test("TR-042: templates are found by a part of the name, in any case, or by the emoji")
  func search() {
    func found(_ text: String) -> [String] {
      Template.bundled.filter { $0.isFound(by: text) }.map(\.name)
    }
    #expect(found("ICE") == ["ice cream"])
    #expect(found("⭐") == ["star"])
    #expect(found("no such thing") == [])
  }
}
