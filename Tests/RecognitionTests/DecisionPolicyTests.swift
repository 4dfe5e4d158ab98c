import Ink
import Testing

@testable import Recognition

@Suite("Decision policy")
struct DecisionPolicyTests {
  let policy = DecisionPolicy(refusalRate: 0.1)
  let candidates = [
    Candidate(label: "a", confidence: 0.7), Candidate(label: "b", confidence: 0.3),
  ]

  private func evidence(_ typicality: Double, isBetweenLabels: Bool = false) -> Evidence {
    Evidence(
      label: "a", score: 3, rival: "b", margin: isBetweenLabels ? 1 : 2, typicality: typicality)
  }

  @Test("As usual as asked for is recognized, at the rate itself too")
  func recognized() {
    for typicality in [0.1, 0.5, 1] {
      #expect(
        policy.decide(candidates, evidence: evidence(typicality), hasInk: true)
          == .recognized(candidates[0]))
    }
  }

  @Test("Less usual is refused, with the reason and the best candidate")
  func refused() {
    #expect(
      policy.decide(candidates, evidence: evidence(0.09), hasInk: true)
        == .unrecognized(best: candidates[0], because: .likeNothingTaught))
    #expect(
      policy.decide(candidates, evidence: evidence(0.09, isBetweenLabels: true), hasInk: true)
        == .unrecognized(best: candidates[0], because: .betweenLabels("a", "b")))
    #expect(
      policy.decide([], evidence: nil, hasInk: true)
        == .unrecognized(best: nil, because: .nothingTaught))
  }

  @Test("It is between two labels where both fit, and the best is not three times as likely")
  func between() {
    func isBetween(_ score: Double, _ margin: Double?) -> Bool {
      Evidence(label: "a", score: score, rival: "b", margin: margin, typicality: 0).isBetweenLabels
    }
    #expect(isBetween(3, 1.09) && !isBetween(3, 1.11) && !isBetween(-3, 0) && !isBetween(3, nil))
  }

  @Test("F-013: a drawing with hardly any ink is never recognized, however well it fits")
  func ink() {
    #expect(
      policy.decide(candidates, evidence: evidence(1), hasInk: false)
        == .unrecognized(best: candidates[0], because: .tooLittleInk))
  }

  @Test("F-013: a confidence of 2 % is never recognized, however usual the drawing is")
  func hardlyBelieved() {
    let unsure = [
      Candidate(label: "a", confidence: 0.02), Candidate(label: "b", confidence: 0.019),
    ]
    for rate in [0, 0.05, 0.5] {
      #expect(
        DecisionPolicy(refusalRate: rate).decide(unsure, evidence: evidence(1), hasInk: true)
          == .unrecognized(best: unsure[0], because: .betweenLabels("a", "b")))
    }
  }

  @Test("A drawing needs points that are numbers, an extent, and some of the canvas")
  func enoughInk() {
    func drawing(_ points: [(Double, Double)], canvas: Double? = nil) -> Drawing {
      Drawing(
        strokes: points.isEmpty ? [] : [Stroke(points.map { Point(x: $0.0, y: $0.1) })],
        canvas: canvas.map { Drawing.Canvas(width: $0, height: 2 * $0) })
    }
    #expect(!drawing([]).hasEnoughInk)
    #expect(!Drawing(strokes: [Stroke([])]).hasEnoughInk)
    #expect(!drawing([(5, 5)]).hasEnoughInk)
    #expect(!drawing([(5, 5), (5, 5), (5, 5)]).hasEnoughInk)
    #expect(!drawing([(1e9, 5), (1e9 + 0.5, 5)]).hasEnoughInk)
    #expect(!drawing([(0, 0), (.nan, 5)]).hasEnoughInk)
    #expect(!drawing([(0, 0), (.infinity, 5)]).hasEnoughInk)
    #expect(!drawing([(100, 100), (114, 100)], canvas: 1000).hasEnoughInk)
    #expect(drawing([(100, 100), (115, 100)], canvas: 1000).hasEnoughInk)
    #expect(drawing([(100, 100), (100.01, 100)]).hasEnoughInk)
    #expect(drawing([(0, 0), (0, 50)], canvas: 0).hasEnoughInk)
  }
}
