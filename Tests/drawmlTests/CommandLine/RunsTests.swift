import Foundation
import Glibc
import Testing

extension CommandLineTests {
  @Suite("Validation sets, the best epoch and lists of runs")
  struct RunsTests {
    private func folder() throws -> TestFolder {
      let folder = try TestFolder()
      for shape in Fixture.shapes {
        try folder.write(Fixture.lines(shape, 0..<9), to: "drawings/\(shape).ndjson")
      }
      return folder
    }

    @Test("Each run has a log of its own, and runs tells in what they differ and how well they did")
    func runs() async throws {
      let folder = try folder()
      let train = "train drawings --epochs 2 --threads 2 --log runs/ --output"
      try await folder.run("\(train) a.drawml")
      try await folder.run("\(train) b.drawml --set training.batchSize=8 --seed 2")
      let process = try folder.start("\(train) c.drawml --epochs 30 --resume")
      _ = try await process.wait { folder.has("c.drawml.checkpoint") }
      process.signal(SIGKILL)
      _ = try await process.end()
      let logs = try folder.names(in: "runs")
      #expect(logs.map { $0.first } == ["a", "b", "c"])
      #expect(logs.allSatisfy { $0.wholeMatch(of: /[abc]-\d{8}T\d{6}\.jsonl/) != nil }, "\(logs)")

      let run = try await folder.run("runs runs --report page.html")
      #expect(run.lines[0].contains("seed") && run.lines[0].contains("training.batchSize"))
      #expect(!run.lines[0].contains("learningRate"), "it is the same in all")
      #expect(run.output.contains("8") && run.output.contains(", stopped"))
      let found = try #require(
        try await folder.run("runs runs --format json").object()["runs"] as? [[String: Any]])
      #expect(found.map { $0["state"] as? String } == ["finished", "finished", "stopped"])
      #expect(found.map { $0["seed"] as? Int } == [1, 2, 1])
      let settings = try #require(found[1]["settings"] as? [String: String])
      #expect(settings["training.batchSize"] == "8")
      let page = String(decoding: try folder.read("page.html"), as: UTF8.self)
      #expect(page.contains("right at best, of 3 runs") && page.contains("Learning rate"))

      // What was stopped goes on in its log, and is still one run.
      try await folder.run("\(train) c.drawml --epochs 30 --resume")
      #expect(try folder.names(in: "runs") == logs)
      let ended = try #require(
        try await folder.run("runs runs --format json").object()["runs"] as? [[String: Any]])
      #expect(ended.count == 3 && ended[2]["state"] as? String == "finished")
      let curves = try #require(ended[2]["curves"] as? [[String: Any]])
      let epochs = try #require(curves[0]["epochs"] as? [[String: Any]])
      #expect(epochs.compactMap { $0["epoch"] as? Int } == Array(1...30))
    }

    @Test("Runs of one name in two folders, of two bases and in one second stay apart")
    func names() async throws {
      let folder = try folder()
      let train = "train drawings --epochs 2 --threads 2 --log runs/ --output"
      for name in ["x", "y"] {
        try FileManager.default.createDirectory(
          atPath: "\(folder.path)/\(name)", withIntermediateDirectories: false)
      }
      try await folder.run("\(train) x/m.drawml")
      try await folder.run("\(train) y/m.drawml --base x/m.drawml --resume --format json")
      let found = try #require(
        try await folder.run("runs runs --format json").object()["runs"] as? [[String: Any]])
      #expect(found.map { $0["output"] as? String } == ["x/m.drawml", "y/m.drawml"])
      #expect(found[0]["base"] is NSNull && (found[1]["base"] as? String)?.count == 64)
      #expect(try await folder.run("runs runs").lines[0].contains("base"))
      #expect(found.allSatisfy { $0["accuracy"] is Double })
      // What was trained and not written is not finished.
      let log = try folder.names(in: "runs")[0]
      let lines = String(decoding: try folder.read("runs/\(log)"), as: UTF8.self).split(
        separator: "\n")
      #expect(lines.last?.contains(#""event":"end""#) == true)
      try folder.write(
        lines.dropLast().joined(separator: "\n") + "\n", to: "cut/m-20261129T000000.jsonl")
      try folder.write(
        lines.joined(separator: "\n") + "\n", to: "cut/m-20261129T000000-2.jsonl")
      let cut = try #require(
        try await folder.run("runs cut --format json").object()["runs"] as? [[String: Any]])
      #expect(cut.map { $0["state"] as? String } == ["stopped", "finished"])
    }

    @Test("A run that goes on to more epochs has its last settings")
    func longer() async throws {
      let folder = try folder()
      let train = "train drawings --threads 2 --log run.jsonl --output c.drawml"
      let process = try folder.start("\(train) --epochs 30")
      _ = try await process.wait { folder.has("c.drawml.checkpoint") }
      process.signal(SIGKILL)
      _ = try await process.end()
      try await folder.run("\(train) --epochs 32 --resume")
      let found = try #require(
        try await folder.run("runs run.jsonl --format json").object()["runs"] as? [[String: Any]])
      #expect(found.count == 1 && found[0]["state"] as? String == "finished")
      #expect((found[0]["settings"] as? [String: String])?["training.epochs"] == "32")
    }

    @Test(
      "What is no log is told, and half a line is passed over",
      arguments: [
        ("none.jsonl", "cannot read none.jsonl: No such file"),
        ("drawings/star.ndjson", "drawings/star.ndjson is not a training log"),
        ("drawings", "there is no training log in drawings"),
      ])
    func noLog(path: String, problem: String) async throws {
      let folder = try folder()
      #expect(try await folder.run("runs \(path)", status: 1).errors.contains(problem))
      try folder.write(
        #"{"event":"start","format":"drawml-training-log","time":"2026-11-29T00:00:00Z","#
          + #""seconds":0,"step":0,"steps":2}"# + "\n"
          + #"{"event":"step","time":"","seconds":1e300,"step":1}"# + "\n" + #"{"event":"epo"#,
        to: "old.jsonl")
      let old = try await folder.run("runs old.jsonl")
      #expect(old.lines[1].contains("2026-11-29 00:00:00") && old.lines[1].contains("0, stopped"))
    }

    @Test(
      "--validation judges in place of a tenth; what is trained on, or of no label, is left out")
    func validation() async throws {
      let folder = try folder()
      for shape in Fixture.shapes + ["sun"] {
        try folder.write(Fixture.lines(shape, 8..<14), to: "judges/\(shape).ndjson")
      }
      // A copy that was moved is a copy, too.
      try folder.write(
        Fixture.line("[[[0,90,9,0],[0,4,80,0]]]", id: "own", label: "⭐"),
        to: "drawings/own.ndjson")
      try folder.write(
        Fixture.line("[[[5,95,14,5],[5,9,85,5]]]", id: "moved", label: "⭐"),
        to: "judges/moved.ndjson")
      let train = "train drawings --output m.drawml --epochs 2 --format json"
      let run = try await folder.run("\(train) --validation judges")
      #expect(run.errors.contains("6 validation drawings left out: of labels that are not trained"))
      #expect(run.errors.contains("4 validation drawings left out: also among the others"))
      let report = try run.object()
      #expect(
        report["trainingDrawings"] as? Int == 28 && report["validationDrawings"] as? Int == 15)
      #expect(report["samples"] as? Int == 43)
      #expect((report["validationFingerprint"] as? String)?.count == 64)
      let none = try await folder.run("\(train) --validation drawings", status: 1)
      #expect(none.errors.contains("no drawing of --validation is usable"))
      let kept = try await folder.run(
        "train drawings --base m.drawml --output b.drawml --validation judges", status: 64)
      #expect(kept.errors.contains("With --base no embedding is trained"))
    }

    @Test("--keep-best keeps the best epoch, says which, and gives the same bytes when resumed")
    func keepBest() async throws {
      let folder = try folder()
      let train = "train drawings --output m.drawml --epochs 6 --keep-best --report page.html"
      let run = try await folder.run("\(train) --format json")
      let curve = try #require(try run.object()["curve"] as? [String: Any])
      let epochs = try #require(curve["epochs"] as? [[String: Any]])
      let kept = try #require(curve["keptEpoch"] as? Int)
      let accuracies = epochs.compactMap { $0["validationAccuracy"] as? Double }
      #expect(accuracies[kept - 1] == accuracies.max())
      #expect(try run.object()["validationAccuracy"] as? Double == accuracies.max())
      let page = String(decoding: try folder.read("page.html"), as: UTF8.self)
      #expect(page.contains("The network of epoch \(kept) was kept"))
      let expected = try folder.read("m.drawml")
      let process = try folder.start(train)
      _ = try await process.wait { process.errorsSoFar.contains("epoch 4") }
      process.signal(SIGKILL)
      _ = try await process.end()
      let text = try await folder.run("\(train) --resume --force")
      #expect(text.output.contains("the network of epoch \(kept) is kept"))
      #expect(try folder.read("m.drawml") == expected)

      try folder.write(Fixture.lines("star", 0..<1), to: "few/star.ndjson")
      try folder.write(Fixture.lines("house", 0..<1), to: "few/house.ndjson")
      let few = try await folder.run("train few --output f.drawml --keep-best", status: 1)
      #expect(few.errors.contains("too few drawings to choose the best epoch"))
    }
  }
}
