import Foundation
import FoundationXML
import NotebookTools
import Support
import Testing

@testable import FirstModel
@testable import WhatItSees

/// The notebooks tell their stories to the end and leave what they promise.
@Suite("Notebooks")
struct NotebookTests {
  @Test("both run, one after the other, and leave their pictures")
  func bothRun() async throws {
    let folder = NSTemporaryDirectory() + "/drawml-notebooks-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: folder) }
    var setting = Setting()
    setting.drawings = Guide.starter
    setting.output = folder
    (setting.isQuick, setting.isPrinting) = (true, false)

    await #expect(throws: NotebookError.self) {
      try await WhatItSees(setting: setting).run()
    }
    let first = try await FirstModel(setting: setting).run()
    #expect(
      first == [
        "drawings.svg", "pixels.png", "augmentation.svg", "split.svg", "loss.svg", "accuracy.svg",
        "confusion.svg", "worst.svg",
      ])
    let second = try await WhatItSees(setting: setting).run()
    #expect(
      second == [
        "views.png", "map.svg", "neighbours.svg", "similarity.svg", "unsure.svg", "refusals.svg",
        "strangers.svg", "teaching.svg",
      ])
    for (name, pictures) in [("01-first-model", first), ("02-what-it-sees", second)] {
      let page = try String(contentsOfFile: "\(folder)/\(name)/index.html", encoding: .utf8)
      #expect(page.hasPrefix("<!doctype html>"))
      #expect(!page.contains("nan") && !page.contains("ANOTHER"))
      for picture in pictures {
        #expect(page.contains("src=\"\(picture)\""))
        try check("\(folder)/\(name)/\(picture)")
      }
    }
  }

  /// Checks that the picture can be read and shows something.
  private func check(_ path: String) throws {
    let bytes = try AtomicFile.read(path)
    guard path.hasSuffix(".svg") else {
      let picture = try PNG.decode(bytes, as: .gray)
      #expect(picture.values.contains { $0 < 128 }, "\(path) has no ink")
      #expect(picture.values.contains { $0 > 128 }, "\(path) has no ground")
      return
    }
    let counter = ElementCounter()
    let parser = XMLParser(data: Data(bytes))
    parser.delegate = counter
    #expect(parser.parse(), "\(path) is not well-formed")
    #expect(counter.count("svg") == 1)
    // A chart without data has a ground and five lines.
    #expect(counter.count("polyline") + counter.count("rect") > 6, "\(path) shows nothing")
    #expect(!String(decoding: bytes, as: UTF8.self).contains("nan"), "\(path) has no numbers")
  }

  @Test("the principal plane of points on a plane keeps them as they are")
  func planeOfAPlane() {
    // Three dimensions, all points in x and z, longer along x.
    let points: [Float] = [-4, 7, 1, 4, 7, 1, -4, 7, -1, 4, 7, -1]
    let plane = PrincipalPlane(of: points, dimension: 3, seed: 1)
    #expect(abs(plane.explained - 1) < 1e-9)
    for place in plane.places {
      #expect(abs(abs(place.x) - 4) < 1e-6)
      #expect(abs(abs(place.y) - 1) < 1e-6)
    }
  }

  @Test("text that XML reserves is escaped")
  func textIsEscaped() {
    var svg = SVG(width: 10, height: 10)
    svg.text("a < b & \"c\"", x: 1, y: 2.5)
    #expect(svg.text.contains(">a &lt; b &amp; &quot;c&quot;</text>"))
    #expect(svg.text.contains("y=\"2.5\""))
  }
}

private final class ElementCounter: NSObject, XMLParserDelegate {
  private var counts: [String: Int] = [:]

  func count(_ name: String) -> Int { counts[name, default: 0] }

  func parser(
    _ parser: XMLParser, didStartElement name: String, namespaceURI: String?,
    qualifiedName: String?, attributes: [String: String]
  ) {
    counts[name, default: 0] += 1
  }
}
