import Evaluation
import Testing

@testable import Training

@Suite("Comparison of answers")
struct AnswerComparisonTests {
  private typealias Records = ReportRecords

  @Test("The numbers of six drawings are those worked out by hand")
  func byHand() throws {
    let before = [
      Records.record("cat", "cat", 0.9), Records.record("cat", "dog", 0.8),
      Records.record("dog", "cat", 0.7), Records.record("dog", "cat", 0.7),
      Records.record("fox", "fox", 0.7), Records.record("owl", "owl", 0.6, recognized: false),
    ]
    let after = [
      Records.record("cat", "cat", 0.9), Records.record("cat", "cat", 0.8),
      Records.record("dog", "dog", 0.7), Records.record("dog", "dog", 0.2, recognized: false),
      Records.record("fox", "cat", 0.7), Records.record("owl", "owl", 0.6),
    ]
    let comparison = try AnswerComparison(before: before, after: after)
    #expect(comparison.count == 6)
    #expect(comparison.before.right == 3 && comparison.before.accuracy == 0.5)
    #expect(comparison.after.right == 5 && comparison.after.refused == 1)
    #expect(comparison.before.refused == 1)
    #expect(
      try comparison.after.confidenceInterval95 == .wilson(successes: 5, trials: 6))
    // The owl's decision differs though its label does not.
    #expect(comparison.different == 5)
    // 2 · (1 + 4) / 2⁴
    #expect(comparison.test.onlyFirst == 1 && comparison.test.onlySecond == 3)
    #expect(abs(comparison.test.pValue - 0.625) < 1e-12)
    #expect(
      comparison.labels == [
        .init(label: "dog", count: 2, rightBefore: 0, rightAfter: 2),
        .init(label: "cat", count: 2, rightBefore: 1, rightAfter: 2),
        .init(label: "fox", count: 1, rightBefore: 1, rightAfter: 0),
      ])
    #expect(
      comparison.lines(rows: 2) == [
        "6 drawings  right  accuracy  95 %              refused",
        "before          3    50.0 %  18.8 % to 81.2 %        1",
        "after           5    83.3 %  43.6 % to 97.0 %        1",
        "",
        "The answers to 5 of 6 drawings differ; right only before: 1, only after: 3. The difference "
          + "may be chance (p = 0.625, McNemar's exact test).",
        "",
        "label  drawings  right before  after",
        "dog           2             0      2",
        "cat           2             1      2",
        "and 1 label more (--rows)",
      ])
  }

  @Test("An emoji with and without its variation selector is one answer")
  func spelling() throws {
    let comparison = try AnswerComparison(
      before: [Records.record("❤", "❤", 0.9)],
      after: [Records.record("❤\u{fe0f}", "❤\u{fe0f}", 0.9)])
    #expect(comparison.different == 0)
  }

  @Test("Equal answers are said to be equal, and a clear difference to be no chance")
  func ends() throws {
    let right = (0..<20).map { _ in Records.record("cat", "cat", 0.9) }
    let wrong = (0..<20).map { _ in Records.record("cat", "dog", 0.9) }
    let same = try AnswerComparison(before: right, after: right)
    #expect(same.labels.isEmpty && same.test.pValue == 1)
    #expect(
      same.lines(rows: 5).last
        == "The answers to 0 of 20 drawings differ; right only before: 0, only after: 0.")
    // 2 / 2²⁰
    let other = try AnswerComparison(before: wrong, after: right)
    #expect(
      other.lines(rows: 5)[4].hasSuffix(
        "One model is better on such drawings (p < 0.001, McNemar's exact test)."))
    #expect(throws: EvaluationError.empty(what: "trials")) {
      try AnswerComparison(before: [], after: [])
    }
  }
}
