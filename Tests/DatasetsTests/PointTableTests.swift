import Datasets
import Files
import Ink
import TestTools
import Testing

/// The drawings of a table, and what is told about it.
func table(_ text: String) throws -> (drawings: [Drawing], notes: [String]) {
  var notes = ReadingNotes()
  let drawings = try PointTable.parse(Array(text.utf8), path: "set/a.csv", notes: &notes)
  return (drawings, notes.texts)
}

@Suite("Tables of points (CSV)")
struct PointTableTests {
  private func drawings(_ text: String) throws -> [Drawing] { try table(text).drawings }

  private func error(_ text: String) -> String {
    refusal { try drawings(text) }
  }

  @Test("Rows become strokes and drawings, whatever the order of the columns")
  func rows() throws {
    let found = try drawings(
      """
      t,pressure,label,y,x,stroke,drawing\r
      100,1,star,2,1,0,a\r
      116,1,star,4,3,0,a\r
      ,1,star,6,5,1,a\r

      0,1,"a ""b"", c",8,7,1,b\r
      """)
    #expect(
      found == [
        Drawing(
          id: "a", label: "star",
          strokes: [
            Stroke([Point(x: 1, y: 2, t: 0), Point(x: 3, y: 4, t: 16)]),
            Stroke([Point(x: 5, y: 6)]),
          ]),
        Drawing(id: "b", label: "a \"b\", c", strokes: [Stroke([Point(x: 7, y: 8, t: 0)])]),
      ])
  }

  @Test("Semicolons and tabs separate, too; x and y are enough")
  func separators() throws {
    let expected = [
      Drawing(id: "a.csv:2", strokes: [Stroke([Point(x: 1, y: 2), Point(x: 3, y: -4)])])
    ]
    #expect(try drawings("\u{feff}X;Y\n1;2\n3;-4") == expected)
    #expect(try drawings("x\ty\n1\t2\n3\t-4\n") == expected)
  }

  @Test("Faults are named by line")
  func faults() throws {
    #expect(error("").contains("it is empty"))
    #expect(error("a,b\n1,2").contains("line 1: the first row should name"))
    #expect(error("x,y\n").contains("no rows"))
    #expect(error("x,y\n1,2\n1,two").contains("line 3: y is not a number"))
    #expect(error("x,y\n1,inf").contains("line 2: y is not a number"))
    #expect(error("x,y\n1").contains("it has 1 of 2 values"))
    #expect(
      error("x,y,stroke\n1,2,1\n3,4,2\n5,6,1").contains(
        "line 4: stroke 1 continues after another; sort by drawing and stroke"))
    #expect(error("x,y,X \n1,2,3").contains("names the column x twice"))
    #expect(try drawings("id,drawing,x,y\n1,a,2,3")[0].id == "a")
    #expect(try drawings("X,Y,Stroke_ID\n1,2,a\n3,4,b")[0].strokes.count == 2)
    // Decimal commas: these would be four numbers.
    #expect(
      error("x,y\n1,5,2,5").contains("line 2: it has 4 values, but the first row names 2 columns"))
    #expect(try drawings("x,y\n1,2,, ").count == 1)
    #expect(error("label,x,y\n\"a,1,2").contains("a quote does not end"))
    #expect(error("label,x,y\n\"a\"b,1,2").contains("text follows a quote"))
    #expect(error("label,x,y\ncat,1,2\ndog,1,2").contains("line 3: drawing"))
    let split = "drawing,x,y\na,1,2\nb,1,2\na,3,4"
    #expect(error(split).contains("line 4: drawing a continues after another"))
  }

  @Test("Files are read by their endings, and folders only by those that hold drawings")
  func files() throws {
    let folder = try TemporaryFolder()
    try folder.put("x,y\n1,2\n", "set/points.csv")
    try folder.put("<Gesture Name='a'><Point X='1' Y='2'/></Gesture>", "set/a.xml")
    try folder.put("<ink><trace>1 2</trace></ink>", "set/a.inkml")
    try folder.put("<svg><path d='M1 2L3 4'/></svg>", "set/star/1.svg")
    let found = try DatasetFiles.read([folder.file("set")]).drawings
    #expect(found.map(\.id) == ["a.inkml:1", "star/1"] && found.map(\.label) == [nil, "star"])
    for (name, id) in [("points.csv", "points.csv:2"), ("a.xml", "a.xml:1")] {
      #expect(try DatasetFiles.read([folder.file("set/\(name)")]).drawings.map(\.id) == [id])
    }
    let gestures = try DatasetFiles.read([folder.file("set")], as: .gestureXML)
    #expect(gestures.drawings.map(\.label) == ["a"])
  }

  @Test("Numbers are decimal, here and in other formats of text")
  func decimalNumbers() throws {
    #expect(try drawings("x,y\n1e1,-.5")[0].strokes[0].points == [Point(x: 10, y: -0.5)])
    for number in ["0x10", "0X1p3", "-0x1"] {
      #expect(error("x,y\n1,\(number)").contains("line 2: y is not a number"))
      #expect(throws: FileError.self) {
        try GestureXML.parse(
          Array("<Gesture><Point X='1' Y='\(number)'/></Gesture>".utf8), path: "a.xml")
      }
      #expect(throws: FileError.self) {
        try OmniglotStrokes.parse(Array("START\n1,\(number),0\nBREAK".utf8), path: "a.txt")
      }
    }
  }
}
