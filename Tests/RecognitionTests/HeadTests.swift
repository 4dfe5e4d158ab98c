import Foundation
import NeuralNetwork
import Numbers
import Testing

@testable import Recognition

/// One contract for every head.
@Suite("Heads")
struct HeadTests {
  static let all: [HeadConfiguration] = [
    .nearestNeighbors(count: 3, weights: .inverseDistance),
    .nearestNeighbors(count: 5, weights: .uniform), .classMeans, .linear(penalty: 1e-3),
    .twoCovariance,
  ]

  private func fitted(_ configuration: HeadConfiguration, _ memory: SampleMemory) -> Head {
    var head = configuration.makeHead()
    head.fit(to: memory)
    return head
  }

  @Test("Confidences are probabilities", arguments: all)
  func probabilities(configuration: HeadConfiguration) {
    let memory = SyntheticSamples(labels: 6, perLabel: 7, dimension: 24, seed: 2).memory
    let queries = SyntheticSamples(labels: 4, perLabel: 5, dimension: 24, seed: 3)
    let confidences = fitted(configuration, memory).confidences(for: queries.vectors, in: memory)
    #expect(confidences.count == 20 * 6)
    for row in 0..<20 {
      let values = confidences[(row * 6)..<(row * 6 + 6)]
      #expect(values.allSatisfy { (0...1).contains($0) })
      #expect(abs(values.reduce(0, +) - 1) < 1e-4)
    }
  }

  @Test("Votes that all agree are a confidence of 1, however they round", arguments: 1...40)
  func unanimous(seed: UInt64) {
    let memory = SyntheticSamples(labels: 1, perLabel: 9, dimension: 6, seed: seed).memory
    let queries = SyntheticSamples(labels: 3, perLabel: 20, dimension: 6, seed: seed + 100).vectors
    let confidences = NearestNeighbors(count: 7, weights: .inverseDistance)
      .confidences(for: queries, in: memory)
    #expect(confidences.allSatisfy { $0 <= 1 && $0 > 0.99999 })
  }

  @Test("Well separated labels are told apart on samples that were not taught", arguments: all)
  func separates(configuration: HeadConfiguration) {
    let all = SyntheticSamples(labels: 8, perLabel: 20, dimension: 32, spread: 0.15, seed: 4)
    var memory = SampleMemory(dimension: 32)
    let (taught, asked) = (
      all.samples.indices.filter { $0 % 2 == 0 }, all.samples.indices.filter { $0 % 2 == 1 }
    )
    memory.insert(taught.map { all.samples[$0] }, vectors: taught.flatMap { all.row($0) })
    let head = fitted(configuration, memory)
    let labels = memory.labels
    let right = asked.filter { index in
      let scores = head.confidences(for: all.row(index), in: memory)
      return scores.indices.max { scores[$0] < scores[$1] }.map { labels[$0] }
        == all.samples[index].label
    }
    #expect(right.count >= asked.count * 95 / 100)
  }

  @Test("Forgetting gives the head of a memory that never saw", arguments: all)
  func forgetting(configuration: HeadConfiguration) {
    let all = SyntheticSamples(labels: 5, perLabel: 9, dimension: 20, seed: 6)
    let few = SyntheticSamples(labels: 4, perLabel: 9, dimension: 20, seed: 6)
    var memory = all.memory
    memory.remove { $0.label == "label 4" }
    #expect(memory == few.memory)
    let (a, b) = (fitted(configuration, memory), fitted(configuration, few.memory))
    #expect(a.learned == b.learned)
  }

  @Test("What a head learned can be put back", arguments: all)
  func restores(configuration: HeadConfiguration) throws {
    let memory = SyntheticSamples(labels: 5, perLabel: 9, dimension: 20, seed: 6).memory
    let head = fitted(configuration, memory)
    var copy = configuration.makeHead()
    try copy.restore(head.learned, for: memory)
    let queries = SyntheticSamples(labels: 2, perLabel: 3, dimension: 20, seed: 8).vectors
    #expect(
      copy.confidences(for: queries, in: memory) == head.confidences(for: queries, in: memory))
  }

  @Test(
    "What does not fit the memory is refused",
    arguments: [HeadConfiguration.classMeans, .linear(penalty: 0)])
  func refuses(configuration: HeadConfiguration) {
    let memory = SyntheticSamples(labels: 5, perLabel: 3, dimension: 20, seed: 6).memory
    let other = SyntheticSamples(labels: 4, perLabel: 3, dimension: 20, seed: 6).memory
    var head = configuration.makeHead()
    #expect(throws: ModelError.self) { try head.restore([:], for: memory) }
    #expect(throws: ModelError.self) {
      try head.restore(fitted(configuration, other).learned, for: memory)
    }
  }

  @Test(
    "Numbers with which scores would overflow are refused",
    arguments: [
      (.classMeans, "means", 2), (.classMeans, "means", .nan), (.classMeans, "scale", 3e38),
      (.linear(penalty: 0), "weights", -3e38), (.linear(penalty: 0), "biases", .infinity),
    ] as [(HeadConfiguration, String, Float)])
  func overflow(configuration: HeadConfiguration, name: String, value: Float) throws {
    let memory = SyntheticSamples(labels: 5, perLabel: 3, dimension: 20, seed: 6).memory
    var learned = fitted(configuration, memory).learned
    let old = try #require(learned[name])
    learned[name] = Tensor(shape: old.shape, values: old.values.map { _ in value })
    var head = configuration.makeHead()
    #expect(throws: ModelError.malformed("a number of its head's \(name) is invalid")) {
      try head.restore(learned, for: memory)
    }
  }

  @Test("One sample a label is enough to answer", arguments: all)
  func oneShot(configuration: HeadConfiguration) {
    let samples = SyntheticSamples(labels: 4, perLabel: 1, dimension: 16, seed: 12)
    let head = fitted(configuration, samples.memory)
    for index in 0..<4 {
      let scores = head.confidences(for: samples.row(index), in: samples.memory)
      #expect(scores.indices.max { scores[$0] < scores[$1] } == index)
    }
  }

  @Test(
    "What training learned of a label replaces its samples where that explains fresh ones better"
  )
  func trainedVectors() throws {
    func isFitted(_ sample: TaughtSample) -> Bool { (Int(sample.id.dropFirst(2)) ?? 0) < 30 }
    let digests = ["a", "b"].map { label in Set((0..<30).map { "\(label)-\($0)" }) }
    // Fitted samples lie 30 degrees from where fresh ones of their label lie.
    func memory(trained: ClassVectors) -> SampleMemory {
      var memory = SampleMemory(dimension: 2, trained: trained)
      var generator = SeededGenerator(seed: 2)
      for (label, fitted, fresh) in [("a", 30.0, 0.0), ("b", 10.0, 40.0)] {
        for index in 0..<60 {
          let angle = (index < 30 ? fitted : fresh) + generator.normal(deviation: 12)
          memory.insert(
            [
              TaughtSample(
                id: "\(label)-\(index)", label: label, digest: "\(label)-\(index)")
            ],
            vectors: [Float(cos(angle * .pi / 180)), Float(sin(angle * .pi / 180))])
        }
      }
      return memory
    }
    func firstDirection(_ memory: SampleMemory) -> Double {
      let vectors = LabelDirections.best(for: memory).vectors
      return atan2(Double(vectors[1]), Double(vectors[0])) * 180 / .pi
    }
    let good = memory(
      trained: ClassVectors(
        labels: ["a", "b"], vectors: [1, 0, 0.766_044_4, 0.642_787_6], fittedDigests: digests))
    let bad = memory(
      trained: ClassVectors(labels: ["a", "b"], vectors: [0, 1, 1, 0], fittedDigests: digests))
    let plain = memory(trained: ClassVectors())
    #expect(abs(firstDirection(plain) - 15) < 3)
    #expect(abs(firstDirection(good)) < 3)
    #expect(firstDirection(bad) == firstDirection(plain))
    // Without the fitted samples nothing is left of the training: the label is what is taught now.
    var forgetful = good
    forgetful.remove(where: isFitted)
    var innocent = plain
    innocent.remove(where: isFitted)
    #expect(firstDirection(forgetful) == firstDirection(innocent))
    #expect(good.trained.vector(of: "c") == nil)
    #expect(try #require(good.trained.vector(of: "b")) == [0.766_044_4, 0.642_787_6])
  }

  @Test("The wider a label's samples spread, the less sure the means are")
  func scale() {
    func scale(_ spread: Double) -> Float {
      ClassMeans(
        fittedTo: SyntheticSamples(
          labels: 6, perLabel: 20, dimension: 16, spread: spread, seed: 3
        ).memory
      ).scale
    }
    #expect(scale(0.15) > scale(0.5))
    #expect(scale(0.5) > scale(1.5))
  }
}

@Suite("Logistic regression")
struct LogisticRegressionTests {
  @Test("The gradient is that of finite differences")
  func gradient() {
    let memory = SyntheticSamples(labels: 3, perLabel: 4, dimension: 5, seed: 2).memory
    var generator = SeededGenerator(seed: 4)
    let anchor = (0..<15).map { _ in Float(generator.normal()) }
    let cost = LogisticCost(memory: memory, anchor: anchor, penalty: 0.1)
    let point = (0..<18).map { _ in Float(generator.normal()) }
    let (_, gradient) = cost.valueAndGradient(at: point)
    for k in point.indices {
      var (up, down) = (point, point)
      up[k] += 1e-2
      down[k] -= 1e-2
      let slope = (cost.valueAndGradient(at: up).0 - cost.valueAndGradient(at: down).0) / 2e-2
      #expect(abs(slope - Double(gradient[k])) < 2e-4)
    }
  }

  /// The biases' gradient with nothing known, 1/3 less each label's share, where two labels have 20
  /// samples and the third has four.
  private func biasGradient(fitted: Bool, balance: Float) -> [Float] {
    var samples = SyntheticSamples(labels: 3, perLabel: 20, dimension: 4, seed: 2)
    samples.isFitted = { fitted && $0.label != "label 2" }
    var memory = samples.memory
    memory.remove { $0.label == "label 2" && !["s2-0", "s2-1", "s2-2", "s2-3"].contains($0.id) }
    let zero = [Float](repeating: 0, count: 12)
    let cost = LogisticCost(memory: memory, anchor: zero, penalty: 0, balance: balance)
    return Array(cost.valueAndGradient(at: zero + [0, 0, 0]).1.suffix(3))
  }

  @Test("A label taught from few samples counts as much as a trained one of average size")
  func shares() {
    #expect(biasGradient(fitted: true, balance: 1).allSatisfy { abs($0) < 1e-6 })
    // 20, 20 and 4 of 44 where none of them trained anything.
    let plain = biasGradient(fitted: false, balance: 1)
    #expect(abs(plain[0] - (1.0 / 3 - 20.0 / 44)) < 1e-5)
    #expect(abs(plain[2] - (1.0 / 3 - 4.0 / 44)) < 1e-5)
  }

  @Test("With a balance of 0 every label counts the same, between by the power of its size")
  func balance() {
    #expect(biasGradient(fitted: false, balance: 0).allSatisfy { abs($0) < 1e-6 })
    let half = biasGradient(fitted: false, balance: 0.5)
    let total = 2 * Float(20).squareRoot() + 2
    #expect(abs(half[0] - (1 / 3 - Float(20).squareRoot() / total)) < 1e-5)
    #expect(abs(half[2] - (1 / 3 - 2 / total)) < 1e-5)
  }

  @Test("L-BFGS finds the bottom of a stretched bowl and of Rosenbrock's valley")
  func minimizer() {
    let bowl = LBFGS(iterations: 50).minimum(from: [5, -3]) { p in
      let (a, b) = (Double(p[0] - 1), Double(p[1] + 2))
      return (a * a + 100 * b * b, [Float(2 * a), Float(200 * b)])
    }
    #expect(abs(bowl[0] - 1) < 1e-3)
    #expect(abs(bowl[1] + 2) < 1e-3)
    let valley = LBFGS(iterations: 200).minimum(from: [-1.2, 1]) { p in
      let (x, y) = (Double(p[0]), Double(p[1]))
      let a = 1 - x
      let b = y - x * x
      return (a * a + 100 * b * b, [Float(-2 * a - 400 * x * b), Float(200 * b)])
    }
    #expect(abs(valley[0] - 1) < 1e-2)
    #expect(abs(valley[1] - 1) < 2e-2)
  }
}
