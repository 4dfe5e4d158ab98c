import Foundation
import Glibc
import Testing

extension CommandLineTests {
  @Suite("Trainings that are followed, configured and cross-validated")
  struct FollowedTrainingTests {
    private static let train = "train drawings --output m.drawml --threads 2"

    private func folder() throws -> TestFolder {
      let folder = try TestFolder()
      for shape in Fixture.shapes {
        try folder.write(Fixture.lines(shape, 0..<9), to: "drawings/\(shape).ndjson")
      }
      return folder
    }

    private func lines(_ folder: TestFolder) throws -> [[String: Any]] {
      let text = String(decoding: try folder.read("run.jsonl"), as: UTF8.self)
      #expect(text.hasSuffix("\n"))
      return try text.split(separator: "\n").map { try Program.Run.object(String($0)) }
    }

    @Test("A killed training leaves whole lines, and a resumed one goes on in the same log")
    func log() async throws {
      let folder = try folder()
      // So many that it cannot be done before it is killed.
      let train = """
        \(Self.train) --epochs 60 --seed 5 --log run.jsonl --tensorboard runs/shapes
        --report page.html --format json --resume
        """
      let process = try folder.start(train)
      let seen = try await process.wait { process.errorsSoFar.contains("epoch 2") }
      try #require(seen, "\(process.errorsSoFar)")
      process.signal(SIGKILL)
      _ = try await process.end()
      let before = try lines(folder)
      #expect(before.first?["format"] as? String == "drawml-training-log")
      // It begins with what the run is of.
      #expect(before.first?["event"] as? String == "run")
      let facts = try #require(before.first?["run"] as? [String: Any])
      #expect(facts["seed"] as? Int == 5 && facts["threads"] as? Int == 2)
      #expect((facts["data"] as? String)?.count == 64)
      let settings = try #require(facts["settings"] as? [String: Any])
      #expect((settings["training"] as? [String: Any])?["epochs"] as? Int == 60)

      let run = try await folder.run(train)
      let all = try lines(folder)
      #expect(all.count > before.count)
      #expect(all.count { $0["event"] as? String == "start" } == 2)
      #expect(all.count { $0["event"] as? String == "run" } == 2)
      #expect(all.last?["event"] as? String == "end")
      // Steps that both runs did have the same numbers.
      var losses: [Int: Double] = [:]
      for line in all where line["event"] as? String == "step" {
        let step = try #require(line["step"] as? Int)
        let loss = try #require(line["loss"] as? Double)
        #expect(losses[step] == nil || losses[step] == loss)
        losses[step] = loss
      }
      // 24 drawings in batches of 16.
      #expect(losses.keys.sorted() == Array(1...120))
      #expect(try folder.names(in: "runs/shapes").count == 2)

      // The report has the epochs of both runs.
      let curve = try #require(try run.object()["curve"] as? [String: Any])
      let epochs = try #require(curve["epochs"] as? [[String: Any]])
      #expect(epochs.compactMap { $0["epoch"] as? Int } == Array(1...60))
      let logged = all.filter { $0["event"] as? String == "epoch" }.last
      #expect(logged?["validationLoss"] as? Double == epochs.last?["validationLoss"] as? Double)
      let page = String(decoding: try folder.read("page.html"), as: UTF8.self)
      #expect(page.contains("Learning curves") && page.contains("<path class=\"second\""))
    }

    @Test("A log goes on only in a log, and nothing is named for two outputs")
    func foreignLog() async throws {
      let folder = try folder()
      try folder.write("Dear diary,", to: "run.jsonl")
      let train = "\(Self.train) --epochs 1 --log"
      let refused = try await folder.run("\(train) run.jsonl", status: 1)
      #expect(refused.errors.contains("run.jsonl: it is a file of another"))
      #expect(try folder.read("run.jsonl") == Data("Dear diary,".utf8))
      let twice = try await folder.run("\(train) m.drawml", status: 64)
      #expect(twice.errors.contains("named for two outputs"))
      #expect(!folder.has("m.drawml"))
      try await folder.run("\(train) run.jsonl --force")
      #expect(try lines(folder).count == 7)
      // What is read stays, by whatever name, and with --force.
      let input = "drawings/star.ndjson"
      let before = try folder.read(input)
      for name in [input, "./" + input, folder.path + "/" + input] {
        let run = try await folder.run("\(train) \(name) --force", status: 1)
        #expect(run.errors.contains("it is read here; choose another name"))
      }
      #expect(try folder.read(input) == before)
      let checkpoint = try await folder.run("\(train) m.drawml.checkpoint", status: 64)
      #expect(checkpoint.errors.contains("named for two outputs"))
      let full = try await folder.run("\(train) /dev/full")
      #expect(full.errors.contains("continues without its log"))
    }

    @Test("Ids that no model can hold are refused before any training")
    func longIDs() async throws {
      let folder = try folder()
      let long = String(repeating: "i", count: 1025)
      try folder.write(Fixture.line("[[[0,9],[0,5]]]", id: long), to: "drawings/long.ndjson")
      let run = try await folder.run(Self.train, status: 1)
      #expect(run.errors.contains("1025 bytes in the id iiii"), "\(run.errors)")
      #expect(!run.errors.contains("epoch"))
      #expect(try folder.names == ["drawings"])
    }

    @Test("The printed settings give the same bytes again; options win over a file")
    func configuration() async throws {
      let folder = try folder()
      try folder.write(
        """
        training: {epochs: 2, batchSize: 8}
        network: {channels: [8, 16], dimension: 16}
        augmentation: {rotation: 5}
        seed: 7
        """, to: "some.yaml")
      let first = try await folder.run("\(Self.train) --config some.yaml --epochs 3")
      #expect(first.output.contains("3 epochs") && first.output.contains("seed 7"))
      let model = try folder.read("m.drawml")
      let printed = try await folder.run(
        "\(Self.train) --config some.yaml --epochs 3 --print-config")
      #expect(printed.errors.isEmpty)
      try folder.write(printed.output, to: "all.yaml")
      try await folder.run("train drawings --output n.drawml --threads 2 --config all.yaml")
      #expect(try folder.read("n.drawml") == model)
      let other = try await folder.run("\(Self.train) --config all.yaml --seed 8")
      #expect(other.output.contains("seed 8"))
      #expect(try folder.read("m.drawml") != model)
      try folder.write("sed: 3\n", to: "some.yaml")
      let wrong = try await folder.run("\(Self.train) --config some.yaml", status: 1)
      let message = "sed is not a setting; --print-config without --config shows all"
      #expect(wrong.errors == "Error: some.yaml, line 1: \(message)\n")
    }

    @Test("Labels of few drawings are told, and judged by macro recall beside the accuracy")
    func unequalLabels() async throws {
      let folder = try folder()
      try folder.write(Fixture.lines("star", 9..<40), to: "drawings/more.ndjson")
      let train = "\(Self.train) --epochs 2 --log run.jsonl --report page.html"
      let run = try await folder.run("\(train) --format json")
      let note =
        "3 of 3 labels have fewer than 100 drawings to train on, the fewest 8: with --base,"
      #expect(run.errors.contains(note), "\(run.errors)")
      #expect(run.errors.contains(", macro recall "))
      let result = try run.object()
      let (accuracy, recall) = (
        try #require(result["validationAccuracy"] as? Double),
        try #require(result["validationMacroRecall"] as? Double)
      )
      // Four stars are held out, and one of each other shape.
      let counts = [4.0, 1, 1]
      let matches = (0..<20).contains { code in
        let right = [Double(code % 5), Double(code / 5 % 2), Double(code / 10)]
        return abs(right.reduce(0, +) / 6 - accuracy) < 1e-9
          && abs(zip(right, counts).reduce(0) { $0 + $1.0 / $1.1 } / 3 - recall) < 1e-9
      }
      #expect(matches, "accuracy \(accuracy) and macro recall \(recall)")
      let epoch = try #require(try lines(folder).last { $0["event"] as? String == "epoch" })
      #expect(epoch["validationMacroRecall"] as? Double == recall)
      let page = String(decoding: try folder.read("page.html"), as: UTF8.self)
      #expect(page.contains("Macro recall"))
      let first = try folder.read("m.drawml")
      try await folder.run("\(Self.train) --epochs 2 --set balance=1")
      #expect(try folder.read("m.drawml") != first, "by the balance alone")
    }

    @Test("Cross-validation judges each drawing once, the same way each time")
    func crossValidation() async throws {
      let folder = try folder()
      let base = try await Fixture.shared.model
      let arguments = "cross-validate drawings --folds 4 --base \(base) --format json --threads"
      let one = try await folder.run("\(arguments) 1 --report p.html")
      let result = try one.object()
      #expect(result["count"] as? Int == 27)
      let folds = try #require(result["folds"] as? [[String: Any]])
      #expect(folds.compactMap { $0["count"] as? Int } == [7, 7, 7, 6])
      let right = folds.reduce(0.0) {
        $0 + ($1["accuracy"] as? Double ?? 0) * Double($1["count"] as? Int ?? 0)
      }
      let accuracy = try #require(result["accuracy"] as? Double)
      #expect(abs(right / 27 - accuracy) < 1e-9)
      #expect(
        String(decoding: try folder.read("p.html"), as: UTF8.self).contains("Fold by fold"))
      let two = try await folder.run("\(arguments) 2")
      let again = try #require(try two.object()["folds"] as? [[String: Any]])
      #expect(again as NSArray == folds as NSArray)
      let many = try await folder.run(
        "cross-validate drawings --base \(base) --folds 28", status: 1)
      #expect(many.errors.contains("28 folds need as many"))
      #expect(try folder.names == ["drawings", "p.html"])
    }

    @Test("A drawing is not among those that taught the model which judges it")
    func noLeak() async throws {
      let folder = try TestFolder()
      // Labels that say nothing of the drawings: only who has seen a drawing knows its label.
      var lines = ""
      for shape in Fixture.shapes {
        for (number, line) in try Fixture.lines(shape, 0..<9).split(separator: "\n").enumerated() {
          lines += line.replacing(/"label":"[^"]*"/, with: #""label":"\#(number % 3)""#) + "\n"
        }
      }
      try folder.write(lines, to: "drawings.ndjson")
      let base = try await Fixture.shared.model
      let settings = """
        drawings.ndjson --base \(base) --no-adapt --head knn --neighbors 1 --format json
        """
      let run = try await folder.run("cross-validate --folds 9 \(settings)")
      let accuracy = try #require(try run.object()["accuracy"] as? Double)
      #expect(accuracy < 0.7)
      try await folder.run("train --output m.drawml \(settings)")
      let seen = try await folder.run(
        "evaluate drawings.ndjson --model m.drawml --include-taught --format json")
      let known = try #require(try seen.object()["accuracy"] as? Double)
      #expect(known == 1)
    }

    @Test("Several models are compared on the same drawings")
    func comparison() async throws {
      let folder = try await Fixture.folderWithModel()
      let fixture = try await Fixture.shared
      try await folder.run(
        "train \(fixture.taught) --base m.drawml --head prototype --output n.drawml")
      let run = try await folder.run(
        """
        evaluate \(fixture.unseen) --model m.drawml --model n.drawml --format json --report p.html
        """)
      let result = try run.object()
      let models = try #require(result["models"] as? [[String: Any]])
      #expect(models.compactMap { $0["count"] as? Int } == [30, 30])
      let pairs = try #require(result["pairs"] as? [[String: Any]])
      #expect(pairs.count == 1)
      // The same test as of 'diff'.
      let diff = try await folder.run("diff m.drawml n.drawml \(fixture.unseen) --format json")
      let answers = try #require(try diff.object()["answers"] as? [String: Any])
      #expect(pairs[0]["test"] as? NSDictionary == answers["test"] as? NSDictionary)
      #expect(folder.has("p.html"))
    }
  }
}
