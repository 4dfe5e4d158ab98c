import Artwork
import Ink
import JSON
import Testing

@Suite("JSON of sketches")
struct SketchJSONTests {
  /// A drawing on a canvas of 8 × 8 with one stroke and one pen.
  private static func withPen(_ pen: String) -> String {
    #"{"canvas":{"width":8,"height":8},"strokes":[[[1],[2]]],"pens":[\#(pen)]}"#
  }

  private static func parse(_ text: String) throws(SketchError) -> Sketch {
    try Sketch.parse(Array(text.utf8))
  }

  @Test("TF-001: A sketch is a drawing with pens")
  func text() {
    let sketch = Sketches.sketch([
      Sketches.line([(1, 2), (3, 4)], color: SketchColor(0xff8800), width: 2.5, tool: .marker)
    ])
    #expect(
      String(decoding: sketch.json(), as: UTF8.self) == """
        {"canvas":{"width":100,"height":100},"strokes":[[[1,3],[2,4]]],\
        "pens":[{"color":"#ff8800","width":2.5,"tool":"marker"}]}
        """)
  }

  @Test("TF-001: Sketches are read as they were written, and by readers of drawings")
  func roundTrip() throws {
    let sketch = Sketches.scribble(40)
    #expect(try Sketch.parse(sketch.json()) == sketch)
    #expect(try StrokeJSON.parse(sketch.json()).strokes == sketch.lines.map(\.stroke))
  }

  @Test("TF-001: A plain drawing has black pens, a hundredth of the canvas wide")
  func plain() throws {
    let sketch = try Self.parse(#"{"canvas":{"width":640,"height":480},"strokes":[[[1],[2]]]}"#)
    #expect(sketch.lines.map(\.pen) == [SketchPen(color: .black, width: 6.4, tool: .pen)])
  }

  @Test("TF-001: A drawing without a canvas gets one with a margin")
  func withoutCanvas() throws {
    let sketch = try Self.parse(#"{"strokes":[[[10,26],[5,9]]]}"#)
    #expect(sketch.canvas == Drawing.Canvas(width: 18, height: 6))
    #expect(sketch.lines[0].stroke.points == [Point(x: 1, y: 1), Point(x: 17, y: 5)])
    let dot = try Self.parse(#"{"strokes":[[[7],[7]]]}"#)
    #expect(dot.canvas == Drawing.Canvas(width: 2, height: 2))
  }

  @Test("TF-001: A stroke without points goes with its pen")
  func emptyStroke() throws {
    let pen = ##"{"color":"#000000","width":1,"tool":"pen"}"##
    let red = ##"{"color":"#ff0000","width":1,"tool":"pen"}"##
    let sketch = try Self.parse(
      """
      {"canvas":{"width":9,"height":9},"strokes":[[[],[]],[],[[1],[1]]],"pens":[\(pen),\(pen),\(red)]}
      """)
    #expect(sketch.lines.map(\.pen.color) == [SketchColor(0xff0000)])
  }

  @Test(
    "TF-001: What is wrong is named with its stroke and point",
    arguments: [
      (
        #"{"strokes":[[[1],[2]],[[1,2],[3,"a"]]]}"#,
        SketchError.drawing(.invalidNumber(stroke: 1, point: 1, axis: .y))
      ),
      (#"{"strokes":[]}"#, .drawing(.emptyDrawing)),
      (#"{"strokes":[[[1],[2]]],"pens":[]}"#, .penCount(pens: 0, strokes: 1)),
      (
        Self.withPen(##"{"color":"red","width":1,"tool":"pen"}"##),
        .color(stroke: 0, text: "red")
      ),
      (
        Self.withPen(##"{"color":"#ff0000","width":2,"tool":"pen"}"##),
        .width(stroke: 0, width: 2, max: 1)
      ),
      (
        Self.withPen(##"{"color":"#ff0000","width":0,"tool":"pen"}"##),
        .width(stroke: 0, width: 0, max: 1)
      ),
      (
        Self.withPen(##"{"color":"#ff0000","width":1,"tool":"brush"}"##),
        .tool(stroke: 0, text: "brush")
      ),
      (
        Self.withPen(##"{"color":"#ff0000","tool":"pen"}"##),
        .json(JSONFault(place: "pens[0].width", "is missing"))
      ),
    ])
  func errors(_ text: String, _ error: SketchError) {
    #expect(throws: error) { try Self.parse(text) }
    #expect(!error.description.isEmpty)
  }

  @Test("TF-001: Sketches have at most 1,024 strokes and 65,536 points")
  func limits() throws {
    let many = String(repeating: "[[1],[1]],", count: 1024) + "[[1],[1]]"
    #expect(throws: SketchError.tooManyStrokes(count: 1025, limit: 1024)) {
      try Self.parse("{\"strokes\":[\(many)]}")
    }
    let long = String(repeating: "1,", count: 65_536) + "1"
    #expect(throws: SketchError.tooManyPoints(stroke: 0, limit: 65_536)) {
      try Self.parse("{\"strokes\":[[[\(long)],[\(long)]]]}")
    }
  }

  @Test("TF-001: Ink that would cover the canvas forty times is refused")
  func ink() throws {
    let points = (0..<2000).map { ($0 % 2 == 0 ? 0.0 : 100.0, 50.0) }
    let wide = Sketches.sketch([Sketches.line(points, width: 5), Sketches.line([(1, 1)])])
    #expect(throws: Never.self) { try Sketch.parse(Sketches.square.json()) }
    #expect(throws: SketchError.tooMuchInk(stroke: 0, limit: 40)) {
      try Sketch.parse(wide.json())
    }
  }

  @Test("TF-001: Twelve bold colors, black and white; three widths")
  func constants() {
    #expect(SketchColor.bold.count == 12 && Set(SketchColor.bar).count == 14)
    #expect(SketchPen.Width.allCases.map { $0.on(.init(width: 500, height: 300)) } == [2.5, 5, 12])
    #expect(SketchColor(hexadecimal: "#00a99d")?.hexadecimal == "#00a99d")
    for text in ["00a99d", "#0a99d", "#+0a99d", "#00a99g", "", "#00a99d0"] {
      #expect(SketchColor(hexadecimal: text) == nil, "\(text)")
    }
  }
}
