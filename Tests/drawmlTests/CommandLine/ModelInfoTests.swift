import Foundation
import Testing

extension CommandLineTests {
  @Suite("Models explained")
  struct ModelInfoTests {
    @Test("info gives the labels, the head, the embedding and the origin, under stable keys")
    func info() async throws {
      let folder = try await Fixture.folderWithModel()
      let info = try await folder.run("info m.drawml --format json").object()
      #expect(
        info.keys.sorted() == [
          "adaptation", "bytes", "embedding", "file", "fingerprint", "head", "kind", "labels",
          "origin", "priors", "refusing", "samples", "trainedLabels", "version",
        ])
      let bytes = try folder.read("m.drawml")
      #expect(info["kind"] as? String == "a DrawML model" && info["version"] as? Int == 3)
      #expect(info["bytes"] as? Int == bytes.count)
      let digest = try #require(info["fingerprint"] as? String)
      #expect(String(decoding: bytes.prefix(512), as: UTF8.self).contains("sha256 \(digest)\n"))
      let labels = try #require(info["labels"] as? [[String: Any]])
      #expect(labels.map { $0["label"] as? String } == Fixture.labels)
      #expect(labels.allSatisfy { $0["samples"] as? Int == 10 })
      #expect(info["samples"] as? Int == 30 && info["trainedLabels"] as? Int == 3)
      let head = try #require(info["head"] as? [String: Any])
      #expect(head["name"] as? String == "linear" && head["neighbors"] is NSNull)
      #expect(head["penalty"] is Double && info["adaptation"] is NSNull)
      #expect((info["refusing"] as? [String: Any])?["rate"] as? Double == 0.1)
      #expect((info["origin"] as? [String: Any])?["seed"] as? Int == 1)
      let embedding = try #require(info["embedding"] as? [String: Any])
      let members = try #require(embedding["members"] as? [[String: Any]])
      #expect(members.count == 1 && members[0]["view"] as? String == "picture")
      #expect(members[0]["weights"] as? Int == embedding["weights"] as? Int)

      let text = try await folder.run("info m.drawml")
      #expect(text.errors.isEmpty)
      #expect(text.lines[0] == "m.drawml: a DrawML model that knows 3 labels from 30 samples")
      #expect(text.lines[1].hasSuffix(" MB, intact, sha256 \(digest.prefix(12))"))
      #expect(
        text.lines.suffix(4) == [
          "label  samples", "⭐          10", "⭕          10", "🏠          10",
        ])
    }

    @Test("The model card of every model has counts by label, intervals, settings and fingerprint")
    func card() async throws {
      let folder = try await Fixture.folderWithModel()
      let info = try await folder.run("info m.drawml --format json").object()
      let card = try await folder.run("info m.drawml --card")
      #expect(card.errors.isEmpty)
      let digest = try #require(info["fingerprint"] as? String)
      #expect(card.lines.first == "# Model card: m.drawml")
      #expect(card.output.contains("| SHA-256 of the model | \(digest) |"))
      for label in Fixture.labels { #expect(card.lines.contains("| \(label) | 10 |")) }
      #expect(card.output.contains("% (95 %: ") && card.output.contains("validation drawings."))
      let json = try #require(
        card.output.firstMatch(of: /(?s)```json\n(.*?)\n```/).map { String($0.1) })
      let origin = try #require(info["origin"] as? [String: Any])
      let recipes = try #require(origin["recipes"] as? [[String: Any]])
      #expect(try Program.Run.object(json) as NSDictionary == recipes[0] as NSDictionary)

      // A label that is Markdown and HTML stays text.
      let label = "<b>|x](y)"
      try folder.write(
        Fixture.line("[[[0,10,20],[0,10,5]]]", label: label), to: "odd.ndjson")
      try await folder.run("update odd.ndjson --model m.drawml")
      let odd = try await folder.run("info m.drawml --card")
      #expect(odd.lines.contains(#"| \<b\>\|x\](y) | 1 |"#), "\(odd.output)")
      try await folder.run("info m.drawml --card --format json", status: 64)
    }

    @Test("Of another file, info says what it is and the command that goes on with it")
    func others() async throws {
      let folder = try await Fixture.folderWithModel()
      try folder.write(Fixture.sound, to: "my shapes.ndjson")
      try folder.write("<!DOCTYPE html><p>", to: "page.html")
      try folder.write("hello", to: "notes.txt")
      let drawings = try await folder.run("info 'my shapes.ndjson'")
      #expect(
        drawings.lines == [
          "my shapes.ndjson: stroke JSON", "Go on with: drawml dataset info 'my shapes.ndjson'",
        ])
      let all = try await folder.run("info .")
      #expect(all.lines == [".: a folder", "Go on with: drawml dataset info ."])
      try folder.write(Fixture.lines("star", 0..<1), to: "star.ndjson")
      try await folder.run("sample add star.ndjson --workspace w")
      let workspace = try await folder.run("info w")
      #expect(workspace.lines[0] == "w: the folder of a DrawML workspace")
      let next = try #require(workspace.lines.last?.split(separator: ": drawml ").last)
      let told = try await folder.run(String(next))
      #expect(told.output.contains("1 model"), "\(next) \(told.output)")
      let page = try await folder.run("info page.html --format json")
      #expect(try page.object()["kind"] as? String == "an HTML page")
      #expect(try page.object()["next"] is NSNull)
      let notes = try await folder.run("info notes.txt", status: 1)
      #expect(notes.output.isEmpty)
      #expect(notes.errors == "Error: cannot read notes.txt: it is not a DrawML model\n")
    }

    @Test("import says what a file is instead, and the networks that it takes are to be taught")
    func imports() async throws {
      let folder = try await Fixture.folderWithModel()
      for arguments in [
        "export onnx --model m.drawml --output m.onnx",
        "export coreml --model m.drawml --output m.mlmodel",
      ] {
        try await folder.run(arguments)
      }
      try folder.write("", to: "empty.onnx")
      try folder.write("", to: "folder/file")
      for (format, file, message) in [
        ("onnx", "m.drawml", "it is a DrawML model, not an ONNX graph"),
        (
          "onnx", "m.mlmodel",
          "it is a Core ML model, not an ONNX graph; go on with: drawml import coreml --model "
            + "m.mlmodel --output MODEL"
        ),
        ("coreml", "m.onnx", "it is an ONNX graph, not a Core ML model; go on with: drawml import"),
        ("onnx", "empty.onnx", "the model is damaged: it is empty"),
        ("coreml", "folder", "Is a directory; give the name of a file, not of a folder"),
      ] {
        let run = try await folder.run(
          "import \(format) --model \(file) --output n.drawml", status: 1)
        #expect(run.errors.contains("cannot read \(file): \(message)"))
        #expect(!folder.has("n.drawml"))
      }
      let networks = try await folder.run(
        "import onnx --model m.onnx --networks-only --output n.drawml")
      #expect(networks.lines[0].hasPrefix("n.drawml: networks alone, "))
      let advice = try #require(networks.lines.last)
      #expect(advice.hasPrefix("Teach it: drawml train DRAWINGS --base n.drawml"))
    }

    @Test("An exported workspace as --model: the error names the command, which names the model")
    func exportAsModel() async throws {
      let folder = try await Fixture.folderWithModel()
      try folder.write(Fixture.sound, to: "a.ndjson")
      try folder.write(Fixture.lines("star", 0..<4), to: "star.ndjson")
      try folder.write(Fixture.lines("house", 0..<4), to: "house.ndjson")
      for arguments in [
        "sample add star.ndjson house.ndjson", "model train",
        "workspace export --output studio.drawmlx",
      ] {
        try await folder.run("\(arguments) --workspace w")
      }
      for arguments in [
        "classify a.ndjson --model", "evaluate a.ndjson --model", "update a.ndjson --model",
        "segment a.ndjson --model", "forget --label x --model", "diff m.drawml",
        "train a.ndjson --output q.drawml --base",
      ] {
        let run = try await folder.run("\(arguments) studio.drawmlx", status: 1)
        #expect(run.output.isEmpty)
        #expect(
          run.errors.hasSuffix(
            "Error: cannot read studio.drawmlx: it is not a DrawML model but a DrawML export; go "
              + "on with: drawml workspace import studio.drawmlx\n"), "\(arguments)")
      }
      #expect(!folder.has("q.drawml"))
      for (name, kind) in [("m.drawml", "a DrawML model"), ("studio.drawmlx", "a DrawML export")] {
        for command in ["classify", "segment"] {
          let run = try await folder.run("\(command) \(name) --model m.drawml", status: 1)
          #expect(run.output.isEmpty)
          #expect(
            run.errors.hasPrefix(
              "Error: cannot read \(name): it is \(kind), not a file of drawings"))
        }
      }
      let taken = try await folder.run("workspace import studio.drawmlx --workspace new")
      #expect(taken.lines[0] == "“My first model”: 2 labels, 8 samples")
      let start = "  for --model: "
      let model = try #require(taken.lines.last { $0.hasPrefix(start) }).dropFirst(start.count)
      let answer = try await folder.run("classify star.ndjson --model \(model)")
      #expect(answer.output.contains("synthetic-star-0000: "))
    }

    @Test("diff shows samples added, removed and relabeled, and which answers differ by chance")
    func diff() async throws {
      let (fixture, folder) = (try await Fixture.shared, try await Fixture.folderWithModel())
      try folder.write(try folder.read("m.drawml"), to: "n.drawml")
      try folder.write(Fixture.lines("fish", 0..<2), to: "fish.ndjson")
      try folder.write(
        Fixture.lines("star", 0..<1).replacing("⭐", with: "🏠"), to: "relabeled.ndjson")
      for arguments in ["update fish.ndjson relabeled.ndjson --refuse 0.2", "forget --label ⭕"] {
        try await folder.run("\(arguments) --model n.drawml")
      }
      let models = "diff m.drawml n.drawml"
      let text = try await folder.run(models)
      #expect(text.errors.isEmpty)
      #expect(
        text.lines.prefix(9) == [
          "m.drawml: 3 labels, 30 samples; n.drawml: 3 labels, 22 samples", "new labels: 🐟",
          "removed labels: ⭕", "label  before  after  added  removed  relabeled",
          "⭐         10      9      0        0          0",
          "⭕         10      0      0       10          0",
          "🏠         10     11      0        0          1",
          "🐟          0      2      2        0          0",
          "added: synthetic-fish-0000, synthetic-fish-0001",
        ])
      #expect(text.lines.contains("relabeled: synthetic-star-0000 (⭐ to 🏠)"))
      #expect(text.lines.last?.hasPrefix("refusing  10.0 % of drawings of taught labels") == true)

      let judged = try await folder.run("\(models) \(fixture.unseen) --format json")
      #expect(judged.errors.contains("that n.drawml was not taught count as wrong: ⭕\n"))
      let difference = try judged.object()
      #expect(
        difference.keys.sorted() == [
          "after", "answers", "before", "isSame", "labels", "labelsAdded", "labelsRemoved",
          "settings",
        ])
      #expect(difference["isSame"] as? Bool == false)
      let answers = try #require(difference["answers"] as? [String: Any])
      #expect(answers["count"] as? Int == 30)
      let after = try #require(answers["after"] as? [String: Any])
      #expect(try #require(after["right"] as? Int) <= 20, "the ten circles cannot be right")
      let rows = try #require(answers["labels"] as? [[String: Any]])
      #expect(rows.first?["label"] as? String == "⭕" && rows.first?["rightAfter"] as? Int == 0)
      let test = try #require(answers["test"] as? [String: Any])
      #expect(try #require(test["pValue"] as? Double) < 0.05)

      let same = try await folder.run("diff m.drawml m.drawml")
      #expect(same.lines == ["m.drawml and m.drawml are the same model."])
    }
  }
}
