import Ink
import Support
import Testing

@testable import Recognition

@Suite("Answers about samples that are left out")
struct LeftOutAnswerTests {
  /// A small model with a background, taught doodles, one of them twice under two ids, one label with a single drawing.
  private func taught(adapted: Bool) async throws -> Recognizer {
    let plain = try Doodles.untaught(.twoCovariance)
    let background = try await Background(
      of: plain.embedding, base: Doodles.set(8, seed: 5), fresh: Doodles.set(8, seed: 6), seed: 1)
    var recognizer = try Doodles.untaught(.twoCovariance, background: background)
    var twin = Doodles.drawing("cross", 0)
    twin.id = "twin"
    var lone = Doodles.drawing("zigzag", 9)
    lone.label = "lone"
    try await recognizer.update(with: Doodles.set(4) + [twin, lone])
    if adapted { try recognizer.adapt() }
    return recognizer
  }

  @Test("They equal forgetting the sample and asking then", arguments: [false, true])
  func equalForgetting(adapted: Bool) async throws {
    let recognizer = try await taught(adapted: adapted)
    let answers = try await recognizer.leftOutAnswers(threads: 2)
    #expect(answers.count == 18)
    for (row, sample) in recognizer.memory.samples.enumerated() {
      var rest = recognizer
      try rest.forget(sample: sample.id)
      if ["twin", "cross-1-0"].contains(sample.id) {
        try rest.forget(sample: sample.id == "twin" ? "cross-1-0" : "twin")
      }
      let vector = Array(recognizer.memory.vector(row))
      #expect(answers[row] == rest.answers(to: vector)[0], "\(sample.id)")
      #expect(recognizer.leftOutAnswer(row: row) == answers[row])
    }
    let lone = try #require(recognizer.memory.samples.firstIndex { $0.label == "lone" })
    #expect(answers[lone].candidates.allSatisfy { $0.label != "lone" })
  }

  @Test("Some rows are asked for in the order given, and progress counts them")
  func someRows() async throws {
    let recognizer = try await taught(adapted: false)
    let all = try await recognizer.leftOutAnswers()
    #expect(try await recognizer.leftOutAnswers(rows: [5, 2, 11]) == [all[5], all[2], all[11]])
    #expect(try await recognizer.untaught().leftOutAnswers().isEmpty)
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
        #expect(other.policy.decide(answer) == other.answers(to: vector)[0].decision)
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
