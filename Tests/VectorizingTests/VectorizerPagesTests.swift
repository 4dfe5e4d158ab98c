import Numbers
import Testing

@testable import Ink
@testable import Pictures
@testable import Vectorizing

/// Photographs and scans of pages, as no single threshold separates them.
@Suite("Vectorizer: pages")
struct VectorizerPagesTests {
  /// A page around a drawing of 150 × 150 pixels, with what makes ink hard to see.
  struct Page {
    var paper = 240.0
    /// The share of the paper's light that ink takes.
    var darkness = 0.7
    /// The tone around the paper; nil for paper to the edges.
    var margin: Double?
    /// The share of the light that is missing at the far corner.
    var gradient = 0.0
    /// The share of the light that a shadow takes from the left part.
    var shadow = 0.0
    /// How many columns the shadow's edge goes to the left from a row to the next.
    var lean = 1.0 / 6
    var noise = 1.5

    func picture(
      of drawn: Drawn, using generator: inout some RandomNumberGenerator
    ) -> (picture: GrayPicture, truth: Drawing) {
      let (width, height, left, top) = (280, 230, 65, 40)
      let blank = GrayPicture(
        width: width, height: height, values: [UInt8](repeating: 0, count: width * height))
      let sharp = blank.mapped { row, column, _ in
        let (y, x) = (row - top, column - left)
        let isDrawn = (0..<150).contains(y) && (0..<150).contains(x)
        let ink = isDrawn ? 1 - Double(drawn.picture.values[y * 150 + x]) / 255 : 0
        let isPaper = (20..<(height - 20)).contains(row) && (25..<(width - 25)).contains(column)
        var tone = isPaper || margin == nil ? paper * (1 - darkness * ink) : margin ?? 0
        tone *= 1 - gradient * (Double(row) / Double(height) + Double(column) / Double(width)) / 2
        if Double(column) < 153 - lean * Double(row) { tone *= 1 - shadow }
        return tone
      }
      // No lens draws an edge sharper than this.
      let picture = sharp.blurred(1).mapped { _, _, tone in
        Double(tone) + generator.normal(deviation: noise)
      }
      let place = Transform.translation(x: Double(left), y: Double(top))
      return (picture, drawn.truth.transformed(by: place))
    }
  }

  /// A face with two hairs: four strokes that do not touch.
  private static let face: [[(Double, Double)]] = [
    (0...48).map { step in
      let turn = Transform.rotation(Double(step) * .pi / 24)
      return (50 + 32 * turn.a, 60 + 38 * turn.b)
    },
    [(5, 0), (25, 20)], [(95, 0), (75, 20)], [(40, 75), (50, 80), (60, 75)],
  ]

  private func check(_ page: Page, seed: UInt64, _ comment: Comment) throws {
    var generator = SeededGenerator(seed: seed)
    let drawn = try Drawn(Self.face, side: 150)
    let (picture, truth) = page.picture(of: drawn, using: &generator)
    let traced = try Vectorizer().trace(picture)
    #expect(traced.drawing.strokes.count == 4, comment)
    #expect(traced.drawing.farness(from: truth) < 1.5, comment)
    #expect(traced.doubts.isEmpty, comment)
  }

  @Test(
    "Ink of any darkness is found on any page: with margins, in shadow and in a falling light",
    arguments: 0..<24)
  func anyPage(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    var page = Page(
      paper: generator.uniform(215...250), darkness: generator.uniform(0.3...0.8),
      noise: generator.uniform(0...2))
    if generator.chance(0.5) { page.margin = generator.chance(0.5) ? 255 : 80 }
    if generator.chance(0.5) { page.gradient = generator.uniform(0...0.5) }
    if generator.chance(0.5) { page.shadow = generator.uniform(0...0.4) }
    try check(page, seed: seed, "seed \(seed): \(page)")
  }

  @Test(
    "Where a shadow's edge crosses the page's, at any angle, there is no stroke",
    arguments: [-1.73, -0.37, 0.37, 1.73])
  func crossedEdges(lean: Double) throws {
    let page = Page(margin: 80, shadow: 0.25, lean: lean)
    try check(page, seed: 5, "lean \(lean)")
  }

  @Test("Pale ink on paper with a white margin is ink, and the paper is not")
  func whiteMargin() throws {
    try check(Page(paper: 235, darkness: 0.28, margin: 255), seed: 1, "")
  }

  @Test("A page on a dark desk is a page with dark ink, however large the desk is")
  func desk() throws {
    try check(Page(margin: 60), seed: 2, "")
  }

  @Test("Chalk on a board that is lit unevenly is found as its negative is")
  func board() throws {
    var generator = SeededGenerator(seed: 3)
    let page = Page(paper: 200, darkness: 0.5, gradient: 0.4)
    let drawn = try Drawn(Self.face, side: 150)
    let picture = page.picture(of: drawn, using: &generator).picture
    #expect(try Vectorizer()(picture.inverted) == Vectorizer()(picture))
  }

  @Test("What may have gone wrong is told: areas, the picture's edge, and ink left out")
  func doubts() throws {
    let drawn = try Drawn(Self.face, side: 150)
    #expect(try Vectorizer().trace(drawn.picture).doubts.isEmpty)
    var generator = SeededGenerator(seed: 4)
    let pale = Page(paper: 235, darkness: 0.28, margin: 255)
    let sheet = pale.picture(of: drawn, using: &generator).picture
    let global = try Vectorizer(thresholding: .global).trace(sheet)
    #expect(global.drawing.strokes.count == 1)
    #expect(global.doubts == [.leftOut, .areas])
    let framed = drawn.picture.mapped { row, column, tone in
      min(row, column, 149 - row, 149 - column) < 2 ? 0 : Double(tone)
    }
    #expect(try Vectorizer(thresholding: .global).trace(framed).doubts == [.edge])
    // A line of a thick pen, and on all of the paper dots that are too small.
    let dotted = try Drawn([[(0, 0), (90, 0)]], side: 150, pen: 12).picture.mapped {
      row, column, tone in
      row % 8 < 3 && column % 8 < 3 && (3..<147).contains(row) && (3..<147).contains(column)
        ? 0 : Double(tone)
    }
    let traced = try Vectorizer().trace(dotted)
    #expect(traced.drawing.strokes.count == 1)
    #expect(traced.doubts == [.leftOut])
  }
}
