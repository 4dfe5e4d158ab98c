@testable import Capture
import Foundation
import Ink
import Numbers
import Testing

@Suite("Lines of text")
struct TextLineTests {
  private static func line(_ text: String, _ x: Double, _ y: Double) -> TextLine {
    TextLine(text: text, boundingBox: BoundingBox(x: x, y: y, width: 100, height: 12))
  }

  @Test("CA-003: Rows from top to bottom, in a row by the least x, whatever the order was")
  func order() {
    let lines = [
      Self.line("d", 300, 130), Self.line("a", 10, 100), Self.line("c", 10, 125),
      Self.line("b", 300, 92), Self.line("e", 10, 160),
    ]
    var random = SeededGenerator(seed: 3)
    for _ in 0..<50 {
      #expect(
        lines.shuffled(using: &random).inReadingOrder(tolerance: 18).map(\.text)
          == ["a", "b", "c", "d", "e"])
    }
  }

  @Test("CA-003: Lines that differ by the tolerance are one row, by more are two")
  func tolerance() {
    let (left, right) = (Self.line("left", 0, 118), Self.line("right", 200, 100))
    #expect([left, right].inReadingOrder(tolerance: 18).map(\.text) == ["left", "right"])
    #expect([left, right].inReadingOrder(tolerance: 17.9).map(\.text) == ["right", "left"])
    #expect([TextLine]().inReadingOrder(tolerance: 18).isEmpty)
  }

  @Test("CA-002: A box in shares from the bottom left corner, in pixels from the top left one")
  func pixels() {
    let box = BoundingBox.rectForBoundingBox(
      BoundingBox(x: 0.25, y: 0.5, width: 0.5, height: 0.25), width: 400, height: 200)
    #expect(box == BoundingBox(x: 100, y: 50, width: 200, height: 50))
  }

  @Test("CA-002: The recognizer's table becomes lines with boxes and certainty")
  func table() {
    let table = """
      level\tpage_num\tblock_num\tpar_num\tline_num\tword_num\tleft\ttop\twidth\theight\tconf\ttext
      1\t1\t0\t0\t0\t0\t0\t0\t200\t100\t-1\t
      4\t1\t1\t1\t1\t0\t20\t10\t90\t10\t-1\t
      5\t1\t1\t1\t1\t1\t20\t10\t40\t10\t96.0\tOne
      5\t1\t1\t1\t1\t2\t70\t10\t40\t10\t90.0\tline
      5\t1\t1\t1\t2\t1\t20\t30\t40\t20\t80.0\tNext
      5\t1\t1\t1\t3\t1\t20\t60\t40\t20\t80.0\t
      5\t1\tbroken
      """
    let lines = TextRecognizer.lines(ofTable: table, width: 200, height: 100)
    #expect(lines.map(\.text) == ["One line", "Next"])
    #expect(abs(lines[0].confidence - 0.93) < 1e-9)
    let box = lines[0].boundingBox
    #expect(abs(box.x - 0.1) < 1e-9 && abs(box.y - 0.8) < 1e-9)
    #expect(abs(box.width - 0.45) < 1e-9 && abs(box.height - 0.1) < 1e-9)
  }
}

@Suite("Cleaning text")
struct TextCleaningTests {
  @Test(
    "CA-004: Hyphens, line breaks, spaces, page numbers",
    arguments: [
      ("A photo-\ngraph of\na page.", "A photograph of a page."),
      ("  two   spaces \t and\n\n\nlines ", "two spaces and lines"),
      ("It was\n1984 was\n12", "It was 1984 was"),
      ("It was in\n1984\nthat", "It was in 1984 that"), ("– 12 –\nThe end", "The end"),
      ("Page 12\nThe end", "The end"),
      ("12 of 300\nThe end\npage 3 of 9", "The end"),
      ("in the 1980-\n1990 years", "in the 1980- 1990 years"), ("", ""), ("12", ""),
      ("-\n-", "- -"),
    ])
  func rules(text: String, cleaned: String) {
    #expect(TextCleaning.cleaned(text) == cleaned)
  }

  @Test(
    "CA-004: A header that pages share goes, with the page's number in it; a first line does not")
  func headers() {
    let pages = [
      ["MOBY DICK 10", "Call me", "Ishmael."], ["MOBY DICK 11", "Some years", "ago"],
    ]
    #expect(TextCleaning.cleaned(pages: pages) == "Call me Ishmael. Some years ago")
    let apart = [["10", "MOBY DICK", "Call me"], ["MOBY DICK", "Yes.", "Some years", "11"]]
    #expect(TextCleaning.cleaned(pages: apart) == "Call me Yes. Some years")
    #expect(TextCleaning.cleaned(pages: [["Title", "text"]]) == "Title text")
    #expect(
      TextCleaning.cleaned(pages: [["a", "Yes.", "b"], ["c", "Yes."], ["d", "Yes."]])
        == "a Yes. b c d")
  }

  @Test("CA-004: Cleaning twice equals cleaning once, on random text")
  func idempotent() {
    var random = SeededGenerator(seed: 4)
    let parts = [
      "a", "Zoe", "12", "-", "–", " ", "  ", "\n", "page", "of", "3", "\t", "é", "\u{AD}", ".",
      "1984",
    ]
    for _ in 0..<3000 {
      let text = (0..<Int.random(in: 0...12, using: &random))
        .map { _ in parts.randomElement(using: &random) ?? "" }.joined()
      let once = TextCleaning.cleaned(text)
      #expect(TextCleaning.cleaned(once) == once, "\(text.debugDescription)")
    }
  }
}

@Suite("Configuration of reading")
struct PageReaderConfigurationTests {
  @Test("CA-001: The defaults are those that were asked for")
  func defaults() {
    let configuration = PageReader.Configuration()
    #expect(configuration.languages == ["en-US"])
    #expect(configuration.recognitionLevel == .accurate)
    #expect(configuration.usesLanguageCorrection)
    #expect(configuration.page.minimumAspectRatio == 0.5)
    #expect(configuration.page.minimumSize == 0.2)
    #expect(configuration.page.quadratureTolerance == 20)
    #expect(configuration.page.minimumConfidence == 0.5)
    #expect(configuration.yTolerance == 18)
    #expect(configuration.maxProcessingWidth == 1500)
  }

  @Test("CA-001: A language's name is the recognizer's")
  func languages() throws {
    #expect(try TextRecognizer.name(of: "en-US") == "eng")
    #expect(try TextRecognizer.name(of: "de") == "deu")
    #expect(try TextRecognizer.name(of: "fr-CA") == "fra")
    #expect(try TextRecognizer.name(of: "zh-Hant") == "chi_tra")
    #expect(PageReaderError.missingLanguage("chi_tra").description.hasSuffix("ocr-chi-tra"))
    #expect(throws: PageReaderError.unknownLanguage("")) { try TextRecognizer.name(of: "") }
    #expect(
      PageReaderError.missingLanguage("deu").description.hasSuffix(
        "apt-get install tesseract-ocr-deu"))
  }

  @Test("CA-006: Errors say what to do, word for word")
  func errors() {
    for error in [PageReaderError.invalidImage("a"), .recognitionFailed("b")] {
      #expect(error.description.contains("Try again with a clearer photo"))
    }
  }

  @Test("CA-005: An excerpt is the same after JSON")
  func excerpt() throws {
    let excerpt = ExcerptCapture(
      text: "Call me Ishmael.", createdAt: Date(timeIntervalSince1970: 1e9),
      sourceHint: "page.jpg", confidence: 0.9)
    let json = try JSONEncoder().encode(excerpt)
    #expect(String(decoding: json, as: UTF8.self).contains("\"2001-09-09T01:46:40Z\""))
    #expect(try JSONDecoder().decode(ExcerptCapture.self, from: json) == excerpt)
  }
}
