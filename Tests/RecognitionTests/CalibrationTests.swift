import Numbers
import Testing

@testable import Recognition

@Suite("Calibration")
struct CalibrationTests {
  /// A calibration in which the quantiles of a cell are 0...100 times its number.
  private func literal() throws -> Calibration {
    let cells = Calibration.labelCounts.count * Calibration.shotCounts.count
    let quantiles = (0..<cells).flatMap { cell in (0...100).map { Float($0 * (cell + 1)) } }
    return try Calibration(
      marginWeight: 0.5, evidence: quantiles, temperatures: (0..<cells).map { Float($0 + 1) })
  }

  @Test("Between the numbers of labels and drawings it interpolates in their logarithms")
  func interpolation() throws {
    let calibration = try literal()
    // The first cell is 1 × 0...100, the second (two drawings) 2 × 0...100.
    #expect(calibration.distribution(labels: 1, shots: 1).evidence[50] == 50)
    #expect(calibration.distribution(labels: 1, shots: 2).evidence[50] == 100)
    #expect(
      abs(calibration.distribution(labels: 1, shots: 2.0.squareRoot()).evidence[50] - 75) < 1e-3)
    // Two labels, one drawing: the seventh cell.
    #expect(calibration.distribution(labels: 2, shots: 1).temperature == 7)
    // Three labels lie log 1.5 / log 2.5 on the way from two to five.
    let three = calibration.distribution(labels: 3, shots: 1).temperature
    #expect(abs(three - (7 + 6 * 0.442_507)) < 1e-4)
    // Beyond the last it stays.
    #expect(calibration.distribution(labels: 4000, shots: 900).temperature == 36)
    #expect(
      calibration.distribution(ofLabelsWith: [1, 4])
        == calibration.distribution(ofLabelsWith: [2, 2]))
  }

  @Test("The share below a value is read between the quantiles")
  func shares() {
    let quantiles = (0...100).map { Float($0) }
    #expect(Calibration.Distribution.share(of: quantiles, below: -1) == 0)
    #expect(Calibration.Distribution.share(of: quantiles, below: 0) == 0)
    #expect(abs(Calibration.Distribution.share(of: quantiles, below: 2.5) - 0.025) < 1e-6)
    #expect(Calibration.Distribution.share(of: quantiles, below: 100) == 1)
    #expect(Calibration.Distribution.share(of: [Float](repeating: 3, count: 101), below: 3) == 1)
    #expect(Calibration.Distribution.share(of: [Float](repeating: 3, count: 101), below: 2.9) == 0)
  }

  @Test("The evidence for an answer is its score and a part of its lead over the second label")
  func evidence() throws {
    // Of one label and one drawing: quantiles 0...100, and half of the lead counts.
    let distribution = try literal().distribution(labels: 1, shots: 1)
    func share(_ scores: [Float]) throws -> Float {
      distribution.share(below: try #require(BestScore(scores)))
    }
    #expect(abs(try share([50]) - 0.5) < 1e-6)
    #expect(abs(try share([50, 40]) - 0.55) < 1e-6)
    #expect(abs(try share([10, 45, 45]) - 0.45) < 1e-6)
    #expect(try share([-50, -40]) == 0)
  }

  @Test("The best score and its lead, by hand")
  func bestScore() throws {
    #expect(BestScore([Float]()) == nil)
    let best = try #require(BestScore([1, 7, 3, 7, 5] as [Float]))
    #expect(best.label == 1)
    #expect(best.second == 3)
    #expect(best.margin == 0)
    #expect(try #require(BestScore([-4, -9] as [Float])).margin == 5)
    #expect(try #require(BestScore([2] as [Float])).margin == nil)
  }

  @Test("The same seed gives the same calibration; what is found makes sense")
  func found() async throws {
    let world = GaussianWorld(between: [20, 8, 3, 1], seed: 3)
    func calibration(_ seed: UInt64) throws -> Calibration {
      try #require(
        world.prior(labels: 100, calibrating: 40, questions: 200, seed: seed).calibration)
    }
    let first = try calibration(1)
    #expect(try calibration(1) == first)
    #expect(try calibration(2) != first)
    func median(_ labels: Int, _ shots: Double) -> Float {
      first.distribution(labels: labels, shots: shots).evidence[50]
    }
    // The more drawings, and the more labels to choose from, the better the best label fits.
    #expect(median(5, 1) < median(5, 5))
    #expect(median(1, 1) < median(20, 1))
    #expect(first.temperatures.allSatisfy { (0.2...5).contains($0) })
  }

  @Test("Too few base drawings for many labels or drawings leave the distribution of fewer")
  func few() throws {
    var generator = SeededGenerator(seed: 2)
    let world = GaussianWorld(between: [9, 3], seed: 2)
    let base = world.draw(labels: 30, perLabel: 5, using: &generator)
    let model = try TwoCovarianceModel(
      fittedTo: base.vectors, dimension: 2, classes: base.classes)
    let fresh = world.draw(labels: 4, perLabel: 4, using: &generator)
    let calibration = try Calibration(
      of: model, vectors: fresh.vectors, classes: fresh.classes, questions: 60, seed: 1)
    #expect(
      calibration.distribution(labels: 2, shots: 20)
        == calibration.distribution(labels: 2, shots: 3))
    #expect(
      calibration.distribution(labels: 40, shots: 1)
        == calibration.distribution(labels: 2, shots: 1))
    #expect(
      calibration.distribution(labels: 40, shots: 3)
        == calibration.distribution(labels: 2, shots: 3))
    #expect(
      calibration.distribution(labels: 40, shots: 3)
        != calibration.distribution(labels: 40, shots: 1))
    #expect(throws: ModelError.self) {
      try Calibration(
        of: model, vectors: Array(fresh.vectors.prefix(8)), classes: [0, 0, 0, 0], seed: 1)
    }
  }

  @Test("Quantiles that fall, numbers that are none and temperatures of 0 are refused")
  func refuses() throws {
    let sound = try literal()
    var falling = sound.evidence
    falling[7] = -1
    var infinite = sound.evidence
    infinite[100] = .infinity
    for (weight, evidence, temperatures) in [
      (0.1, falling, sound.temperatures), (0.1, infinite, sound.temperatures),
      (0.1, sound.evidence, [Float](repeating: 0, count: 36)), (0.1, [], sound.temperatures),
      (0.1, sound.evidence, []), (-0.1, sound.evidence, sound.temperatures),
      (.nan, sound.evidence, sound.temperatures),
    ] as [(Float, [Float], [Float])] {
      #expect(throws: ModelError.self) {
        try Calibration(marginWeight: weight, evidence: evidence, temperatures: temperatures)
      }
    }
  }
}
