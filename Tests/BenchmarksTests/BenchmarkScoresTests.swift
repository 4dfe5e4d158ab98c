import Evaluation
import Ink
import Numbers
import Testing

@testable import Benchmarks
@testable import Training

/// Made-up answers for the tests of the benchmarks.
enum SyntheticTasks {
  static func answer(
    _ truth: String?, _ label: String, _ confidence: Double, near: Double, recognized: Bool = true,
    row: Int = 0
  ) -> TaskRunner.Answer {
    TaskRunner.Answer(
      row: row, truth: truth, label: label, confidence: confidence, isRecognized: recognized,
      nearness: near, nearestTaught: 1)
  }

  /// Four queries, three of them right and one of these refused; two unknowns, one accepted.
  static let small = TaskRunner.Outcome(
    queries: [
      answer("a", "a", 0.9, near: 4), answer("a", "b", 0.5, near: 1),
      answer("b", "b", 0.8, near: 3), answer("b", "b", 0.6, near: 2, recognized: false),
    ],
    unknowns: [
      answer(nil, "a", 0.7, near: 1.5), answer(nil, "b", 0.4, near: 0, recognized: false),
    ])

  /// All right, and all unknowns refused.
  static let perfect = TaskRunner.Outcome(
    queries: [answer("a", "a", 1, near: 2), answer("b", "b", 1, near: 2)],
    unknowns: [answer(nil, "a", 0.5, near: 0, recognized: false)])
}

@Suite("Scores of tasks")
struct BenchmarkScoresTests {
  private func close(_ a: Double?, _ b: Double) -> Bool { abs((a ?? .nan) - b) < 1e-12 }

  @Test("One small task, worked out by hand")
  func byHand() throws {
    let scores = try TaskScores([SyntheticTasks.small], dialTarget: 0.05)
    #expect(scores.episodes == 1)
    #expect(scores.accuracy == 0.75)
    // Of 4 × 2 pairs one unknown (1.5) is nearer than one query (1).
    #expect(close(scores.auroc, 7.0 / 8))
    // All four queries must be let in; at 1 the unknown at 1.5 is in.
    #expect(scores.fpr95 == 0.5)
    // Three right ones before the first unknown: the area is 0.75 from there on.
    #expect(close(scores.oscr, 0.75))
    // Wrong only the least sure of four: (0 + 0 + 0 + 1/4) / 4.
    #expect(close(scores.aurc, 1.0 / 16))
    #expect(close(scores.rightRefused, 1.0 / 3))
    #expect(scores.knownRefused == 0.25)
    #expect(scores.unknownsAccepted == 0.5)
    // Four bins of one answer: gaps 0.1, 0.5, 0.2 and 0.4.
    #expect(close(scores.ece, 0.3))
    #expect(scores.dialTarget == 0.05)
    // Two labels tell nothing of others.
    #expect(scores.intervals95.accuracyOverLabels == nil)
    // One task tells nothing of how tasks differ.
    let anything = ConfidenceInterval(lower: 0, upper: 1)
    #expect(scores.confidenceInterval95 == anything)
    #expect(scores.intervals95.ece == anything)
    #expect(scores.intervals95.rightRefused == anything)
  }

  @Test("Several tasks: means of tasks, shares of all answers, intervals around both")
  func several() throws {
    let outcomes =
      Array(repeating: SyntheticTasks.small, count: 6)
      + Array(repeating: SyntheticTasks.perfect, count: 6)
    let scores = try TaskScores(outcomes, dialTarget: 0.05)
    #expect(scores.accuracy == 0.875)
    #expect(close(scores.auroc, 15.0 / 16))
    // 6 of 18 + 12 right ones.
    #expect(close(scores.rightRefused, 0.2))
    #expect(close(scores.unknownsAccepted, 6.0 / 18))
    #expect(scores.tasks.count == 12)
    #expect(scores.tasks[11].accuracy == 1)
    let intervals = scores.intervals95
    for (value, interval) in [
      (scores.accuracy, scores.confidenceInterval95), (scores.ece, intervals.ece),
      (scores.aurc, intervals.aurc), (scores.knownRefused, intervals.knownRefused),
      (scores.auroc ?? -1, try #require(intervals.auroc)),
      (scores.fpr95 ?? -1, try #require(intervals.fpr95)),
      (scores.oscr ?? -1, try #require(intervals.oscr)),
      (scores.rightRefused ?? -1, try #require(intervals.rightRefused)),
      (scores.unknownsAccepted ?? -1, try #require(intervals.unknownsAccepted)),
    ] {
      #expect(interval.lower <= value && value <= interval.upper)
      #expect(0 <= interval.lower && interval.lower < interval.upper && interval.upper <= 1)
    }
    #expect(try TaskScores(outcomes, dialTarget: 0.05) == scores, "the bootstrap has a seed")
  }

  @Test("The interval over labels is that of their own rates, however many tasks there are")
  func overLabels() throws {
    var generator = SeededGenerator(seed: 9)
    // Half of twenty labels are always known, half never.
    let outcomes = (0..<400).map { _ in
      TaskRunner.Outcome(
        queries: (0..<10).map { _ in
          let label = generator.integer(below: 20)
          return SyntheticTasks.answer("\(label)", label < 10 ? "\(label)" : "?", 0.5, near: 1)
        }, unknowns: [])
    }
    let scores = try TaskScores(outcomes, dialTarget: 0.05)
    let interval = try #require(scores.intervals95.accuracyOverLabels)
    // The mean of 20 coins: 0.5 ± 1.96 · 0.5 / √20 = 0.5 ± 0.22.
    let halfWidth = (interval.upper - interval.lower) / 2
    #expect(abs(halfWidth - 0.22) < 0.04)
    let overTasks = scores.confidenceInterval95
    #expect(overTasks.upper - overTasks.lower < 0.06)
  }

  @Test("The pooled calibration error is that of all answers together")
  func calibration() throws {
    var generator = SeededGenerator(seed: 7)
    let outcomes = (0..<9).map { _ in
      TaskRunner.Outcome(
        queries: (0..<20).map { _ in
          SyntheticTasks.answer(
            "a", generator.chance(0.6) ? "a" : "b", generator.unit(), near: generator.unit())
        }, unknowns: [])
    }
    let all = outcomes.flatMap(\.queries)
    let plain = try ReliabilityDiagram(
      confidences: all.map(\.confidence), correct: all.map(\.isRight)
    ).expectedCalibrationError
    #expect(close(try TaskScores(outcomes, dialTarget: 0).ece, plain))
  }

  @Test("By the number of taught drawings of the label that is given, by hand")
  func bySamples() throws {
    #expect(try TaskScores([SyntheticTasks.small], dialTarget: 0).bySamples == nil)
    var task = SyntheticTasks.small
    task.taught = ["a": 1, "b": 5, "c": 5]
    let parts = try #require(try TaskScores([task, task], dialTarget: 0).bySamples)
    #expect(parts.map(\.samples) == [1, 5])
    // "a" is given to one query, rightly, and to one unknown in each task.
    #expect(parts[0].unknownsPerLabel == 1 && parts[0].accuracy == 1)
    #expect(close(parts[0].confidence, 0.9))
    // "b" is given to three queries, two of them rightly; its unknown is refused.
    #expect(parts[1].unknownsPerLabel == 0)
    #expect(close(parts[1].accuracy, 2.0 / 3))
    #expect(close(parts[1].confidence, 1.9 / 3))
    task.unknowns = []
    let without = try #require(try TaskScores([task], dialTarget: 0).bySamples)
    #expect(without.allSatisfy { $0.unknownsPerLabel == nil })
  }

  @Test("Without unknowns nothing is said of them")
  func withoutUnknowns() throws {
    var outcome = SyntheticTasks.small
    outcome.unknowns = []
    let scores = try TaskScores([outcome, outcome], dialTarget: 0.05)
    #expect(scores.auroc == nil && scores.fpr95 == nil && scores.oscr == nil)
    #expect(scores.unknownsAccepted == nil && scores.intervals95.unknownsAccepted == nil)
    #expect(scores.knownRefused == 0.25)
  }

  @Test("The mean of curves is taken height by height")
  func meanCurve() {
    let curve = MeanCurve([[(0.5, 1), (1, 1)], [(0, 0.5), (1, 0.5)]], start: 0, count: 5)
    #expect(curve.points.map(\.0) == [0, 0.25, 0.5, 0.75, 1])
    // (0 + 0.5) / 2, (0.5 + 0.5) / 2, (1 + 0.5) / 2 from there on.
    #expect(curve.points.map(\.1) == [0.25, 0.5, 0.75, 0.75, 0.75])
    // Of two heights at one place the higher one, which comes last, counts; no start holds the
    // first.
    let step = MeanCurve([[(0, 0), (0, 1), (1, 1)]], start: nil, count: 2)
    #expect(step.points.map(\.1) == [1, 1])
    let late = MeanCurve([[(0.5, 0.2), (1, 0.4)]], start: nil, count: 3)
    #expect(late.points.map(\.1) == [0.2, 0.2, 0.4])
  }

  @Test("The mean ROC of one task has the area of its curve")
  func meanROC() throws {
    let curve = try MeanCurve.receiverOperating([SyntheticTasks.small])
    let area = zip(curve.points, curve.points.dropFirst()).reduce(0.0) {
      $0 + ($1.1.0 - $1.0.0) * ($1.0.1 + $1.1.1) / 2
    }
    #expect(abs(area - 7.0 / 8) < 0.01)
  }
}
