import Datasets
import Evaluation
import Foundation
import Ink
import Report
import TestTools
import Testing

@testable import Benchmarks
@testable import Training

@Suite("Benchmark pages")
struct BenchmarkPagesTests {
  private static let evil = "<script>alert('x')</script>\" onload=\"y\""

  private static let facts = RunFacts(
    modelPath: "m.drawml", modelFingerprint: String(repeating: "ab", count: 32),
    dataPaths: ["samples"], dataFingerprint: String(repeating: "cd", count: 32), head: "knn",
    seed: 7, threads: 2, date: "2026-01-02T03:04:05Z", seconds: 12.5)

  private func samples() throws -> SampleSet {
    try SampleSet(
      ["a", "b", Self.evil].map { label in
        Drawing(
          id: label, label: label, strokes: [Stroke([Point(x: 0, y: 0), Point(x: 9, y: 5)])])
      })
  }

  private func tasks(_ outcomes: [TaskRunner.Outcome]) throws -> TaskBenchmark.Result {
    TaskBenchmark.Result(
      report: TaskBenchmark.Report(
        scores: try TaskScores(outcomes, dialTarget: 0.05), ways: 10, shots: 5, head: "prototype",
        samplesFingerprint: "f", facts: Self.facts), outcomes: outcomes,
      samples: try samples())
  }

  /// Well nested, with nothing that runs or is loaded, and every picture described or decoration.
  private func check(_ html: String) throws {
    let tags = try PageTags(html)
    let (names, ids, links) = (tags.names, tags.ids, tags.links)
    #expect(Set(ids).count == ids.count)
    for link in links where link != "data:," {
      #expect(ids.contains(String(link.dropFirst())), "\(link) leads nowhere")
    }
    #expect(names.isDisjoint(with: ["script", "img", "iframe", "object", "form"]))
    for outside in ["http://", "https://", "src=", "@import", "\" onload", "NaN", "inf\""] {
      #expect(!html.contains(outside), "\(outside)")
    }
    for piece in html.split(separator: "<svg").dropFirst() {
      let tag = piece.prefix { $0 != ">" }
      #expect(
        tag.contains("aria-label=\"") || tag.contains("aria-hidden=\"true\""), "\(tag)")
    }
  }

  @Test("few-shot shows the reference of the same task, named as measured on other classes")
  func fewShot() throws {
    let html = try FewShotPage.html(tasks([SyntheticTasks.small, SyntheticTasks.perfect]))
    try check(html)
    #expect(html.contains("Reference, measured on other classes"))
    #expect(html.contains("<span class=\"same\">10-way 5-shot</span>"))
    #expect(html.contains("82.1\u{202f}%"))
    #expect(html.contains("target 5\u{202f}%"))
    var without = SyntheticTasks.small
    without.unknowns = []
    try check(FewShotPage.html(tasks([without])))
  }

  @Test("open-set shows accepted unknowns and refused right ones, most confident first")
  func openSet() throws {
    var outcome = SyntheticTasks.small
    outcome.unknowns.append(
      SyntheticTasks.answer(nil, Self.evil, 0.95, near: 0.1, row: 2))
    let html = try OpenSetPage.html(tasks([outcome, outcome]))
    try check(html)
    #expect(html.contains("Accepted unknowns"))
    #expect(html.contains("answered <b><bdi>&lt;script&gt;"))
    #expect(html.contains("60\u{202f}%, refused"))
    let first = try #require(html.range(of: "95\u{202f}%</span>"))
    let second = try #require(html.range(of: "70\u{202f}%</span>"))
    #expect(first.lowerBound < second.lowerBound)
    #expect(try OpenSetPage.html(tasks([SyntheticTasks.perfect])).contains(">None.<"))
  }

  private func omniglot(_ form: OmniglotBenchmark.Form) throws -> OmniglotBenchmark.Result {
    let support = [Episodes.Example(id: "a", label: "a"), .init(id: "b", label: "b")]
    return OmniglotBenchmark.Result(
      report: OmniglotBenchmark.Report(
        errorRate: 0.25, confidenceInterval95: ConfidenceInterval(lower: 0.1, upper: 0.4),
        runs: [.init(run: "run01", errorRate: 0.25, wrong: 1, count: 4)], form: form, head: "h",
        samplesFingerprint: "f", facts: Self.facts),
      episodes: Episodes([.init(support: support, query: support)]),
      outcomes: [SyntheticTasks.small], samples: try samples())
  }

  @Test("omniglot sets published errors beside its own, under a heading that says so")
  func omniglotPage() throws {
    let html = OmniglotPage.html(try omniglot(.pictures))
    try check(html)
    #expect(html.contains("Published, not measured here"))
    #expect(html.contains("arXiv:1902.03477"))
    #expect(html.contains("this model, measured here"))
    #expect(!html.contains("other tasks of the same kind"))
    #expect(OmniglotPage.html(try omniglot(.strokes)).contains("other tasks of the same kind"))
    let lines = try omniglot(.strokes).report.lines
    #expect(
      lines.contains("Published, not measured here (on the official runs, not on these tasks):"))
    #expect(lines.contains("  4.5 %  people (at most)"))
  }

  private func order(_ shift: Double) throws -> IncrementalBenchmark.Order {
    IncrementalBenchmark.Order(
      labels: ["a", Self.evil],
      amongAll: try IncrementalAccuracy(accuracies: [[1], [0.5 + shift, 0.5]]),
      amongKnown: try IncrementalAccuracy(accuracies: [[1], [0.75, 0.5]]), allAtOnce: 0.5 + shift,
      equalsAllAtOnce: true, retrained: 0.25, forgetIsExact: shift == 0,
      teachMilliseconds: [1, 2, 3, 4])
  }

  @Test("incremental: means over orders, worked out by hand")
  func incremental() throws {
    let orders = [try order(0), try order(0.25)]
    let report = try IncrementalReport(orders, shots: 2, queries: 4, Self.facts)
    #expect(report.labels == 2 && report.orders == 2)
    // (0.5 + 0.5) / 2 and (0.75 + 0.5) / 2.
    #expect(report.finalAccuracy.mean == 0.5625)
    // (1 + 0.5) / 2 and (1 + 0.625) / 2.
    #expect(report.averageAccuracy.mean == 0.78125)
    #expect(report.allAtOnceAccuracy.mean == 0.625)
    #expect(report.lostToAllAtOnce.mean == 0.0625)
    #expect(report.retrainedAccuracy?.mean == 0.25)
    // The first label fell from 1 to 0.75 among those known when it was taught; the last one does
    // not count.
    #expect(report.forgetting.mean == 0.25)
    #expect(report.forgettingAmongAll.mean == 0.375)
    #expect(report.backwardTransfer.mean == -0.25)
    #expect(report.teachMilliseconds.p50 == 2.5)
    #expect(report.equalsAllAtOnce && !report.forgetIsExact)
    #expect(report.steps.map(\.accuracy) == [1, 0.5625])
    let html = IncrementalPage.html(report, orders)
    try check(html)
    #expect(html.contains("not exact"))
    #expect(html.contains("from scratch 25.0\u{202f}%"))
  }

  @Test("segmentation shows truth beside answer; labels and ids of scenes stay text")
  func segmentation() throws {
    let canvas = try BoxCanvas.canvas(
      [("tree", (0, 0, 50, 90), 1), (Self.evil, (100, 0, 40, 40), 2), ("sun", (300, 0, 9, 9), 1)],
      sheet: .init(width: 400, height: 300), id: Self.evil)
    let outcomes = [
      BoxCanvas.outcome(
        canvas, perfect: [true, false, true], right: [false, false, true],
        groups: [[0], [1], [2], [3]])
    ]
    let all = outcomes.flatMap(\.isPerfect)
    let row = SegmentationBenchmark.Row(
      kind: "all", canvases: 1, perfectShapes: try Rate(all), endToEnd: try Rate(all), plain: [:],
      inkAccuracy: 0.5, adjustedRandIndex: 0.5, recallAtIoU50: 0.5)
    let report = SegmentationBenchmark.Report(
      perfectShapes: 2.0 / 3, inkAccuracy: 0.5, adjustedRandIndex: 0.5, recallAtIoU50: 0.5,
      endToEnd: 1.0 / 3, latencyMilliseconds: try LatencySummary([1, 2]), readingsPerStroke: 1,
      kinds: [row], breakdowns: [try ShapeBreakdown("as given", outcomes, known: ["tree"])])
    let html = SegmentationPage.html(
      report, outcomes, known: ["tree"], facts: Self.facts.list())
    try check(html)
    #expect(html.contains("2 of 3 shapes grouped perfectly, 1 right"))
    #expect(html.contains("<b class=\"c0\">1</b> <bdi>tree</bdi> ≈</li>"))
    #expect(html.contains("&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;"), "\(html)")
    #expect(html.contains("<b class=\"c2\">3</b> <bdi>sun</bdi>* ✓</li>"))
    // The evil shape's strokes went apart: two groups with numbers of their own, dashed.
    #expect(html.contains("<b class=\"c3\">4</b>") && html.contains("<b class=\"c4\">5</b>"))
    #expect(html.split(separator: "<rect class=\"dashed\"").count == 3)
    #expect(html.contains("unknown label") && html.contains("<h3>As given</h3>"))
  }

  @Test("segmentation shows at most 60 scenes, and ends its pictures at a budget")
  func manyScenes() throws {
    let canvas = try BoxCanvas.canvas([("a", (0, 0, 9, 9), 1), ("b", (0, 0, 0, 0), 1)])
    let outcome = BoxCanvas.outcome(
      canvas, perfect: [true, true], right: [true, true], groups: [[0], [1]])
    func figures(_ outcomes: [SegmentationBenchmark.Outcome]) -> Int {
      SceneList(known: []).markup(outcomes).html.split(separator: "<figure").count - 1
    }
    #expect(figures(.init(repeating: outcome, count: 61)) == 60)
    // 1,024 strokes of many points each.
    let strokes = (0..<1024).map { stroke in
      let points = (0..<60).map { (index: Int) -> Point in
        let (x, y) = (index * 7919 % 1009, stroke * index * 31 % 997)
        return Point(x: Double(x), y: Double(y))
      }
      return Stroke(points)
    }
    let label = String(repeating: "<", count: 100)
    let shapes = (0..<1024).map { Drawing.Shape(strokes: [$0], label: label) }
    let wild = try LabeledCanvas(Drawing(strokes: strokes, shapes: shapes))
    let right = [Bool](repeating: true, count: 1024)
    let html = SceneList(known: []).markup([
      BoxCanvas.outcome(wild, perfect: right, right: right, groups: (0..<1024).map { [$0] })
    ]).html
    #expect(html.utf8.count < 1_000_000)
  }
}
