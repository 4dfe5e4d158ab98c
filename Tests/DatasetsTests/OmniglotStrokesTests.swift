import Datasets
import Files
import Ink
import Pictures
import Testing

@Suite("Omniglot stroke text")
struct OmniglotStrokesTests {
  private func parse(_ text: String) throws -> Drawing {
    try OmniglotStrokes.parse(Array(text.utf8), path: "o.txt")
  }

  @Test("Strokes, y turned downwards, times from the first point in milliseconds")
  func sample() throws {
    let drawing = try parse(
      "START\n19.0,-27.5,40.0\n20.0,-30.0,52.5\nBREAK\r\n\n 7,0,400\nBREAK\n")
    #expect(
      drawing.strokes == [
        Stroke([Point(x: 19, y: 27.5, t: 0), Point(x: 20, y: 30, t: 12.5)]),
        Stroke([Point(x: 7, y: 0, t: 360)]),
      ])
    #expect(drawing.strokes[1].points[0].y.sign == .plus)
  }

  @Test("Id and label are the folders of alphabet and character, and the file")
  func identity() throws {
    let whole = OmniglotStrokes.identity(ofPath: "/d/strokes/Balinese/character01/0108_01.txt")
    #expect(whole.id == "Balinese/character01/0108_01")
    #expect(whole.label == "Balinese/character01")
    let bare = OmniglotStrokes.identity(ofPath: "0108_01.txt")
    #expect(bare.id == "0108_01")
    #expect(bare.label == nil)
  }

  private static let none =
    "it is not a drawing; a .txt file is read as strokes of Omniglot, whose first line is "
    + "START. Other drawings are .json, .ndjson, .bin, .npy, .npz, .h5, .png, .jpg, .svg, .inkml, "
    + ".xml, .csv, .excalidraw, .tldr, .xopp, .rm, .tra or .shards files"

  @Test(
    "Each fault is named with its line",
    arguments: [
      ("", Self.none),
      ("1,2,3\nBREAK", Self.none),
      ("START\n", "line 1: there are no strokes"),
      ("START\n1,-2,3\n", "line 2: the file ends without BREAK; it is truncated"),
      ("START\nBREAK\n", "line 2: BREAK ends a stroke without points"),
      ("START\n1,-2,3\nSTART\n", "line 3: START comes twice"),
      ("START\n1,-2\nBREAK", "line 2: \"1,-2\" is not x,y,t in numbers from -1e100 to 1e100"),
      (
        "START\n1,-2,3,4\nBREAK",
        "line 2: \"1,-2,3,4\" is not x,y,t in numbers from -1e100 to 1e100"
      ),
      ("START\n1,nan,3\nBREAK", "line 2: \"1,nan,3\" is not x,y,t in numbers from -1e100 to 1e100"),
      (
        "START\n1,2,-1e308\n1,2,3\nBREAK",
        "line 2: \"1,2,-1e308\" is not x,y,t in numbers from -1e100 to 1e100"
      ),
      ("START\n1,2,-1e100\n1,2,1e100\nBREAK", "line 3: its time is too far from the first"),
      ("START\n1,,3\nBREAK", "line 2: \"1,,3\" is not x,y,t in numbers from -1e100 to 1e100"),
    ])
  func faults(text: String, message: String) {
    #expect(throws: FileError("read", path: "o.txt", reason: .malformed(message))) {
      try parse(text)
    }
  }

  @Test("Numbers nearer to 0 than 1e-100 are read as 0")
  func smallNumbers() throws {
    let points = try parse("START\n5e-324,1e-200,0\n1e-100,-7,1e-101\nBREAK\n").strokes[0].points
    #expect(points == [Point(x: 0, y: 0, t: 0), Point(x: 1e-100, y: 7, t: 0)])
  }

  @Test("A line that is longer than any point is refused, without its parts in memory")
  func longLine() {
    let commas = String(repeating: ",", count: 5000)
    let expected = FileError(
      "read", path: "o.txt", reason: .lineTooLong(line: 2, limit: 4096))
    #expect(throws: expected) { try parse("START\n\(commas)\nBREAK\n") }
    #expect(expected.description == "cannot read o.txt: line 2 is longer than 4096 bytes")
  }

  @Test("Bytes that are no text are foreign")
  func binary() {
    #expect(throws: FileError("read", path: "o.txt", reason: .foreign(expected: "text file"))) {
      try OmniglotStrokes.parse([0x53, 0xff, 0xfe], path: "o.txt")
    }
  }
}
