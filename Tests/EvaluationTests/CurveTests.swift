import Evaluation
import Numbers
import Testing

@Suite("Detection, open-set and risk-coverage curves")
struct CurveTests {
  typealias Golden = MetricFixtures

  /// Every pair of a positive and a negative, ties counting half: the definition itself.
  func plainAreaUnderROC(_ positives: [Double], _ negatives: [Double]) -> Double {
    var sum = 0.0
    for positive in positives {
      for negative in negatives {
        sum += positive > negative ? 1 : positive == negative ? 0.5 : 0
      }
    }
    return sum / Double(positives.count * negatives.count)
  }

  @Test("Separated scores give 1, equal ones one half, reversed ones 0")
  func extremes() throws {
    let good = try DetectionCurve(positives: [3, 4], negatives: [1, 2])
    #expect(good.areaUnderROC == 1)
    #expect(good.falsePositiveRate(atTruePositiveRate: 0.95) == 0)
    let equal = try DetectionCurve(positives: [1, 1], negatives: [1, 1, 1])
    #expect(equal.areaUnderROC == 0.5)
    #expect(equal.falsePositiveRate(atTruePositiveRate: 0.95) == 1)
    let bad = try DetectionCurve(positives: [1], negatives: [2, .infinity])
    #expect(bad.areaUnderROC == 0)
  }

  @Test("The rank-based area equals the count of all pairs, and monotone maps change nothing")
  func pairsAndMaps() throws {
    var generator = SeededGenerator(seed: 5)
    for _ in 0..<40 {
      let positives = (0..<17).map { _ in Double(generator.integer(below: 12)) - 4 }
      let negatives = (0..<23).map { _ in Double(generator.integer(below: 12)) - 6 }
      let curve = try DetectionCurve(positives: positives, negatives: negatives)
      #expect(isClose(curve.areaUnderROC, plainAreaUnderROC(positives, negatives)))
      let cubed = try DetectionCurve(
        positives: positives.map { $0 * $0 * $0 + 1 }, negatives: negatives.map { $0 * $0 * $0 + 1 }
      )
      #expect(cubed.areaUnderROC == curve.areaUnderROC)
      let swapped = try DetectionCurve(positives: negatives, negatives: positives)
      #expect(isClose(curve.areaUnderROC + swapped.areaUnderROC, 1))
      let reversed = try DetectionCurve(
        positives: positives.reversed(), negatives: negatives.reversed())
      #expect(reversed == curve)
    }
  }

  @Test("scikit-learn agrees on scores with ties")
  func golden() throws {
    let curve = try DetectionCurve(positives: Golden.positives, negatives: Golden.negatives)
    #expect(isClose(curve.areaUnderROC, Golden.areaUnderROC))
    #expect(
      isClose(curve.falsePositiveRate(atTruePositiveRate: 0.95), Golden.falsePositiveRateAt95))
  }

  @Test("A side without samples and NaN are refused")
  func invalid() {
    #expect(throws: EvaluationError.empty(what: "negative scores")) {
      try DetectionCurve(positives: [1], negatives: [])
    }
    #expect(throws: EvaluationError.notFinite(what: "positive scores", index: 1)) {
      try DetectionCurve(positives: [1, .nan], negatives: [0])
    }
  }

  @Test("OSCR is that worked out by hand")
  func openSetByHand() throws {
    // Thresholds 4 (right), 3 (unknown), 2 (wrong), 1 (unknown): the rate stays at one half.
    let curve = try OpenSetCurve(
      knownScores: [4, 2], correct: [true, false], unknownScores: [3, 1])
    #expect(curve.points.map(\.correctClassificationRate) == [0.5, 0.5, 0.5, 0.5])
    #expect(curve.points.map(\.falsePositiveRate) == [0, 0.5, 0.5, 1])
    #expect(curve.area == 0.5)
    let hidden = try OpenSetCurve(knownScores: [1], correct: [true], unknownScores: [2])
    #expect(hidden.area == 0)
  }

  @Test("OSCR equals the area under the ROC where all is right, and is never above the accuracy")
  func openSetBounds() throws {
    var generator = SeededGenerator(seed: 6)
    for _ in 0..<30 {
      let known = (0..<20).map { _ in Double(generator.integer(below: 9)) }
      let unknown = (0..<15).map { _ in Double(generator.integer(below: 7)) }
      let allRight = try OpenSetCurve(
        knownScores: known, correct: known.map { _ in true }, unknownScores: unknown)
      let detection = try DetectionCurve(positives: known, negatives: unknown)
      #expect(isClose(allRight.area, detection.areaUnderROC))
      let correct = known.map { _ in generator.chance(0.7) }
      let some = try OpenSetCurve(
        knownScores: known, correct: correct, unknownScores: unknown)
      #expect(some.area <= Double(correct.count { $0 }) / 20 + 1e-12)
    }
  }

  @Test("The area under risk and coverage is that worked out by hand")
  func riskByHand() throws {
    // Risks 0/1, 1/2, 1/3, 2/4.
    let curve = try RiskCoverageCurve(
      confidences: [0.9, 0.8, 0.7, 0.6], correct: [true, false, true, false])
    #expect(isClose(curve.points.map(\.risk), [0, 0.5, 1.0 / 3, 0.5]))
    #expect(curve.points.map(\.coverage) == [0.25, 0.5, 0.75, 1])
    #expect(isClose(curve.area, (0.5 + 1.0 / 3 + 0.5) / 4))
  }

  @Test("Equal confidences tell nothing: the risk is the same at every coverage")
  func riskOfTies() throws {
    let curve = try RiskCoverageCurve(
      confidences: [1, 1, 1, 1], correct: [true, false, false, true])
    #expect(isClose(curve.area, 0.5))
    #expect(curve.points.count == 1)
  }

  @Test("The order of the samples has no influence, and the best order is a lower bound")
  func riskPermutation() throws {
    var generator = SeededGenerator(seed: 8)
    for _ in 0..<30 {
      let confidences = (0..<40).map { _ in Double(generator.integer(below: 10)) }
      let correct = (0..<40).map { _ in generator.chance(0.7) }
      let one = try RiskCoverageCurve(confidences: confidences, correct: correct)
      let order = generator.permutation(40)
      let other = try RiskCoverageCurve(
        confidences: order.map { confidences[$0] }, correct: order.map { correct[$0] })
      #expect(isClose(one.area, other.area))
      #expect(one.points == other.points)
      let ideal = try RiskCoverageCurve(
        confidences: correct.map { $0 ? 1 : 0 }.enumerated().map { $1 - Double($0) * 1e-6 },
        correct: correct)
      #expect(ideal.area <= one.area + 1e-12)
    }
  }
}
