import Testing

@testable import Recognition

@Suite("Decision policy")
struct DecisionPolicyTests {
  let policy = DecisionPolicy(maximumDistance: 0.8, minimumMargin: 0.2)
  let best = Candidate(label: "a", confidence: 0.7)

  @Test("Near and clear is recognised, at the thresholds too")
  func recognised() {
    for (distance, other) in [(0.5, 0.9), (0.75, 1.0), (0.0, 2.0)] as [(Float, Float)] {
      let evidence = Evidence(distance: distance, otherDistance: other)
      #expect(policy.decide(best, evidence: evidence) == .recognized(best))
    }
  }

  @Test("Too far, or too close a race, is not; the best candidate is kept")
  func refused() {
    for (distance, other) in [(0.81, 2.0), (0.5, 0.69), (0.5, 0.3)] as [(Float, Float)] {
      let evidence = Evidence(distance: distance, otherDistance: other)
      #expect(policy.decide(best, evidence: evidence) == .unrecognized(best: best))
    }
    let nothing = Evidence(distance: 2, otherDistance: 2)
    #expect(policy.decide(nil, evidence: nothing) == .unrecognized(best: nil))
  }

  @Test("Tight samples refuse sooner than loose ones, and about the given share of their own kind")
  func thresholds() {
    let tight = SyntheticSamples(labels: 4, perLabel: 50, dimension: 16, spread: 0.1, seed: 1)
      .memory
    let loose = SyntheticSamples(labels: 4, perLabel: 50, dimension: 16, spread: 0.4, seed: 1)
      .memory
    let policy = DecisionPolicy(for: tight)
    #expect(policy.maximumDistance < DecisionPolicy(for: loose).maximumDistance)
    let refused = tight.nearestSame.filter { chord($0) > policy.maximumDistance }
    #expect(abs(Double(refused.count) / 200 - DecisionPolicy.refusedShare) < 0.011)
    let close = (0..<200).filter {
      chord(tight.nearestOther[$0]) - chord(tight.nearestSame[$0]) < policy.minimumMargin
    }
    #expect(abs(Double(close.count) / 200 - DecisionPolicy.refusedShare) < 0.011)
  }

  @Test("Too few samples to measure leave the thresholds of an untaught model")
  func few() {
    let memory = SyntheticSamples(labels: 4, perLabel: 2, dimension: 16, seed: 1).memory
    #expect(DecisionPolicy(for: memory) == .untaught)
  }

  @Test("Samples that the embedding was fitted to do not set the thresholds where others can")
  func fittedSamples() {
    var samples = SyntheticSamples(labels: 4, perLabel: 40, dimension: 16, seed: 1)
    for index in samples.samples.indices { samples.samples[index].wasFitted = index % 2 == 0 }
    #expect(samples.memory.rowsForCalibration.count == 80)
    for index in samples.samples.indices { samples.samples[index].wasFitted = true }
    #expect(samples.memory.rowsForCalibration.count == 160)
  }
}
