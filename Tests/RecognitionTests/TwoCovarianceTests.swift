import Foundation
import NeuralNetwork
import Numbers
import Testing

@testable import Recognition

@Suite("Two-covariance model")
struct TwoCovarianceTests {
  /// The logarithm of a normal density, written out.
  private func logNormal(_ x: Double, _ mean: Double, _ variance: Double) -> Double {
    -(log(2 * .pi * variance) + (x - mean) * (x - mean) / variance) / 2
  }

  private func memory(_ model: TwoCovarianceModel, _ vectors: [(String, [Float])]) -> SampleMemory {
    var memory = SampleMemory(
      dimension: model.dimension, prior: PLDAPrior(model: model))
    for (index, (label, vector)) in vectors.enumerated() {
      memory.insert(
        [TaughtSample(id: "\(index)", label: label, digest: "\(index)")], vectors: vector)
    }
    return memory
  }

  @Test("One coordinate by hand: the score after one and after two drawings")
  func oneCoordinate() throws {
    // ψ = 3. One drawing at 2: m = 3/4 · 2 = 1.5, v = 1 + 3/4 = 1.75. An unknown: N(0, 4).
    let model = try TwoCovarianceModel(mean: [0], projection: [1], betweenVariances: [3])
    let one = memory(model, [("a", [2])])
    // −½ log 1.75 − (1 − 1.5)² / 3.5 + ½ log 4 + 1 / 8 = −0.279808 − 0.071429 + 0.693147 + 0.125.
    #expect(abs(one.scores(of: [1])[0] - 0.466_911) < 1e-5)
    #expect(
      abs(Double(one.scores(of: [1])[0]) - (logNormal(1, 1.5, 1.75) - logNormal(1, 0, 4))) < 1e-5)
    // Two drawings at 2 and 0: mean 1, m = 6/7, v = 1 + 3/7.
    let two = memory(model, [("a", [2]), ("a", [0])])
    let expected = logNormal(1, 6.0 / 7, 10.0 / 7) - logNormal(1, 0, 4)
    #expect(abs(Double(two.scores(of: [1])[0]) - expected) < 1e-5)
  }

  @Test("Two coordinates by hand, with a mean and a projection")
  func twoCoordinates() throws {
    // x = (2 (u₁ − 1), u₁ + u₂ − 1 − 0.5).
    let model = try TwoCovarianceModel(
      mean: [1, 0.5], projection: [2, 0, 1, 1], betweenVariances: [4, 0.5])
    #expect(model.project([1.5, 0.5, 1, 0.5]) == [1, 0.5, 0, 0])
    let taught = memory(model, [("a", [1.5, 0.5]), ("b", [1, 0.5])])
    let x = model.project([2, 0])
    #expect(x == [2, 0.5])
    let unknown = logNormal(2, 0, 5) + logNormal(0.5, 0, 1.5)
    let a = logNormal(2, 4.0 / 5, 1 + 4.0 / 5) + logNormal(0.5, 0.5 / 1.5 * 0.5, 1 + 0.5 / 1.5)
    let b = logNormal(2, 0, 1 + 4.0 / 5) + logNormal(0.5, 0, 1 + 0.5 / 1.5)
    let scores = taught.scores(of: [2, 0])
    #expect(abs(Double(scores[0]) - (a - unknown)) < 1e-5)
    #expect(abs(Double(scores[1]) - (b - unknown)) < 1e-5)
  }

  @Test("The fast scores are those of the densities written out", arguments: 1...5)
  func plain(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let world = GaussianWorld(between: (0..<12).map { 40 / Double(1 + $0 * $0) }, seed: seed)
    let base = world.draw(labels: 60, perLabel: 6, using: &generator)
    let model = try TwoCovarianceModel(
      fittedTo: base.vectors, dimension: 12, classes: base.classes)
    let taught = world.draw(labels: 7, perLabel: 5, using: &generator)
    // Different numbers of drawings: label k keeps the first 1 + k % 5.
    let rows = taught.classes.indices.filter { $0 % 5 <= taught.classes[$0] % 5 }
    let memory = memory(
      model,
      rows.map { ("\(taught.classes[$0])", Array(taught.vectors[($0 * 12)..<($0 * 12 + 12)])) })
    let queries = world.draw(labels: 10, perLabel: 2, using: &generator).vectors
    let scores = memory.scores(of: queries)
    let (x, psi) = (model.project(queries), model.betweenVariances.map { Double($0) })
    for query in 0..<20 {
      for label in 0..<7 {
        let own = memory.rows(ofLabel: label)
        let n = Double(own.count)
        var plain = 0.0
        for k in psi.indices {
          let mean =
            own.reduce(0.0) {
              $0 + Double(model.project(Array(memory.vector($1)))[k])
            } / n
          let value = Double(x[query * psi.count + k])
          plain +=
            logNormal(value, n * psi[k] / (n * psi[k] + 1) * mean, 1 + psi[k] / (n * psi[k] + 1))
            - logNormal(value, 0, 1 + psi[k])
        }
        let score = scores[query * 7 + label] + memory.penalties[label]
        #expect(abs(Double(score) - plain) < 1e-3 * max(1, abs(plain)))
      }
    }
  }

  @Test("Scores do not change when the vectors are mapped and shifted", arguments: 1...3)
  func affine(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let plain = GaussianWorld(between: [9, 4, 1, 0.25], seed: seed)
    let base = plain.draw(labels: 40, perLabel: 5, using: &generator).vectors
    let query = plain.draw(labels: 1, perLabel: 4, using: &generator).vectors
    let classes = (0..<200).map { $0 / 5 }
    func scores(_ change: ([Float]) -> [Float]) throws -> [Float] {
      let model = try TwoCovarianceModel(
        fittedTo: change(base), dimension: 4, classes: classes, shrinkage: 0)
      let query = change(query)
      return memory(model, [("a", Array(query[0..<4])), ("b", Array(query[4..<8]))])
        .scores(of: Array(query[8...]))
    }
    func moved(_ vectors: [Float]) -> [Float] {
      stride(from: 0, to: vectors.count, by: 4).flatMap { s in
        let v = Array(vectors[s..<(s + 4)])
        return [
          2 * v[0] + v[1] - 1, v[1] - 0.5 * v[3] + 2, 0.3 * v[2] + v[0], 4 * v[3] + 0.1 * v[2],
        ]
      }
    }
    for (a, b) in zip(try scores { $0 }, try scores(moved)) {
      #expect(abs(a - b) < 2e-2 * max(1, abs(a)), "seed \(seed)")
    }
  }

  @Test("The statistics of a known world are found")
  func recovers() throws {
    var generator = SeededGenerator(seed: 5)
    let world = GaussianWorld(between: [16, 4, 1], seed: 5)
    let base = world.draw(labels: 3000, perLabel: 5, using: &generator)
    let model = try TwoCovarianceModel(
      fittedTo: base.vectors, dimension: 3, classes: base.classes, shrinkage: 0)
    for (found, true_) in zip(model.betweenVariances, world.between) {
      #expect(abs(Double(found) / true_ - 1) < 0.1)
    }
    // Within a label the projected drawings spread with variance 1 in every direction.
    let x = model.project(base.vectors)
    for k in 0..<3 {
      var sum = 0.0
      for label in 0..<3000 {
        let values = (0..<5).map { Double(x[(label * 5 + $0) * 3 + k]) }
        let mean = values.reduce(0, +) / 5
        sum += values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / 4
      }
      #expect(abs(sum / 3000 - 1) < 1e-3)
    }
  }

  @Test("Every label counts the same, however many drawings it has")
  func balance() throws {
    var generator = SeededGenerator(seed: 8)
    let world = GaussianWorld(between: [4, 1], seed: 8)
    let base = world.draw(labels: 20, perLabel: 10, using: &generator)
    // The first label's drawings a hundred times over.
    let more = (0..<100).flatMap { _ in Array(base.vectors[..<20]) } + base.vectors
    let classes = [Int](repeating: 0, count: 1000) + base.classes
    let (a, b) = (
      try TwoCovarianceModel(fittedTo: base.vectors, dimension: 2, classes: base.classes),
      try TwoCovarianceModel(fittedTo: more, dimension: 2, classes: classes)
    )
    #expect(zip(a.mean, b.mean).allSatisfy { abs($0 - $1) < 2e-3 })
    #expect(zip(a.betweenVariances, b.betweenVariances).allSatisfy { abs($0 / $1 - 1) < 0.1 })
  }

  @Test("Nothing to learn from is refused, and so are invalid numbers")
  func refuses() {
    #expect(throws: ModelError.self) {
      try TwoCovarianceModel(fittedTo: [], dimension: 2, classes: [])
    }
    #expect(throws: ModelError.self) {
      try TwoCovarianceModel(fittedTo: [1, 0, 0, 1, 1, 1], dimension: 2, classes: [0, 1, 1])
    }
    let same = [Float](repeating: 0.5, count: 16)
    #expect(throws: ModelError.self) {
      try TwoCovarianceModel(fittedTo: same, dimension: 2, classes: [0, 0, 0, 0, 1, 1, 1, 1])
    }
    for (mean, projection, between): ([Float], [Float], [Float]) in [
      ([], [], [1]), ([1], [1], []), ([1], [1, 2], [1]), ([1], [1], [0]), ([1], [1], [-1]),
      ([.nan], [1], [1]), ([1], [.infinity], [1]), ([1], [1], [.nan]), ([1], [1], [1e30]),
    ] {
      #expect(throws: ModelError.self) {
        try TwoCovarianceModel(mean: mean, projection: projection, betweenVariances: between)
      }
    }
  }

  @Test("Without a prior, near is still likelier than far")
  func isotropic() {
    let samples = SyntheticSamples(labels: 5, perLabel: 4, dimension: 24, seed: 3)
    let memory = samples.memory
    for row in samples.samples.indices {
      let scores = memory.scores(of: samples.row(row))
      #expect(scores.indices.max { scores[$0] < scores[$1] } == row / 4)
      #expect((scores.max() ?? 0) > 0)
    }
  }

  @Test(
    "What a sample would score left out is what it scores in a memory without it", arguments: 1...4)
  func leftOut(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let world = GaussianWorld(between: [20, 6, 2, 0.5], seed: seed)
    let prior = try world.prior(
      labels: 50, calibrating: 20, questions: 50, seed: seed)
    let taught = world.draw(labels: 4, perLabel: 3, using: &generator)
    var memory = SampleMemory(dimension: 4, prior: prior)
    memory.insert(
      taught.classes.enumerated().map {
        TaughtSample(id: "\($0)", label: "\($1)", digest: "\($0)")
      }, vectors: taught.vectors)
    let rows = Array(memory.leftOut.byLabel.joined())
    #expect(rows.count == 12)
    for (row, leftOut) in rows.enumerated() {
      var without = memory
      let id = memory.samples[row].id
      without.remove { $0.id == id }
      let x = without.scores.model.project(Array(memory.vector(row)))
      for (a, b) in zip(without.scores.scores(of: x), leftOut.scores) {
        #expect(abs(a - b) < 1e-3 * max(1, abs(a)))
      }
    }
  }
}
