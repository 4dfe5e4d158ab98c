import Foundation
import Testing

extension CommandLineTests {
  @Suite("Answers per drawing")
  struct AnswersTests {
    /// The objects of a file of JSON Lines.
    private func rows(_ name: String, _ folder: TestFolder) throws -> [[String: Any]] {
      let text = String(decoding: try folder.read(name), as: UTF8.self)
      #expect(text.hasSuffix("\n"))
      return try text.split(separator: "\n").map { try Program.Run.object(String($0)) }
    }

    private static let keys: Set = [
      "id", "file", "line", "truth", "answer", "isRight", "confidence", "decision", "reason",
      "candidates",
    ]

    @Test("evaluate: a row for each drawing, as 'classify' answers it, and its place")
    func evaluate() async throws {
      let folder = try await Fixture.folderWithModel()
      try folder.write(Fixture.lines("star", 10..<14), to: "set/star.ndjson")
      // Of a label that the model does not know, and with one line for two drawings of an array.
      let fish = try Fixture.lines("fish", 0..<2).split(separator: "\n").joined(separator: ",")
      try folder.write("[\(fish)]", to: "set/fish.json")
      let run = try await folder.run(
        "evaluate set --model m.drawml --answers a.jsonl --report p.html --format json")
      let answers = try rows("a.jsonl", folder)
      #expect(answers.count == 6)
      #expect(answers.allSatisfy { Set($0.keys) == Self.keys.union(["model"]) })
      #expect(answers.allSatisfy { $0["model"] as? String == "m.drawml" })
      #expect(
        answers.compactMap { $0["id"] as? String }
          == (10...13).map { "synthetic-star-00\($0)" } + (0...1).map { "synthetic-fish-000\($0)" })
      #expect(answers.compactMap { $0["line"] as? Int } == [1, 2, 3, 4, 1, 1])
      #expect(answers[0]["file"] as? String == "set/star.ndjson")
      #expect(answers.compactMap { $0["truth"] as? String } == ["⭐", "⭐", "⭐", "⭐", "🐟", "🐟"])
      // The summary's numbers are those of the rows.
      let summary = try run.object()
      let right = answers.count { $0["isRight"] as? Bool == true }
      let accuracy = try #require(summary["accuracy"] as? Double)
      #expect(abs(accuracy - Double(right) / 6) < 1e-9)
      let recognized = answers.count { $0["decision"] as? String == "recognized" }
      let share = try #require(summary["recognizedShare"] as? Double)
      #expect(abs(share - Double(recognized) / 6) < 1e-9)
      // So are the answers those of 'classify', which tells the truth, too.
      let classified = try await folder.run(
        "classify set/star.ndjson --model m.drawml --format json")
      for (answer, line) in zip(answers, classified.lines) {
        let other = try Program.Run.object(line)
        for key in ["id", "truth", "decision", "reason", "confidence", "candidates"] {
          #expect(answer[key] as? NSObject == other[key] as? NSObject, "\(key)")
        }
        #expect(answer["answer"] as? String == other["label"] as? String)
      }
      let page = String(decoding: try folder.read("p.html"), as: UTF8.self)
      #expect(page.contains("<bdi>synthetic-fish-0000</bdi>"))
      let text = try await folder.run("evaluate set --model m.drawml --answers a.csv")
      #expect(text.output.hasSuffix("\n\nThe answers are in a.csv.\n"))
      let lines = String(decoding: try folder.read("a.csv"), as: UTF8.self).split(separator: "\n")
      #expect(lines.count == 7)
      #expect(lines[0].hasPrefix("model,id,file,line,truth,answer,isRight,confidence,decision,"))
      #expect(lines[1].hasPrefix("m.drawml,synthetic-star-0010,set/star.ndjson,1,⭐,"))
    }

    @Test("evaluate: what a model was taught, cannot be read or has no label has no row")
    func leftOut() async throws {
      let folder = try await Fixture.folderWithModel()
      let lines =
        try Fixture.lines("star", 9..<12) + "{\"strokes\":[[[0],[0,1]]]}\n"
        + Fixture.line("[[[0,9],[0,5]]]", id: "nameless", label: nil)
      try folder.write(lines, to: "d.ndjson")
      let evaluate = "evaluate d.ndjson --model m.drawml --answers a.jsonl"
      let invalid = try await folder.run(evaluate, status: 1)
      #expect(invalid.errors.contains("d.ndjson, line 4: "))
      #expect(try folder.names == ["d.ndjson", "m.drawml"])
      try await folder.run("\(evaluate) --skip-invalid")
      // Star 9 was taught.
      #expect(try rows("a.jsonl", folder).compactMap { $0["line"] as? Int } == [2, 3])
      try await folder.run("\(evaluate) --skip-invalid --include-taught")
      #expect(try rows("a.jsonl", folder).compactMap { $0["line"] as? Int } == [1, 2, 3])
      try folder.write(Fixture.line("[[[0,9],[0,5]]]", label: nil), to: "d.ndjson")
      let before = try folder.read("a.jsonl")
      let unlabeled = try await folder.run(evaluate, status: 1)
      #expect(unlabeled.errors.contains("has no label"))
      #expect(try folder.read("a.jsonl") == before)
    }

    @Test("evaluate: several models have a row each for each drawing, by the models' paths")
    func models() async throws {
      let folder = try await Fixture.folderWithModel()
      let fixture = try await Fixture.shared
      try await folder.run(
        "train \(fixture.taught) --base m.drawml --head prototype --output n.drawml")
      try await folder.run(
        "evaluate \(fixture.unseen) --model n.drawml --model m.drawml --answers a.jsonl")
      let answers = try rows("a.jsonl", folder)
      #expect(
        answers.compactMap { $0["model"] as? String }
          == Array(repeating: "n.drawml", count: 30) + Array(repeating: "m.drawml", count: 30))
      let ids = answers.compactMap { $0["id"] as? String }
      #expect(ids[..<30] == ids[30...] && Set(ids).count == 30)
    }

    @Test("cross-validate: each drawing has one row, with the fold that judged it")
    func crossValidation() async throws {
      let folder = try TestFolder()
      let base = try await Fixture.shared.model
      let lines = try Fixture.shapes.map { try Fixture.lines($0, 0..<9) }.joined()
      // One label is wrong: the first drawing is a circle.
      try folder.write(lines.replacing("\"⭕\"", with: "\"⭐\"", maxReplacements: 1), to: "d.ndjson")
      let run = try await folder.run(
        "cross-validate d.ndjson --folds 3 --base \(base) --answers a.jsonl --format json")
      let answers = try rows("a.jsonl", folder)
      #expect(answers.allSatisfy { Set($0.keys) == Self.keys.union(["fold"]) })
      #expect(Set(answers.compactMap { $0["id"] as? String }).count == 27)
      let folds = try #require(try run.object()["folds"] as? [[String: Any]])
      for fold in folds {
        let number = try #require(fold["fold"] as? Int)
        let part = answers.filter { $0["fold"] as? Int == number }
        #expect(part.count == fold["count"] as? Int)
        let right = part.count { $0["isRight"] as? Bool == true }
        let accuracy = try #require(fold["accuracy"] as? Double)
        #expect(abs(accuracy - Double(right) / Double(part.count)) < 1e-9)
      }
      let wrong = try #require(answers.first { $0["line"] as? Int == 1 })
      #expect(wrong["truth"] as? String == "⭐" && wrong["isRight"] as? Bool == false)
    }

    @Test("What lies elsewhere stays, and standard output takes the rows, the report not")
    func places() async throws {
      let folder = try await Fixture.folderWithModel()
      try folder.write(Fixture.lines("star", 10..<12), to: "d.ndjson")
      let evaluate = "evaluate d.ndjson --model m.drawml --format json"
      let rows = try await folder.run("\(evaluate) --answers /dev/stdout")
      #expect(try rows.lines.map { try Program.Run.object($0)["line"] as? Int } == [1, 2])
      #expect(rows.errors.contains("\"accuracy\""))
      let same = try await folder.run(
        "\(evaluate) --answers a.csv --report ./a.csv --force", status: 64)
      #expect(same.errors.contains("named for two outputs"))
      let missing = try await folder.run("\(evaluate) --answers gone/a.csv", status: 1)
      #expect(missing.errors.hasPrefix("Error: cannot write gone/a.csv: No such file"))
      try folder.write("x,y\n1,2\n", to: "a.csv")
      let foreign = try await folder.run("\(evaluate) --answers a.csv", status: 1)
      #expect(foreign.errors.contains("a.csv: it is a file of another kind, not a file of answers"))
      #expect(try folder.read("a.csv") == Data("x,y\n1,2\n".utf8))
      try await folder.run("\(evaluate) --answers a.csv --force")
      // No file of drawings.
      try await folder.run("\(evaluate) --answers a.jsonl")
      let read = try await folder.run("evaluate a.jsonl --model m.drawml", status: 1)
      #expect(read.errors.hasSuffix("a.jsonl: it is a file of answers, not a file of drawings\n"))
      #expect(try folder.names == ["a.csv", "a.jsonl", "d.ndjson", "m.drawml"])
    }
  }
}
