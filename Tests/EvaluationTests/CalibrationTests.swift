import Evaluation
import Numbers
import Testing

@Suite("Calibration")
struct CalibrationTests {
  typealias Golden = MetricFixtures

  @Test("Bins of equal width hold what falls between their edges, the upper one included")
  func equalWidth() throws {
    let diagram = try ReliabilityDiagram(
      confidences: [0, 0.5, 0.51, 0.9, 1], correct: [false, true, false, true, true],
      binning: .equalWidth(2))
    #expect(diagram.bins.map(\.count) == [2, 3])
    #expect(isClose(diagram.bins.map(\.meanConfidence), [0.25, 2.41 / 3]))
    #expect(isClose(diagram.bins.map(\.accuracy), [0.5, 2.0 / 3]))
    #expect(diagram.bins.map(\.upper) == [0.5, 1])
    // 0.4 · 0.25 + 0.6 · (2.41 − 2) / 3
    #expect(isClose(diagram.expectedCalibrationError, 0.182))
  }

  @Test("A confidence on an edge belongs below it for every number of bins")
  func edges() throws {
    for bins in 1...60 {
      for edge in 1...bins {
        let diagram = try ReliabilityDiagram(
          confidences: [Double(edge) / Double(bins)], correct: [true], binning: .equalWidth(bins))
        #expect(diagram.bins.firstIndex { $0.count == 1 } == edge - 1)
      }
    }
  }

  @Test("Bins of equal mass hold as many samples each, and ties stay together")
  func equalMass() throws {
    let spread = try ReliabilityDiagram(
      confidences: [0.4, 0.1, 0.3, 0.2], correct: [true, false, true, false],
      binning: .equalMass(2))
    #expect(spread.bins.map(\.count) == [2, 2])
    #expect(isClose(spread.bins.map(\.meanConfidence), [0.15, 0.35]))
    #expect(spread.bins.map(\.accuracy) == [0, 1])
    let tied = try ReliabilityDiagram(
      confidences: [0.7, 0.7, 0.7, 0.9], correct: [true, false, true, true],
      binning: .equalMass(4))
    #expect(tied.bins.map(\.count) == [3, 1])
  }

  @Test("Answers that are right as often as they are confident have no error")
  func perfect() throws {
    let confidences = [Double](repeating: 0.75, count: 400)
    let correct = (0..<400).map { $0 % 4 != 0 }
    for binning in [ConfidenceBinning.equalWidth(10), .equalMass(10)] {
      let diagram = try ReliabilityDiagram(
        confidences: confidences, correct: correct, binning: binning)
      #expect(isClose(diagram.expectedCalibrationError, 0))
    }
  }

  @Test("The order of the samples has no influence")
  func permutation() throws {
    var generator = SeededGenerator(seed: 9)
    let confidences = (0..<200).map { _ in Double(generator.integer(below: 20)) / 20 }
    let correct = (0..<200).map { _ in generator.chance(0.6) }
    for binning in [ConfidenceBinning.equalWidth(15), .equalMass(15)] {
      let one = try ReliabilityDiagram(
        confidences: confidences, correct: correct, binning: binning)
      let order = generator.permutation(200)
      let other = try ReliabilityDiagram(
        confidences: order.map { confidences[$0] }, correct: order.map { correct[$0] },
        binning: binning)
      #expect(isClose(one.expectedCalibrationError, other.expectedCalibrationError))
      #expect(one.bins.map(\.count) == other.bins.map(\.count))
      #expect(one.bins.reduce(0) { $0 + $1.count } == 200)
    }
  }

  @Test("Confidences outside 0...1, NaN and nothing are refused")
  func invalid() {
    #expect(throws: EvaluationError.outOfRange(what: "confidences", index: 1, value: 1.5)) {
      try ReliabilityDiagram(confidences: [0.5, 1.5], correct: [true, true])
    }
    #expect(throws: EvaluationError.notFinite(what: "confidences", index: 0)) {
      try ReliabilityDiagram(confidences: [.nan], correct: [true])
    }
    #expect(throws: EvaluationError.empty(what: "confidences")) {
      try ReliabilityDiagram(confidences: [], correct: [])
    }
  }

  @Test("The log-likelihood is that worked out by hand")
  func scoresByHand() throws {
    #expect(
      isClose(
        try negativeLogLikelihood(probabilities: [0.5, 0.5], classCount: 2, truths: [1]),
        0.693_147_180_559_945_3))
  }

  @Test("A certain mistake costs as much as the floor allows")
  func floor() throws {
    let loss = try negativeLogLikelihood(probabilities: [1, 0], classCount: 2, truths: [1])
    #expect(isClose(loss, 52 * 0.693_147_180_559_945_3))
  }

  @Test("scikit-learn agrees")
  func golden() throws {
    #expect(
      isClose(
        try negativeLogLikelihood(
          probabilities: Golden.probabilities, classCount: 4, truths: Golden.truths),
        Golden.negativeLogLikelihood, 1e-10))
  }
}
