import Foundation
import HTTPTypes
import Recognition
import Testing
import Workspace

@testable import Studio

@Suite("The files of the page")
struct PageTests {
  private var folder: URL {
    URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../../Sources/Studio/Studio/Page").standardizedFileURL
  }

  @Test("O-001: every file of the folder is served as it is, and nothing else is")
  func table() throws {
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
      .filter { !$0.hasPrefix(".") }.sorted()
    let documents = [
      "index.html": "/", "trace.html": "/trace", "calm.html": "/calm",
      "calm-adult.html": "/calm/adult",
    ]
    let paths = names.map { documents[$0] ?? "/\($0)" }
    #expect(PageFile.all.map(\.path).sorted() == paths.sorted())
    for file in PageFile.all {
      let name =
        documents.first { $0.value == file.path }?.key ?? String(file.path.dropFirst())
      #expect(
        Data(file.bytes) == (try Data(contentsOf: folder.appendingPathComponent(name))),
        "\(name)")
    }
  }

  @Test("What the page says of the everyday model holds for the released one")
  func everyday() throws {
    let labels = Set(try BaseModel.everyday.recognizer().labels)
    let script = try #require(PageFile.all.first { $0.path == "/everyday.js" })
    let text = String(decoding: script.bytes, as: UTF8.self)
    #expect(text.contains("Try \(labels.count) everyday things"))
    let faces = try #require(text.firstMatch(of: /faces = \[([^\]]+)\]/)).1
      .matches(of: /"([^"]+)"/).map { String($0.1) }
    #expect(faces.count == 12 && labels.isSuperset(of: faces), "\(faces)")
  }

  @Test("Files have their types, and come again only when they have changed")
  func serving() async throws {
    let page = try await TestStudio().page()
    let index = try await page.get("/")
    #expect(index.headers[.contentType] == "text/html; charset=utf-8")
    let script = try await page.get("/app.js")
    #expect(script.headers[.contentType] == "text/javascript; charset=utf-8")
    let tag = try #require(script.headers[.eTag])
    let same = try await page.send(.get, "/app.js", headers: ["If-None-Match": tag])
    #expect(same.status == 304 && same.body.isEmpty)
    #expect(try await page.send(.head, "/app.js").body.isEmpty)
    #expect(try await page.get("/nothing.js").status == 404)
  }

  @Test(
    "X-001: the page has no script within, asks nothing of other machines, and knows its files")
  func policy() throws {
    for file in PageFile.all
    where file.type.hasPrefix("text/") && !file.path.hasPrefix("/license-") {
      // What comments and licenses name is not asked for.
      let text = String(decoding: file.bytes, as: UTF8.self)
        .split(separator: "\n").filter { !$0.hasPrefix("//") }.joined(separator: "\n")
      #expect(!text.contains("https://"), "\(file.path)")
      let local = text.replacing("http://www.w3.org", with: "")
      #expect(!local.contains("http://"), "\(file.path)")
      if file.type.hasPrefix("text/html") {
        #expect(text.firstMatch(of: /<script(?![^>]*\ssrc=)[^>]*>/) == nil)
        #expect(!text.contains("<style") && text.firstMatch(of: /\s(style|on[a-z]+)=/) == nil)
      }
      if file.type.hasPrefix("text/javascript") {
        #expect(!text.contains("eval(") && !text.contains("new Function"), "\(file.path)")
        for match in text.matches(of: /from\s+"\.\/([^"]+)"/) {
          #expect(PageFile.paths.contains("/\(match.1)"), "\(file.path) wants \(match.1)")
        }
      }
    }
  }
}
