import Foundation
import Testing

extension CommandLineTests {
  @Suite("Benchmarks")
  struct BenchmarkTests {
    @Test("few-shot draws the same tasks from the same seed and gives the keys of the guide")
    func drawn() async throws {
      let (fixture, folder) = (try await Fixture.shared, try TestFolder())
      let arguments = [
        "benchmark", "few-shot", "--samples", fixture.unseen, "--model", fixture.model, "--ways",
        "2", "--shots", "3", "--queries", "5", "--strangers", "6", "--tasks", "12", "--format",
        "json",
      ]
      let report = try await Program.run(arguments, in: folder).object()
      #expect(
        Set(report.keys) == [
          "episodes", "accuracy", "confidenceInterval95", "auroc", "fpr95", "ece", "head",
          "samplesFingerprint",
        ])
      #expect(report["episodes"] as? Int == 12)
      let accuracy = try #require(report["accuracy"] as? Double)
      #expect(accuracy > 0.6, "two labels by chance: 0.5")
      let interval = try #require(report["confidenceInterval95"] as? [String: Double])
      #expect(try #require(interval["lower"]) <= accuracy)
      #expect(try #require(interval["upper"]) >= accuracy)
      let again = try await Program.run(arguments + ["--threads", "1"], in: folder).object()
      #expect(again["accuracy"] as? Double == accuracy)
      #expect(again["auroc"] as? Double == report["auroc"] as? Double)
    }

    @Test("few-shot runs the tasks of a file, and names a drawing that is not there")
    func file() async throws {
      let (fixture, folder) = (try await Fixture.shared, try TestFolder())
      // The same drawing taught and asked for: every embedding must answer rightly.
      let task = #"""
        {"episodes":[{"support":[{"id":"synthetic-star-0010","label":"a"},
        {"id":"synthetic-house-0010","label":"b"}],
        "query":[{"id":"synthetic-star-0010","label":"a"}]}]}
        """#
      try folder.write(task, to: "tasks.json")
      let arguments = [
        "benchmark", "few-shot", "--samples", fixture.unseen, "--model", fixture.model,
        "--episodes", "tasks.json", "--format", "json",
      ]
      let report = try await Program.run(arguments, in: folder).object()
      #expect(report["accuracy"] as? Double == 1)
      #expect(report["auroc"] == nil)
      try folder.write(
        task.replacingOccurrences(of: "star-0010", with: "star-0999"), to: "tasks.json")
      let run = try await Program.run(arguments, in: folder)
      #expect(run.status == 1)
      #expect(
        run.errors.contains(
          "episode 0 names the drawing synthetic-star-0999, which is not among the samples"))
    }

    @Test("few-shot says how many drawings a task needs")
    func tooFew() async throws {
      let (fixture, folder) = (try await Fixture.shared, try TestFolder())
      let run = try await Program.run(
        [
          "benchmark", "few-shot", "--samples", fixture.unseen, "--model", fixture.model, "--ways",
          "20",
        ],
        in: folder)
      #expect(run.status == 1)
      #expect(run.errors.contains("a task needs 20 labels of at least 15 drawings"))
    }
  }
}
