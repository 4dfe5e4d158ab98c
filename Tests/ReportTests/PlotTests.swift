import Ink
import Testing
import Text

@testable import Report

@Suite("Plots")
struct PlotTests {
  @Test("Axes have few, round numbers that lie on them", arguments: [0.02, 0.1, 0.3, 0.75, 1])
  func percentAxis(upper: Double) {
    let axis = Plot.Axis.percent("share", 0...upper)
    #expect((2...6).contains(axis.ticks.count))
    for tick in axis.ticks { #expect(tick.value >= 0 && tick.value <= upper + 1e-9) }
    #expect(Set(axis.ticks.map(\.text)).count == axis.ticks.count)
  }

  @Test("Counts are marked with whole numbers", arguments: [0, 1, 2, 7, 56, 683, 12_685])
  func countAxis(highest: Int) {
    let axis = Plot.Axis.counts("drawings", upTo: highest)
    #expect((2...16).contains(axis.ticks.count))
    #expect(axis.ticks.allSatisfy { $0.text == grouped(Int($0.value)) })
  }

  @Test(
    "Large counts have few marks, too", arguments: [30_000, 150_000, 10_000_000, 1_000_000_000_000])
  func largeCounts(highest: Int) {
    let axis = Plot.Axis.counts("drawings", upTo: highest)
    #expect((4...8).contains(axis.ticks.count))
  }

  @Test(
    "The side's title keeps clear of the numbers, however long they are", arguments: [9, 99_999])
  func sideTitle(highest: Int) throws {
    var plot = Plot(across: .percent("x"), up: .counts("drawings", upTo: highest))
    plot.dot(at: (0.5, 1))
    let html = plot.markup(describedAs: "d").html
    // Numbers end left of the axis; at about 6.8 units a digit they must begin right of the title's
    // 18.
    let ends = html.matches(of: #/<text x="([0-9.]+)" y="[0-9.]+" text-anchor="end">([0-9,]+)</#)
    #expect(!ends.isEmpty)
    for match in ends {
      let end = try #require(Double(match.output.1))
      #expect(end - 6.8 * Double(match.output.2.count) >= 18, "\(match.output.0)")
    }
  }
}

@Suite("Drawings of a page")
struct GalleryTests {
  @Test("When the drawings' budget is used up, pictures are left out")
  func budget() {
    let drawings = [[(0.0, 0.0), (9.0, 5.0)], [(3.0, 1.0), (4.0, 8.0)]].map { points in
      Drawing(strokes: [Stroke(points.map { Point(x: $0.0, y: $0.1) })])
    }
    var unlimited = Gallery(drawings, byteBudget: .max) { "drawing \($0)" }
    let first = unlimited.picture(of: 0)
    #expect(first?.html.contains("aria-label=\"drawing 0\"") == true)
    let cost = unlimited.symbols.html.utf8.count + (first?.html.utf8.count ?? 0)
    var gallery = Gallery(drawings, byteBudget: cost) { "drawing \($0)" }
    #expect(gallery.picture(of: 0)?.html == first?.html)
    #expect(gallery.picture(of: 0) == nil)
    #expect(gallery.picture(of: 1) == nil)
    #expect(gallery.symbols.html == unlimited.symbols.html)
  }

  @Test("Strokes fill the square with their aspect kept; a dot is a dot")
  func paths() {
    func path(_ strokes: [[(Double, Double)]]) -> String {
      Gallery.path(
        of: Drawing(strokes: strokes.map { Stroke($0.map { Point(x: $0.0, y: $0.1) }) }))
    }
    #expect(path([[(0, 0), (10, 0), (10, 5)]]) == "M8 36l112 0 0 56")
    #expect(path([[(10, 5), (0, 0)]]) == "M120 92l-112-56")
    #expect(path([[(3, 3)]]) == "M64 64h0")
    #expect(path([[(1, 1), (1, 1)], []]) == "M64 64h0")
    #expect(path([]).isEmpty)
    // Points on a straight line are left out.
    #expect(path([(0...100).map { (Double($0), 0) }]) == "M8 64l112 0")
  }

  @Test("A drawing of very many wild points still becomes a short path")
  func hugeDrawing() {
    let points = (0..<100_000).map { (index: Int) in
      let (x, y) = (index * 7919 % 1009, index * 104_729 % 997)
      return Point(x: Double(x), y: Double(y))
    }
    let wild = Gallery.path(of: Drawing(strokes: [Stroke(points)]))
    #expect(wild.utf8.count < 20_000)
    let dots = (0..<5000).map { Stroke([Point(x: Double($0), y: Double($0 % 7))]) }
    #expect(Gallery.path(of: Drawing(strokes: dots)).utf8.count < 10_000)
  }
}

@Suite("Tables and numbers")
struct TextTests {
  @Test("Columns line up, emoji take two places, and control characters do not reach the terminal")
  func table() {
    var table = TextTable([("name", .left), ("n", .right)])
    table.add(["⭐", "1"])
    table.add(["a\u{1b}[31m", "12"])
    #expect(table.lines == ["name          n", "⭐            1", "a\\u{1b}[31m  12"])
    #expect(TextTable.shortened(String(repeating: "x", count: 50)).count == 40)
  }

  @Test("Numbers are written without a locale")
  func numbers() {
    #expect(ReportNumbers.decimal(0.1256, 2) == "0.13")
    #expect(ReportNumbers.decimal(-0.05, 1) == "−0.1")
    #expect(ReportNumbers.decimal(-0.001, 1) == "0.0")
    #expect(ReportNumbers.decimal(12, 0) == "12")
    #expect(ReportNumbers.decimal(.nan, 1) == "–")
    #expect(ReportNumbers.percent(0.9734) == "97.3\u{202f}%")
    #expect(counted(1_234_567, "label") == "1,234,567 labels")
    #expect(counted(1, "label") == "1 label")
  }

  @Test(
    "Times have three digits and a unit",
    arguments: [
      (0.0, "0.00 ns"), (812e-9, "812 ns"), (12.34e-6, "12.3 µs"), (4.564e-3, "4.56 ms"),
      (0.999_7e-3, "1.00 ms"), (1.234, "1.23 s"), (99.96, "100 s"),
    ])
  func times(seconds: Double, text: String) {
    #expect(shortTime(seconds) == text)
  }
}
