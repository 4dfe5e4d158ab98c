import Evaluation
import Foundation
import Report
import Testing

@testable import Training

@Suite("Evaluation summary")
struct EvaluationSummaryTests {
  @Test("The numbers of five drawings are those worked out by hand")
  func byHand() throws {
    let summary = try ReportRecords.summary(ReportRecords.five, labels: ["cat", "dog", "fox"])
    #expect(summary.count == 5)
    #expect(summary.accuracy == 0.6)
    #expect(
      try summary.confidenceInterval95 == ConfidenceInterval.wilson(successes: 3, trials: 5))
    // The second cat has its truth as its second candidate; the cow has it nowhere.
    #expect(summary.top5Accuracy == 0.8)
    #expect(summary.recognizedShare == 0.6)
    #expect(summary.accuracyWhenRecognized == 2.0 / 3)
    // Bins of width 1/15 hold one drawing each: gaps 0.1, 0.8, 0.3, 0.4, 0.5.
    #expect(abs(summary.expectedCalibrationError - 2.1 / 5) < 1e-12)
    // Risks 0, 1/2, 1/3, 1/4, 2/5.
    #expect(abs(summary.areaUnderRiskCoverage - (0.5 + 1.0 / 3 + 0.25 + 0.4) / 5) < 1e-12)
    // "fox" occurs nowhere and "cow" is not in the model.
    #expect(summary.perClass.map(\.label) == ["cat", "dog", "cow"])
    #expect(summary.perClass.map(\.count) == [2, 2, 1])
    #expect(summary.perClass.map(\.recall) == [0.5, 1, 0])
    #expect(summary.perClass.map(\.precision) == [1, 0.5, 0])
    #expect(summary.macroPrecision == 0.5)
    #expect(summary.macroRecall == 0.5)
    #expect(abs(summary.macroF1 - (2.0 / 3 + 2.0 / 3) / 3) < 1e-12)
    #expect(summary.confusions.map(\.truth) == ["cat", "cow"])
    #expect(summary.confusions.map(\.prediction) == ["dog", "dog"])
  }

  @Test("Nothing to score and NaN are refused; a rounding error beyond 1 is not")
  func invalid() throws {
    #expect(throws: EvaluationError.empty(what: "drawings")) {
      try ReportRecords.summary([], labels: ["cat"])
    }
    #expect(throws: EvaluationError.notFinite(what: "confidences", index: 0)) {
      try ReportRecords.summary([ReportRecords.record("a", "a", .nan)], labels: ["a"])
    }
    let summary = try ReportRecords.summary(
      [ReportRecords.record("a", "a", 1.000_000_1)], labels: ["a"])
    #expect(summary.expectedCalibrationError == 0)
  }

  @Test(
    "Truths that the model does not know count as wrong; equal labels in other normal forms do not"
  )
  func labels() throws {
    let summary = try ReportRecords.summary(
      [
        ReportRecords.record("caf\u{e9}", "cafe\u{301}", 0.9),
        ReportRecords.record("new", "caf\u{e9}", 0.2),
      ], labels: ["caf\u{e9}"])
    #expect(summary.accuracy == 0.5)
    #expect(summary.perClass.map(\.label) == ["caf\u{e9}", "new"])
  }

  @Test("The JSON has the promised keys, also for missing values, and the same bytes every time")
  func json() throws {
    let refused = try ReportRecords.summary(
      [ReportRecords.record("a", "a", 0.5, recognized: false)], labels: ["a"])
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys]
    let data = try encoder.encode(refused)
    #expect(try encoder.encode(refused) == data)
    let object = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    #expect(
      object.keys.sorted() == [
        "accuracy", "accuracyWhenRecognized", "areaUnderRiskCoverage", "confidenceInterval95",
        "confusions", "count", "expectedCalibrationError", "facts", "macroF1",
        "macroPrecision", "macroRecall", "perClass", "recognizedShare", "top5Accuracy",
      ])
    #expect(object["accuracyWhenRecognized"] is NSNull)
    let interval = try #require(object["confidenceInterval95"] as? [String: Double])
    #expect(interval.keys.sorted() == ["lower", "upper"])
    let rows = try #require(object["perClass"] as? [[String: Any]])
    #expect(rows[0].keys.sorted() == ["count", "f1", "label", "precision", "recall"])
    let facts = try #require(object["facts"] as? [String: Any])
    #expect(
      facts.keys.sorted() == [
        "dataFingerprint", "dataPaths", "date", "drawmlVersion", "head", "machine",
        "modelFingerprint", "modelPath", "peakMemoryBytes", "seconds", "seed", "skippedCount",
        "swiftVersion", "threads",
      ])
  }

  @Test("The terminal's report begins with the headline and lists the worst classes first")
  func text() throws {
    let summary = try ReportRecords.summary(ReportRecords.five, labels: ["cat", "dog"])
    let lines = summary.lines(rows: 2).filter { !$0.isEmpty }
    #expect(lines[0].hasPrefix("accuracy"))
    #expect(lines[0].contains("60.0\u{202f}%"))
    #expect(lines[0].contains("3 of 5 right"))
    #expect(lines.contains("The 2 worst of 3 classes:"))
    let cow = try #require(lines.firstIndex { $0.hasPrefix("cow ") })
    let cat = try #require(lines.firstIndex { $0.hasPrefix("cat ") })
    #expect(cow < cat)
  }
}
