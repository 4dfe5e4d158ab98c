import Datasets
import Ink
import Testing

@Suite("Drawings of tldraw")
struct TldrawTests {
  /// The drawings of a file with these records beside a page, and the notes.
  private func read(_ records: String...) throws -> (drawings: [Drawing], notes: [String]) {
    let text = """
      {"tldrawFileFormatVersion":1,"schema":{"schemaVersion":2,"sequences":{}},"records":[
      {"id":"document:document","typeName":"document","gridSize":10,"name":"","meta":{}},
      {"id":"page:p","typeName":"page","name":"Page 1","index":"a1","meta":{}},
      \(records.joined(separator: ",\n"))]}
      """
    var notes = ReadingNotes()
    let drawings = try TldrawDrawings.parse(Array(text.utf8), path: "a.tldr", notes: &notes)
    return (drawings, notes.texts)
  }

  /// A shape; `more` replaces nothing, so that each key occurs once.
  private func shape(
    _ id: String, _ type: String, _ props: String, x: Double = 0, y: Double = 0,
    in parent: String = "page:p", index: String = "a1", rotation: Double = 0, opacity: Double = 1
  ) -> String {
    """
    {"x":\(x),"y":\(y),"rotation":\(rotation),"isLocked":false,"opacity":\(opacity),"meta":{},
    "id":"shape:\(id)","type":"\(type)","props":{\(props)},"parentId":"\(parent)",
    "index":"\(index)","typeName":"shape"}
    """
  }

  private func strokes(_ records: String) throws -> [Stroke] {
    try #require(try read(records).drawings.first).strokes
  }

  /// Three points of x, y and pressure: (0, 0, 0.5), (10, 5, 0.5), (20.5, 0, 0.25).
  private let packed = "AAAAAAAAAAAAAAA/AEkARQAAQEkAxQC0"

  @Test("A pen's line, as listed and in the three forms in which it is packed")
  func penLines() throws {
    let line = stroke((100, 200), (110, 205), (120.5, 200))
    func draw(_ segment: String) throws -> [Stroke] {
      try strokes(
        shape(
          "d", "draw",
          #""segments":[\#(segment)],"color":"black","fill":"none","dash":"draw","size":"m","#
            + #""isComplete":true,"isClosed":false,"isPen":false,"scale":1"#, x: 100, y: 200))
    }
    let points = #"[{"x":0,"y":0,"z":0.5},{"x":10,"y":5,"z":0.5},{"x":20.5,"y":0,"z":0.25}]"#
    #expect(try draw(#"{"type":"free","points":\#(points)}"#) == [line])
    #expect(try draw(#"{"type":"free","path":"\#(packed)"}"#) == [line])
    #expect(try draw(#"{"type":"free","path":"AAAAAAAAAAAASQBFQEkAxQ==","dim":2}"#) == [line])
    #expect(try draw(#"{"type":"free","points":"AAAAAAA4AEkARQA4IE0AAAA0"}"#) == [line])
  }

  @Test("Segments follow one another in one stroke, which may be scaled and closed")
  func segments() throws {
    let segments = """
      "segments":[{"type":"free","points":[{"x":0,"y":0},{"x":4,"y":0}]},
      {"type":"straight","points":[{"x":4,"y":0},{"x":4,"y":9}]}]
      """
    #expect(
      try strokes(shape("h", "highlight", segments)) == [stroke((0, 0), (4, 0), (4, 9))])
    #expect(
      try strokes(shape("h", "draw", segments + #","isClosed":true,"scaleX":2,"scaleY":-1"#))
        == [stroke((0, 0), (8, 0), (8, -9), (0, 0))])
  }

  @Test("Shapes lie as the groups and frames around them say, from back to front")
  func groups() throws {
    let line = #""segments":[{"type":"free","points":[{"x":0,"y":0},{"x":4,"y":0}]}]"#
    let (drawings, _) = try read(
      shape("b", "draw", line, y: 7, index: "a3"),
      shape("inner", "draw", line, x: 5, in: "shape:g"),
      shape("g", "group", "", x: 1, y: 2, in: "shape:f", rotation: .pi / 2),
      shape("f", "frame", #""w":9,"h":9,"name":"""#, x: 10, y: 10, index: "a1V"))
    // In the group, (5, 0) to (9, 0) is turned downwards, below (11, 12).
    #expect(drawings.map(\.strokes) == [[stroke((11, 17), (11, 21)), stroke((0, 7), (4, 7))]])
  }

  @Test("Each page with ink is a drawing, in the pages' order")
  func pages() throws {
    func page(_ id: String, _ index: String) -> String {
      #"{"id":"page:\#(id)","typeName":"page","name":"x","index":"\#(index)"}"#
    }
    let box = #""geo":"rectangle","w":2,"h":3"#
    let (drawings, _) = try read(
      page("c", "a3"), page("b", "a2"), shape("2", "geo", box, in: "page:c"),
      shape("1", "geo", box, x: 5))
    #expect(drawings.map(\.id) == ["a.tldr:1", "a.tldr:3"])
    #expect(drawings[0].strokes == [stroke((5, 0), (7, 0), (7, 3), (5, 3), (5, 0))])
  }

  @Test("Lines go through their corners in the order of their indices, in new and old files")
  func lines() throws {
    #expect(
      try strokes(
        shape(
          "l", "line",
          #""spline":"line","points":{"a2":{"id":"a2","index":"a2","x":7,"y":8},"#
            + #""a1":{"id":"a1","index":"a1","x":0,"y":0}}"#)) == [stroke((0, 0), (7, 8))])
    #expect(
      try strokes(
        shape(
          "l", "line",
          #""spline":"line","handles":{"start":{"type":"vertex","index":"a1","x":0,"y":0},"#
            + #""m":{"type":"create","index":"a1V","x":3,"y":9},"#
            + #""end":{"type":"vertex","index":"a2","x":7,"y":8}}"#))
        == [stroke((0, 0), (7, 8))])
  }

  @Test(
    "Geometric shapes fill their boxes",
    arguments: [
      "rectangle", "ellipse", "oval", "triangle", "diamond", "pentagon", "hexagon", "octagon",
      "star", "rhombus", "rhombus-2", "trapezoid", "arrow-right", "arrow-left", "arrow-up",
      "arrow-down", "cloud", "heart", "x-box", "check-box", "new-shape",
    ])
  func geometry(kind: String) throws {
    let drawing = try #require(
      try read(shape("g", "geo", #""geo":"\#(kind)","w":80,"h":40,"growY":10"#, x: 10, y: 20))
        .drawings.first)
    let box = try #require(drawing.boundingBox)
    for (found, right) in zip([box.x, box.y, box.width, box.height], [10, 20, 80, 50.0]) {
      #expect(abs(found - right) < 1e-9, "\(box)")
    }
    #expect(drawing.strokes.count == (kind == "x-box" ? 3 : kind == "check-box" ? 2 : 1))
    #expect(drawing.strokes[0].points.first == drawing.strokes[0].points.last)
  }

  @Test("An arrow bound to shapes ends at their outlines, in new and old files")
  func boundArrows() throws {
    let boxes =
      shape("r", "geo", #""geo":"rectangle","w":100,"h":50"#) + ","
      + shape("s", "geo", #""geo":"rectangle","w":100,"h":50"#, x: 300)
    let heads = #""bend":0,"arrowheadStart":"none","arrowheadEnd":"none""#
    func binding(_ end: String, _ target: String) -> String {
      """
      {"id":"binding:\(end)","typeName":"binding","type":"arrow","fromId":"shape:a",
      "toId":"shape:\(target)","props":{"terminal":"\(end)","isExact":false,"isPrecise":false,
      "normalizedAnchor":{"x":0.5,"y":0.5}}}
      """
    }
    let ends = #""start":{"x":0,"y":0},"end":{"x":0,"y":0}"#
    let new = try strokes(
      boxes + "," + shape("a", "arrow", "\(heads),\(ends)", index: "a2") + ","
        + binding("start", "r") + "," + binding("end", "s"))
    #expect(new.last == stroke((100, 25), (300, 25)))
    func old(_ target: String) -> String {
      #"{"type":"binding","boundShapeId":"shape:\#(target)","normalizedAnchor":{"x":0.5,"y":0.5}}"#
    }
    let before = try strokes(
      boxes + ","
        + shape("a", "arrow", #"\#(heads),"start":\#(old("r")),"end":\#(old("s"))"#, index: "a2"))
    #expect(before.last == stroke((100, 25), (300, 25)))
  }

  @Test("A free arrow has its head, and bends to the side that its number says")
  func freeArrows() throws {
    func arrow(bend: Double) throws -> [Stroke] {
      try strokes(
        shape(
          "a", "arrow",
          #""start":{"x":0,"y":0},"end":{"x":20,"y":0},"bend":\#(bend),"size":"s","#
            + #""arrowheadStart":"none","arrowheadEnd":"arrow""#))
    }
    let straight = try arrow(bend: 0)
    #expect(straight.count == 2 && straight[0] == stroke((0, 0), (20, 0)))
    #expect(straight[1].points[1] == Point(x: 20, y: 0))
    let middle = try #require(try arrow(bend: 4).first).points[8]
    #expect(abs(middle.x - 10) < 1e-9 && abs(middle.y - 4) < 1e-9)
  }

  @Test("Texts, notes and pictures are told; hidden and white shapes are left out")
  func leftOut() throws {
    let box = #""geo":"rectangle","w":2,"h":3"#
    let rich = #""richText":{"type":"doc","content":[{"type":"paragraph","content":["#
    let (drawings, notes) = try read(
      shape("1", "geo", box + "," + rich + #"{"type":"text","text":"hi"}]}]}"#),
      shape("2", "geo", box + "," + rich + "]}]}", x: 9, index: "a2"),
      shape("3", "geo", box, opacity: 0), shape("4", "geo", box + #","color":"white""#),
      shape("5", "text", #""text":"a""#), shape("6", "image", #""w":1,"h":1"#),
      shape("7", "note", ""), shape("8", "bookmark", ""))
    #expect(drawings.map(\.strokes.count) == [2])
    #expect(
      notes == ["2 texts, 1 image, 1 note and 1 web page are passed over"])
  }

  @Test("Faults name the record")
  func faults() {
    func error(_ records: String) -> String { refusal { try read(records) } }
    func draw(_ segment: String) -> String {
      error(shape("d", "draw", #""segments":[\#(segment)]"#))
    }
    #expect(draw(#"{"path":"AAAA"}"#).contains("records[2].props.segments[0] has a damaged path"))
    #expect(draw(#"{"path":"%"}"#).contains("has a damaged path"))
    #expect(draw(#"{"points":"AAAA"}"#).contains("has damaged points"))
    #expect(draw(#"{"points":[{"x":1}]}"#).contains("points[0] has no y"))
    // An infinite first place.
    #expect(
      draw(#"{"path":"AACAfwAAAAAAAAA/"}"#)
        .contains("stroke 0, point 0 is not within -1e100 to 1e100"))
    #expect(error(#"{"typeName":"shape"}"#).contains("records[2] has no id"))
    #expect(error(shape("t", "text", "")).contains("it has no line or shape"))
    var deep: [String] = []
    for level in 0..<200 {
      deep.append(
        shape("\(level)", "group", "", in: level == 0 ? "page:p" : "shape:\(level - 1)"))
    }
    #expect(error(deep.joined(separator: ",")).contains("its groups nest more than 128 deep"))
    var notes = ReadingNotes()
    func other(_ text: String) -> String {
      refusal { try TldrawDrawings.parse(Array(text.utf8), path: "a", notes: &notes) }
    }
    #expect(
      other(#"{"name":"x","document":{"id":"doc","pages":{}}}"#)
        .contains("it is of the first version of tldraw; open it at tldraw.com"))
    #expect(other(#"{"a":1}"#).contains("it is not a tldraw file: it has no records"))
  }
}
