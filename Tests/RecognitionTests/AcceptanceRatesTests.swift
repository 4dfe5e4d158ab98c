import Numbers
import Testing

@testable import Recognition

@Suite("Expected rates of acceptance")
struct AcceptanceRatesTests {
  /// A model of a known world, and drawings of the same labels and of others.
  private func world(
    labels: Int, shots: Int, seed: UInt64
  ) async throws -> (recognizer: Recognizer, known: [[Float]], unknown: [[Float]]) {
    let (world, asked) = (AcceptanceTests.world, 20)
    var generator = SeededGenerator(seed: seed)
    var recipe = Doodles.recipe
    recipe.network.dimension = world.dimension
    let network = try NetworkForTests.residual(recipe, using: &generator)
    var recognizer = Recognizer(
      embedding: try Embedding([EmbeddingMember(view: recipe.view, network: network)]),
      prior: try await AcceptanceTests.prior.value, head: .twoCovariance,
      provenance: Doodles.provenance())
    let drawn = world.draw(labels: 2 * labels, perLabel: shots + asked, using: &generator)
    func rows(_ isWanted: (_ label: Int, _ number: Int) -> Bool) -> [Int] {
      drawn.classes.indices.filter {
        isWanted($0 / (shots + asked), $0 % (shots + asked))
      }
    }
    func row(_ index: Int) -> [Float] {
      Array(drawn.vectors[(index * world.dimension)..<((index + 1) * world.dimension)])
    }
    let taught = rows { $0 < labels && $1 < shots }
    recognizer.update(
      with: taught.map {
        TaughtSample(id: "\($0)", label: "label \(drawn.classes[$0])", digest: "\($0)")
      }, vectors: taught.flatMap(row))
    return (
      recognizer, rows { $0 < labels && $1 >= shots }.map(row),
      rows { label, number in label >= labels && number >= shots }.map(row)
    )
  }

  @Test(
    "What is told of new drawings holds: 95 % intervals of ten models hold it at least nine times")
  func honest() async throws {
    var (known, unknown) = (0, 0)
    for seed in 40..<50 as Range<UInt64> {
      var (recognizer, taught, strange) = try await world(labels: 8, shots: 6, seed: seed)
      recognizer.policy = DecisionPolicy(refusalRate: 0.2)
      let rates = recognizer.acceptanceRates()
      func accepted(_ vectors: [[Float]]) -> Double {
        let answers = recognizer.answers(to: Array(vectors.joined()))
        return Double(answers.count { $0.decision.isRecognized }) / Double(answers.count)
      }
      let (refused, passed) = (
        try #require(rates.knownRefused), try #require(rates.unknownAccepted)
      )
      #expect(refused.of == 48 && passed.of == 48, "every taught drawing was asked twice")
      if (refused.lower...refused.upper).contains(1 - accepted(taught)) { known += 1 }
      if (passed.lower...passed.upper).contains(accepted(strange)) { unknown += 1 }
    }
    #expect(known >= 9 && unknown >= 9, "\(known) and \(unknown) of 10, seeds 40 to 49")
  }

  @Test("The further the dial is turned, the more of both is refused")
  func dial() async throws {
    var (recognizer, _, _) = try await world(labels: 5, shots: 6, seed: 3)
    var before: AcceptanceRates?
    for rate in [0, 0.05, 0.2, 0.5] {
      recognizer.policy = DecisionPolicy(refusalRate: rate)
      let rates = recognizer.acceptanceRates()
      if rate == 0 { #expect(rates.knownRefused?.count == 0 && rates.unknownAccepted?.share == 1) }
      if let before {
        #expect((rates.knownRefused?.count ?? 0) >= (before.knownRefused?.count ?? 0))
        #expect((rates.unknownAccepted?.count ?? 0) <= (before.unknownAccepted?.count ?? 0))
      }
      before = rates
    }
    #expect((before?.knownRefused?.count ?? 0) > 0)
  }

  @Test("Labels that trained the embedding do not stand for unknown ones")
  func trained() async throws {
    let (model, _, _) = try await world(labels: 3, shots: 5, seed: 7)
    func rates(trainedOn labels: [String]) -> AcceptanceRates {
      let vectors = [Float](repeating: 0, count: labels.count * model.memory.dimension)
      var recognizer = Recognizer(
        embedding: model.embedding, trained: ClassVectors(labels: labels, vectors: vectors),
        prior: model.memory.prior, head: .twoCovariance,
        provenance: Doodles.provenance())
      recognizer.update(with: model.memory.samples, vectors: model.memory.vectors)
      return recognizer.acceptanceRates()
    }
    #expect(rates(trainedOn: []).unknownAccepted?.of == 15)
    #expect(rates(trainedOn: ["label 1"]).unknownAccepted?.of == 10)
    let none = rates(trainedOn: ["label 0", "label 1", "label 2"])
    #expect(none.unknownAccepted == nil && none.knownRefused?.of == 15)
  }

  @Test("Where too little was taught, nothing is told")
  func little() async throws {
    let (one, _, _) = try await world(labels: 1, shots: 4, seed: 5)
    #expect(one.acceptanceRates().knownRefused?.of == 4)
    #expect(one.acceptanceRates().unknownAccepted == nil)
    let (single, _, _) = try await world(labels: 3, shots: 1, seed: 5)
    #expect(single.acceptanceRates() == AcceptanceRates())
    #expect(single.untaught().acceptanceRates() == AcceptanceRates())
  }

  @Test("The interval is Wilson's for labels that are alike, or that of labels where it is wider")
  func interval() throws {
    // Wilson's interval for 5 of 20 by hand: 0.1119 to 0.4687.
    let even = try #require(AcceptanceRates.Rate(ofLabels: [(5, 20)], correlation: 0))
    #expect(abs(even.lower - 0.1119) < 1e-4 && abs(even.upper - 0.4687) < 1e-4)
    let uneven = try #require(
      AcceptanceRates.Rate(ofLabels: [(0, 5), (5, 5), (0, 5), (0, 5), (0, 0)], correlation: 0))
    #expect(uneven.count == 5 && uneven.of == 20 && uneven.share == 0.25)
    #expect(uneven.lower == 0 && uneven.upper > 0.5)
    // 20 trials of one label count as 20 / (1 + 19 · 0.5) = 1.9.
    let alike = try #require(AcceptanceRates.Rate(ofLabels: [(5, 20)], correlation: 0.5))
    #expect(abs(alike.lower - 0.0256) < 1e-4 && abs(alike.upper - 0.8086) < 1e-4)
    #expect(alike.share == 0.25)
    #expect(AcceptanceRates.Rate(ofLabels: [], correlation: 0.5) == nil)
  }
}
