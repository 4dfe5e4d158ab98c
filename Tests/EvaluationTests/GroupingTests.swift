import Numbers
import Testing

@testable import Evaluation

@Suite("Grouping and boxes")
struct GroupingTests {
  typealias Golden = MetricFixtures

  @Test("The adjusted Rand index is that worked out by hand")
  func randByHand() throws {
    #expect(try adjustedRandIndex([0, 0, 1, 1], [5, 5, 2, 2]) == 1)
    // One pair together in both; (1·1 of 6 pairs expected): (1 − 1/3) / (1.5 − 1/3).
    #expect(
      isClose(try adjustedRandIndex([0, 0, 1, 1], [0, 0, 1, 2]), (1 - 1.0 / 3) / (1.5 - 1.0 / 3)))
    #expect(isClose(try adjustedRandIndex([0, 0, 1, 1], [0, 1, 0, 1]), -0.5))
    #expect(try adjustedRandIndex([7], [3]) == 1)
    #expect(try adjustedRandIndex([0, 1, 2], [2, 1, 0]) == 1)
    #expect(try adjustedRandIndex([0, 0, 0], [4, 4, 4]) == 1)
    #expect(try adjustedRandIndex([0, 0, 0], [0, 1, 2]) == 0)
    #expect(throws: EvaluationError.empty(what: "things")) { try adjustedRandIndex([], []) }
  }

  @Test("Random groupings have an index near 0 on average, and scikit-learn agrees")
  func randProperties() throws {
    #expect(
      isClose(
        try adjustedRandIndex(Golden.firstGrouping, Golden.secondGrouping),
        Golden.adjustedRandIndex))
    var generator = SeededGenerator(seed: 4)
    var sum = 0.0
    for _ in 0..<300 {
      let one = (0..<40).map { _ in generator.integer(below: 5) }
      let other = (0..<40).map { _ in generator.integer(below: 4) }
      let index = try adjustedRandIndex(one, other)
      #expect(isClose(index, try adjustedRandIndex(other, one)))
      let order = generator.permutation(40)
      #expect(
        isClose(index, try adjustedRandIndex(order.map { one[$0] }, order.map { other[$0] })))
      sum += index
    }
    #expect(abs(sum / 300) < 0.01)
  }

  @Test("The share of ink is that worked out by hand")
  func groupingByHand() throws {
    // Shape {0,1} is split, {2} is right, {3,4} is right in another order.
    let score = try GroupingScore(
      predicted: [[0], [1], [2], [4, 3]], truth: [[0, 1], [2], [3, 4]], ink: [3, 1, 2, 2, 2])
    #expect(isClose(score.inkAccuracy, 0.9))
    // One group of all strokes can be right for one shape only.
    let lump = try GroupingScore(
      predicted: [[0, 1, 2, 3, 4]], truth: [[0, 1], [2], [3, 4]], ink: [3, 1, 2, 2, 2])
    #expect(isClose(lump.inkAccuracy, 0.4))
    let nothing = try GroupingScore(predicted: [], truth: [[0]], ink: [1])
    #expect(nothing.inkAccuracy == 0)
    let dots = try GroupingScore(predicted: [[0], [1]], truth: [[0, 1]], ink: [0, 0])
    #expect(dots.inkAccuracy == 0.5)
  }

  @Test("No true shapes and impossible ink are refused")
  func invalidGrouping() {
    #expect(throws: EvaluationError.empty(what: "true shapes")) {
      try GroupingScore(predicted: [[0]], truth: [], ink: [1])
    }
    #expect(throws: EvaluationError.outOfRange(what: "amounts of ink", index: 0, value: -1)) {
      try GroupingScore(predicted: [[0]], truth: [[0]], ink: [-1])
    }
  }

  @Test("Boxes overlap by the share of their common area; flat boxes by length")
  func boxes() {
    let unit = Box(x: 0, y: 0, width: 2, height: 2)
    #expect(unit.intersectionOverUnion(with: unit) == 1)
    #expect(
      unit.intersectionOverUnion(with: Box(x: 1, y: 1, width: 2, height: 2)) == 1.0 / 7)
    #expect(unit.intersectionOverUnion(with: Box(x: 2, y: 0, width: 2, height: 2)) == 0)
    #expect(unit.intersectionOverUnion(with: Box(x: 1, y: 1, width: 0, height: 0)) == 0)
    let line = Box(x: 5, y: 0, width: 0, height: 4)
    #expect(line.intersectionOverUnion(with: line) == 1)
    #expect(line.intersectionOverUnion(with: Box(x: 5, y: 1, width: 0, height: 2)) == 0.5)
    #expect(line.intersectionOverUnion(with: Box(x: 6, y: 0, width: 0, height: 4)) == 0)
    let dot = Box(x: 1, y: 1, width: 0, height: 0)
    #expect(dot.intersectionOverUnion(with: dot) == 1)
  }

  @Test("Each predicted box finds one true box only, the pairing that finds the most")
  func recall() throws {
    let one = Box(x: 0, y: 0, width: 10, height: 10)
    let twin = Box(x: 1, y: 0, width: 10, height: 10)
    #expect(try boxRecall(truth: [one, twin], predicted: [one]) == 0.5)
    #expect(try boxRecall(truth: [one, twin], predicted: [twin, one]) == 1)
    #expect(try boxRecall(truth: [one], predicted: []) == 0)
    #expect(throws: EvaluationError.empty(what: "true boxes")) {
      try boxRecall(truth: [], predicted: [one])
    }
    // The first true box fits both predictions, the second one only the first prediction.
    let left = Box(x: -4, y: 0, width: 10, height: 10)
    let right = Box(x: 4, y: 0, width: 10, height: 10)
    #expect(
      try boxRecall(
        truth: [one, Box(x: -8, y: 0, width: 10, height: 10)], predicted: [left, right],
        threshold: 0.4)
        == 1)
  }

  @Test("The assignment is the best of all orders")
  func assignment() {
    var generator = SeededGenerator(seed: 12)
    for _ in 0..<60 {
      let (rows, columns) = (1 + generator.integer(below: 4), 1 + generator.integer(below: 4))
      let weights = (0..<rows * columns).map { _ in Double(generator.integer(below: 6)) }
      let pairs = bestAssignment(weights: weights, rows: rows, columns: columns)
      let used = pairs.compactMap { $0 }
      #expect(Set(used).count == used.count)
      let total = pairs.enumerated().reduce(0.0) { sum, pair in
        sum + (pair.element.map { weights[pair.offset * columns + $0] } ?? 0)
      }
      #expect(total == plainBest(weights, rows, columns, 0, []))
    }
    let pairs = bestAssignment(weights: Golden.assignmentWeights, rows: 5, columns: 7)
    let total = pairs.enumerated().reduce(0.0) { sum, pair in
      sum + (pair.element.map { Golden.assignmentWeights[pair.offset * 7 + $0] } ?? 0)
    }
    #expect(total == Golden.assignmentTotal)
    #expect(bestAssignment(weights: [], rows: 0, columns: 3).isEmpty)
    #expect(bestAssignment(weights: [], rows: 2, columns: 0) == [nil, nil])
  }

  /// Every way to give the rows from `row` on a free column or none.
  func plainBest(
    _ weights: [Double], _ rows: Int, _ columns: Int, _ row: Int, _ used: Set<Int>
  ) -> Double {
    guard row < rows else { return 0 }
    var best = plainBest(weights, rows, columns, row + 1, used)
    for column in 0..<columns where !used.contains(column) {
      best = max(
        best,
        weights[row * columns + column]
          + plainBest(weights, rows, columns, row + 1, used.union([column])))
    }
    return best
  }
}
