import Foundation
import TestTools
import Testing

extension CommandLineTests {
  @Suite("Labels that may be wrong")
  struct LabelCheckTests {
    private static let base = Repository.path + "/models/base.drawml"
    private static let wrong: Set = ["synthetic-star-0000", "synthetic-house-0003"]

    /// Ten drawings of three labels, of which a star is called a house and a house a star.
    private func folder() throws -> TestFolder {
      let folder = try TestFolder()
      for shape in Fixture.shapes {
        var lines = try Fixture.lines(shape, 0..<10)
          .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        if shape == "star" { lines[0].replace("\"⭐\"", with: "\"🏠\"") }
        if shape == "house" { lines[3].replace("\"🏠\"", with: "\"⭐\"") }
        try folder.write(lines.joined(separator: "\n"), to: "drawings/\(shape).ndjson")
      }
      return folder
    }

    private func doubts(_ result: [String: Any]) throws -> [[String: Any]] {
      try #require(result["doubts"] as? [[String: Any]])
    }

    @Test("dataset check names wrong labels with file and line, and shows their pictures")
    func check() async throws {
      let folder = try folder()
      let check = "dataset check drawings --base \(Self.base)"
      let run = try await folder.run(
        "\(check) --format json --report page.html --answers answers.jsonl")
      let result = try run.object()
      #expect(result["judged"] as? Int == 30 && result["alone"] as? Int == 0)
      let doubts = try doubts(result)
      #expect(Self.wrong.isSubset(of: doubts.compactMap { $0["id"] as? String }))
      let star = try #require(doubts.first { $0["id"] as? String == "synthetic-star-0000" })
      #expect(star["label"] as? String == "🏠" && star["looksLike"] as? String == "⭐")
      #expect(star["file"] as? String == "drawings/star.ndjson" && star["line"] as? Int == 1)
      let sure = doubts.compactMap { $0["confidence"] as? Double }
      #expect(sure == sure.sorted(by: >) && (sure.first ?? 0) > 0.9)
      let page = String(decoding: try folder.read("page.html"), as: UTF8.self)
      #expect(page.contains("<bdi>synthetic-house-0003</bdi>"))
      #expect(page.contains("The doubtful drawings"))
      let answers = String(decoding: try folder.read("answers.jsonl"), as: UTF8.self)
      #expect(answers.split(separator: "\n").count == 30)
      let text = try await folder.run("\(check) --rows 1")
      #expect(text.output.contains("of 30 drawings look like another label: look at them"))
      #expect(text.output.contains(" more: --rows, --report or --answers show them"))
      #expect(text.output.contains("drawings/"))
      #expect(try folder.names == ["answers.jsonl", "drawings", "page.html"])
    }

    @Test("train and cross-validate name them, too")
    func elsewhere() async throws {
      let folder = try folder()
      let train = "train drawings --base \(Self.base) --output m.drawml"
      let trained = try await folder.run("\(train) --format json").object()
      let found = try #require(trained["labelDoubts"] as? [String: Any])
      #expect(Self.wrong.isSubset(of: try doubts(found).compactMap { $0["id"] as? String }))
      let text = try await folder.run(train)
      #expect(text.output.contains("of 30 drawings look like another label"))
      let folds = try await folder.run("cross-validate drawings --base \(Self.base) --folds 10")
      for id in Self.wrong { #expect(folds.output.contains("  \(id) (")) }
      let other = try await folder.run("\(train) --head prototype --format json").object()
      #expect(other["labelDoubts"] is NSNull)
    }

    @Test("Sound labels, single drawings, and what is not there")
    func others() async throws {
      let folder = try TestFolder()
      try folder.write(Fixture.lines("star", 0..<6), to: "d/star.ndjson")
      try folder.write(Fixture.lines("circle", 0..<6), to: "d/circle.ndjson")
      try folder.write(Fixture.lines("house", 0..<1), to: "d/house.ndjson")
      let check = "dataset check d --base \(Self.base)"
      let sound = try await folder.run(check)
      #expect(sound.output.contains("none of 12 drawings looks like another label than its own"))
      #expect(sound.output.contains("1 drawing of labels without another drawing cannot be judged"))
      let page = try await folder.run("\(check) --report page.html")
      #expect(page.output.contains("page.html"))
      #expect(
        String(decoding: try folder.read("page.html"), as: UTF8.self).contains("There are none."))
      let missing = try await folder.run("dataset check d --base no.drawml", status: 1)
      #expect(missing.errors.contains("no.drawml"))
      _ = try await folder.run("dataset check d", status: 64)
      let ending = try await folder.run("\(check) --answers a.txt", status: 64)
      #expect(ending.errors.contains("--answers is a .csv or .jsonl file"))
      #expect(try folder.names == ["d", "page.html"])
    }
  }
}
