import Datasets
import Ink
import Recognition
import TestTools
import Testing

@testable import Benchmarks
@testable import Training

/// After one correction the new label must not take whatever is unknown.
@Suite("One sample of a new label")
struct FewSamplesJudgeTests {
  /// 40 rounds of six labels of five drawings and one of one, and 30 drawings of other labels each.
  private func judged(_ samples: SampleSet, by model: String) async throws -> [TaskScores.OfSamples]
  {
    let runner = TaskRunner(
      base: try ModelFile.read("\(Repository.path)/models/\(model)"), modelPath: model,
      modelFingerprint: "", threads: 2, date: "")
    let tasks = try Episodes(
      drawnFrom: samples, count: 40, ways: 6, shots: 5, extraShots: 1, queries: 2, unknowns: 30,
      seed: 1)
    let outcomes = try await runner.run(tasks, on: samples, from: ("", "")) { _ in }
    let parts = try #require(try TaskScores(outcomes, dialTarget: 0.1).bySamples)
    #expect(parts.map(\.samples) == [1, 5])
    return parts
  }

  @Test("Of 30 unknown drawings it takes at most one; it was two and a half")
  func starter() async throws {
    let drawings = try DatasetFiles.read([Repository.path + "/datasets/starter"]).drawings
    let labels = Dictionary(grouping: drawings) { $0.label ?? "" }
    let few = labels.sorted { $0.key < $1.key }.flatMap { $0.value.prefix(8) }
    let parts = try await judged(try SampleSet(few), by: "base-slim.drawml")
    let taken = try #require(parts[0].unknownsPerLabel)
    #expect(taken <= 1, "\(taken)")
    #expect(taken > 0, "nothing is taught if nothing is taken")
    // What it is given it still knows.
    #expect(try #require(parts[0].accuracy) > 0.95)
  }

  @Test(
    "G-012: of unknown drawings that people made it takes no more than each other label",
    .enabled(if: SharedData.isPresent, "no real drawings at DRAWML_SHARED_DATA or ../shared/data"))
  func people() async throws {
    let labels = try HeldOutLabels(
      path: "\(Repository.path)/models/base-test-labels.json"
    ).test
    let drawings = try labels.flatMap {
      try DatasetFiles.read(["\(SharedData.folder)/quickdraw/\($0).ndjson"]).drawings.prefix(16)
    }
    let parts = try await judged(try SampleSet(Array(drawings)), by: "base.drawml")
    let (one, five) = (
      try #require(parts[0].unknownsPerLabel), try #require(parts[1].unknownsPerLabel)
    )
    #expect(one <= five, "\(one) and \(five)")
    // A single sample's label is never surer than it is right.
    #expect(try #require(parts[0].confidence) <= #require(parts[0].accuracy) + 0.05)
  }
}
