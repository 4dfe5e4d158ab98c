import Datasets
import Ink
import Testing

@Suite("Gestures of the $-family")
struct GestureXMLTests {
  private func drawing(_ text: String) throws -> Drawing {
    try GestureXML.parse(Array(text.utf8), path: "a.xml")
  }

  private let points = #"<Point X="1" Y="2" T="1000"/><Point X="3.5" Y="4" T="1016"/>"#

  @Test("One stroke or several, with times from the first point")
  func strokes() throws {
    let line = Stroke([Point(x: 1, y: 2, t: 0), Point(x: 3.5, y: 4, t: 16)])
    #expect(
      try drawing(#"<?xml version="1.0"?><Gesture Name="arrow02" NumPts="2">\#(points)</Gesture>"#)
        == Drawing(label: "arrow", strokes: [line]))
    let two = try drawing(
      #"<Gesture Name="five_point star~01"><Stroke index="1">\#(points)</Stroke>"#
        + #"<Stroke index="2"><Point X="5" Y="6"/></Stroke></Gesture>"#)
    #expect(two.label == "five point star")
    #expect(two.strokes == [line, Stroke([Point(x: 5, y: 6)])])
  }

  @Test(
    "The label is the name without its repetition's number",
    arguments: [
      ("D", "D"), ("12", "12"), ("v1", "v1"), ("v12", "v"), ("line~1", "line"), ("2024", "2024"),
      ("2024~01", "2024"), ("-100", "-100"), ("3.14", "3.14"), ("12-01", "12-01"), ("1000", "1000"),
      ("x 2024", "x 2024"), ("$20", "$20"), ("+12", "+12"), ("five_star_02", "five star"),
      ("\u{2b50}02", "\u{2b50}"), ("\u{661f}10", "\u{661f}"),
    ])
  func labels(name: String, label: String) throws {
    #expect(try drawing("<Gesture Name='\(name)'>\(points)</Gesture>").label == label)
  }

  @Test("Faults are named by line, stroke and point")
  func faults() {
    func error(_ text: String) -> String {
      refusal { try drawing(text) }
    }
    #expect(
      error("<Gesture>\n<Point X='1' Y='2'/>\n<Point X='1' Y='nan'/></Gesture>").contains(
        "line 3: stroke 0, point 1: Y is not a number"))
    #expect(error("<Gesture><Point X='1'/></Gesture>").contains("has no X or no Y"))
    #expect(error("<Gesture/>").contains("it has no Point"))
    #expect(error("<ink/>").contains("its first element is ink, not Gesture"))
  }
}
