import Ink
import Testing

@testable import Recognition

@Suite("The table of decisions")
struct DecisionTableTests {
  static let table = Result { try DecisionTable.read() }
  static let models = (try? table.get().models) ?? []

  @Test("The decisions are those of the table", arguments: models)
  func decisions(model: DecisionTable.Model) throws {
    var recognizer = try model.recognizer()
    for expected in model.cases {
      recognizer.policy = DecisionPolicy(refusalRate: expected.refusalRate)
      let answer = recognizer.answers(to: expected.vector, candidates: 100)[0]
      let why: Comment = "\(expected.why)"
      #expect(answer.decision.name == expected.decision, why)
      #expect(answer.decision.refusal?.name == expected.reason, why)
      #expect(answer.decision.best?.label == expected.label, why)
      #expect(between(answer.decision.refusal) == expected.between, why)
      let confidences = answer.candidates.sorted { $0.label < $1.label }.map(\.confidence)
      #expect(isClose(confidences, expected.confidences ?? []), why)
      let evidence = answer.evidence
      // 32-bit numbers as large as the score and the lead were added.
      let tolerance = 1e-4 + 1e-6 * max(abs(expected.score ?? 0), expected.margin ?? 0)
      #expect(isClose(evidence?.score, expected.score, within: tolerance), why)
      #expect(isClose(evidence?.margin, expected.margin, within: tolerance), why)
      #expect(isClose(evidence?.typicality, expected.typicality), why)
    }
  }

  @Test("Enough ink is what the table says")
  func ink() throws {
    for each in try Self.table.get().ink {
      let strokes = each.strokes.map { columns in
        Stroke(zip(columns[0], columns[1]).map { Point(x: $0, y: $1) })
      }
      #expect(
        Drawing(strokes: strokes, canvas: each.canvas).hasEnoughInk == each.isEnough,
        "\(each.why)")
    }
  }

  private func between(_ refusal: Refusal?) -> [String]? {
    if case .betweenLabels(let first, let second) = refusal { [first, second] } else { nil }
  }

  private func isClose(_ found: [Double], _ expected: [Double]) -> Bool {
    found.count == expected.count && zip(found, expected).allSatisfy { isClose($0, $1) }
  }

  private func isClose(
    _ found: Double?, _ expected: Double?, within tolerance: Double = 1e-4
  ) -> Bool {
    guard let found, let expected else { return found == expected }
    return abs(found - expected) < tolerance
  }
}
