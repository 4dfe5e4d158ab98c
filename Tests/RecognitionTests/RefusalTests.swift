import Ink
import Numbers
import Testing

@testable import Recognition

@Suite("Refusal")
struct RefusalTests {
  private func taught(_ head: HeadConfiguration = .twoCovariance) async throws -> Recognizer {
    var recognizer = try Doodles.untaught(head)
    try await recognizer.update(with: Doodles.set(8))
    return recognizer
  }

  private func drawing(_ points: (Double, Double)..., canvas: Double? = nil) -> Drawing {
    Drawing(
      strokes: points.isEmpty ? [] : [Stroke(points.map { Point(x: $0.0, y: $0.1) })],
      canvas: canvas.map { Drawing.Canvas(width: $0, height: $0) })
  }

  @Test(
    "F-013, G-012: an empty, tiny or degenerate drawing is never accepted, whatever the head",
    arguments: HeadTests.all)
  func littleInk(head: HeadConfiguration) async throws {
    var recognizer = try await taught(head)
    // Even where such drawings were taught, and nothing else is to be refused.
    recognizer.policy = DecisionPolicy(refusalRate: 0)
    var dot = drawing((5, 5))
    (dot.id, dot.label) = ("dot", "dot")
    try await recognizer.update(with: [dot])
    let degenerate = [
      drawing(), Drawing(strokes: [Stroke([])]), drawing((5, 5)), drawing((5, 5), (5, 5)),
      drawing((0, 0), (.nan, 1)), drawing((0, 0), (.infinity, 0)),
      drawing((40, 40), (41, 41), canvas: 100),
    ]
    for drawing in degenerate {
      let answer = try recognizer.classify(drawing)
      #expect(answer.decision.refusal == .tooLittleInk, "\(drawing)")
    }
    let all = try await recognizer.classify([Doodles.drawing("line", 3)] + degenerate)
    #expect(all.map(\.decision.refusal) == [nil] + degenerate.map { _ in .tooLittleInk })
    #expect(try all[1...].map { $0 } == degenerate.map { try recognizer.classify($0) })
  }

  @Test("A straight line is enough to be recognized")
  func line() async throws {
    let recognizer = try await taught()
    let answer = try recognizer.classify(drawing((5, 50), (50, 50), (95, 50)))
    #expect(answer.decision.best?.label == "line")
    #expect(answer.decision.isRecognized)
  }

  /// Vectors of a known world in place of an embedding's.
  private func gaussian(
    labels: Int, shots: Int, seed: UInt64
  ) async throws -> (recognizer: Recognizer, query: [Float], generator: SeededGenerator) {
    let world = AcceptanceTests.world
    var generator = SeededGenerator(seed: seed)
    let network = try NetworkForTests.residual(Self.recipe, using: &generator)
    var recognizer = Recognizer(
      embedding: try Embedding([EmbeddingMember(view: Self.recipe.view, network: network)]),
      prior: try await AcceptanceTests.prior.value, head: .twoCovariance,
      provenance: Doodles.provenance())
    let drawn = world.draw(labels: labels, perLabel: shots + 1, using: &generator)
    let dimension = world.dimension
    func row(_ index: Int) -> [Float] {
      Array(drawn.vectors[(index * dimension)..<((index + 1) * dimension)])
    }
    let taught = drawn.classes.indices.filter { $0 % (shots + 1) < shots }
    recognizer.update(
      with: taught.map {
        TaughtSample(id: "\($0)", label: "label \(drawn.classes[$0])", digest: "\($0)")
      }, vectors: taught.flatMap(row))
    return (recognizer, row(shots), generator)
  }

  private static let recipe: EmbeddingRecipe = {
    var recipe = Doodles.recipe
    recipe.network.dimension = AcceptanceTests.world.dimension
    return recipe
  }()

  @Test(
    "The least score that is named is the one from which on drawings are accepted",
    arguments: [1, 3])
  func leastScore(labels: Int) async throws {
    let (recognizer, query, _) = try await gaussian(labels: labels, shots: 3, seed: 5)
    var said: Set<Bool> = []
    for step in 0..<60 {
      let answer = recognizer.answers(to: query.map { $0 + Float(step) * 0.005 })[0]
      let evidence = try #require(answer.evidence)
      let least = recognizer.leastScore(for: evidence)
      guard abs(evidence.score - least) > 1e-2, answer.candidates[0].confidence > 0.05 else {
        continue
      }
      #expect(answer.decision.isRecognized == (evidence.score > least))
      said.insert(answer.decision.isRecognized)
    }
    #expect(said == [true, false])
  }

  @Test("The further the dial is turned, the more is refused, and never less")
  func monotone() async throws {
    var (recognizer, query, generator) = try await gaussian(labels: 6, shots: 2, seed: 8)
    let queries = (0..<50).map { _ in query.map { $0 + Float(generator.normal(deviation: 0.02)) } }
    var before = 51
    var counts: [Int] = []
    for rate in [0, 0.02, 0.05, 0.1, 0.3, 0.5] {
      recognizer.policy = DecisionPolicy(refusalRate: rate)
      let accepted = queries.count { recognizer.answers(to: $0)[0].decision.isRecognized }
      #expect(accepted <= before)
      before = accepted
      counts.append(accepted)
    }
    #expect(counts[0] > counts[5], "the dial acts")
  }

  @Test("Teaching order and forgetting leave no trace in answers, to the bit", arguments: 1...3)
  func exact(seed: UInt64) async throws {
    var (recognizer, query, generator) = try await gaussian(labels: 5, shots: 4, seed: seed)
    let (samples, memory) = (recognizer.memory.samples, recognizer.memory)
    var other = recognizer.untaught()
    var order = Array(samples.indices)
    generator.shuffle(&order)
    for row in order { other.update(with: [samples[row]], vectors: Array(memory.vector(row))) }
    #expect(other.memory == memory)
    #expect(other.answers(to: query) == recognizer.answers(to: query))
    let before = recognizer.answers(to: query)
    recognizer.update(
      with: [TaughtSample(id: "new", label: "label 9", digest: "new")], vectors: query)
    #expect(recognizer.answers(to: query) != before)
    try recognizer.forget(label: "label 9")
    #expect(recognizer.answers(to: query) == before)
  }

  @Test("Confidences hold: their calibration error on new labels is small")
  func confidences() async throws {
    var (confident, right) = ([Double](), [Double]())
    for seed in 100..<160 as Range<UInt64> {
      let (recognizer, _, _) = try await gaussian(labels: 8, shots: 3, seed: seed)
      // The queries of this world are drawn again from the taught labels by leaving one out.
      for row in stride(from: 0, to: 24, by: 3) {
        var without = recognizer
        let sample = recognizer.memory.samples[row]
        try without.forget(sample: sample.id)
        let best = without.answers(to: Array(recognizer.memory.vector(row)))[0].candidates[0]
        confident.append(best.confidence)
        right.append(best.label == sample.label ? 1 : 0)
      }
    }
    let (sure, share) = (
      confident.reduce(0, +) / Double(confident.count), right.reduce(0, +) / Double(right.count)
    )
    #expect(abs(sure - share) < 0.03, "believed \(sure), right \(share)")
  }
}
