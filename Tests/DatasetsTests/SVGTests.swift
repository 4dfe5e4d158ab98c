import Datasets
import Ink
import Numbers
import TestTools
import Testing

@Suite("SVG")
struct SVGTests {
  private func drawing(_ content: String, _ attributes: String = "") throws -> Drawing {
    let text = "<svg xmlns='http://www.w3.org/2000/svg' \(attributes)>\(content)</svg>"
    return try SVGDrawings.parse(Array(text.utf8), path: "a.svg")
  }

  /// The places of what is drawn in black, as text.
  private func places(_ content: String) throws -> [String] {
    try drawing(content, "stroke='#000' stroke-linecap='round'").places
  }

  private func error(_ content: String, _ attributes: String = "") -> String {
    refusal { try drawing(content, attributes) }
  }

  @Test(
    "Straight lines of paths, absolute and relative",
    arguments: [
      ("M1 2L3 4 5 6", ["1,2 3,4 5,6"]), ("m1,2 2,2 2,2", ["1,2 3,4 5,6"]),
      ("M1 2h3v4H0V0z", ["1,2 4,2 4,6 0,6 0,0 1,2"]),
      // What goes on after Z is a stroke of its own, from where the closed one began.
      ("M1 2l2 0zl0 3", ["1,2 3,2 1,2", "1,2 1,5"]), ("M1 1h2zm4 0h1", ["1,1 3,1 1,1", "5,1 6,1"]),
      ("M0 0L1 1M5 5l-.5.5", ["0,0 1,1", "5,5 4.5,5.5"]), ("M1e1-2L.5.5", ["10,-2 0.5,0.5"]),
      ("M7 8L7 8", ["7,8"]), ("M1 1M2 2L3 3", ["2,2 3,3"]),
    ])
  func lines(path: String, expected: [String]) throws {
    #expect(try places("<path d='\(path)'/>") == expected)
  }

  @Test("Curves keep to the curve they stand for")
  func curves() throws {
    // A half circle of radius 50 as an arc: each point is 50 from the center.
    let arc = try drawing("<path d='M0 50A50 50 0 0 1 100 50'/>").strokes[0]
    #expect(arc.points.count > 20)
    for point in arc.points {
      #expect(abs(point.distance(to: Point(x: 50, y: 50)) - 50) < 0.1)
      #expect(point.y < 50.001, "it is the upper half: the sweep is clockwise on the screen")
    }
    // A chord is off a circle by r (1 − cos(α / 2)).
    let longest = zip(arc.points, arc.points.dropFirst()).map { $0.distance(to: $1) }.max() ?? 0
    #expect(50 - (2500 - longest * longest / 4).squareRoot() < 0.1)
    // (x, y) of a quadratic curve at t: x = 100 t, y = 4 · 50 t (1 − t) · ½.
    for point in try drawing("<path d='M0 0Q50 100 100 0'/>").strokes[0].points {
      let t = point.x / 100
      #expect(abs(point.y - 200 * t * (1 - t)) < 1e-9)
    }
    // Smooth curves mirror the last control point, or begin straight without one.
    #expect(
      try drawing("<path d='M0 0C0 10 10 10 10 0S20-10 20 0'/>").strokes
        == drawing("<path d='M0 0C0 10 10 10 10 0C10-10 20-10 20 0'/>").strokes)
    #expect(
      try drawing("<path d='M0 0Q5 9 10 0T20 0'/>").strokes
        == drawing("<path d='M0 0Q5 9 10 0Q15-9 20 0'/>").strokes)
    // Flags need no separator; the large arc the other way round goes below.
    let large = try drawing("<path d='M0 50a50 50 0 1000 1z'/>").strokes[0]
    #expect(large.points.contains { $0.distance(to: Point(x: 0, y: 50)) > 99 })
  }

  @Test("Shapes are their outlines")
  func shapes() throws {
    #expect(try places("<line x1='1' y1='2' x2='3px' y2='4'/>") == ["1,2 3,4"])
    #expect(try places("<polyline points='1 2,3 4 5,6'/>") == ["1,2 3,4 5,6"])
    #expect(try places("<polygon points='1 2,3 4 5,6'/>") == ["1,2 3,4 5,6 1,2"])
    #expect(try places("<rect x='1' y='2' width='3' height='4'/>") == ["1,2 4,2 4,6 1,6 1,2"])
    let circle = try drawing("<circle cx='10' cy='20' r='5'/>").strokes[0].points
    #expect(circle.allSatisfy { abs($0.distance(to: Point(x: 10, y: 20)) - 5) < 0.01 })
    #expect(circle.first == circle.last)
    let round = try drawing("<rect width='10' height='10' rx='2'/>").strokes[0].points
    #expect(!round.contains { $0.distance(to: Point(x: 0, y: 0)) < 0.8 })
  }

  @Test("Groups move what is in them; the last transform comes first")
  func transforms() throws {
    let line = "<path d='M1 0L2 0'/>"
    #expect(try places("<g transform='translate(10 20) scale(2)'>\(line)</g>") == ["12,20 14,20"])
    #expect(
      try places("<g transform='translate(10)'><g transform='rotate(90)'>\(line)</g></g>")
        == ["10,1 10,2"])
    #expect(try places("<g transform='rotate(180 1 1)'>\(line)</g>") == ["1,2 0,2"])
    #expect(try places("<g transform='matrix(1 2 3 4 5 6)'>\(line)</g>") == ["6,8 7,10"])
    #expect(try places("<g transform='skewY(45)'>\(line)</g>") == ["1,1 2,2"])
    let moved = try drawing(line, "viewBox='-5 -5 30 20'")
    #expect(moved.strokes[0].points[0] == Point(x: 6, y: 5))
    #expect(moved.canvas == Drawing.Canvas(width: 30, height: 20))
  }

  @Test("Times are those of their own path")
  func times() throws {
    let found = try drawing(
      "<path d='M0 0L1 1' data-times='0 5'/><path d='' data-times='7 8'/>"
        + "<path d='M2 2L3 3' data-times='9'/>")
    #expect(found.strokes.map { $0.points.map(\.t) } == [[0, 5], [nil, nil]])
  }

  @Test("Arcs whose squares are out of range are lines", arguments: ["1e100", "1e-100", "1e-60"])
  func extremeArcs(radius: String) throws {
    let stroke = try drawing("<path d='M0 0A\(radius) \(radius) 0 0 1 1 0'/>").strokes[0]
    #expect(stroke.points.first == Point(x: 0, y: 0) && stroke.points.last == Point(x: 1, y: 0))
    #expect(stroke.points.allSatisfy { $0.x.isFinite && $0.y.isFinite })
  }

  @Test("Faults are named by line, attribute and byte")
  func faults() {
    #expect(
      error("\n<path d='M1 2L3 x'/>").hasSuffix(
        "line 2: d, byte 7: it should be a number from -1e100 to 1e100"))
    #expect(error("<path d='L1 2'/>").contains("a path begins with M"))
    #expect(error("<path d='M1 2z 3' stroke='red'/>").contains("it should be a command"))
    #expect(error("<path d='M1 2A1 1 0 2 0 3 3'/>").contains("flag should be 0 or 1"))
    #expect(error("<path d='M1e99 2' transform='scale(1e99)'/>").contains("not within"))
    #expect(error("<path d='M1 1' transform='turn(3)'/>").contains("turn of 1 numbers"))
    #expect(error("<rect width='3cu' height='2'/>").contains("the unit of width="))
    #expect(error("<use href='#a'/>").contains("copies (use) of elements outside the file"))
    #expect(error("<line x1='5%' stroke='red'/>").contains("percentage of an unknown size"))
    #expect(error("", "viewBox='0 0 -1 4'").contains("viewBox"))
    let other = refusal { try SVGDrawings.parse(Array("<html/>".utf8), path: "a.svg") }
    #expect(other.contains("its first element is html"))
  }

  @Test("A path of very many pieces or points is refused")
  func limits() {
    let path = "M0 0" + String(repeating: "q1 1 1 1", count: 1 << 18)
    #expect(error("<path d='\(path)'/>").contains("more than 262,144 lines"))
    let curves = "M0 0" + String(repeating: "c99 0 0 99 0 0", count: 20_000)
    #expect(error("<path d='\(curves)'/>").contains("more than 524,288 points"))
  }

  @Test("Drawings come back from SVG as they were, moving or not")
  func roundTrip() throws {
    let seed: UInt64 = 22
    var generator = SeededGenerator(seed: seed)
    for index in 0..<200 {
      var drawing = randomDrawing(&generator, id: "a<\(index)>")
      (drawing.shapes, drawing.wasGuessed) = ([], nil)
      // An attribute's line feed is a space.
      if drawing.label?.contains("\n") == true { drawing.label = "\"q\" 'r'" }
      let canvas = Drawing.Canvas(width: 640, height: 480.5)
      drawing.canvas = canvas
      for isAnimated in [false, true] {
        let text = SVGWriter.text(drawing, isAnimated: isAnimated)
        var back = try SVGDrawings.parse(Array(text.utf8), path: "a.svg")
        // Two points in one place without times are a dot in SVG.
        for stroke in back.strokes.indices where back.strokes[stroke].points.count == 1 {
          back.strokes[stroke] = drawing.strokes[stroke]
        }
        #expect(back == drawing, "seed \(seed), drawing \(index)")
      }
    }
  }

  @Test("A drawing without a canvas is framed, and a moving one keeps its times")
  func written() throws {
    let drawing = Drawing(
      label: "a&b",
      strokes: [
        Stroke([Point(x: 0, y: 0, t: 0), Point(x: 100, y: 40, t: 500)]),
        Stroke([Point(x: 50, y: 50, t: 900)]),
      ])
    let text = SVGWriter.text(drawing, isAnimated: true)
    #expect(text.contains("viewBox=\"-5 -5 110 60\"") && text.contains("<title>a&amp;b</title>"))
    #expect(text.contains("begin=\"0s\" dur=\"0.5s\""))
    #expect(text.contains("to=\"hidden\" begin=\"0s\" end=\"0.9s\""))
    #expect(text.contains("d=\"M50 50L50 50\""))
  }

  @Test("Each path begins where it says, also after another element")
  func relativeBeginnings() throws {
    #expect(
      try places("<path d='m 10,10 40,40'/><path d='m 5,5 10,0 m 1,1 2,0'/>")
        == ["10,10 50,50", "5,5 15,5", "16,6 18,6"])
    #expect(try places("<circle cx='9' cy='9' r='9'/><path d='m1 2v3'/>").last == "1,2 1,5")
  }
}
