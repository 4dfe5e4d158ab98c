import Datasets
import Ink
import Testing

@Suite("Drawings of Excalidraw")
struct ExcalidrawTests {
  /// The drawings of a scene with these elements, which need not have what all have, and the notes.
  private func read(
    _ elements: String, paper: String = "#ffffff"
  ) throws -> (drawings: [Drawing], notes: [String]) {
    let text = """
      {"type":"excalidraw","version":2,"source":"https://excalidraw.com","elements":[\(elements)],
      "appState":{"gridSize":null,"viewBackgroundColor":"\(paper)"},"files":{}}
      """
    var notes = ReadingNotes()
    let drawings = try ExcalidrawDrawings.parse(Array(text.utf8), path: "a", notes: &notes)
    return (drawings, notes.texts)
  }

  private func strokes(_ elements: String) throws -> [Stroke] {
    let drawings = try read(elements).drawings
    return try #require(drawings.first).strokes
  }

  @Test("A freehand line is a stroke from its place on, as the program writes it")
  func freehand() throws {
    let element = """
      {"id":"sIOX","type":"freedraw","x":521.5,"y":-10.25,"width":13,"height":12,"angle":0,
      "strokeColor":"#1e1e1e","backgroundColor":"transparent","fillStyle":"solid","strokeWidth":1,
      "strokeStyle":"solid","roughness":0,"opacity":100,"groupIds":["g"],"frameId":null,
      "index":"aS","roundness":null,"seed":922530433,"version":88,"versionNonce":1839650049,
      "isDeleted":false,"boundElements":[],"updated":1771739639643,"link":null,"locked":false,
      "points":[[0,0],[8,6],[13,12]],"pressures":[0.5,0.5,0.5],"simulatePressure":false}
      """
    let drawing = try #require(try read(element).drawings.first)
    #expect(drawing == Drawing(strokes: [stroke((521.5, -10.25), (529.5, -4.25), (534.5, 1.75))]))
    #expect(
      try strokes(#"{"type":"draw","x":1,"y":2,"points":[[0,0]]}"#) == [stroke((1, 2))],
      "as the first versions called it")
  }

  @Test("Rectangles, diamonds and lines are their corners")
  func corners() throws {
    #expect(
      try strokes(#"{"type":"rectangle","x":10,"y":20,"width":40,"height":30}"#)
        == [stroke((10, 20), (50, 20), (50, 50), (10, 50), (10, 20))])
    #expect(
      try strokes(#"{"type":"diamond","x":0,"y":0,"width":10,"height":20}"#)
        == [stroke((5, 0), (10, 10), (5, 20), (0, 10), (5, 0))])
    #expect(
      try strokes(#"{"type":"line","x":1,"y":1,"points":[[0,0],[9,0],[9,9]],"roundness":null}"#)
        == [stroke((1, 1), (10, 1), (10, 10))])
  }

  @Test("An angle turns a shape about its own middle")
  func angle() throws {
    // By a quarter turn, about (120, 110).
    let turned = try strokes(
      #"{"type":"rectangle","x":100,"y":100,"width":40,"height":20,"angle":1.5707963267948966}"#)
    #expect(turned == [stroke((130, 90), (130, 130), (110, 130), (110, 90), (130, 90))])
    let line = try strokes(
      #"{"type":"line","x":0,"y":0,"points":[[0,0],[10,0]],"angle":1.5707963267948966}"#)
    let places = try #require(line.first).points
    #expect(places.map { [$0.x.rounded(), $0.y.rounded()] } == [[5, -5], [5, 5]])
    #expect(abs(places[0].distance(to: places[1]) - 10) < 1e-9)
  }

  @Test("Ellipses, rounded corners and curves stay within their box and reach its sides")
  func curves() throws {
    for (kind, more) in [
      ("ellipse", ""), ("rectangle", #","roundness":{"type":3}"#),
      ("rectangle", #","strokeSharpness":"round""#),
    ] {
      let element = #"{"type":"\#(kind)","x":10,"y":20,"width":80,"height":40\#(more)}"#
      let drawing = try #require(try read(element).drawings.first)
      let box = try #require(drawing.boundingBox)
      #expect(box == BoundingBox(x: 10, y: 20, width: 80, height: 40), "\(element)")
      #expect(drawing.strokes.count == 1 && drawing.pointCount > 16)
      #expect(drawing.strokes[0].points.first == drawing.strokes[0].points.last)
    }
    let curve = try strokes(
      #"{"type":"line","x":0,"y":0,"points":[[0,0],[10,10],[20,0]],"roundness":{"type":2}}"#)
    let places = curve[0].points
    #expect(places.count == 33 && places[16] == Point(x: 10, y: 10))
    // Halfway of the first piece, whose control points are (5/3, 5/3) and (20/3, 10).
    #expect(abs(places[8].x - 4.375) < 1e-9 && abs(places[8].y - 5.625) < 1e-9)
  }

  @Test("An arrow has a stroke for its head")
  func arrow() throws {
    let arrow = try strokes(
      #"{"type":"arrow","x":0,"y":0,"points":[[0,0],[100,0]],"endArrowhead":"arrow"}"#)
    #expect(arrow.count == 2 && arrow[0] == stroke((0, 0), (100, 0)))
    let head = try #require(arrow.last).points
    #expect(head.count == 3 && head[1] == Point(x: 100, y: 0))
    #expect(abs(head[0].x - 71.8) < 1e-9 && abs(head[0].y + head[2].y) < 1e-9)
    #expect(
      try strokes(#"{"type":"arrow","x":0,"y":0,"points":[[0,0],[9,0]],"endArrowhead":null}"#)
        == [stroke((0, 0), (9, 0))])
  }

  @Test("What is deleted or cannot be seen is left out; texts, pictures and pages are told")
  func leftOut() throws {
    let line = #""x":0,"y":0,"points":[[0,0],[1,1]]"#
    let (drawings, notes) = try read(
      """
      {"type":"freedraw",\(line)},{"type":"freedraw",\(line),"isDeleted":true},
      {"type":"freedraw",\(line),"opacity":0},{"type":"freedraw",\(line),"strokeColor":"#FFFFFF"},
      {"type":"freedraw",\(line),"strokeColor":"transparent"},{"type":"frame"},
      {"type":"text","text":"a"},{"type":"text"},{"type":"image"},{"type":"embeddable"}
      """)
    #expect(drawings.map(\.strokes) == [[stroke((0, 0), (1, 1))]])
    #expect(notes == ["2 texts, 1 image and 1 web page are passed over"])
    let onDark = try read(
      "{\"type\":\"freedraw\",\(line),\"strokeColor\":\"#ffffff\"}", paper: "#121212")
    #expect(onDark.drawings.count == 1, "white on dark is seen")
    #expect(
      try read(#"{"type":"text"},{"type":"line",\#(line)}"#).notes == ["1 text is passed over"])
  }

  @Test("Each item of a library is a drawing, its name the label")
  func library() throws {
    let cross = #"[{"type":"line","x":0,"y":0,"points":[[0,0],[1,1]]}]"#
    var notes = ReadingNotes()
    func parse(_ text: String) throws -> [Drawing] {
      try ExcalidrawDrawings.parse(Array(text.utf8), path: "x/b", notes: &notes)
    }
    let named = try parse(
      """
      {"type":"excalidrawlib","version":2,"libraryItems":[
      {"id":"1","name":"cross","elements":\(cross)},{"id":"2","elements":[]},
      {"id":"3","elements":\(cross)}]}
      """)
    #expect(named.map(\.id) == ["b:1", "b:3"] && named.map(\.label) == ["cross", nil])
    let old = try parse(#"{"type":"excalidrawlib","version":1,"library":[\#(cross)]}"#)
    #expect(old.map(\.strokes) == [[stroke((0, 0), (1, 1))]])
  }

  @Test("Faults name the element")
  func faults() {
    func error(_ elements: String) -> String { refusal { try read(elements) } }
    let good = #"{"type":"line","x":0,"y":0,"points":[[0,0]]}"#
    #expect(
      error(#"\#(good),{"type":"line","x":0,"y":0,"points":[[0,0],[1]]}"#)
        .contains("elements[1].points[1] is not a list of two numbers"))
    #expect(
      error(#"{"type":"line","x":"1","y":0,"points":[[0,0]]}"#)
        .contains("elements[0].x must be a number"))
    #expect(error(#"{"type":"rectangle","x":0,"y":0}"#).contains("elements[0] has no width"))
    #expect(error(#"{"type":"text"}"#).contains("it has no line or shape"))
    #expect(
      error(#"{"type":"line","x":9e99,"y":0,"points":[[0,0],[9e99,0]]}"#)
        .contains("stroke 0, point 1 is not within -1e100 to 1e100"))
    var notes = ReadingNotes()
    func other(_ text: String) -> String {
      refusal { try ExcalidrawDrawings.parse(Array(text.utf8), path: "a", notes: &notes) }
    }
    #expect(other(#"{"type":"FeatureCollection"}"#).contains("it is not an Excalidraw file"))
    #expect(other("{").contains("cannot read a: it is not JSON: byte 1"))
  }
}
