import Ink
import Support
import Testing

@testable import Recognition
@testable import Segmentation

@Suite("Trust in answers on a canvas")
struct TrustTests {
  private let best = Candidate(label: "cat", confidence: 0.75)

  private func answer(_ decision: Recognition.Decision, isBetween: Bool = false) -> Answer {
    Answer(
      decision: decision, candidates: [best, Candidate(label: "dog", confidence: 0.25)],
      evidence: Evidence(
        label: "cat", score: 10, rival: "dog", margin: 20, typicality: 0.5,
        isBetweenLabels: isBetween))
  }

  @Test("The features are those of the answer; scores count for less among many labels")
  func features() throws {
    let reading = Reading(answer: answer(.recognized(best)), wholeness: 1.5, features: [])
    let one = try #require(TrustModel.features(reading, strokes: 1, labels: 1))
    #expect(one.count == TrustModel.featureCount)
    #expect(Array(one[..<6]) == [1, 1, 0, 1.5, 1, 1])
    #expect(abs(one[6] - -0.6733446) < 1e-5 && one[7] == 0.75 && one[8] == 2)
    let many = try #require(TrustModel.features(reading, strokes: 2, labels: 20))
    // log 20 is 2.9957, a tenth of it 0.29957.
    #expect(abs(one[4] - many[4] - 0.29957) < 1e-4 && many[1] == 0)
    let silent = Reading(answer: nil, features: [])
    #expect(TrustModel.features(silent, strokes: 1, labels: 20) == nil)
  }

  @Test("The policy asks for odds: twice the usual refusals for twice the odds, none for none")
  func policy() {
    var weights = [Float](repeating: 0, count: TrustModel.featureCount)
    weights[0] = 0.5
    let trust = TrustModel(weights: weights)
    let features = [Float(1)] + [Float](repeating: 0, count: TrustModel.featureCount - 1)
    func says(_ rate: Double) -> Bool {
      trust.decide(
        answer(.recognized(best)), features, DecisionPolicy(refusalRate: rate)
      ).isRecognized
    }
    // The odds are e^0.5 = 1.65.
    #expect(says(0.05) && says(0.08) && !says(0.085) && !says(0.5) && says(0))
    weights[0] = -20
    let doubt = TrustModel(weights: weights)
    let none = DecisionPolicy(refusalRate: 0)
    #expect(doubt.decide(answer(.recognized(best)), features, none).isRecognized)
    let refused = doubt.decide(answer(.recognized(best), isBetween: true), features, .standard)
    #expect(refused.refusal == .betweenLabels("cat", "dog") && refused.best == best)
    let strange = doubt.decide(answer(.recognized(best)), features, .standard)
    #expect(strange.refusal == .likeNothingTaught)
  }

  @Test("S-006: one drawing is judged by itself as on a canvas of its own, at every rate")
  func alone() async throws {
    var recognizer = try await CanvasDoodles.recognizer
    var model = try SegmenterModel.standard()
    var generator = SeededGenerator(seed: 17)
    let drawings = (0..<12).map { number in
      Drawing(
        strokes: CanvasDoodles.strokes(
          CanvasDoodles.labels[number % 3], x: 0, y: 0, from: nil, using: &generator))
    }
    // Whoever answers by an embedding that nothing was fitted to is believed as it is.
    model.trust = nil
    let plain = try recognizer.classify(drawings[0]).answer
    for rate in [0, 0.5] {
      let policy = DecisionPolicy(refusalRate: rate)
      #expect(
        try model.judgement(on: plain, of: drawings[0], by: recognizer).decision(under: policy)
          == policy.decision(on: plain))
    }
    model.embedding = recognizer.embedding.fingerprint
    var said: Set<Bool> = []
    for bias in [Float(-2), 0, 2] {
      var weights = [Float](repeating: 0, count: TrustModel.featureCount)
      (weights[0], weights[3], weights[7]) = (bias, 0.3, 0.5)
      model.trust = TrustModel(weights: weights)
      for rate in [0, 0.05, 0.5] {
        recognizer.policy = DecisionPolicy(refusalRate: rate)
        for drawing in drawings {
          let answer = try recognizer.classify(drawing).answer
          let judged = try model.judgement(on: answer, of: drawing, by: recognizer)
            .decision(under: recognizer.policy)
          let segments = try Segmenter(recognizer: recognizer, model: model)
            .segments(of: drawing)
          // A drawing that is taken apart is no one shape there.
          guard segments.count == 1 else { continue }
          #expect(segments[0].answer?.decision == judged)
          said.insert(judged.isRecognized)
        }
      }
    }
    #expect(said == [true, false])
  }

  @Test("A fit tells right answers from strangers, and does not look at the others")
  func fit() {
    var generator = SeededGenerator(seed: 11)
    let examples = (0..<400).map { number in
      var features = (0..<TrustModel.featureCount).map { _ in Float(generator.normal()) }
      features[0] = 1
      let outcome: TrustModel.Outcome = features[4] > 0.3 ? .right : .stranger
      return TrustModel.Example(features: features, outcome: outcome)
    }
    let others = examples.map { TrustModel.Example(features: $0.features, outcome: .noShape) }
    let trust = TrustModel(fittedTo: examples + others)
    let right = examples.count {
      (trust.logOdds($0.features) > 0) == ($0.outcome == .right)
    }
    #expect(right >= 390)
    #expect(trust == TrustModel(fittedTo: examples))
  }

  @Test("The gradient is the slope of the loss")
  func gradient() {
    var generator = SeededGenerator(seed: 12)
    func values() -> [Float] {
      (0..<TrustModel.featureCount).map { _ in Float(generator.normal()) }
    }
    let examples = [TrustModel.Outcome.right, .stranger, .right].map {
      TrustModel.Example(features: values(), outcome: $0)
    }
    let point = values()
    let gradient = TrustModel.loss(point, examples, penalty: 0.01).gradient
    for k in point.indices {
      var (up, down) = (point, point)
      up[k] += 1e-2
      down[k] -= 1e-2
      let slope =
        (TrustModel.loss(up, examples, penalty: 0.01).value
          - TrustModel.loss(down, examples, penalty: 0.01).value) / Double(up[k] - down[k])
      #expect(abs(Double(gradient[k]) - slope) < 2e-3)
    }
  }
}

@Suite("Traces")
struct TraceTests {
  private func trace(_ points: [(Double, Double)]) throws -> Trace {
    try #require(Trace(Stroke(points.map { Point(x: $0.0, y: $0.1) })))
  }

  @Test("A closed stroke goes round what lies inside it, and an open one round nothing")
  func inside() throws {
    let square = try trace([(0, 0), (10, 0), (10, 10), (0, 10), (0, 0)])
    let corner = try trace([(0, 0), (10, 0), (10, 10)])
    let within = try trace([(2, 2), (8, 8)])
    let across = try trace([(5, 5), (5, 15)])
    #expect(within.share(of: square) == 1)
    #expect(square.share(of: within) == 0)
    #expect(across.share(of: square) == 0.5)
    #expect(within.share(of: corner) == 0)
    #expect(try trace([(20, 20), (30, 30)]).share(of: square) == 0)
  }
}
