@testable import Capture
import Files
import Ink
import Numbers
import Recognition
import TestTools
import Testing
import Training
import Vectorizing

@Suite("Photos of worksheets")
struct WorksheetReaderTests {
  /// A square with a diagonal, in 0...1 of a box.
  private static let house = [
    [(0.2, 0.2), (0.8, 0.2), (0.8, 0.8), (0.2, 0.8), (0.2, 0.2)], [(0.2, 0.2), (0.8, 0.8)],
  ]

  private static func printed(
    _ labels: [String] = ["⭐", "🏠", "tree"], headers: Set<WorksheetHeader.End> = [.top, .bottom]
  ) throws -> PrintedPage {
    let page = try #require(Worksheet(labels: labels, rows: 3, columns: 4).pages.first)
    var printed = PrintedPage(page, headers: headers)
    printed.draw(house, row: 0, column: 0)
    printed.draw([[(0.1, 0.5), (0.9, 0.5)]], row: 1, column: 3, width: 0.5, tone: 110)
    printed.draw(house, row: 2, column: 1, width: 1.4, tone: 20)
    return printed
  }

  private static func content(
    _ sheet: CapturedSheet, row: Int, column: Int
  ) throws -> CapturedSheet.Content {
    try #require(sheet.boxes.first { $0.row == row && $0.column == column }).content
  }

  @Test(
    "CA-020, CA-021: A photo of a page gives the drawings with their labels, whatever its angle",
    arguments: 0...3)
  func angles(quarterTurns: Int) throws {
    let printed = try Self.printed()
    let sheet = try WorksheetReader()(printed.photo(quarterTurns: quarterTurns))
    #expect(sheet.page == printed.page)
    #expect(sheet.quarterTurns == (4 - quarterTurns) % 4)
    let drawings = sheet.drawings(named: "photo")
    #expect(drawings.map(\.label) == ["⭐", "🏠", "tree"])
    #expect(
      drawings.map(\.id) == [
        "photo/page 1, row 1, box 1", "photo/page 1, row 2, box 4", "photo/page 1, row 3, box 2",
      ])
  }

  @Test("CA-021: Strokes lie within 1.5 pixels of the truth, at 1,500 pixels")
  func precision() throws {
    let printed = try Self.printed()
    let sheet = try WorksheetReader()(printed.photo())
    let side = printed.page.boxSide * WorksheetReader.scale
    guard case .drawing(let drawing) = try Self.content(sheet, row: 0, column: 0) else {
      Issue.record("the box is not empty")
      return
    }
    let truth = Self.house.map { stroke in
      Stroke(stroke.map { Point(x: $0.0 * side, y: $0.1 * side) })
    }
    let outlines = truth.compactMap { InkOutline($0) }
    /// The mean distance of points along strokes to the nearest of some outlines.
    func distance(_ strokes: [Stroke], to outlines: [InkOutline]) -> Double {
      var points: [Point] = []
      for stroke in strokes {
        for (a, b) in zip(stroke.points, stroke.points.dropFirst()) {
          for step in 0..<20 {
            let share = Double(step) / 20
            points.append(Point(x: a.x + share * (b.x - a.x), y: a.y + share * (b.y - a.y)))
          }
        }
      }
      let distances = points.map { point in
        outlines.map { $0.distance(to: point) }.min() ?? .infinity
      }
      return distances.reduce(0, +) / Double(points.count)
    }
    let mean = max(
      distance(drawing.strokes, to: outlines),
      distance(truth, to: drawing.strokes.compactMap { InkOutline($0) }))
    // The page is 1,680 pixels wide here.
    #expect(mean * 1500 / (210 * WorksheetReader.scale) < 1.5)
    #expect(drawing.canvas == .init(width: side, height: side))
  }

  @Test("CA-021: A model sees in captured drawings what it sees in the strokes: cosines above 0.9")
  func embeddings() throws {
    let names = [
      "apple", "butterfly", "car", "cat", "cup", "fish", "flower", "house", "key", "leaf", "star",
      "tree",
    ]
    let page = try #require(
      Worksheet(labels: ["⭐", "🏠", "tree"], rows: 3, columns: 4).pages.first)
    var printed = PrintedPage(page)
    let drawings = try names.enumerated().map { index, name in
      var lines = try LineReader(path: "\(Repository.path)/datasets/starter/\(name).ndjson")
      let drawing = try StrokeJSON.parse(try #require(try lines.next()))
      let box = try #require(drawing.boundingBox)
      let scale = 0.7 / max(box.width, box.height)
      let inBox = drawing.strokes.map { stroke in
        stroke.points.map { (0.15 + ($0.x - box.x) * scale, 0.15 + ($0.y - box.y) * scale) }
      }
      printed.draw(inBox, row: index / 4, column: index % 4)
      return drawing
    }
    let sheet = try WorksheetReader()(printed.photo())
    let embedding = try ModelFile.read("\(Repository.path)/models/base-slim.drawml").embedding
    let cosines = try drawings.indices.map { index in
      guard
        case .drawing(let captured) = try Self.content(sheet, row: index / 4, column: index % 4)
      else { return Float(-1) }
      let (a, b) = (try embedding.vector(of: drawings[index]), try embedding.vector(of: captured))
      return zip(a, b).reduce(0) { $0 + $1.0 * $1.1 }
    }
    #expect(cosines.sorted()[cosines.count / 2] >= 0.9, "\(cosines)")
  }

  @Test("CA-022: Empty boxes are no drawings")
  func empty() throws {
    let page = try #require(Worksheet(labels: ["⭐"], rows: 4, columns: 6).pages.first)
    let sheet = try WorksheetReader()(PrintedPage(page).photo())
    #expect(sheet.boxes.count == 24)
    #expect(sheet.boxes.allSatisfy { $0.content == .empty })
    #expect(sheet.drawings(named: "photo").isEmpty)
  }

  @Test("A header that is covered is read at the other end of the page")
  func oneHeader() throws {
    for end in WorksheetHeader.End.allCases {
      let printed = try Self.printed(headers: [end])
      #expect(try WorksheetReader()(printed.photo()).page == printed.page)
    }
  }

  @Test("CA-022: A page that is cut off, without a header, or no page at all: a sentence says so")
  func refusals() throws {
    let printed = try Self.printed()
    let cut = try printed.photo(
      corners: [
        Point(x: 130, y: 120), Point(x: 1400, y: 90), Point(x: 1400, y: 1560),
        Point(x: 60, y: 1600),
      ], width: 1260, height: 1680)
    #expect(throws: CaptureError.noSheet(marks: 2)) { try WorksheetReader()(cut) }
    #expect(throws: CaptureError.noHeader) {
      try WorksheetReader()(Self.printed(headers: []).photo())
    }
    let blank = GrayPicture(width: 300, height: 400, values: .init(repeating: 200, count: 120_000))
    #expect(throws: CaptureError.noSheet(marks: 0)) { try WorksheetReader()(blank) }
    #expect(
      CaptureError.noSheet(marks: 1).description.contains("1 of its four corner marks is seen"))
  }

  @Test("Two pages in a photo are refused")
  func twoPages() throws {
    let printed = try Self.printed()
    let one = try printed.photo(
      corners: [
        Point(x: 40, y: 60), Point(x: 1000, y: 60), Point(x: 1000, y: 1420), Point(x: 40, y: 1420),
      ], width: 1040, height: 1480)
    var both: [UInt8] = []
    for row in 0..<one.height {
      let line = one.values[(row * one.width)..<((row + 1) * one.width)]
      both += line + line
    }
    #expect(throws: CaptureError.severalSheets) {
      try WorksheetReader()(GrayPicture(width: 2080, height: 1480, values: both))
    }
  }

  @Test("Random pictures are no worksheets, and end nothing")
  func noise() {
    var random = SeededGenerator(seed: 8)
    for _ in 0..<20 {
      let (width, height) = (
        Int.random(in: 1...90, using: &random), Int.random(in: 1...90, using: &random)
      )
      let values = (0..<(width * height)).map { _ in UInt8.random(in: 0...255, using: &random) }
      #expect(throws: CaptureError.self) {
        try WorksheetReader()(GrayPicture(width: width, height: height, values: values))
      }
    }
  }
}
