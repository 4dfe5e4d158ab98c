import Foundation
import Ink
import NeuralNetwork
import Recognition
import TestTools
import Testing

@testable import Interchange

/// What the page is made of; `Tests/Interop/test_web.py` opens it in a browser.
@Suite("Export: web page")
struct WebExportTests {
  private static func page(
    labels: [String] = ["flat", "steep"], title: String = "Draw", limit: Int? = nil
  ) async throws -> String {
    var recognizer = try ExportTests.recognizer([ExportTests.ink, ExportTests.points])
    let drawings = zip(ExportTests.drawings, 0...).map { drawing, index in
      var drawing = drawing
      drawing.label = labels[index % labels.count]
      return drawing
    }
    try await recognizer.update(with: drawings)
    return String(
      decoding: try WebExport.bytes(
        of: recognizer, title: title, software: "test 1",
        limit: limit ?? WebExport.usualLimit),
      as: UTF8.self)
  }

  @Test("Each file of the page comes after those that it imports")
  func modules() {
    var count = 0
    for (index, name) in WebPage.modules.enumerated() {
      let before = WebPage.modules.prefix(index)
      let imported = WebFiles.text(name).matches(of: /from "\.\/(.+)";/).map { String($0.1) }
      #expect(imported.allSatisfy(before.contains), "\(name): \(imported)")
      count += imported.count
    }
    #expect(count > 10)
  }

  /// What is between an element's first tag, by its attributes, and its end.
  private static func content(of element: String, in page: String) throws -> Substring {
    let start = try #require(page.range(of: "\(element)>")).upperBound
    let end = try #require(page[start...].range(of: "</")).lowerBound
    return page[start..<end]
  }

  @Test("The page holds the model as JSON, and its numbers as text")
  func content() async throws {
    let page = try await Self.page()
    let json = try Self.content(of: "id=\"model\"", in: page)
    let model = try #require(
      try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
    #expect(model["title"] as? String == "Draw")
    let terms = try #require(model["terms"] as? [String: Any])
    #expect(terms["labels"] as? [String] == ["flat", "steep"])
    let inputs = try #require(model["inputs"] as? [[String: Any]])
    #expect(inputs.map { $0["name"] as? String } == ["picture", "strokes"])
    let kinds = try #require(model["steps"] as? [[String: Any]]).compactMap {
      $0["kind"] as? String
    }
    #expect(
      Set(kinds) == [
        "normalization", "convolution", "rectifier", "sum", "maxPool", "means", "flattening",
        "linearMap", "unitVector", "product", "concatenation",
      ])
    let numbers = try Self.content(of: "id=\"numbers\"", in: page)
    #expect(Data(base64Encoded: String(numbers))?.first == 0x78, "zlib's format")
  }

  @Test("All files of the page's folder are in the program")
  func files() throws {
    let folder = Repository.path + "/Sources/Toolkit/Interchange/Web/Page"
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
        == WebFiles.all.keys.sorted())
  }

  @Test("The same model gives the same bytes; no mark for inserting is left")
  func bytes() async throws {
    let page = try await Self.page()
    #expect(try await Self.page() == page)
    #expect(!page.contains("[[policy]]") && !page.contains("[[numbers]]"))
    #expect(!page.contains("import {"), "a page's modules cannot import each other")
  }

  @Test(
    "No label or title can end the script element, or begin a comment",
    arguments: ["</script><script>alert(1)</script>", "<!--<script>", "]]>[[numbers]]<b>"])
  func hostile(text: String) async throws {
    let (page, usual) = (try await Self.page(labels: [text], title: text), try await Self.page())
    let json = try Self.content(of: "id=\"model\"", in: page)
    #expect(!json.contains("<"))
    #expect(
      page.components(separatedBy: "<").count == usual.components(separatedBy: "<").count)
    let model = try #require(
      try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
    #expect(model["title"] as? String == text)
  }

  @Test("A page that is too large is refused, and so is a model without labels")
  func refusals() async throws {
    let error = await #expect(throws: ExportError.self) { try await Self.page(limit: 100_000) }
    let advice = "MB is the most that is easily sent; train with the smaller"
    #expect(error?.description.contains(advice) == true)
    #expect(throws: ExportError.nothingTaught) {
      try WebExport.bytes(
        of: ExportTests.recognizer([ExportTests.ink]), title: "Draw", software: "test 1")
    }
  }
}
