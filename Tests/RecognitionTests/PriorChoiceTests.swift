import Foundation
import NeuralNetwork
import Numbers
import TestTools
import Testing

@testable import Recognition

@Suite("Choice of a prior")
struct PriorChoiceTests {
  // MARK: Likelihood

  private func logLikelihood(_ drawings: [Float], _ model: TwoCovarianceModel) -> Double {
    model.logLikelihoods(ofLabels: [drawings])[0]
  }

  @Test("The likelihood of one and of two drawings along one coordinate, by hand")
  func oneCoordinate() throws {
    // A drawing u has x = 2 (u − 1); ψ = 3.
    let model = try TwoCovarianceModel(mean: [1], projection: [2], betweenVariances: [3])
    #expect(model.hasLikelihood)
    // N(2; 0, 4) for x, twice that for u: −½ log 8π − ½ + log 2 = −2.112086 + 0.693147.
    #expect(abs(logLikelihood([2], model) - -1.418_939) < 1e-5)
    // x = 2 and 0 with covariance [[4, 3], [3, 4]]: determinant 7, quadratic form 4 · 4 / 7.
    let expected = -log(2 * Double.pi) - log(7) / 2 - 8.0 / 7 + 2 * log(2)
    #expect(abs(logLikelihood([2, 1], model) - expected) < 1e-5)
    #expect(logLikelihood([], model) == 0)
    let labels: [[Float]] = [[2], [], [2, 1], [0.5, -1, 3]]
    #expect(model.logLikelihoods(ofLabels: labels) == labels.map { logLikelihood($0, model) })
  }

  @Test("Directions along which labels do not differ count too")
  func rest() throws {
    // x = (u₁ + u₂, u₁ − u₂) with ψ = (3, 0); the volume is 2.
    let model = try TwoCovarianceModel(
      mean: [0, 0], projection: [1, 1], betweenVariances: [3], rest: [1, -1])
    // u = (2, 0): x = (2, 2): N(2; 0, 4) · N(2; 0, 1) · 2.
    let expected =
      -log(2 * Double.pi) - log(4) / 2 - 0.5 - 2 + log(2)
    #expect(abs(logLikelihood([2, 0], model) - expected) < 1e-5)
    let without = try TwoCovarianceModel(mean: [0, 0], projection: [1, 1], betweenVariances: [3])
    #expect(!without.hasLikelihood)
  }

  @Test("Drawings one after another are as likely as all at once", arguments: 1...4)
  func chain(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    // The last directions carry so little of the labels that they are left out of the scores.
    let world = GaussianWorld(between: [30, 5, 1, 0.2, 0, 0], seed: seed)
    let base = world.draw(labels: 200, perLabel: 6, using: &generator)
    let model = try TwoCovarianceModel(
      fittedTo: base.vectors, dimension: 6, classes: base.classes, shrinkage: 0)
    let drawn = world.draw(labels: 1, perLabel: 4, using: &generator).vectors
    func row(_ index: Int) -> [Float] { Array(drawn[(index * 6)..<((index + 1) * 6)]) }
    var sum = 0.0
    for count in 0..<4 {
      var memory = SampleMemory(dimension: 6, prior: PLDAPrior(model: model))
      memory.insert(
        (0..<count).map { TaughtSample(id: "\($0)", label: "a", digest: "\($0)") },
        vectors: Array(drawn[..<(count * 6)]))
      // The score is how much likelier the next one is than as one of a label alone.
      sum += logLikelihood(row(count), model)
      sum += count == 0 ? 0 : Double(memory.scores(of: row(count))[0])
    }
    let all = logLikelihood(drawn, model)
    #expect(abs(sum - all) < 1e-3 * max(1, abs(all)), "seed \(seed)")
  }

  @Test("Determinants by hand, of products, and of what cannot be inverted")
  func determinants() throws {
    #expect(abs(try #require(Matrix.logDeterminant(of: [3], order: 1)) - log(3)) < 1e-12)
    // Rows must be exchanged: the determinant is −2.
    #expect(abs(try #require(Matrix.logDeterminant(of: [0, 2, 1, 5], order: 2)) - log(2)) < 1e-12)
    #expect(Matrix.logDeterminant(of: [1, 2, 2, 4], order: 2) == nil)
    var generator = SeededGenerator(seed: 4)
    func random() -> [Float] { (0..<121).map { _ in Float(generator.normal()) } }
    let (a, b) = (random(), random())
    var product = [Float](repeating: 0, count: 121)
    for row in 0..<11 {
      for column in 0..<11 {
        for k in 0..<11 { product[row * 11 + column] += a[row * 11 + k] * b[k * 11 + column] }
      }
    }
    let (ofA, ofB) = (
      Matrix.logDeterminant(of: a, order: 11), Matrix.logDeterminant(of: b, order: 11)
    )
    let sum = try #require(ofA) + #require(ofB)
    #expect(abs(try #require(Matrix.logDeterminant(of: product, order: 11)) - sum) < 1e-3)
  }

  // MARK: Choice

  /// Two kinds of drawings that differ in what labels differ by.
  private static let worlds = [
    GaussianWorld(between: (0..<24).map { $0 < 12 ? 20 : 0.2 }, seed: 31),
    GaussianWorld(between: (0..<24).map { $0 < 12 ? 0.2 : 20 }, seed: 32),
  ]
  private static let priors = Result {
    try zip(["first", "second"], worlds).map { name, world in
      var prior = try world.prior(calibrating: 8, questions: 40, seed: 33)
      prior.name = name
      return prior
    }
  }

  /// Drawings of new labels of a kind.
  private func samples(
    of world: Int, labels: Int, perLabel: Int, seed: UInt64
  ) -> (samples: [TaughtSample], vectors: [Float]) {
    var generator = SeededGenerator(seed: seed, stream: world)
    let drawn = Self.worlds[world].draw(labels: labels, perLabel: perLabel, using: &generator)
    return (
      drawn.classes.enumerated().map {
        TaughtSample(
          id: "\(world)-\($0)", label: "\(world)-\($1)", digest: "\(generator.next() % 1000)-\($0)")
      }, drawn.vectors
    )
  }

  private func memory() throws -> SampleMemory {
    SampleMemory(dimension: 24, priors: try Self.priors.get())
  }

  @Test("The kind that is taught is found, and scores are those of its prior alone")
  func found() throws {
    for world in 0..<2 {
      var right = 0
      for seed in 1...20 as ClosedRange<UInt64> {
        var both = try memory()
        let taught = samples(of: world, labels: 6, perLabel: 2, seed: seed)
        both.insert(taught.samples, vectors: taught.vectors)
        guard both.prior?.name == ["first", "second"][world] else { continue }
        right += 1
        var alone = SampleMemory(dimension: 24, prior: try Self.priors.get()[world])
        alone.insert(taught.samples, vectors: taught.vectors)
        let queries = samples(of: world, labels: 3, perLabel: 2, seed: seed + 100).vectors
        #expect(both.scores(of: queries) == alone.scores(of: queries))
        #expect(both.leftOut == alone.leftOut)
      }
      #expect(right >= 19, "\(right) of 20 with seeds 1 to 20")
    }
  }

  @Test("What follows from the samples is the same in every order and after every detour")
  func exact() throws {
    let a = samples(of: 0, labels: 2, perLabel: 3, seed: 7)
    let b = samples(of: 1, labels: 7, perLabel: 7, seed: 8)
    var first = try memory()
    first.insert(a.samples, vectors: a.vectors)
    let before = first
    #expect(first.prior?.name == "first")
    // One at a time, from the last on: the choice changes on the way.
    for index in b.samples.indices.reversed() {
      first.insert([b.samples[index]], vectors: Array(b.vectors[(index * 24)..<(index * 24 + 24)]))
    }
    #expect(first.prior?.name == "second")
    var other = try memory()
    other.insert(b.samples, vectors: b.vectors)
    other.insert(a.samples, vectors: a.vectors)
    #expect(first == other)
    first.remove { $0.label.hasPrefix("1-") }
    #expect(first == before)
    first.remove { _ in true }
    #expect(first.prior?.name == "first")
    #expect(first == (try memory()))
  }

  @Test("An adapted memory adapts the prior that is chosen, and a detour leaves no trace")
  func adapted() throws {
    let a = samples(of: 0, labels: 2, perLabel: 3, seed: 7)
    let b = samples(of: 1, labels: 7, perLabel: 7, seed: 8)
    var memory = try memory()
    memory.insert(a.samples, vectors: a.vectors)
    try memory.adapt(
      Adaptation(priorWeight: 300, samples: Set(a.samples)))
    let before = memory
    memory.insert(b.samples, vectors: b.vectors)
    #expect(memory.prior?.name == "second")
    let adaptation = try #require(memory.adaptation)
    let second = try #require(memory.prior?.model)
    #expect(
      try memory.adaptedModels == AdaptedModels(adaptation, in: memory, model: second))
    #expect(memory.scores.model == memory.adaptedModels?.whole)
    memory.remove { $0.label.hasPrefix("1-") }
    #expect(memory == before)
  }

  @Test("The first prior needs no proof")
  func lead() throws {
    let prior = try Self.priors.get()[1]
    var twin = prior
    twin.name = "twin"
    var memory = SampleMemory(dimension: 24, priors: [prior, twin])
    #expect(memory.prior?.name == "second")
    let taught = samples(of: 1, labels: 5, perLabel: 2, seed: 3)
    memory.insert(taught.samples, vectors: taught.vectors)
    #expect(memory.prior?.name == "second")
    // Vectors four times as long are thirty times likelier, and more, under a model that expects
    // them.
    let model = prior.model
    let wide = PLDAPrior(
      named: "wide",
      model: try TwoCovarianceModel(
        mean: model.mean, projection: model.projection.map { $0 / 4 },
        betweenVariances: model.betweenVariances, rest: model.rest.map { $0 / 4 }))
    for (factor, expected) in [(Float(1), "second"), (4, "wide")] {
      var memory = SampleMemory(dimension: 24, priors: [prior, wide])
      let vectors = taught.vectors.enumerated().map {
        model.mean[$0 % 24] + factor * ($1 - model.mean[$0 % 24])
      }
      memory.insert(taught.samples, vectors: vectors)
      #expect(memory.prior?.name == expected)
    }
  }

  // MARK: Learning and files

  @Test("Each kind of drawings gives a prior, and a file keeps them and the choice")
  func file() async throws {
    let folder = try TemporaryFolder()
    let embedding = try Doodles.untaught().embedding
    let priors = [
      try await PLDAPrior(
        named: "one", of: embedding, base: Doodles.set(6, seed: 4), fresh: Doodles.set(5, seed: 5),
        seed: 1),
      try await PLDAPrior(
        named: "two", of: embedding, crossFitting: Doodles.set(6, seed: 9), by: { $0 }, seed: 1),
    ]
    #expect(priors.map(\.name) == ["one", "two"])
    #expect(priors.allSatisfy { $0.model.hasLikelihood })
    var recognizer = Recognizer(
      embedding: embedding, priors: priors, head: .twoCovariance,
      provenance: Doodles.provenance())
    try await recognizer.update(with: Doodles.set(4))
    try ModelFile.write(recognizer, to: folder.file("a"))
    let copy = try ModelFile.read(folder.file("a"))
    #expect(copy.memory == recognizer.memory)
    #expect(copy.memory.priors == priors)
    for drawing in Doodles.set(3, seed: 8) {
      #expect(try copy.classify(drawing) == recognizer.classify(drawing))
    }
  }

  @Test("Cross-fitting a known world expects the scores that drawings of new labels have")
  func crossFitting() throws {
    let world = GaussianWorld(between: (0..<8).map { 12 / Double(1 + $0) }, seed: 11)
    var generator = SeededGenerator(seed: 12)
    let base = world.draw(labels: 240, perLabel: 7, using: &generator)
    let all = LabeledVectors(base.vectors, classes: base.classes, dimension: 8)
    let parts = (0..<4).map { fold in
      (model: all.subset { $0 % 4 != fold }, drawings: all.subset { $0 % 4 == fold })
    }
    let crossed = try Calibration(
      of: parts.map { (try $0.model.model(), $0.drawings) }, questions: 1200, seed: 13)
    let fresh = world.draw(labels: 240, perLabel: 7, using: &generator)
    let honest = try Calibration(
      of: all.model(), vectors: fresh.vectors, classes: fresh.classes, questions: 1200,
      seed: 14)
    for (labels, shots) in [(1, 1.0), (5, 1), (5, 5), (20, 2)] {
      let (a, b) = (
        crossed.distribution(labels: labels, shots: shots),
        honest.distribution(labels: labels, shots: shots)
      )
      for quantile in [5, 20, 50, 80] {
        #expect(
          abs(
            Calibration.Distribution.share(of: a.evidence, below: b.evidence[quantile])
              - Float(quantile) / 100) < 0.06)
      }
      #expect((0.7...1.4).contains(a.temperature / b.temperature))
    }
  }

  @Test("Without two groups of two labels there is nothing to cross-fit with, and no calibration")
  func tooFewGroups() async throws {
    let embedding = try Doodles.untaught().embedding
    let one = try await PLDAPrior(
      of: embedding, crossFitting: Doodles.set(4), by: { _ in "all" }, seed: 1)
    #expect(one.calibration == nil)
    await #expect(throws: ModelError.self) {
      try await PLDAPrior(of: embedding, crossFitting: [], by: { $0 }, seed: 1)
    }
  }

  @Test("A file of version 1 reads as it did: one prior, the same answers")
  func version1() throws {
    let path = try #require(
      Bundle.module.path(forResource: "version-1", ofType: "drawml", inDirectory: "Fixtures"))
    let opened = try ModelFile.open(path)
    let old = opened.recognizer
    #expect(opened.version == 1)
    #expect(opened.byteCount == (try Data(contentsOf: URL(filePath: path))).count)
    #expect(try opened.fingerprint != ModelFile.fingerprint(of: old))
    #expect(old.labels == ["☁️", "⭕"])
    #expect(old.memory.priors.map(\.name) == [PLDAPrior.unnamed])
    #expect(old.memory.prior?.calibration != nil)
    let row = try #require(
      old.memory.samples.firstIndex { $0.id == "synthetic-circle-0000" })
    let answer = try #require(old.answers(to: Array(old.memory.vector(row))).first)
    // What the drawml that wrote it said.
    #expect(answer.candidates.map(\.label) == ["⭕", "☁️"])
    let margin = try #require(answer.evidence?.margin)
    let temperature = Double(TwoCovariance.baseTemperature(in: old.memory))
    #expect(abs(1 / (1 + exp(-margin / temperature)) - 0.658_552) < 1e-4)
    // Today the six samples, all right when left out, lower the temperature.
    #expect(abs((answer.candidates.first?.confidence ?? 0) - 0.670_724) < 1e-4)
    #expect(abs((answer.evidence?.score ?? 0) - 1.659_948) < 1e-4)
    // Lower are 95.45 % of the calibration's scores, and all six samples left out of their labels:
    // (50 · 0.9545 + 6) / 56.
    #expect(abs((answer.evidence?.typicality ?? 0) - 0.959_418) < 1e-4)
    // Written again it is of today's version, and says the same.
    let folder = try TemporaryFolder()
    let written = try ModelFile.write(old, to: folder.file("b"))
    let again = try ModelFile.open(folder.file("b"))
    #expect(again.recognizer.memory == old.memory)
    #expect(again.version == 3)
    #expect(again.fingerprint == written.fingerprint && again.byteCount == written.byteCount)
  }
}
