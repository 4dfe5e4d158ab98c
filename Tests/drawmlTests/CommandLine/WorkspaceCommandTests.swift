import Foundation
import Glibc
import Pictures
import Testing

extension WorkspaceCommandLineTests {
  @Suite("Models, labels and samples of the workspace")
  struct WorkspaceCommandTests {
    private let folder: TestFolder

    init() throws { folder = try TestFolder() }

    /// Runs `drawml` on the workspace in the folder.
    @discardableResult
    private func run(
      _ line: String, status: Int = 0, input: String = "",
      sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> Program.Run {
      try await folder.run(
        "\(line) --workspace w", status: status, input: input, sourceLocation: sourceLocation)
    }

    private func object(
      _ line: String, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> [String: Any] {
      try await run("\(line) --format json", sourceLocation: sourceLocation).object()
    }

    /// Adds drawings of two shapes.
    private func addDrawings() async throws {
      try folder.write(Fixture.lines("star", 0..<4), to: "star.ndjson")
      try folder.write(Fixture.lines("house", 0..<4), to: "house.ndjson")
      try await run("sample add star.ndjson house.ndjson")
    }

    @Test("D-001: a new workspace has one active model, whose keys are stable")
    func firstModel() async throws {
      try await run("model create Animals")
      try await run("model delete Animals --yes")
      let models = try #require(try await object("model list")["models"] as? [[String: Any]])
      #expect(models.count == 1)
      #expect(
        models[0].keys.sorted() == [
          "created", "file", "id", "isActive", "isEveryday", "labelCount", "lastTrained", "name",
          "refusalRate", "sampleCount", "untrainedCount",
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

    @Test("A model of everyday things is taught one's own on top, and knows both")
    func everyday() async throws {
      let made = try await object("model create All --everyday --use")
      #expect(made["isEveryday"] as? Bool == true && made["labelCount"] as? Int == 0)
      try await run("model train", status: 1)
      try await addDrawings()
      let report = try await object("model train")
      #expect((report["labels"] as? [Any])?.count == 2)
      let models = try await object("model list")["models"] as? [[String: Any]]
      let path = try #require(models?.last?["file"] as? String)
      let answers = try await folder.run("classify star.ndjson --model \(path) --format json")
      #expect(answers.output.contains("⭐"), "\(answers.errors)")
      try await run("workspace check")
      let plain = try await object("model create Plain")
      #expect(plain["isEveryday"] as? Bool == false)
    }

    @Test("The file of a workspace's model is read, and changed only by what changes the workspace")
    func ownFile() async throws {
      try await addDrawings()
      try await run("model train")
      let name = try #require(try folder.names(in: "w/models").first { $0.hasSuffix(".drawml") })
      let file = "w/models/\(name)"
      let before = try folder.read(file)
      try FileManager.default.createSymbolicLink(
        atPath: folder.path + "/link.drawml", withDestinationPath: file)
      for arguments in [
        "forget --model \(file) --label ⭐", "update star.ndjson --model \(file)",
        "update star.ndjson --model link.drawml",
        "train star.ndjson house.ndjson --base \(file) --output \(file) --force",
      ] {
        let run = try await folder.run(arguments, status: 1)
        #expect(run.errors.contains("belongs to the workspace"), "\(run.errors)")
      }
      #expect(try folder.read(file) == before)
      try await folder.run("info \(file)")
      try await run("workspace check")
    }

    @Test("A workspace with a name like an address is the folder of that name, and no other")
    func address() async throws {
      for (name, model) in [("mine", "Mine"), ("file:mine", "Theirs")] {
        try await folder.run("model create \(model) --workspace \(name)")
      }
      let mine = try await folder.run("model list --workspace mine")
      #expect(mine.output.contains("Mine") && !mine.output.contains("Theirs"))
      #expect(folder.has("file:mine/workspace.sqlite"))
      let exported = try await folder.run("model export --workspace file:mine --output file:out")
      #expect(folder.has("file:out"), "\(exported.errors)")
      try await folder.run("model import file:out --workspace mine")
    }

    @Test("Models are made, renamed, used and deleted, by name or id")
    func models() async throws {
      let animals = try await object("model create Animals --use")
      #expect(animals["isActive"] as? Bool == true)
      let id = try #require(animals["id"] as? String)
      try await run("model rename Animals Tiere")
      #expect(try await run("model list").output.contains("*  Tiere"))
      #expect(try await run("model use 'My first model'").output == "“My first model” is active.\n")
      let kept = try await run("model delete \(id)", status: 64)
      #expect(
        kept.errors
          == "Error: This deletes the model “Tiere” with 0 samples. Add --yes to delete without "
          + "being asked.\n")
      #expect(
        try await run("model delete \(id) --yes").output
          == "“Tiere” is deleted. “My first model” is active.\n")
      let gone = try await run("model use Tiere", status: 1)
      #expect(
        gone.errors
          == "Error: There is no model “Tiere”. There is “My first model”.\n")
      for (name, advice) in [
        ("My frist model", "Did you mean “My first model”?"),
        ("my", "Did you mean “My first model”?"), ("x\u{1b}[2J", "There is “My first model”."),
      ] {
        let near = try await run("model export '\(name)' -o x", status: 1)
        #expect(near.errors.hasSuffix("”. \(advice)\n") && !near.errors.contains("\u{1b}"))
        #expect(near.errors.hasPrefix("Error: There is no model “"))
      }
      let taken = try await run("model create 'My first model'", status: 1)
      #expect(
        taken.errors
          == "Error: Couldn’t create the model. There is a model “My first model” already. Please "
          + "choose another name.\n")
    }

    @Test("Samples are added, listed as stroke JSON, relabeled and deleted")
    func samples() async throws {
      try await addDrawings()
      let again = try await object("sample add star.ndjson")
      #expect(again["added"] as? [String] == [])
      #expect(again["repeated"] as? Int == 4)
      // One that cannot be used is named, and none is added.
      try folder.write(
        """
        {"id":"fine","label":"⭐","strokes":[[[0,50,90],[0,70,10]]]}
        {"id":"odd","label":"a\\u0000","strokes":[[[0,50,90],[0,70,10]]]}
        """, to: "odd.ndjson")
      let odd = try await run("sample add odd.ndjson", status: 1)
      #expect(
        odd.errors.contains(#"odd.ndjson:2: the drawing with id "odd" has a label that has the"#))
      let lines = try await run("sample list --label ⭐ --format json")
        .lines
      #expect(lines.count == 4)
      let first = try Program.Run.object(lines[0])
      #expect(
        first.keys.sorted() == ["canvas", "created", "id", "isTaught", "label", "strokes"])
      #expect(try await run("sample list --limit 3").lines.count == 3)
      let id = try #require(first["id"] as? String)
      let changed = try await object("sample relabel \(id) 🌟")
      #expect(changed["label"] as? String == "🌟")
      let labels = try #require(try await object("label list")["labels"] as? [[String: Any]])
      #expect(labels.map { $0["label"] as? String } == ["⭐", "🌟", "🏠"])
      #expect(labels.map { $0["sampleCount"] as? Int } == [3, 1, 4])
      #expect(labels[0].keys.sorted() == ["label", "name", "sampleCount", "taughtCount"])
      let other = try await run("sample add star.ndjson --label ✨", status: 1)
      #expect(
        other.errors.contains("Error: Couldn’t save sample. The id “"), "\(other.errors)")
      #expect(other.errors.contains("Or add --new-ids."))
      try await run("sample add star.ndjson --label ✨ --new-ids")
      try await run("sample delete \(id)", status: 64)
      let deleted = try await object("sample delete \(id) --yes")
      #expect((deleted["deleted"] as? [[String: Any]])?.count == 1)
      try await run("sample delete \(id) --yes", status: 1)
      let renamed = try await object("label rename ✨ 🎇 --name fireworks")
      #expect(renamed["name"] as? String == "fireworks")
      #expect(renamed["sampleCount"] as? Int == 4)
      let taken = try await run("label rename 🎇 🏠", status: 1)
      #expect(
        taken.errors
          == "Error: Couldn’t rename the label. The model has the label “🏠” already. Merge "
          + "them, or choose another one.\n")
      try await run("label rename 🎇 🏠 --merge")
      // However it is written, it is asked about.
      let asked = try await run("label delete ' 🏠\u{fe0f} '", status: 64)
      #expect(
        asked.errors
          == "Error: This deletes the label 🏠 with 8 samples. Add --yes to delete without being "
          + "asked.\n")
      let house = try await object("label delete 🏠 --yes")
      #expect((house["deleted"] as? [String])?.count == 8)
      try await run("label rename ⭐", status: 64)
      // What is not there is said at once, not asked about.
      let unknown = try await run("label delete 🏠", status: 1)
      #expect(
        unknown.errors
          == "Error: Couldn’t delete the label. The model has no label “🏠”. Look at the "
          + "list of its labels.\n")
    }

    @Test(
      "A drawing is known again, also where its name is no id: in a folder of emojis, without one")
    func addedAgain() async throws {
      let strokes = "[[[0,10,20],[0,10,5]]]"
      try folder.write(
        Fixture.line(strokes, id: "⭐/1") + Fixture.line(strokes, id: "two words")
          + #"{"label":"x","strokes":\#(strokes)}"# + "\n", to: "étoiles.ndjson")
      let first = try await object("sample add étoiles.ndjson")
      #expect((first["added"] as? [String])?.count == 3)
      let again = try await object("sample add étoiles.ndjson")
      #expect(again["added"] as? [String] == [])
      #expect(again["repeated"] as? Int == 3)
      #expect(try await run("sample list").lines.count == 3)
      // Lines of standard input are known by their ink.
      for (ink, added) in [(strokes, 1), (strokes, 0), ("[[[5,6],[7,1]]]", 1)] {
        let run = try await run(
          "sample add - --format json", input: #"{"label":"y","strokes":\#(ink)}"# + "\n")
        #expect(try (run.object()["added"] as? [String])?.count == added, "\(run.errors)")
      }
    }

    @Test("A command does all that it says or nothing")
    func together() async throws {
      try await run("model create Other")
      let failed = try await run("model train --refuse 0.3", status: 1)
      #expect(failed.errors.hasPrefix("Error: Training failed."))
      let models = try await object("model list")["models"] as? [[String: Any]]
      #expect(models?.first?["refusalRate"] as? Double == 0.1)
      try await addDrawings()
      let long = String(repeating: "y", count: 81)
      try await run("label rename ⭐ 🌠 --name \(long)", status: 1)
      let labels = try await object("label list")["labels"] as? [[String: Any]]
      #expect(labels?.map { $0["label"] as? String } == ["⭐", "🏠"])
      try await run("model create 'My first model' --use", status: 1)
      #expect(try await run("model list").output.contains("*  My first model"))
    }

    @Test("Files of the user's own are named when they cannot be read or written")
    func userFiles() async throws {
      try await addDrawings()
      let imported = try await run("model import w", status: 1)
      #expect(
        imported.errors
          == "Error: Couldn’t import. Cannot read w: Is a directory; give the name of a file, not "
          + "of a folder.\n")
      for output in ["w/new.drawmlx", "w/workspace.sqlite --force"] {
        let own = try await run("model export --output \(output)", status: 1)
        #expect(own.errors.contains("would lie among the workspace's own"))
      }
      try await run("workspace check")
    }

    @Test("What can be read of a workspace goes to a new one")
    func rescue() async throws {
      try await addDrawings()
      let rescued = try await object("workspace rescue --output rescued.drawmlx")
      #expect(rescued["samples"] as? Int == 8 && rescued["models"] as? Int == 1)
      let taken = try await folder.run("workspace import rescued.drawmlx --workspace new")
      // It was never trained, so there is no file for --model.
      #expect(taken.output == "“My first model”: 2 labels, 8 samples\n", "\(taken.errors)")
      try folder.write("no database", to: "w/workspace.sqlite")
      let nothing = try await run("workspace rescue --output nothing.drawmlx", status: 1)
      #expect(nothing.errors.hasPrefix("Error: Couldn’t rescue anything."))
      #expect(!folder.has("nothing.drawmlx"))
      let check = try await run("workspace check", status: 1)
      #expect(check.errors.contains("drawml workspace rescue --output rescued.drawmlx"))
    }

    @Test(
      "A model is trained, its file is one for other commands, and it goes to another workspace")
    func trainAndMove() async throws {
      let nowhere = try await run("model train", status: 1)
      #expect(
        nowhere.errors.hasPrefix(
          "Error: There is no workspace in “w” yet. 'drawml studio', 'drawml model create', "))
      try await addDrawings()
      let ids = try await run("sample list").lines.map { $0.prefix { $0 != "\t" } }
      try await run("sample delete --yes \(ids.joined(separator: " "))")
      let empty = try await run("model train", status: 1)
      #expect(
        empty.errors
          == "Error: Training failed. Try with more samples. The model has no samples yet. Draw a "
          + "few and add them.\n")
      try await addDrawings()
      let report = try await object("model train --refuse 0.1")
      #expect(
        report.keys.sorted() == [
          "added", "labels", "mistakes", "model", "rates", "refusals", "relabelled", "removed",
          "samples",
          "seconds",
        ])
      #expect(try await object("model report") as NSDictionary == report as NSDictionary)
      #expect(report["added"] as? Int == 8)
      let labels = try #require(report["labels"] as? [[String: Any]])
      #expect(labels.map { $0["label"] as? String } == ["⭐", "🏠"])
      #expect(
        labels.allSatisfy {
          ($0["recognizedShare"] as? Double).map { (0...1).contains($0) } == true
        })
      #expect(labels.allSatisfy { $0["known"] is NSNull && $0["added"] is [String: Any] })
      let model = try #require(report["model"] as? [String: Any])
      #expect(model["refusalRate"] as? Double == 0.1)
      #expect(model["untrainedCount"] as? Int == 0)
      let file = try #require(model["file"] as? String)
      let answers = try await folder.run("classify star.ndjson --model \(file) --format json")
      #expect(answers.lines.count == 4)
      let again = try await run("model train").output
      #expect(again.contains("0 new, 0 relabeled") && again.contains("before, now: samples"))
      #expect(try await run("model report 'My first model'").output == again)
      try await run("model report Animals", status: 1)

      let export = try await object("workspace export --output all.drawmlx")
      #expect(export.keys.sorted() == ["artworks", "bytes", "file", "models", "samples"])
      let taken = try await folder.run(
        "workspace import all.drawmlx --workspace copy --format json")
      let copies = try #require(try taken.object()["added"] as? [[String: Any]])
      #expect(
        try taken.object().keys.sorted() == ["added", "addedArtworks", "models", "unchanged"])
      let known = try await folder.run("model import all.drawmlx --workspace copy")
      #expect(known.output == "Nothing new: “My first model” is already here.\n")
      #expect(copies.map { $0["id"] as? String } == [model["id"] as? String])
      #expect(copies[0]["isActive"] as? Bool == true)
      let check = try await folder.run("workspace check --workspace copy")
      #expect(check.output == "copy is sound.\n")
      try await run("model export --output one.drawmlx")
      let summary = try await object("workspace info")
      #expect(
        summary.keys.sorted() == [
          "activeModel", "artworks", "bytes", "folder", "models", "samples", "version",
        ])
      let foreign = try await run("model import star.ndjson", status: 1)
      #expect(
        foreign.errors
          == "Error: cannot read star.ndjson: it is stroke JSON, not a DrawML export; "
          + "go on with: drawml dataset info star.ndjson\n")

      // What has no drawings any more is forgotten, also the last of it.
      for label in ["⭐", "🏠"] { try await run("label delete \(label) --yes") }
      let forgotten = try await run("model train")
      #expect(forgotten.output == "“My first model” forgot 8 samples and knows nothing now.\n")
      #expect(!folder.has(file))
      let left = try #require(try await object("model list")["models"] as? [[String: Any]])
      #expect(left[0]["lastTrained"] is NSNull && left[0]["file"] is NSNull)
      #expect(try await run("model report", status: 1).errors.contains("Train the model"))
      #expect(try await run("model train", status: 1).errors == empty.errors)
    }

    @Test("A text that is no drawing is told as one, with the files that are read")
    func notes() async throws {
      for name in ["notes.txt", "notes.md", "notes"] {
        try folder.write("Buy milk.\n", to: name)
        let run = try await run("sample add \(name)", status: 1)
        #expect(!run.errors.contains("not START"))
        for ending in [".json", ".ndjson", ".png", ".h5"] {
          #expect(run.errors.contains(ending), "\(run.errors)")
        }
      }
      #expect(!folder.has("w"))
    }

    @Test("Commands that only read or change make no workspace; those that bring something do")
    func noWorkspace() async throws {
      try folder.write(Fixture.lines("star", 0..<2), to: "star.ndjson")
      for command in [
        "model list", "model rename a b", "model delete a --yes", "model use a", "model report",
        "model export -o x", "label list", "label rename a b", "label delete a --yes",
        "sample list", "sample relabel a b", "sample delete a --yes", "workspace info",
        "workspace check", "workspace export -o x",
      ] {
        let run = try await run(command, status: 1)
        #expect(run.errors.hasPrefix("Error: There is no workspace in “w” yet."), "\(command)")
        #expect(!folder.has("w") && !folder.has("x"))
      }
      for (file, message) in [
        ("none.drawmlx", "none.drawmlx: No such file or directory"),
        ("star.ndjson", "star.ndjson: it is stroke JSON, not a DrawML export"),
      ] {
        let run = try await run("model import \(file)", status: 1)
        #expect(run.errors.contains(message), "\(run.errors)")
        #expect(!folder.has("w"))
      }
      try await run("sample add star.ndjson")
      try await run("workspace check")
    }

    @Test("A damaged workspace is told by its check, with exit code 1")
    func damaged() async throws {
      try await addDrawings()
      let trained = try await object("model train")
      let file = try #require((trained["model"] as? [String: Any])?["file"] as? String)
      try folder.write("half", to: file)
      let check = try await run("workspace check", status: 1)
      #expect(check.output.contains("Train it again."))
      try await run("model train")
      try await run("workspace check")
    }

    @Test("The folder is drawml in $XDG_DATA_HOME where none is named")
    func standardFolder() async throws {
      let run = try await folder.shell(
        """
        export XDG_DATA_HOME="$PWD/data"
        $drawml workspace info; echo "$?"; ls
        $drawml model create A >/dev/null && $drawml workspace info
        """)
      #expect(run.output.hasPrefix("1\n" + folder.path + "/data/drawml\n"), "nothing was made")
      #expect(
        run.errors.hasPrefix("Error: There is no workspace in “\(folder.path)/data/drawml” yet."))
      #expect(folder.has("data/drawml/workspace.sqlite"))
    }
  }
}
