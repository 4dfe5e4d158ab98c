import Foundation
import Glibc
import Testing

extension CommandLineTests {
  @Suite("Models, labels and samples of the workspace")
  struct WorkspaceCommandTests {
    /// A folder with drawings of two shapes, and runs of `drawml` in it on a workspace of its own.
    private struct Desk {
      let folder = try? TestFolder()

      func run(_ arguments: [String], status: Int32 = 0) async throws -> Program.Run {
        let folder = try #require(folder)
        let run = try await Program.run(arguments + ["--workspace", "w"], in: folder)
        #expect(run.status == status, "\(arguments): \(run.errors)")
        return run
      }

      func object(_ arguments: [String]) async throws -> [String: Any] {
        try await run(arguments + ["--format", "json"]).object()
      }

      func addDrawings() async throws {
        let folder = try #require(folder)
        try folder.write(Fixture.lines("star", 0..<4), to: "star.ndjson")
        try folder.write(Fixture.lines("house", 0..<4), to: "house.ndjson")
        _ = try await run(["sample", "add", "star.ndjson", "house.ndjson"])
      }
    }

    @Test("A new workspace has one active model, whose keys are stable")
    func firstModel() async throws {
      let desk = Desk()
      let models = try #require(
        try await desk.object(["model", "list"])["models"] as? [[String: Any]])
      #expect(models.count == 1)
      #expect(
        models[0].keys.sorted() == [
          "created", "file", "id", "isActive", "labelCount", "lastTrained", "name", "refusalRate",
          "sampleCount", "untrainedCount",
        ])
      #expect(models[0]["name"] as? String == "My first model")
      #expect(models[0]["isActive"] as? Bool == true)
      #expect(models[0]["lastTrained"] is NSNull)
      #expect(models[0]["file"] is NSNull)
      let created = try #require(models[0]["created"] as? String)
      #expect(
        created.wholeMatch(of: try Regex(#"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z"#)) != nil,
        "\(created)")
    }

    @Test("Models are made, renamed, used and deleted, by name or id")
    func models() async throws {
      let desk = Desk()
      let animals = try await desk.object(["model", "create", "Animals", "--use"])
      #expect(animals["isActive"] as? Bool == true)
      let id = try #require(animals["id"] as? String)
      _ = try await desk.run(["model", "rename", "Animals", "Tiere"])
      #expect(try await desk.run(["model", "list"]).output.contains("*  Tiere"))
      #expect(
        try await desk.run(["model", "use", "My first model"]).output
          == "“My first model” is active.\n")
      let kept = try await desk.run(["model", "delete", id], status: 64)
      #expect(
        kept.errors.hasPrefix(
          "Error: This deletes the model “Tiere” with 0 samples. Say --yes to go on without being "
            + "asked."))
      #expect(
        try await desk.run(["model", "delete", id, "--yes"]).output
          == "“Tiere” is deleted. “My first model” is active.\n")
      let gone = try await desk.run(["model", "use", "Tiere"], status: 1)
      #expect(gone.errors == "Error: Couldn’t read your models. There is no model “Tiere”.\n")
      let taken = try await desk.run(["model", "create", "My first model"], status: 1)
      #expect(
        taken.errors
          == "Error: Couldn’t create the model. There is a model “My first model” already. Please "
          + "choose another name.\n")
    }

    @Test("Samples are added, listed as stroke JSON, relabelled and deleted")
    func samples() async throws {
      let desk = Desk()
      try await desk.addDrawings()
      let again = try await desk.object(["sample", "add", "star.ndjson"])
      #expect(again["added"] as? [String] == [])
      #expect(again["repeated"] as? Int == 4)
      let lines = try await desk.run(["sample", "list", "--label", "⭐", "--format", "json"]).lines
      #expect(lines.count == 4)
      let first = try Program.Run.object(lines[0])
      #expect(
        first.keys.sorted() == ["canvas", "created", "id", "isTaught", "label", "strokes"])
      #expect(try await desk.run(["sample", "list", "--limit", "3"]).lines.count == 3)
      let id = try #require(first["id"] as? String)
      let changed = try await desk.object(["sample", "relabel", id, "🌟"])
      #expect(changed["label"] as? String == "🌟")
      let labels = try #require(
        try await desk.object(["label", "list"])["labels"] as? [[String: Any]])
      #expect(labels.map { $0["label"] as? String } == ["⭐", "🌟", "🏠"])
      #expect(labels.map { $0["sampleCount"] as? Int } == [3, 1, 4])
      #expect(labels[0].keys.sorted() == ["label", "name", "sampleCount", "taughtCount"])
      let other = try await desk.run(
        ["sample", "add", "star.ndjson", "--label", "✨"], status: 1)
      #expect(
        other.errors.contains("Error: Couldn’t save sample. The id “"), "\(other.errors)")
      _ = try await desk.run(["sample", "add", "star.ndjson", "--label", "✨", "--new-ids"])
      _ = try await desk.run(["sample", "delete", id], status: 64)
      let deleted = try await desk.object(["sample", "delete", id, "--yes"])
      #expect((deleted["deleted"] as? [[String: Any]])?.count == 1)
      _ = try await desk.run(["sample", "delete", id, "--yes"], status: 1)
      let renamed = try await desk.object(
        ["label", "rename", "✨", "🎇", "--name", "fireworks"])
      #expect(renamed["name"] as? String == "fireworks")
      #expect(renamed["sampleCount"] as? Int == 4)
      let taken = try await desk.run(["label", "rename", "🎇", "🏠"], status: 1)
      #expect(
        taken.errors
          == "Error: Couldn’t rename the label. The model has the label “🏠” already.\n")
      _ = try await desk.run(["label", "rename", "🎇", "🏠", "--merge"])
      let house = try await desk.object(["label", "delete", "🏠", "--yes"])
      #expect((house["deleted"] as? [String])?.count == 8)
      _ = try await desk.run(["label", "rename", "⭐"], status: 64)
    }

    @Test(
      "A model is trained, its file is one for other commands, and it goes to another workspace")
    func trainAndMove() async throws {
      let desk = Desk()
      let empty = try await desk.run(["model", "train"], status: 1)
      #expect(
        empty.errors
          == "Error: Training failed. Try with more samples. The model has no samples yet. Draw a "
          + "few and add them.\n")
      try await desk.addDrawings()
      let report = try await desk.object(["model", "train", "--refuse", "0.1"])
      #expect(
        report.keys.sorted() == [
          "added", "labels", "mistakes", "model", "refusals", "relabelled", "removed", "samples",
        ])
      #expect(report["added"] as? Int == 8)
      let labels = try #require(report["labels"] as? [[String: Any]])
      #expect(labels.map { $0["label"] as? String } == ["⭐", "🏠"])
      #expect(
        labels.allSatisfy {
          ($0["recognizedAfter"] as? Double).map { (0...1).contains($0) } == true
        })
      #expect(labels.allSatisfy { $0["recognizedBefore"] is NSNull })
      let model = try #require(report["model"] as? [String: Any])
      #expect(model["refusalRate"] as? Double == 0.1)
      #expect(model["untrainedCount"] as? Int == 0)
      let file = try #require(model["file"] as? String)
      let folder = try #require(desk.folder)
      let answers = try await Program.run(
        ["classify", "star.ndjson", "--model", file, "--format", "json"], in: folder)
      #expect(answers.status == 0)
      #expect(answers.lines.count == 4)
      #expect(try await desk.run(["model", "train"]).output.contains("0 new, 0 relabelled"))

      let export = try await desk.object(["workspace", "export", "--output", "all.drawmlx"])
      #expect(export.keys.sorted() == ["bytes", "file", "models", "samples"])
      let taken = try await Program.run(
        ["workspace", "import", "all.drawmlx", "--workspace", "copy", "--format", "json"],
        in: folder)
      let copies = try #require(try taken.object()["models"] as? [[String: Any]])
      #expect(copies.map { $0["id"] as? String } == [model["id"] as? String])
      #expect(copies[0]["isActive"] as? Bool == true)
      let check = try await Program.run(["workspace", "check", "--workspace", "copy"], in: folder)
      #expect(check.output == "copy is sound.\n")
      _ = try await desk.run(["model", "export", "--output", "one.drawmlx"])
      let summary = try await desk.object(["workspace", "info"])
      #expect(
        summary.keys.sorted() == [
          "activeModel", "bytes", "folder", "models", "samples", "version",
        ])
      let foreign = try await desk.run(["model", "import", "star.ndjson"], status: 1)
      #expect(
        foreign.errors
          == "Error: Couldn’t import. The file cannot be imported: it is not an export of DrawML.\n"
      )
    }

    @Test("A damaged workspace is told by its check, with exit code 1")
    func damaged() async throws {
      let desk = Desk()
      try await desk.addDrawings()
      let folder = try #require(desk.folder)
      let trained = try await desk.object(["model", "train"])
      let file = try #require((trained["model"] as? [String: Any])?["file"] as? String)
      try folder.write("half", to: file)
      let run = try await desk.run(["workspace", "check"], status: 1)
      #expect(run.output.contains("Train it again."))
      _ = try await desk.run(["model", "train"])
      _ = try await desk.run(["workspace", "check"])
    }

    @Test("The folder is drawml in $XDG_DATA_HOME where none is named")
    func standardFolder() async throws {
      let folder = try TestFolder()
      let run = try await Program.shell(
        #"XDG_DATA_HOME="$PWD/data" $drawml workspace info"#, in: folder)
      #expect(run.status == 0)
      #expect(run.output.hasPrefix(folder.path + "/data/drawml\n"))
      #expect(folder.has("data/drawml/workspace.sqlite"))
    }
  }

  @Suite("Killed at any moment, a workspace loses nothing that was acknowledged")
  struct KilledWorkspaceTests {
    /// How many programs are killed; 200 where the variable says so.
    static let kills =
      ProcessInfo.processInfo.environment["DRAWML_KILLS"].flatMap { Int($0) } ?? 24

    @Test("While samples are added, models trained, renamed, deleted and imported")
    func kills() async throws {
      let folder = try TestFolder()
      for shape in ["star", "house", "circle"] {
        try folder.write(Fixture.lines(shape, 0..<4), to: "\(shape).ndjson")
      }
      func run(_ arguments: [String]) async throws -> Program.Run {
        let run = try await Program.run(arguments + ["--workspace", "w"], in: folder)
        try #require(run.status == 0, "\(arguments): \(run.errors)")
        return run
      }
      _ = try await run(["sample", "add", "circle.ndjson"])
      let start = ContinuousClock.now
      _ = try await run(["model", "train"])
      let training = ContinuousClock.now - start
      _ = try await run(["model", "export", "--output", "one.drawmlx"])
      /// By model: the ids that were acknowledged and not deleted since.
      var acknowledged = Set(try await ids(run(["sample", "list", "--format", "json"])))
      var generator = SystemRandomNumberGenerator()
      for kill in 0..<Self.kills {
        let name = "model \(kill)"
        let commands = [
          ["sample", "add", "star.ndjson", "--new-ids"],
          ["sample", "add", "house.ndjson", "--new-ids", "--label", "label \(kill)"],
          ["model", "train"], ["model", "create", name], ["model", "import", "one.drawmlx"],
          ["model", "rename", "My first model", "My first model"],
        ]
        let command = commands[kill % commands.count]
        let process = try Program.Process.start(
          [try Program.path()] + command + ["--format", "json", "--workspace", "w"],
          input: Data(), in: folder)
        let limit = command.last == "train" ? training : .milliseconds(150)
        try await Task.sleep(for: limit * Double.random(in: 0...1, using: &generator))
        process.signal(SIGKILL)
        let ended = try await process.end()
        if ended.status == 0, command[0] == "sample" {
          acknowledged.formUnion(try ended.object()["added"] as? [String] ?? [])
        }
        #expect(
          try await run(["workspace", "check"]).output == "w is sound.\n", "kill \(kill)")
        let kept = Set(try await ids(run(["sample", "list", "--format", "json"])))
        #expect(acknowledged.isSubset(of: kept), "kill \(kill): \(command)")
        // What came in unacknowledged came in whole.
        #expect((kept.count - 4) % 4 == 0, "kill \(kill): \(kept.count)")
        acknowledged = kept
        let models = try #require(
          try await run(["model", "list", "--format", "json"]).object()["models"]
            as? [[String: Any]])
        #expect(models.count { $0["isActive"] as? Bool == true } == 1)
        let others = models.filter { $0["isActive"] as? Bool == false }
        if kill % 8 == 7, let last = others.last?["id"] as? String {
          let deleting = try Program.Process.start(
            [try Program.path(), "model", "delete", last, "--yes", "--workspace", "w"],
            input: Data(), in: folder)
          try await Task.sleep(for: .milliseconds(Int.random(in: 0...120, using: &generator)))
          deleting.signal(SIGKILL)
          _ = try await deleting.end()
        }
      }
      let files = try FileManager.default.contentsOfDirectory(atPath: folder.path + "/w/models")
      #expect(files.allSatisfy { !$0.hasSuffix(".tmp") }, "what was half written is swept away")
    }

    private func ids(_ run: Program.Run) throws -> [String] {
      try run.lines.map { try #require(try Program.Run.object($0)["id"] as? String) }
    }
  }
}
