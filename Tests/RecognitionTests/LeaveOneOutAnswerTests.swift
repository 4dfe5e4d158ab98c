import Ink
import Testing

@testable import Recognition

@Suite("Answers about samples that are left out")
struct LeaveOneOutAnswerTests {
  /// A small model with a prior, taught doodles, one of them twice under two ids, one label
  /// with a single drawing.
  private func taught(adapted: Bool) async throws -> Recognizer {
    let plain = try Doodles.untaught(.twoCovariance)
    let prior = try await PLDAPrior(
      of: plain.embedding, base: Doodles.set(8, seed: 5), fresh: Doodles.set(8, seed: 6), seed: 1)
    var recognizer = try Doodles.untaught(.twoCovariance, prior: prior)
    var twin = Doodles.drawing("cross", 0)
    twin.id = "twin"
    var lone = Doodles.drawing("zigzag", 9)
    lone.label = "lone"
    try await recognizer.update(with: Doodles.set(4) + [twin, lone])
    if adapted { try recognizer.adapt() }
    return recognizer
  }

  @Test("After forgetting means after forgetting")
  func afterForgetting() async throws {
    let recognizer = try await taught(adapted: true)
    for (row, sample) in recognizer.memory.samples.enumerated() {
      var rest = recognizer
      try rest.forget(sample: sample.id)
      if ["twin", "cross-1-0"].contains(sample.id) {
        try rest.forget(sample: sample.id == "twin" ? "cross-1-0" : "twin")
      }
      let vector = Array(recognizer.memory.vector(row))
      #expect(recognizer.answerAfterForgetting(row: row) == rest.answers(to: vector)[0])
    }
  }

  @Test(
    "Without forgetting scores come out the same; confidence and typicality by some hundredths")
  func closeToForgetting() async throws {
    let recognizer = try await taught(adapted: false)
    let answers = try await recognizer.leaveOneOutAnswers()
    #expect(answers.count == 18)
    for (row, answer) in answers.enumerated() {
      let exact = recognizer.answerAfterForgetting(row: row)
      #expect(answer.candidates.map(\.label) == exact.candidates.map(\.label))
      for (a, b) in zip(answer.candidates, exact.candidates) {
        #expect(abs(a.confidence - b.confidence) < 0.05)
      }
      let (a, b) = (try #require(answer.evidence), try #require(exact.evidence))
      #expect(a.label == b.label)
      #expect(a.rival == b.rival)
      #expect(abs(a.score - b.score) < 1e-4 * max(1, abs(b.score)))
      #expect(abs(a.typicality - b.typicality) < 0.1, "row \(row)")
    }
    let lone = try #require(recognizer.memory.samples.firstIndex { $0.label == "lone" })
    #expect(answers[lone].candidates.allSatisfy { $0.label != "lone" })
  }

  @Test("With an adapted model most decisions are those after forgetting")
  func adapted() async throws {
    var recognizer = try await taught(adapted: true)
    try await recognizer.update(with: Doodles.set(6, seed: 12))
    try recognizer.adapt(to: Adaptation(priorWeight: 300, samples: Set(recognizer.memory.samples)))
    let answers = try await recognizer.leaveOneOutAnswers()
    let same = answers.enumerated().count {
      recognizer.answerAfterForgetting(row: $0).decision.best?.label == $1.decision.best?.label
    }
    #expect(Double(same) >= 0.9 * Double(answers.count), "\(same) of \(answers.count)")
  }

  @Test("Other heads are asked after forgetting")
  func otherHeads() async throws {
    var recognizer = try Doodles.untaught(.classMeans)
    try await recognizer.update(with: Doodles.set(3))
    let answers = try await recognizer.leaveOneOutAnswers()
    #expect(answers == answers.indices.map { recognizer.answerAfterForgetting(row: $0) })
  }

  @Test("Some rows are asked for in the order given, and progress counts them")
  func someRows() async throws {
    let recognizer = try await taught(adapted: false)
    let all = try await recognizer.leaveOneOutAnswers()
    #expect(
      try await recognizer.leaveOneOutAnswers(rows: [5, 2, 11]) == [all[5], all[2], all[11]])
    #expect(try await recognizer.untaught().leaveOneOutAnswers().isEmpty)
  }

  @Test("A policy of another rate decides on an answer as a model with that rate would")
  func otherRates() async throws {
    let recognizer = try await taught(adapted: false)
    let queries = Doodles.set(3, seed: 8)
    for rate in [0.0, 0.1, 0.3, 0.5] {
      var other = recognizer
      other.policy = DecisionPolicy(refusalRate: rate)
      for query in queries {
        let vector = try recognizer.embedding.vector(of: query)
        let answer = recognizer.answers(to: vector)[0]
        #expect(other.policy.decision(on: answer) == other.answers(to: vector)[0].decision)
      }
    }
  }

  @Test("Forgetting many at once equals forgetting them one by one")
  func forgettingMany() async throws {
    var (all, each) = (try await taught(adapted: true), try await taught(adapted: true))
    let gone = all.forget { $0.label == "line" || $0.id == "twin" }
    #expect(gone.map(\.id) == ["twin", "line-1-0", "line-1-1", "line-1-2", "line-1-3"])
    try each.forget(label: "line")
    try each.forget(sample: "twin")
    #expect(try ModelFile.fingerprint(of: all) == ModelFile.fingerprint(of: each))
    #expect(all.forget { _ in false }.isEmpty)
  }
}
