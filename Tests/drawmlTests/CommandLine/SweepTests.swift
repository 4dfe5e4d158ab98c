import Foundation
import Glibc
import TestTools
import Testing

extension CommandLineTests {
  @Suite("Sweeps")
  struct SweepTests {
    private static let sweep = "sweep drawings --config sweep.yaml --output trials.jsonl --folds 3"

    private func folder(_ yaml: String) throws -> TestFolder {
      let folder = try TestFolder()
      for shape in Fixture.shapes {
        try folder.write(Fixture.lines(shape, 0..<9), to: "drawings/\(shape).ndjson")
      }
      try folder.write(yaml, to: "sweep.yaml")
      return folder
    }

    private func lines(_ folder: TestFolder) throws -> [[String: Any]] {
      try String(decoding: folder.read("trials.jsonl"), as: UTF8.self).split(separator: "\n")
        .map { try Program.Run.object(String($0)) }
    }

    @Test("A sweep that is stopped goes on where it was, and tells the best of all trials")
    func resume() async throws {
      let folder = try folder("vary: {training.epochs: [1, 2, 3], seed: [1, 2]}")
      let process = try folder.start(Self.sweep)
      let seen = try await process.wait { process.errorsSoFar.contains("Trial 3 of 6") }
      try #require(seen, "\(process.errorsSoFar)")
      process.signal(SIGKILL)
      _ = try await process.end()
      let before = try lines(folder)
      #expect(before.count == 3 && before[0]["format"] as? String == "drawml-sweep")
      let run = try await folder.run("\(Self.sweep) --report page.html")
      #expect(run.errors.contains("Continuing after 2 trials in trials.jsonl"))
      #expect(!run.errors.contains("Trial 2 of 6") && run.errors.contains("Trial 3 of 6"))
      let all = try lines(folder)
      #expect(all.count == 7)
      #expect(Array(all.prefix(3)) as NSArray == before as NSArray)
      let settings = all.dropFirst().compactMap { $0["settings"] as? [String: String] }
      #expect(settings.map { $0["training.epochs"] } == ["1", "1", "2", "2", "3", "3"])
      let accuracies = all.dropFirst().compactMap { $0["accuracy"] as? Double }
      let best = try #require(accuracies.max())
      let place = try #require(accuracies.firstIndex(of: best))
      let epochs = try #require(settings[place]["training.epochs"])
      #expect(run.output.contains("drawml train … --set 'training.epochs=\(epochs)'"))
      let page = String(decoding: try folder.read("page.html"), as: UTF8.self)
      #expect(page.contains("of 6 trials") && page.contains("training.epochs"))

      // A trial is what cross-validation with these settings gives.
      let same = try await folder.run(
        "cross-validate drawings --folds 3 --set training.epochs=3 --seed 1 --format json")
      #expect(try same.object()["accuracy"] as? Double == accuracies[4])
      // Nothing is tried again; other drawings are another sweep.
      let again = try await folder.run("\(Self.sweep) --format json")
      #expect(!again.errors.contains("Trial "))
      let seed = try #require(settings[place]["seed"])
      #expect(
        try again.object()["best"] as? String
          == "--set 'training.epochs=\(epochs)' --set 'seed=\(seed)'")
      try folder.write(Fixture.lines("star", 9..<12), to: "drawings/more.ndjson")
      let other = try await folder.run(Self.sweep, status: 1)
      #expect(
        other.errors.contains("trials.jsonl has trials of other drawings: name another --output"))
      #expect(try lines(folder).count == 7)
    }

    @Test(
      "The best trial's settings are a file for train, and a sweep that cannot begin leaves none")
    func best() async throws {
      let folder = try folder("training: {epochs: 1}\nvary: {training.batchSize: [8]}")
      let impossible = try await folder.run("\(Self.sweep)00 --best best.yaml", status: 1)
      #expect(impossible.errors.contains("300 folds need as many different drawings"))
      #expect(try folder.names == ["drawings", "sweep.yaml"])
      let run = try await folder.run("\(Self.sweep) --best best.yaml")
      #expect(run.output.contains("  drawml train … --config best.yaml\n"))
      let settings = String(decoding: try folder.read("best.yaml"), as: UTF8.self)
      #expect(settings.contains("batchSize: 8") && settings.contains("epochs: 1"))
      try await folder.run("train drawings --output m.drawml --config best.yaml")
      for (changed, problem) in [
        (
          "training: {epochs: 2}\nvary: {training.batchSize: [8]}",
          "other settings that do not vary"
        ),
        ("seed: 2\nvary: {training.batchSize: [8]}", "other settings that do not vary"),
      ] {
        try folder.write(changed, to: "sweep.yaml")
        let refused = try await folder.run(Self.sweep, status: 1)
        #expect(refused.errors.contains("trials.jsonl has trials of \(problem): name another"))
      }
    }

    @Test("With a base, heads are compared; a file of another kind stays")
    func heads() async throws {
      let folder = try folder("vary: {head: [plda, knn]}")
      let base = Repository.path + "/models/base.drawml"
      let run = try await folder.run("\(Self.sweep) --base \(base) --format json")
      let trials = try #require(try run.object()["trials"] as? [[String: Any]])
      #expect(trials.count == 2 && trials.allSatisfy { $0["count"] as? Int == 27 })
      try folder.write("Dear diary,", to: "trials.jsonl")
      let refused = try await folder.run(Self.sweep, status: 1)
      #expect(refused.errors.contains("trials.jsonl: it is a file of another kind"))
      #expect(try folder.read("trials.jsonl") == Data("Dear diary,".utf8))
      try folder.write("vary: {heads: [plda]}", to: "sweep.yaml")
      let wrong = try await folder.run("\(Self.sweep) --force", status: 1)
      #expect(wrong.errors.contains("sweep.yaml, line 1: vary: heads is not a setting"))
    }
  }
}
