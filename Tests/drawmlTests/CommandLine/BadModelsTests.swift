import Foundation
import Pictures
import Testing

extension WrongInputCommandLineTests {
  @Suite("Bad models, outputs and streams")
  struct BadModelsTests {
    @Test(
      "No model, truncated, changed, newer or missing: each command says which")
    func badModels() async throws {
      let folder = try await Fixture.folderWithModel()
      let model = try folder.read("m.drawml")
      try FileManager.default.removeItem(atPath: folder.path + "/m.drawml")
      try folder.write(Fixture.sound, to: "a.ndjson")
      try folder.write("hello\n", to: "text.drawml")
      try folder.write("", to: "empty.drawml")
      try folder.write(model.dropLast(1), to: "short.drawml")
      try folder.write(model + [0], to: "long.drawml")
      var changed = model
      changed[model.count / 2] ^= 1
      try folder.write(changed, to: "changed.drawml")
      var newer = model
      let version = try #require(newer.firstRange(of: Data("version 3\n".utf8)))
      newer.replaceSubrange(version, with: Data("version 9\n".utf8))
      try folder.write(newer, to: "newer.drawml")
      let before = try folder.names
      for (name, message) in [
        ("text.drawml", "it is not a DrawML model"),
        ("empty.drawml", "it is not a DrawML model"),
        (
          "short.drawml",
          "it is truncated (\(model.count - 1) of \(model.count) bytes); copy it again"
        ),
        (
          "long.drawml",
          "it is too long (\(model.count + 1) of \(model.count) bytes); copy it again"
        ),
        ("changed.drawml", "its checksum does not match, so some bytes changed; copy it again"),
        ("newer.drawml", "it has format version 9 and this drawml reads up to 3; update drawml"),
        ("gone.drawml", "No such file or directory; check the path"),
        (".", "Is a directory; give the name of a file, not of a folder"),
      ] {
        let bytes = try? folder.read(name)
        // Of a folder, info says that it is one.
        for arguments in [
          "classify a.ndjson --model \(name)", "update a.ndjson --model \(name)",
          "evaluate a.ndjson --model \(name) --report r.html", "forget --model \(name) --label x",
          "train a.ndjson --base \(name) --output q.drawml",
          "rasterize a.ndjson --model \(name) --output q.png", "info \(name) --card",
          "diff \(name) \(name)",
        ] + (name == "." ? [] : ["info \(name)"]) {
          let run = try await folder.run(arguments, status: 1)
          #expect(run.errors.hasSuffix("Error: cannot read \(name): \(message)\n"))
          #expect(run.output.isEmpty)
        }
        #expect((try? folder.read(name)) == bytes)
      }
      #expect(try folder.names == before)
    }

    @Test("An output that cannot be written is told before the work, and why")
    func badOutputs() async throws {
      let (fixture, folder) = (try await Fixture.shared, try TestFolder())
      try folder.write("a file", to: "file")
      try folder.write("another", to: "folder.png/file")
      try folder.write(Fixture.sound, to: "a.ndjson")
      for (output, message) in [
        ("missing/out.png", "No such file or directory; make its folder first, or check the path"),
        ("file/out.png", "Not a directory; a part of the path is a file, not a folder"),
        ("folder.png", "Is a directory; give the name of a file, not of a folder"),
      ] {
        for arguments in [
          "train \(fixture.taught) --output \(output)",
          "evaluate \(fixture.unseen) --model \(fixture.model) --report \(output)",
          "rasterize a.ndjson --output \(output)",
          "dataset convert a.ndjson --to ndjson --output \(output)",
          "dataset convert a.ndjson --to hdf5 --output \(output)",
        ] {
          let run = try await folder.run(arguments, status: 1)
          #expect(run.errors.hasSuffix("Error: cannot write \(output): \(message)\n"))
          if arguments.hasPrefix("train") || arguments.hasPrefix("evaluate") {
            #expect(run.errors.hasPrefix("Error: "), "nothing was read or trained before")
          }
        }
      }
      #expect(try folder.names == ["a.ndjson", "file", "folder.png"])
      #expect(try folder.read("file") == Data("a file".utf8))
      let folderError = try await folder.run(
        "dataset synthesize --output file/stars --shapes star", status: 1)
      #expect(
        folderError.errors == "Error: cannot make the folder file/stars: Not a directory; "
          + "a part of the path is a file, not a folder\n")
    }

    @Test("Where the disk takes no more, the old file stays whole and nothing else is left")
    func fullDisk() async throws {
      let folder = try await Fixture.folderWithModel()
      let before = try folder.read("m.drawml")
      try folder.write(Fixture.lines("fish", 0..<60), to: "fish.ndjson")
      // A limit on the size of files simulates a full disk: the same call fails in the same place.
      let hint =
        ": File too large; raise the limit on file sizes ('ulimit -f') and run it again: "
        + "nothing was changed\n"
      for (command, output) in [
        ("update fish.ndjson --model m.drawml", "m.drawml"),
        ("forget --label ⭐ --model m.drawml", "m.drawml"),
        ("train fish.ndjson --base m.drawml --output q.drawml", "q.drawml"),
        ("dataset convert fish.ndjson --output q.ndjson", "q.ndjson"),
        ("dataset convert fish.ndjson --output q.h5", "q.h5"),
        ("dataset synthesize --output . --shapes star", "./star.ndjson"),
        ("evaluate fish.ndjson --model m.drawml --report q.html", "q.html"),
        ("evaluate fish.ndjson --model m.drawml --answers q.jsonl", "q.jsonl"),
      ] {
        let run = try await folder.shell(
          "trap '' XFSZ; ulimit -f 8; exec $drawml \(command)", status: 1)
        #expect(run.errors.hasSuffix("Error: cannot write \(output)" + hint))
        #expect(try folder.names == ["fish.ndjson", "m.drawml"])
      }
      #expect(try folder.read("m.drawml") == before)
    }

    @Test("A standard output that takes nothing is an error, not a success")
    func badStandardOutput() async throws {
      let folder = try await Fixture.folderWithModel()
      try folder.write(Fixture.sound, to: "a.ndjson")
      for command in [
        "classify a.ndjson --model m.drawml", "dataset info a.ndjson", "--help", "help train",
        "train --help", "--version", "--generate-completion-script bash",
        "studio --port 0 --workspace w",
      ] {
        let full = try await folder.shell("$drawml \(command) > /dev/full", status: 1)
        #expect(
          full.errors.hasSuffix(
            "Error: cannot write standard output: No space left on device; "
              + "what was printed is incomplete\n"))
        let closed = try await folder.shell("$drawml \(command) >&-", status: 1)
        #expect(
          closed.errors.hasSuffix("Error: cannot write standard output: Bad file descriptor\n"))
      }
      // What a command has done by then stays done, and nothing else is said.
      let added = try await folder.shell(
        "$drawml sample add a.ndjson --workspace w > /dev/full", status: 1)
      #expect(added.errors.hasSuffix("; what was printed is incomplete\n"))
      let info = try await folder.run("workspace info --workspace w --format json")
      #expect(try info.object()["samples"] as? Int == 1)
    }

    @Test("A reader that leaves ends the program quietly, as it ends other programs")
    func brokenPipe() async throws {
      let folder = try await Fixture.folderWithModel()
      try folder.write(String(repeating: Fixture.sound, count: 400), to: "many.ndjson")
      // 128 and SIGPIPE's number.
      let run = try await folder.shell(
        "$drawml classify many.ndjson --model m.drawml | head -1", status: 141)
      #expect(run.lines.count == 1)
      #expect(run.output.hasPrefix("sound: "))
      #expect(run.errors.isEmpty)
      let ignored = try await folder.shell(
        "trap '' PIPE; $drawml classify many.ndjson --model m.drawml | head -1", status: 1)
      #expect(ignored.errors == "Error: cannot write standard output: Broken pipe\n")
    }

    @Test("A standard error that takes nothing stops no work and gets into no file")
    func badStandardError() async throws {
      let folder = try await Fixture.folderWithModel()
      try folder.write(Fixture.lines("fish", 0..<3), to: "fish.ndjson")
      for (index, redirection) in ["2>/dev/full", "2>&-", "<&- 2>&-"].enumerated() {
        let run = try await folder.shell(
          "$drawml train fish.ndjson --base m.drawml --output \(index).drawml \(redirection)")
        #expect(run.lines[0] == "\(index).drawml: knows 1 label from 3 samples")
        #expect(try folder.read("\(index).drawml") == folder.read("0.drawml"))
      }
    }

    @Test("Progress goes to standard error in plain lines where that is no terminal")
    func progress() async throws {
      let (fixture, folder) = (try await Fixture.shared, try TestFolder())
      let run = try await folder.run(
        "train \(fixture.taught) --base \(fixture.model) --output q.drawml")
      #expect(run.errors.hasPrefix("Reading 3/3 · 30 drawings · "))
      #expect(run.errors.contains("\nTeaching 30/30 · "))
      #expect(!run.errors.contains("\u{1b}") && !run.errors.contains("\r"))
      #expect(!run.output.contains("Teaching") && !run.output.contains("Reading"))
    }
  }
}
