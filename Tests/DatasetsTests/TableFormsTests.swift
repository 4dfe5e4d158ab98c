import Datasets
import Ink
import TestTools
import Testing

@Suite("Tables as other programs write them")
struct TableFormsTests {
  private func strokes(_ text: String) throws -> [Stroke] {
    try table(text).drawings.flatMap(\.strokes)
  }

  private func error(_ text: String) -> String { refusal { try table(text) } }

  /// A table of the reproducer's five points and a column with these values.
  private func points(_ name: String, _ values: String...) -> String {
    let rows = zip(["0,0", "5,9", "20,1", "20,9", "25,9"], values).map { "\($0),\($1)" }
    return "x,y,\(name)\n" + rows.joined(separator: "\n")
  }

  private let two = [stroke((0, 0), (5, 9)), stroke((20, 9), (25, 9))]
  private let three = [stroke((0, 0), (5, 9)), stroke((20, 1)), stroke((20, 9), (25, 9))]

  @Test(
    "Points with the pen up are no ink, and end the stroke",
    arguments: [
      ("pen_down", ["1", "1", "0", "1", "1"]), ("Pen Down", ["true", "True", "FALSE", "t", "yes"]),
      ("pen", ["1.0", "1.0", "0.0", "1.0", "1.0"]), ("penup", ["0", "0", "1", "0", "0"]),
      ("pen_up", ["down", "down", "up", "down", "down"]), ("state", ["D", "D", "U", "D", "D"]),
      ("pressure", ["0.2", "1", "0", "0.5", "0.7"]), ("in-air", ["no", "no", "yes", "no", "no"]),
      ("event", ["down", "up", "move", "down", "move"]),
      ("type", ["touchstart", "touchend", "touchmove", "touchstart", "touchmove"]),
      ("action", ["0", "1", "2", "0", "2"]),
    ])
  func penUp(name: String, values: [String]) throws {
    let text = points(name, values[0], values[1], values[2], values[3], values[4])
    let found = try table(text)
    #expect(found.drawings.map(\.strokes) == [two])
    #expect(
      found.notes.count == 1 && found.notes[0].contains("points with the pen up are left out"))
  }

  @Test(
    "A stroke's last point, or its first, may be marked",
    arguments: [
      ("eos", ["0", "1", "1", "0", "1"]), ("pen_lifted", ["0", "1", "1", "0", "0"]),
      ("end_of_stroke", ["F", "T", "T", "F", "T"]), ("type", ["M", "L", "M", "M", "L"]),
      ("command", ["moveto", "lineto", "moveto", "moveto", "lineto"]),
      ("event", ["start", "move", "start", "start", "end"]),
    ])
  func ends(name: String, values: [String]) throws {
    let text = points(name, values[0], values[1], values[2], values[3], values[4])
    let found = try table(text)
    #expect(found.drawings.map(\.strokes) == [three] && found.notes.isEmpty)
  }

  @Test("A state without a clear name is the end of strokes where as ink it would be dots")
  func unclearNames() throws {
    let alone = "x,y,pen_state\n0,0,0\n5,9,1\n20,9,0\n25,9,1"
    #expect(try strokes(alone) == two)
    // A dot: two ones follow one another, but most of the points are zeros.
    let few = "x,y,pen\n0,0,0\n1,0,0\n2,0,0\n3,0,1\n9,9,1\n4,0,0\n5,0,0\n6,0,0\n7,0,1"
    #expect(try strokes(few).map(\.points.count) == [4, 1, 4])
    let each = "id,x,y,pen\na,0,0,0\na,5,9,1\nb,20,9,0\nb,25,9,1"
    #expect(try table(each).drawings.map(\.strokes) == [[two[0]], [two[1]]])
  }

  @Test("Columns that are not used are told, also those that only look like a pen's")
  func unused() throws {
    for (name, value) in [("color", "red"), ("pen", "7"), ("type", "cat"), ("Tilt X", "3")] {
      let found = try table("x,y,\(name)\n0,0,\(value)\n5,9,\(value)")
      #expect(found.drawings[0].strokes == [two[0]])
      #expect(found.notes == ["a column is not used: \(name)"])
    }
    for pressures in [["0", "0"], ["0.5", "1"], ["a", "b"]] {
      let found = try table("x,y,pressure\n0,0,\(pressures[0])\n5,9,\(pressures[1])")
      #expect(found.drawings[0].strokes == [two[0]])
      #expect(found.notes == ["a column is not used: pressure"])
    }
    // Strokes that are told apart need no pressure.
    let both = try table("stroke,x,y,pressure\n0,0,0,1\n0,5,9,0\n1,20,9,1\n1,25,9,1")
    #expect(both.drawings[0].strokes == two && both.notes.count == 1)
    #expect(
      error(points("pen_down", "1", "maybe", "0", "1", "1")).contains(
        "line 3: pen_down is maybe, not 1 or 0, true or false"))
    #expect(
      error(points("pen_down", "0", "0", "0", "0", "0")).contains(
        "line 2: drawing a.csv:2 has no point with the pen down, by the column pen_down"))
  }

  @Test("Decimals follow points or commas, as in all of a table")
  func decimalCommas() throws {
    let expected = [stroke((0.5, 0), (5.25, 9.5))]
    #expect(try strokes("stroke;x;y\n0;0,5;0\n0;5,25;9,5") == expected)
    #expect(try strokes("x\ty\n0,5\t0\n5,250\t9,5") == expected)
    #expect(try strokes("x,y\n\"0,5\",0\n\"5,25\",\"9,5\"") == expected)
    #expect(error("x,y\n\"1,000\",2").contains("line 2: x is 1,000, which may be thousands"))
    #expect(error("x;y\n1,5;2\n1.5;2").contains("line 3: some numbers have decimal commas"))
    #expect(error("x;y\n1.000,5;2").contains("some numbers have decimal commas"))
    #expect(error("x,y\n1,5,2,5").contains("are there decimal commas between commas?"))
  }

  @Test("Excel's first row names the separator", arguments: [";", ",", "\t", "|"])
  func separatorRow(separator: String) throws {
    let rows = ["stroke;x;y", "0;0;0", "0;5;9"].map { $0.replacing(";", with: separator) }
    for first in ["sep=", "\u{feff}SEP="] {
      let text = ([first + separator] + rows).joined(separator: "\r\n")
      #expect(try strokes(text) == [two[0]])
      #expect(try table(text).drawings[0].id == "a.csv:3")
    }
  }

  @Test("Tables of tabs have an ending of their own")
  func tabs() throws {
    let folder = try TemporaryFolder()
    let path = try folder.put("x\ty\n0\t0\n5\t9\n", "a.tsv")
    #expect(try DatasetFiles.read([path]).drawings.map(\.strokes) == [[two[0]]])
  }

  @Test("Values in quotes may go on in the next line")
  func newlines() throws {
    let text = "drawing,label,x,y\r\na,\"ha\r\nha\",1,2\r\na,\"ha\r\nha\",3,4\r\nb,,5,6\r\n\"c,x,y"
    #expect(error(text).contains("line 7: a quote does not end"))
    let found = try table(String(text.dropLast(6))).drawings
    #expect(found.map(\.label) == ["ha\nha", nil])
    #expect(found[0].strokes == [stroke((1, 2), (3, 4))])
    let long = "x,y\n\"" + String(repeating: "\n", count: 70_000)
    #expect(error(long).contains("line 2: its values in quotes are longer than 65536 bytes"))
  }

  @Test("Kaggle's Quick, Draw! has a drawing a row")
  func kaggle() throws {
    let header = "countrycode,drawing,key_id,recognized,timestamp,word\n"
    let row =
      "XX,\"[[[0, 5, 10], [0, 9, 0]], [[3, 7], [4, 4]]]\",1000000000000001,True,"
      + "2017-01-01 00:00:00.0,vee\n"
    let found = try table(header + row + row.replacing("0001,True", with: "0002,False"))
    let expected = Drawing(
      id: "1000000000000001", label: "vee",
      strokes: [stroke((0, 0), (5, 9), (10, 0)), stroke((3, 4), (7, 4))], wasGuessed: true)
    #expect(found.drawings.first == expected && found.notes.isEmpty)
    #expect(found.drawings.map(\.wasGuessed) == [true, false])
    // The raw set has times, the one to be recognized no word.
    let raw = try table("key_id,drawing\n,\"[[[1,2],[3,4],[0,16]]]\"").drawings
    #expect(raw[0].id == "a.csv:2" && raw[0].label == nil)
    #expect(raw[0].strokes[0].points.map(\.t) == [0, 16])
    #expect(
      error(header + row + "XX,\"[[[1],[2,3]]]\",1,True,,vee").contains("line 3: its drawing: "))
    #expect(error(header).contains("it has no rows of drawings"))
  }
}
