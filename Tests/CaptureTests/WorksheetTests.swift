@testable import Capture
import Foundation
import Ink
import Numbers
import Testing

@Suite("Worksheets")
struct WorksheetTests {
  @Test("CA-021: A row for each label, on as many pages as needed")
  func pages() throws {
    let worksheet = try Worksheet(labels: ["a", "b", "c", "d", "e"], rows: 2, columns: 3)
    #expect(worksheet.pages.map(\.labels) == [["a", "b"], ["c", "d"], ["e"]])
    #expect(worksheet.pages.map(\.number) == [1, 2, 3])
    #expect(worksheet.pages.allSatisfy { $0.count == 3 && $0.columns == 3 })
  }

  @Test("CA-021: Labels that leave room on one page are repeated, one beside the other")
  func repeats() throws {
    #expect(
      try Worksheet(labels: ["a", "b", "c"], rows: 6).pages.map(\.labels)
        == [["a", "a", "b", "b", "c", "c"]])
    #expect(
      try Worksheet(labels: ["a", "b", "c"], rows: 5).pages.map(\.labels) == [["a", "b", "c"]])
  }

  @Test("Labels that cannot be printed are refused with what to do")
  func refusals() throws {
    #expect(throws: WorksheetError.noLabels) { try Worksheet(labels: []) }
    #expect(throws: WorksheetError.repeatedLabel("⭐")) { try Worksheet(labels: ["⭐", "⭐"]) }
    let long = (0..<8).map { "\($0)" + String(repeating: "x", count: 60) }
    #expect(
      throws: WorksheetError.labelsTooLong(
        page: 1, bytes: 516, capacity: WorksheetHeader.capacity(of: .a4))
    ) { try Worksheet(labels: long) }
    #expect(throws: WorksheetError.tooManyPages(256)) {
      try Worksheet(labels: (0..<256).map { "\($0)" }, rows: 1)
    }
  }

  @Test(
    "What is printed lies on the paper, and nothing lies on anything else",
    arguments: Paper.allCases)
  func layout(paper: Paper) throws {
    for rows in Worksheet.rowCounts {
      for columns in Worksheet.columnCounts {
        let page = try #require(
          Worksheet(labels: ["a"], paper: paper, rows: rows, columns: columns).pages.first)
        #expect(page.boxSide > 8)
        let last = page.box(row: rows - 1, column: columns - 1)
        #expect(last.x + last.width <= paper.width - WorksheetPage.margin)
        #expect(last.y + last.height < page.headerOrigin(.bottom).y - 2)
        #expect(page.box(row: 0, column: 0).y > page.nameLine.start.y)
        if columns > 1 {
          let (a, b) = (page.box(row: 0, column: 0), page.box(row: 0, column: 1))
          #expect(a.x + a.width + 3.9 < b.x)
        }
      }
    }
    let columns = Double(WorksheetPage.headerColumns(of: paper))
    let page = try #require(Worksheet(labels: ["a"], paper: paper).pages.first)
    let left = page.headerOrigin(.top).x
    #expect(left > WorksheetPage.margin + WorksheetPage.markSide + 3)
    #expect(
      left + columns * WorksheetPage.cell
        < paper.width - WorksheetPage.margin - WorksheetPage.markSide - 3)
  }

  @Test("CA-021: The picture for a printer shows each label, its word and its boxes")
  func picture() throws {
    let page = try #require(
      Worksheet(labels: ["⭐", "a<b"], rows: 2, columns: 4).pages.first)
    #expect(!page.svg().contains("Emoji\" font-weight=\"bold\">a"))
    let svg = page.svg(words: ["⭐": "star"], title: "Class 4 & 5")
    #expect(svg.contains(">⭐</text>") && svg.contains(">star</text>"))
    #expect(svg.contains(">a&lt;b</text>") && svg.contains("Class 4 &amp; 5"))
    #expect(svg.components(separatedBy: "rx=\"1.5\"").count == 9)
    #expect(svg.contains("width=\"210mm\" height=\"297mm\""))
  }
}

@Suite("Headers of worksheets")
struct WorksheetHeaderTests {
  private static func page(_ labels: [String], paper: Paper = .a4) throws -> WorksheetPage {
    try #require(Worksheet(labels: labels, paper: paper).pages.first)
  }

  @Test("CA-021: A header says page, version and labels")
  func roundTrip() throws {
    var random = SeededGenerator(seed: 21)
    let letters = ["⭐", "🏠", "👩‍🚀", "🇫🇷", "ö", "x"]
    for _ in 0..<200 {
      let labels = (0..<Int.random(in: 1...8, using: &random)).map { number in
        "\(number)" + (letters.randomElement(using: &random) ?? "")
      }
      let paper = try #require(Paper.allCases.randomElement(using: &random))
      let page = try Self.page(labels, paper: paper)
      for end in WorksheetHeader.End.allCases {
        let cells = WorksheetHeader.cells(of: page, at: end)
        #expect(WorksheetHeader.read(cells, on: paper) == .page(page, end))
      }
    }
  }

  @Test("A header with one wrong cell is not read")
  func damage() throws {
    let page = try Self.page(["⭐", "🏠"])
    let cells = WorksheetHeader.cells(of: page, at: .top)
    for index in cells.indices where index < cells.count / 8 * 8 {
      var damaged = cells
      damaged[index].toggle()
      #expect(WorksheetHeader.read(damaged, on: .a4) == .nothing, "cell \(index)")
    }
  }

  @Test(
    "CA-022: A header of another version is told apart, and one whose contents are wrong is none")
  func contents() {
    func read(_ bytes: [UInt8]) -> WorksheetHeader.Reading {
      WorksheetHeader.read(WorksheetHeader.cells(of: bytes, on: .a4), on: .a4)
    }
    // Page 1 of 1, four rows of six boxes, the label "x" in the first row.
    let right: [UInt8] = [1, 0, 1, 1, 4, 6, 1, 1, 0x78, 1, 0]
    guard case .page(let page, .top) = read(right) else {
      Issue.record("it is not read")
      return
    }
    #expect(page.labels == ["x"] && page.rows == 4 && page.columns == 6)
    #expect(read([2] + right.dropFirst()) == .otherVersion(2))
    for (index, value) in [(1, 1), (2, 0), (2, 2), (3, 0), (4, 0), (4, 13), (5, 11), (10, 1)] {
      var wrong = right
      wrong[index] = UInt8(value)
      #expect(read(wrong) == .nothing, "byte \(index)")
    }
    // Labels that no label may be: a control character, and nothing.
    #expect(read([1, 0, 1, 1, 4, 6, 1, 1, 0x07, 1, 0]) == .nothing)
    #expect(read([1, 0, 1, 1, 4, 6, 1, 0, 1, 0]) == .nothing)
  }

  @Test("No cells, all cells and random cells are no header")
  func nothing() {
    let count = WorksheetPage.headerColumns(of: .a4) * WorksheetPage.headerRows
    var random = SeededGenerator(seed: 5)
    #expect(WorksheetHeader.read(.init(repeating: false, count: count), on: .a4) == .nothing)
    #expect(WorksheetHeader.read(.init(repeating: true, count: count), on: .a4) == .nothing)
    for _ in 0..<500 {
      let cells = (0..<count).map { _ in Bool.random(using: &random) }
      #expect(WorksheetHeader.read(cells, on: .a4) == .nothing)
    }
  }
}
