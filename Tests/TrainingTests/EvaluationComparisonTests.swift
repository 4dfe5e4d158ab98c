import Evaluation
import TestTools
import Testing

@testable import Training

@Suite("Models side by side")
struct EvaluationComparisonTests {
  /// Answers to 20 drawings of two labels, of which some are wrong.
  private func evaluation(_ path: String, wrong: Set<Int>) throws -> EvaluationJob.Evaluation {
    let records = (0..<20).map { index in
      let truth = index % 2 == 0 ? "cat" : "<dog>"
      return ReportRecords.record(truth, wrong.contains(index) ? "cow" : truth, 0.8)
    }
    var summary = try ReportRecords.summary(records, labels: ["cat", "<dog>", "cow"])
    summary.facts.modelPath = path
    return .init(summary: summary, records: records)
  }

  @Test("A label that two models spell in two ways is one")
  func spellings() throws {
    let comparison = EvaluationComparison(
      try ["❤", "❤️"].map { label in
        let records = (0..<4).map { ReportRecords.record(label, $0 == 0 ? label : "x", 0.8) }
        return .init(
          summary: try ReportRecords.summary(records, labels: [label, "x"]), records: records)
      })
    #expect(comparison.labels.map(\.label) == ["❤️"])
    #expect(comparison.labels[0].recalls == [0.25, 0.25])
  }

  @Test("Each pair is tested once, with Holm's correction; labels that differ most come first")
  func pairs() throws {
    let comparison = EvaluationComparison([
      try evaluation("a", wrong: []), try evaluation("b", wrong: Set([0, 2, 4, 6, 8, 10, 12])),
      try evaluation("c", wrong: [1]),
    ])
    #expect(
      comparison.pairs.map { [$0.first, $0.second] } == [["a", "b"], ["a", "c"], ["b", "c"]])
    #expect(
      comparison.pairs.map(\.test) == [
        McNemarTest(onlyFirst: 7, onlySecond: 0), McNemarTest(onlyFirst: 1, onlySecond: 0),
        McNemarTest(onlyFirst: 1, onlySecond: 7),
      ])
    // 2 / 2⁷ of three tests.
    #expect(abs(comparison.pairs[0].adjustedPValue - 3.0 / 64) < 1e-12)
    #expect(
      comparison.pairs.map(\.verdict) == ["the first is better", "may be chance", "may be chance"])
    #expect(comparison.labels.map(\.label) == ["cat", "<dog>"])
    #expect(comparison.labels[0].recalls == [1, 0.3, 1])
    let lines = comparison.lines()
    #expect(lines.contains { $0.hasPrefix("2 b") && $0.contains("65.0") })
    #expect(lines.contains { $0.hasPrefix("1 and 2") && $0.hasSuffix("the first is better") })
    let page = ComparisonPage.html(comparison)
    #expect(page.contains("&lt;dog&gt;") && !page.contains("<dog>"))
    _ = try PageTags(page)
  }
  @Test("What is left out because any of the models knows it is not said of each")
  func leftOut() throws {
    var known = try evaluation("a", wrong: [])
    known.summary.facts.knownLeftOut = 30
    let page = ComparisonPage.html(EvaluationComparison([known, known]))
    #expect(page.contains("30 drawings that one of the models knows"))
    #expect(!page.contains("that the model knows"))
  }
}
