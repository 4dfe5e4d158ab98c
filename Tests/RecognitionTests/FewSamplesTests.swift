import Foundation
import Numbers
import Testing

@testable import Recognition

@Suite("Labels of few samples")
struct FewSamplesTests {
  @Test("The fewer samples a label has than the others, the lower are its scores")
  func penalties() {
    // Without a calibration the temperature is 2.5. Others of 5: 2.5 · log 5 and 2.5 · log 2.5.
    func penalties(_ counts: [Int]) -> [Float] {
      FewSamples.penalties(ofLabelsWith: counts, nil)
    }
    func close(_ a: [Float], _ b: [Float]) -> Bool {
      a.count == b.count && zip(a, b).allSatisfy { abs($0 - $1) < 1e-4 }
    }
    #expect(close(penalties([5, 5, 5, 5, 5, 5, 1]), [0, 0, 0, 0, 0, 0, 4.023_595]))
    #expect(close(penalties([5, 2, 5]), [0, 2.290_727, 0]))
    // Of more than five samples only five count.
    #expect(close(penalties([40, 1, 900]), [0, 4.023_595, 0]))
    #expect(close(penalties([40, 7]), [0, 0]))
    // Of two labels of one, each has one of five and one of one beside it: 2.5 · log 3.
    #expect(close(penalties([1, 5, 1]), [2.746_531, 0, 2.746_531]))
    for alike in [[], [1], [1, 1, 1], [3, 3]] {
      #expect(penalties(alike) == alike.map { _ in 0 })
    }
  }

  @Test("Penalties depend on the samples alone, and a sample more takes them away")
  func memory() throws {
    var generator = SeededGenerator(seed: 4)
    let world = GaussianWorld(between: [9, 4, 1], seed: 4)
    let drawn = world.draw(labels: 3, perLabel: 3, using: &generator)
    func insert(_ rows: [Int], into memory: inout SampleMemory) {
      memory.insert(
        rows.map { TaughtSample(id: "\($0)", label: "\(drawn.classes[$0])", digest: "\($0)") },
        vectors: rows.flatMap { drawn.vectors[(3 * $0)..<(3 * $0 + 3)] })
    }
    var memory = SampleMemory(
      dimension: 3, prior: try world.prior(labels: 50, calibrating: 20, questions: 50, seed: 4))
    insert([0, 1, 2, 3, 4, 5, 6], into: &memory)
    let temperature = TwoCovariance.baseTemperature(in: memory)
    #expect(memory.penalties[..<2] == [0, 0])
    #expect(abs(memory.penalties[2] - temperature * 1.098_612) < 1e-4, "log 3")
    let x = memory.scores.model.project(Array(drawn.vectors[21..<24]))
    let scores = memory.scores(of: Array(drawn.vectors[21..<24]))
    #expect(scores == zip(memory.scores.scores(of: x), memory.penalties).map { $0 - $1 })
    let before = memory
    insert([7, 8], into: &memory)
    #expect(memory.penalties == [0, 0, 0])
    memory.remove { ["7", "8"].contains($0.id) }
    #expect(memory == before)
  }

  @Test("What leaving a sample out costs its label on average, by hand and in a known world")
  func gain() throws {
    // ψ = 3: v = 1.75 after one drawing and 10/7 after two; log(1.75 · 7 / 10) / 2.
    let model = try TwoCovarianceModel(mean: [0], projection: [1], betweenVariances: [3])
    var memory = SampleMemory(dimension: 1, prior: PLDAPrior(model: model))
    memory.insert(
      ["1", "2"].map { TaughtSample(id: $0, label: "a", digest: $0) }, vectors: [2, 0])
    #expect(abs(memory.scores.meanGain(ofLast: 1, label: 0) - 0.101_470) < 1e-5)
    // Estimates from samples left out are on average the scores of new drawings.
    let world = AcceptanceTests.world
    var generator = SeededGenerator(seed: 8)
    var (left, estimated, new) = (0.0, 0.0, 0.0)
    let prior = try world.prior(labels: 300, calibrating: 20, questions: 50, seed: 8)
    for _ in 0..<300 {
      let drawn = world.draw(labels: 1, perLabel: 4, using: &generator)
      var memory = SampleMemory(dimension: world.dimension, prior: prior)
      memory.insert(
        (0..<2).map { TaughtSample(id: "\($0)", label: "a", digest: "\($0)") },
        vectors: Array(drawn.vectors[..<(2 * world.dimension)]))
      for row in memory.leftOut.byLabel[0] {
        left += Double(row.own) / 600
        estimated += Double(memory.leftOut.estimate(row, label: 0)[0]) / 600
      }
      for score in memory.scores(of: Array(drawn.vectors[(2 * world.dimension)...])) {
        new += Double(score) / 600
      }
    }
    #expect(abs(estimated - new) < 0.15, "\(estimated) and \(new), seed 8")
    #expect(new - left > 0.3, "\(left)")
  }
}

@Suite("Temperature")
struct TemperatureFitTests {
  @Test("Without drawings it is the base's; one drawing moves it little, the same way in hand")
  func few() {
    #expect(TemperatureFit([], base: 7).temperature == 7)
    #expect(TemperatureFit([([3], 0)], base: 7).temperature == 7)
    // Scores 0 and log 3 at T = 1: the softmax is 1/4 and 3/4. The derivative of the cost by log T
    // is (log T) / 0.09 + (s − mean) / T, so T is 1 plus a little where s is the lower score.
    let wrong = Double(TemperatureFit([([0, 1.098_612], 0)], base: 1).temperature)
    #expect(wrong > 1)
    let (logT, p) = (log(wrong), 1 / (1 + exp(-1.098_612 / wrong)))
    #expect(abs(logT / 0.09 - p * 1.098_612 / wrong) < 1e-3)
    #expect(TemperatureFit([([0, 1.098_612], 1)], base: 1).temperature < 1)
  }

  @Test("From many drawings the temperature that made them is found", arguments: [2.0, 6.0, 11.0])
  func found(truth: Double) {
    var generator = SeededGenerator(seed: 5)
    let rows = (0..<4000).map { _ in
      let scores = (0..<4).map { _ in Float(generator.normal(deviation: 10)) }
      let weights = scores.map { exp(Double($0) / truth) }
      var rest = generator.unit() * weights.reduce(0, +)
      let label = weights.firstIndex {
        rest -= $0
        return rest <= 0
      }
      return (scores, label ?? 3)
    }
    let found = Double(TemperatureFit(rows, base: 6).temperature)
    #expect(abs(found / truth - 1) < 0.08, "\(found), seed 5")
  }
}
