import Datasets
import Files
import Ink
import TestTools
import Testing

@Suite("Notebooks of Xournal++ and Xournal")
struct XournalTests {
  private func read(_ bytes: [UInt8]) throws -> (drawings: [Drawing], notes: [String]) {
    var notes = ReadingNotes()
    let drawings = try XournalDrawings.parse(bytes, path: "n.xopp", notes: &notes)
    return (drawings, notes.texts)
  }

  private func read(_ text: String) throws -> (drawings: [Drawing], notes: [String]) {
    try read(Array(text.utf8))
  }

  /// As Xournal++ writes it: a page with two layers, one without ink, and one more.
  private static let notebook = """
    <?xml version="1.0" standalone="no"?>
    <xournal creator="Xournal++ 1.2.0" fileversion="4">
    <title>Xournal++ document</title><preview>iVBORw0KGgo=</preview>
    <page width="595.27559055" height="841.88976378">
    <background type="solid" color="#ffffffff" style="lined"/>
    <layer name="ink">
    <stroke tool="pen" color="#3333ccff" width="1.41 0.8 0.9" capStyle="round">100.5 200.25 101 201 \
    102.75 203</stroke>
    <stroke tool="eraser" color="#ffffffff" width="10">1 1 2 2</stroke>
    <stroke tool="pen" color="#ffffffff" width="2">5 5 6 6</stroke>
    <text font="Sans" size="12" x="1" y="2" color="#000000ff">7 8 9</text>
    </layer><layer>
    <stroke tool="highlighter" color="#ffff007f" width="8.5">10 20 30 20</stroke>
    <teximage text="x" left="1" top="1" right="2" bottom="2">iVBORw0KGgo=</teximage>
    </layer></page>
    <page width="100" height="50"><background type="pdf" pageno="1"/><layer/></page>
    <page width="100" height="50"><layer><stroke tool="pen" color="black" width="1">3 4</stroke>
    </layer></page>
    </xournal>
    """

  @Test("Each page with ink is a canvas; erasers, texts and formulas are told")
  func pages() throws {
    let (drawings, notes) = try read(Self.notebook)
    #expect(
      drawings == [
        Drawing(
          id: "n.xopp:1",
          strokes: [
            stroke((100.5, 200.25), (101, 201), (102.75, 203)), stroke((10, 20), (30, 20)),
          ],
          canvas: .init(width: 595.27559055, height: 841.88976378)),
        Drawing(id: "n.xopp:3", strokes: [stroke((3, 4))], canvas: .init(width: 100, height: 50)),
      ])
    #expect(notes == ["1 eraser stroke, 1 text and 1 formula are passed over"])
  }

  @Test("A notebook in a zip file is read, too")
  func zip() throws {
    let files = [
      ZipFile.Entry("mimetype", Array("application/xournal++".utf8)),
      ZipFile.Entry(deflating: Array(Self.notebook.utf8), as: "content.xml"),
    ]
    #expect(try read(ZipFile.bytes(files)).drawings.count == 2)
    #expect(
      refusal { try read(ZipFile.bytes([files[0]])) }.contains("a zip file without content.xml"))
  }

  @Test("White ink is seen on a dark page")
  func darkPage() throws {
    let page = """
      <xournal><page width="9" height="9"><background type="solid" color="#000000ff"/><layer>
      <stroke tool="pen" color="white" width="1">1 2 3 4</stroke>
      <stroke tool="pen" color="#000000" width="1">5 6</stroke></layer></page></xournal>
      """
    #expect(try read(page).drawings.map(\.strokes) == [[stroke((1, 2), (3, 4))]])
  }

  @Test("Faults name line, page, stroke and point")
  func faults() {
    func error(_ ink: String) -> String {
      refusal {
        try read(
          "<xournal><page width='9' height='9'><layer>\n<stroke>\(ink)</stroke></layer></page></xournal>"
        )
      }
    }
    #expect(
      error("1 2 3 nan")
        .contains("line 2: page 1, stroke 0, point 1: \"nan\" is not a number from -1e100"))
    #expect(error("1 2 3").contains("page 1, stroke 0 ends with an x without a y"))
    #expect(error(" ").contains("none of its pages has a stroke"))
    #expect(
      refusal { try read("<svg/>") }.contains("it is not a Xournal file: its first element is svg"))
  }
}

@Suite("Pages of reMarkable's tablets")
struct RemarkableTests {
  private func read(_ bytes: [UInt8]) throws -> (drawing: Drawing, notes: [String]) {
    var notes = ReadingNotes()
    let drawing = try RemarkableDrawings.parse(bytes, path: "p.rm", notes: &notes)
    return (drawing, notes.texts)
  }

  @Test(
    "Lines of version 6, as rmscene writes them for older and newer tablets",
    arguments: ["page-v6.rm", "page-v6-old.rm"])
  func scene(name: String) throws {
    let (drawing, notes) = try read(try AtomicFile.read(fixture(name)))
    // Places count from the middle; an eraser, a deleted line and a hidden layer are left out.
    #expect(
      drawing
        == Drawing(
          strokes: [stroke((0, 0), (702.5, 100), (1404, 1872)), stroke((707, 5), (708, 6))],
          canvas: .init(width: 1404, height: 1872)))
    #expect(notes == ["1 eraser stroke is passed over"])
  }

  /// Little-endian words.
  private func words(_ words: UInt32...) -> [UInt8] {
    words.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> (8 * $0)) } }
  }

  private func header(_ version: Int) -> [UInt8] {
    Array("reMarkable .lines file, version=\(version)          ".utf8)
  }

  private func points(_ places: (Float, Float)...) -> [UInt8] {
    places.flatMap { words($0.bitPattern, $1.bitPattern, 0, 0, 0, 0) }
  }

  @Test("Lines of versions 3 and 5, whose strokes have one number more")
  func olderLines() throws {
    for version in [3, 5] {
      let more = version == 5 ? words(0) : []
      func line(pen: UInt32, color: UInt32 = 0) -> [UInt8] {
        words(pen, color, 0, 0x4000_0000) + more + words(2) + points((10, 20), (30.5, 40))
      }
      let page =
        header(version) + words(2, 3) + line(pen: 17) + line(pen: 6) + line(pen: 4, color: 2)
        + words(1) + line(pen: 5)
      let (drawing, notes) = try read(page)
      let right = stroke((10, 20), (30.5, 40))
      #expect(
        drawing
          == Drawing(strokes: [right, right], canvas: .init(width: 1404, height: 1872)))
      #expect(notes == ["1 eraser stroke is passed over"])
    }
  }

  @Test("Files that are cut off, claim too much or are of another version are refused")
  func faults() throws {
    func error(_ bytes: [UInt8]) -> String { refusal { try read(bytes) } }
    #expect(error(header(5) + words(1, 1, 0, 0)).contains("it ends within a page"))
    #expect(
      error(header(3) + words(1, 1, 0, 0, 0, 0, 0xffff_ffff))
        .contains("byte 71: a stroke claims 4294967295 points"))
    #expect(error(header(3) + words(0)).contains("the page has no stroke"))
    #expect(error(header(7)).contains("it is of version 7 of reMarkable's pages; 3, 5 and 6"))
    #expect(error(Array("reMarkable".utf8)).contains("it is not a reMarkable page"))
    let nan = header(3) + words(1, 1, 0, 0, 0, 0, 1) + points((.nan, 1))
    #expect(error(nan).contains("byte 71: a point is not a number"))
    let page = try AtomicFile.read(fixture("page-v6.rm"))
    for length in 43..<page.count {
      // Whatever is cut off, nothing is made up.
      if let drawing = try? read(Array(page[..<length])).drawing {
        #expect(drawing.strokes.first == stroke((0, 0), (702.5, 100), (1404, 1872)))
      }
    }
  }
}

@Suite("Digits and characters of the UCI repository")
struct PenCharactersTests {
  private func drawings(_ text: String) throws -> [Drawing] {
    try PenCharacters.parse(Array(text.utf8), path: "a.tra")
  }

  @Test("A row of digits is eight places and the label, y upwards")
  func rows() throws {
    let found = try drawings(
      " 47,100, 27, 81, 57, 37, 26,  0,  0, 23, 56, 53,100, 90, 40, 98, 8\n"
        + "  0, 89, 27,100, 42, 75, 29, 45, 15, 15, 37,  0, 69,  2,100,  6, 2\n")
    #expect(
      found[0]
        == Drawing(
          id: "a.tra:1", label: "8",
          strokes: [
            stroke(
              (47, 0), (27, 19), (57, 63), (26, 100), (0, 77), (56, 47), (100, 10), (40, 2))
          ], canvas: .init(width: 100, height: 100)))
    #expect(found.map(\.label) == ["8", "2"])
  }

  @Test("What was recorded has its strokes; y grows upwards in digits, downwards in characters")
  func recorded() throws {
    let found = try drawings(
      """
      .INCLUDE dene.doc
      .LEXICON "0" "1"
      .HIERARCHY DIGIT
      .SEGMENT DIGIT 0-1 ? "4"
      .COMMENT 4 91 22
      .PEN_DOWN
       8 3
       2 9
      .PEN_UP
      .DT 100
      .PEN_DOWN
      1 2
      .PEN_UP
      .SEGMENT CHARACTER 2 ? "\\""
      .PEN_DOWN
      5 6
      .PEN_UP
      """)
    #expect(
      found == [
        Drawing(id: "a.tra:4", label: "4", strokes: [stroke((8, -3), (2, -9)), stroke((1, -2))]),
        Drawing(id: "a.tra:14", label: "\"", strokes: [stroke((5, 6))]),
      ])
  }

  @Test("Words of the second version of UJI's characters")
  func words() throws {
    let found = try drawings(
      "// ASCII char: a\r\nWORD a trn_UJI_W01-01\r\n  NUMSTROKES 2\r\n  POINTS 2 # 1 2 3 4\r\n"
        + "  POINTS 1 # 5 6\r\nWORD ñ tst_UPV_W18-02\r\n  NUMSTROKES 1\r\n  POINTS 1 # 7 8\r\n")
    #expect(
      found == [
        Drawing(id: "a.tra:2", label: "a", strokes: [stroke((1, 2), (3, 4)), stroke((5, 6))]),
        Drawing(id: "a.tra:6", label: "ñ", strokes: [stroke((7, 8))]),
      ])
  }

  @Test("Faults name the line")
  func faults() {
    func error(_ text: String) -> String { refusal { try drawings(text) } }
    #expect(error("0,1,2\n").contains("line 1: it has 3 values; a row of pen digits is 8 times"))
    #expect(error(".SEGMENT DIGIT 0 ? 4").contains("names no character in quotes"))
    #expect(error(".PEN_DOWN\n1 2").contains("line 1: a stroke begins before a .SEGMENT"))
    #expect(
      error(".SEGMENT DIGIT 0 ? \"4\"\n.PEN_DOWN\n1 x").contains("line 3: \"x\" is not a number"))
    #expect(error("WORD a b\nPOINTS 2 # 1 2").contains("line 2: it has another number of points"))
    #expect(error(".INCLUDE data/a.dat").contains("it takes strokes from another file"))
    #expect(error(".VERSION 1.0").contains("it has no characters"))
  }
}

@Suite("Notebooks, pages and diagrams as files")
struct DiagramFilesTests {
  @Test("Their endings tell the format; folders give labels, files ids")
  func endings() throws {
    let folder = try TemporaryFolder()
    let scene =
      #"{"type":"excalidraw","elements":[{"type":"line","x":0,"y":0,"points":[[0,0],[1,1]]}]}"#
    let page =
      "<xournal><page width='9' height='9'><layer><stroke>1 2</stroke></layer></page></xournal>"
    try folder.put(scene, "set/star/1.excalidraw")
    try folder.put(scene, "set/star/2.Excalidraw.json")
    try folder.put(page, "set/moon/3.xopp")
    try folder.put(page, "set/moon/4.xoj")
    try AtomicFile.write(AtomicFile.read(fixture("page-v6.rm")), to: folder.file("set/5.rm"))
    let found = try DatasetFiles.read([folder.file("set")])
    #expect(
      found.drawings.map(\.id) == ["5", "3.xopp:1", "4.xoj:1", "star/1", "star/2"])
    #expect(found.drawings.map(\.label) == [nil, "moon", "moon", "star", "star"])
    #expect(found.notes.lines.count == 1 && found.notes.lines[0].hasSuffix("is passed over"))
  }
}
