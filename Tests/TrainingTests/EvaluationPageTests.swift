import Evaluation
import Foundation
import Ink
import TestTools
import Testing

@testable import Training

@Suite("Evaluation page")
struct EvaluationPageTests {
  func page(_ records: [EvaluationRecord], labels: [String]) throws -> String {
    try EvaluationPage.html(
      summary: ReportRecords.summary(records, labels: labels), records: records)
  }

  @Test(
    "The page is well nested, its ids are unique and its links lead somewhere", arguments: [3, 60])
  func nesting(classCount: Int) throws {
    let records = ReportRecords.many(600, classCount: classCount, seed: 2)
    let html = try page(records, labels: (0..<classCount).map { "class \($0)" })
    let tags = try PageTags(html)
    let (names, ids, links) = (tags.names, tags.ids, tags.links)
    #expect(Set(ids).count == ids.count)
    for link in links where link != "#closed" && link != "data:," {
      #expect(ids.contains(String(link.dropFirst())), "\(link) leads nowhere")
    }
    #expect(names.isSuperset(of: ["h1", "h2", "h3", "table", "caption", "symbol", "use", "dl"]))
    #expect(names.isDisjoint(with: ["script", "img", "iframe", "object", "form"]))
  }

  @Test("Untrusted labels, names and paths stay text")
  func escaping() throws {
    let evil = "<script>alert('x')</script>\" onload=\"y\" & \u{0}"
    var records = [
      ReportRecords.record(evil, evil, 0.9), ReportRecords.record(evil, "b", 0.8),
      ReportRecords.record("b", evil, 0.7, recognized: false),
    ]
    records[0].drawing.id = evil
    var facts = ReportRecords.facts
    facts.modelPath = evil
    facts.dataPaths = [evil]
    let summary = try EvaluationSummary(records: records, labels: [evil, "b"], facts: facts)
    let html = try EvaluationPage.html(summary: summary, records: records)
    #expect(!html.contains("<script"))
    #expect(!html.contains("\" onload"))
    #expect(!html.unicodeScalars.contains("\u{0}"))
    #expect(html.contains("&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;&quot; onload"))
    _ = try PageTags(html)
  }

  @Test("Nothing is loaded from elsewhere")
  func selfContained() throws {
    let html = try page(
      ReportRecords.many(200, classCount: 5, seed: 3), labels: (0..<5).map { "class \($0)" })
    for outside in ["http://", "https://", "src=", "@import", "url(//", "<script"] {
      #expect(!html.contains(outside), "\(outside)")
    }
    let first = html.split(separator: "url(").dropFirst()
    #expect(first.allSatisfy { $0.hasPrefix("#") })
  }

  @Test("Every picture that is not decoration says what it shows")
  func accessible() throws {
    let html = try page(ReportRecords.five, labels: ["cat", "dog"])
    for piece in html.split(separator: "<svg").dropFirst() {
      let tag = piece.prefix { $0 != ">" }
      let isNamed = tag.contains("role=\"img\"") && tag.contains("aria-label=\"")
      #expect(isNamed || tag.contains("aria-hidden=\"true\""), "\(tag)")
    }
    #expect(html.contains("aria-label=\"Drawing of cow, answered dog, 50\u{202f}%, refused\""))
    #expect(html.contains("1 drawing of cat answered dog"))
    #expect(html.contains("lang=\"en\""))
    #expect(html.contains("scope=\"row\"") && html.contains("scope=\"col\""))
  }

  @Test("Below each picture is the drawing's id")
  func ids() throws {
    var records = ReportRecords.five
    for index in records.indices { records[index].drawing.id = "pet-\(index + 1)" }
    let html = try page(records, labels: ["cat", "dog"])
    // Mistakes and the drawings of a cell; a pair's strip has it as a tooltip.
    let line = "<span class=\"line id\"><bdi>pet-2</bdi></span>"
    #expect(html.components(separatedBy: line).count - 1 == 2)
    #expect(html.contains("<span title=\"pet-2\"><svg"))
    #expect(html.contains("answered dog, 80\u{202f}%; id pet-2\""))
    // Right ones only in their cell.
    #expect(html.contains("<bdi>pet-1</bdi>"))
    _ = try PageTags(html)
  }

  @Test("Many drawings and long labels leave the page below five million bytes")
  func size() throws {
    var records = ReportRecords.many(3000, classCount: 245, seed: 4)
    let long = String(repeating: "long ", count: 2000)
    for index in records.indices {
      records[index].truth += long
      // 60 characters, which may be many bytes.
      records[index].drawing.id = String(repeating: "i\u{301}\u{301}\u{301}", count: 60)
    }
    let labels = (0..<245).map { "class \($0)" }
    let html = try page(records, labels: labels)
    #expect(html.utf8.count < 5_000_000)
    let usual = try page(
      ReportRecords.many(3000, classCount: 245, seed: 4), labels: labels)
    #expect(usual.utf8.count < 5_000_000)
    #expect(usual.utf8.count > 100_000)
  }

  @Test("The same records give the same page")
  func deterministic() throws {
    let records = ReportRecords.many(300, classCount: 50, seed: 6)
    let labels = (0..<50).map { "class \($0)" }
    #expect(try page(records, labels: labels) == page(records, labels: labels))
  }

  @Test("A page without drawings is an error; one with only right answers says so")
  func ends() throws {
    let summary = try ReportRecords.summary(ReportRecords.five, labels: ["cat"])
    #expect(throws: EvaluationError.empty(what: "confidences")) {
      try EvaluationPage.html(summary: summary, records: [])
    }
    let html = try page([ReportRecords.record("a", "a", 1)], labels: ["a"])
    #expect(html.contains("No mistakes."))
    #expect(html.contains("every answer is right"))
  }
  @Test("The matrix has classes also where there are many and none was confused")
  func noConfusions() throws {
    let labels = (0..<50).map { "class \($0)" }
    let html = try page(labels.map { ReportRecords.record($0, $0, 1) }, labels: labels)
    #expect(html.contains("24 classes, of 50."))
  }
}
