import Ink
import Numbers
import Recognition

@testable import Training

/// Made-up records for the tests of the report.
enum ReportRecords {
  static let facts = RunFacts(
    drawmlVersion: "0.1.0", swiftVersion: "6.3.1", modelPath: "m.drawml",
    modelFingerprint: String(repeating: "ab", count: 32), dataPaths: ["samples", "more"],
    dataFingerprint: String(repeating: "cd", count: 32), head: "knn", seed: 7, threads: 2,
    machine: "a processor", date: "2026-01-02T03:04:05Z", seconds: 12.5,
    peakMemoryBytes: 250_000_000)

  static func record(
    _ truth: String, _ label: String, _ confidence: Double, recognized: Bool = true,
    others: [String] = [], drawing: Drawing? = nil
  ) -> EvaluationRecord {
    EvaluationRecord(
      drawing: drawing ?? Drawing(strokes: [Stroke([Point(x: 0, y: 0), Point(x: 9, y: 5)])]),
      truth: truth, refusal: recognized ? nil : .likeNothingTaught, label: label,
      confidence: confidence,
      candidates: [(label, confidence)] + others.map { ($0, 0.01) })
  }

  /// Five drawings whose numbers can be worked out by hand.
  static let five = [
    record("cat", "cat", 0.9), record("cat", "dog", 0.8, others: ["cat"]),
    record("dog", "dog", 0.7), record("dog", "dog", 0.6, recognized: false),
    record("cow", "dog", 0.5, recognized: false, others: ["cat"]),
  ]

  /// `count` wobbly drawings of `classCount` classes, some of them taken for their neighbors.
  static func many(_ count: Int, classCount: Int, seed: UInt64) -> [EvaluationRecord] {
    var generator = SeededGenerator(seed: seed)
    return (0..<count).map { index in
      let truth = generator.integer(below: classCount)
      let isRight = generator.chance(0.8)
      let answer = isRight ? truth : (truth + 1 + generator.integer(below: 3)) % classCount
      let strokes = (0..<1 + generator.integer(below: 4)).map { _ in
        var (x, y) = (generator.unit() * 200, generator.unit() * 200)
        return Stroke(
          (0..<40).map { _ in
            x += generator.uniform(-20...20)
            y += generator.uniform(-20...20)
            return Point(x: x, y: y)
          })
      }
      let confidence = isRight ? 1 - 0.5 * generator.unit() : generator.unit()
      return record(
        "class \(truth)", "class \(answer)", confidence, recognized: confidence > 0.3,
        drawing: Drawing(id: "\(index)", strokes: strokes))
    }
  }

  static func summary(_ records: [EvaluationRecord], labels: [String]) throws -> EvaluationSummary {
    try EvaluationSummary(records: records, labels: labels, facts: facts)
  }
}
