import Evaluation
import Numbers
import Testing

@Suite("Accuracy and confusion")
struct ClassificationTests {
  typealias Golden = MetricFixtures

  @Test("Accuracy is the share of equal labels")
  func accuracyByHand() throws {
    #expect(
      try accuracy(predictions: ["a", "b", "c", "a"], truths: ["a", "b", "a", "b"]) == 0.5)
    #expect(throws: EvaluationError.empty(what: "predictions")) {
      try accuracy(predictions: [Int](), truths: [])
    }
  }

  @Test("A truth counts for top-k when it is among the first k candidates")
  func topByHand() throws {
    let candidates = [["a", "b", "c"], ["b", "a", "c"], ["c"], []]
    let truths = ["a", "a", "a", "a"]
    #expect(try topAccuracy(candidates: candidates, truths: truths, k: 1) == 0.25)
    #expect(try topAccuracy(candidates: candidates, truths: truths, k: 2) == 0.5)
    #expect(try topAccuracy(candidates: candidates, truths: truths, k: 9) == 0.5)
  }

  @Test("Counts, precision, recall and F1 are those worked out by hand")
  func confusionByHand() {
    // Two of three cats found, one taken for a dog; one dog, found; no cow, never answered.
    let matrix = ConfusionMatrix(predictions: [0, 0, 1, 1], truths: [0, 0, 0, 1], classCount: 3)
    #expect(rows(of: matrix) == [[2, 1, 0], [0, 1, 0], [0, 0, 0]])
    let scores = matrix.classScores
    #expect(scores.map(\.support) == [3, 1, 0])
    #expect(scores.map(\.predicted) == [2, 2, 0])
    #expect(scores.map(\.precision) == [1, 0.5, 0])
    #expect(scores.map(\.recall) == [2.0 / 3, 1, 0])
    #expect(isClose(scores.map(\.f1), [0.8, 2.0 / 3, 0]))
    // The class that never occurs is left out of the averages.
    #expect(matrix.macroPrecision == 0.75)
    #expect(isClose(matrix.macroF1 ?? -1, (0.8 + 2.0 / 3) / 2))
  }

  /// The matrix cell by cell.
  private func rows(of matrix: ConfusionMatrix) -> [[Int]] {
    (0..<matrix.classCount).map { truth in
      (0..<matrix.classCount).map { matrix[truth: truth, prediction: $0] }
    }
  }

  @Test("Confusions come most frequent first and then by class")
  func confusionOrder() {
    let matrix = ConfusionMatrix(
      predictions: [1, 1, 0, 2, 0], truths: [0, 0, 1, 0, 0], classCount: 3)
    #expect(matrix.confusions.map(\.truth) == [0, 0, 1])
    #expect(matrix.confusions.map(\.prediction) == [1, 2, 0])
    #expect(matrix.confusions.map(\.count) == [2, 1, 1])
  }

  @Test("A matrix of many classes takes memory for the cells that have samples")
  func manyClasses() {
    // A table of all cells would take 8 exabytes.
    let count = 1 << 30
    let matrix = ConfusionMatrix(
      predictions: [0, count - 1, 7], truths: [0, 1, 7], classCount: count)
    #expect(matrix[truth: 1, prediction: count - 1] == 1)
    #expect(matrix[truth: 2, prediction: 2] == 0)
    #expect(matrix.confusions.map(\.prediction) == [count - 1])
  }

  @Test("A matrix of nothing has no averages")
  func noSamples() {
    let matrix = ConfusionMatrix(predictions: [], truths: [], classCount: 2)
    #expect(matrix.macroF1 == nil)
    #expect(matrix.confusions.isEmpty)
  }

  @Test("scikit-learn agrees")
  func golden() throws {
    #expect(
      try accuracy(predictions: Golden.predictions, truths: Golden.truths) == Golden.accuracy)
    let candidates = Golden.truths.indices.map { sample in
      (0..<4).sorted {
        Golden.probabilities[4 * sample + $1] < Golden.probabilities[4 * sample + $0]
      }
    }
    #expect(
      isClose(
        try topAccuracy(candidates: candidates, truths: Golden.truths, k: 2), Golden.top2Accuracy))
    let matrix = ConfusionMatrix(
      predictions: Golden.predictions, truths: Golden.truths, classCount: 4)
    #expect(rows(of: matrix).flatMap { $0 } == Golden.confusion)
    #expect(isClose(matrix.classScores.map(\.precision), Golden.precision))
    #expect(isClose(matrix.classScores.map(\.recall), Golden.recall))
    #expect(isClose(matrix.classScores.map(\.f1), Golden.f1))
    #expect(isClose(matrix.macroPrecision ?? -1, Golden.macroPrecision))
    #expect(isClose(matrix.macroRecall ?? -1, Golden.macroRecall))
    #expect(isClose(matrix.macroF1 ?? -1, Golden.macroF1))
  }

  @Test("Micro recall, precision and accuracy are one number for any answers")
  func sums() {
    var generator = SeededGenerator(seed: 3)
    for _ in 0..<50 {
      let truths = (0..<30).map { _ in generator.integer(below: 5) }
      let predictions = (0..<30).map { _ in generator.integer(below: 5) }
      let matrix = ConfusionMatrix(predictions: predictions, truths: truths, classCount: 5)
      let scores = matrix.classScores
      #expect(scores.reduce(0) { $0 + $1.support } == 30)
      #expect(scores.reduce(0) { $0 + $1.predicted } == 30)
      let wrong = matrix.confusions.reduce(0) { $0 + $1.count }
      #expect(scores.reduce(wrong) { $0 + $1.correct } == 30)
    }
  }
}
