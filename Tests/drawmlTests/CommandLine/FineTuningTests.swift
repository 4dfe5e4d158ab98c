import Foundation
import Glibc
import TestTools
import Testing

extension CommandLineTests {
  @Suite("Training a base further")
  struct FineTuningTests {
    /// A folder with a small base of one network, m.drawml, and drawings of two shapes that it was
    /// taught, and of one that is new to it.
    private func prepare() async throws -> (folder: TestFolder, train: String) {
      let folder = try await Fixture.folderWithModel()
      for shape in ["house", "star", "sun"] {
        try folder.write(Fixture.lines(shape, 20..<32), to: "new/\(shape).ndjson")
      }
      return (folder, "train new --base m.drawml --epochs 3 --seed 4 --output tuned.drawml")
    }

    @Test("The embedding changes, the report tells both accuracies, and nothing else is left")
    func whole() async throws {
      let (folder, train) = try await prepare()
      let before = try folder.read("m.drawml")
      let run = try await folder.run("\(train) --format json --log run.jsonl --report page.html")
      let report = try run.object()
      #expect(report["epochs"] as? Int == 3 && report["labels"] as? Int == 3)
      #expect(report["trainingDrawings"] as? Int == 33 && report["validationDrawings"] as? Int == 3)
      for key in ["validationAccuracy", "baseValidationAccuracy"] {
        #expect((report[key] as? Double).map { (0...1).contains($0) } == true, "\(key)")
      }
      #expect(report["labelDoubts"] is NSNull)
      #expect((report["curves"] as? [[String: Any]])?.count == 1)
      #expect(try folder.read("m.drawml") == before, "the base stays as it was")
      #expect(
        try folder.names
          == ["m.drawml", "new", "page.html", "run.jsonl", "tuned.drawml"])
      let log = String(decoding: try folder.read("run.jsonl"), as: UTF8.self)
      #expect(log.contains(#""event":"epoch""#))
      // The embedding is another one, and knows what trained it: the base's drawings, too.
      let diff = try await folder.run("diff m.drawml tuned.drawml")
      #expect(diff.output.contains("embedding"))
      let fixture = try await Fixture.shared
      let judged = try await folder.run(
        "evaluate \(fixture.taught)/star.ndjson \(fixture.unseen)/star.ndjson --model tuned.drawml "
          + "--format json")
      // Of the base's ten stars one had only judged it.
      #expect(try judged.object()["count"] as? Int == 11)
      // By the same seed the same bytes, whatever the number of threads.
      let first = try folder.read("tuned.drawml")
      try await folder.run(train)
      #expect(try folder.read("tuned.drawml") == first)
    }

    @Test("Killed and resumed, it gives the bytes of one that never stopped; finished, it says so")
    func resumed() async throws {
      let (folder, train) = try await prepare()
      try await folder.run(train)
      let expected = try folder.read("tuned.drawml")
      let finished = try await folder.run("\(train) --resume", status: 1)
      #expect(
        finished.errors.contains(
          "tuned.drawml is finished: there is no checkpoint beside it to go on from."))
      #expect(try folder.read("tuned.drawml") == expected)
      try FileManager.default.removeItem(atPath: folder.path + "/tuned.drawml")

      let process = try folder.start("\(train) --resume")
      _ = try await process.wait { process.errorsSoFar.contains("epoch 1") }
      process.signal(SIGINT)
      let stopped = try await process.end()
      #expect(
        stopped.errors.hasSuffix("Stopped; continue with the same command and --resume.\n"))
      #expect(
        try folder.names.filter { $0.hasPrefix("tuned") }
          == ["tuned.drawml.picture.member.checkpoint"])
      let other = try await folder.run(
        "train new --base m.drawml --epochs 3 --seed 4 --set training.learningRate=0.01 "
          + "--output tuned.drawml --resume", status: 1)
      #expect(other.errors.contains("cannot resume: the checkpoint has learningRate"))
      // Weights of another base of the same layers began another training.
      try await folder.run("train new --epochs 1 --seed 9 --output m2.drawml")
      let start = try await folder.run(
        "\(train.replacingOccurrences(of: "m.drawml", with: "m2.drawml")) --resume", status: 1)
      #expect(start.errors.contains("cannot resume: the checkpoint has start "), "\(start.errors)")
      let last = try await folder.run("\(train) --resume")
      #expect(last.errors.contains("Continuing from step "))
      #expect(try folder.read("tuned.drawml") == expected)
      #expect(!folder.has("tuned.drawml.picture.member.checkpoint"))
    }

    @Test("Each network of a base is trained, and a finished one is not trained again")
    func networks() async throws {
      let folder = try TestFolder()
      for shape in ["circle", "house", "star", "sun", "tree"] {
        try folder.write(Fixture.lines(shape, 0..<8), to: "everyday/\(shape).ndjson")
      }
      try folder.write(Fixture.lines("key", 0..<8), to: "signs/key.ndjson")
      try folder.write(Fixture.lines("cloud", 0..<8), to: "signs/cloud.ndjson")
      try folder.write(Repository.tinyRecipe(hasTeacher: false), to: "recipe.json")
      try await folder.run(
        "train-base everyday characters=signs --recipe recipe.json --output base.drawml")
      // Long enough that it is killed before its end.
      let train = "train everyday --base base.drawml --epochs 40 --output m.drawml"
      let run = try await folder.run("\(train) --format json")
      let curves = try #require(try run.object()["curves"] as? [[String: Any]])
      #expect(curves.compactMap { $0["network"] as? String } == ["picture", "strokes"])
      #expect(try folder.names.filter { $0.hasPrefix("m.") } == ["m.drawml"])
      let expected = try folder.read("m.drawml")

      let process = try folder.start(train)
      _ = try await process.wait { folder.has("m.drawml.strokes.member.checkpoint") }
      process.signal(SIGKILL)
      _ = try await process.end()
      let longer = try await folder.run(
        "train everyday --base base.drawml --epochs 41 --output m.drawml --resume --force",
        status: 1
      )
      #expect(
        longer.errors.contains(
          "m.drawml.picture.member was trained for 40 epochs, not 41: continue with --epochs 40")
      )
      let last = try await folder.run("\(train) --resume --force")
      #expect(last.errors.contains("picture: already trained, in m.drawml.picture.member"))
      #expect(try folder.read("m.drawml") == expected)
    }

    @Test("Whoever judges is told that the base was trained on labels of other drawings")
    func knownLabels() async throws {
      let (folder, _) = try await prepare()
      try folder.write(Fixture.lines("cloud", 0..<12), to: "others/cloud.ndjson")
      try folder.write(Fixture.lines("key", 0..<12), to: "others/key.ndjson")
      try await folder.run("train others --base m.drawml --epochs 2 --output tuned.drawml")
      try await folder.run("update new/star.ndjson --model tuned.drawml")
      try folder.write(Fixture.lines("star", 40..<44), to: "star.ndjson")
      let run = try await folder.run("evaluate star.ndjson --model tuned.drawml")
      #expect(
        run.errors.contains("on 1 of the 1 labels: the result is too optimistic"), "\(run.errors)")
    }

    @Test("Forgetting says what it cannot undo")
    func forgetting() async throws {
      let (folder, train) = try await prepare()
      try await folder.run(train)
      let run = try await folder.run("forget --model tuned.drawml --label ☀️")
      #expect(
        run.output.contains(
          "11 of them trained the embedding, whose weights keep what they learned."),
        "\(run.output)")
      let base = try await folder.run("train new --base m.drawml --output kept.drawml")
      #expect(base.status == 0)
      let kept = try await folder.run("forget --model kept.drawml --label ☀️ --format json")
      #expect(try kept.object()["inEmbedding"] as? Int == 0)
    }

    @Test("A training that was stopped goes on to more epochs, not to fewer")
    func moreEpochs() async throws {
      let (folder, train) = try await prepare()
      let process = try folder.start(train)
      _ = try await process.wait { process.errorsSoFar.contains("epoch 1") }
      process.signal(SIGINT)
      _ = try await process.end()
      let longer = train.replacingOccurrences(of: "--epochs 3", with: "--epochs 5")
      let run = try await folder.run("\(longer) --resume --format json")
      #expect(run.errors.contains("was planned for 3 epochs and has "))
      #expect(run.errors.contains("; it continues to 5. The learning rate now falls more slowly"))
      #expect(try run.object()["epochs"] as? Int == 5)
    }

    @Test(
      "What cannot be trained further is told",
      arguments: [
        ("--epochs 3 --set view.sequence.steps=8", 1, "is of a new embedding, which --base"),
        ("--epochs 0 --log a.jsonl", 64, "or add --epochs to train it further"),
        ("--resume", 64, "With --base no embedding is trained: leave out --resume, --validation, "),
        ("--epochs 3 --set training.shardSize=0", 1, "shardSize is 0; it must be from 1 to 4096"),
        ("--set training.epochs=-1", 1, "epochs is -1; it must be from"),
        (
          "--set training.learningRate=0.01", 1, "training is set, but the base's embedding is kept"
        ),
      ])
    func refused(options: String, status: Int, message: String) async throws {
      let (folder, _) = try await prepare()
      let run = try await folder.run(
        "train new --base m.drawml --output t.drawml \(options)", status: status)
      #expect(run.errors.contains(message), "\(run.errors)")
      #expect(try folder.names == ["m.drawml", "new"])
    }

    @Test("A model of another program can only be taught")
    func imported() async throws {
      let (folder, _) = try await prepare()
      try await folder.run(
        "import coreml --model '\(Repository.teacher)' --white 255 --output theirs.drawml")
      let run = try await folder.run(
        "train new --base theirs.drawml --epochs 2 --output t.drawml", status: 1)
      #expect(run.errors.contains("theirs.drawml does not say how its networks are made"))
    }
  }
}
