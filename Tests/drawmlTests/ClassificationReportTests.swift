import Foundation
import Ink
import JSON
import Recognition
import Report
import Testing

@testable import drawml

@Suite("Classification report")
struct ClassificationReportTests {
  /// The tiny model of the guide's tests, taught four shapes.
  private func recognizer() async throws -> Recognizer {
    let folder = try await Guide.preparedFolder()
    return try ModelFile.read(folder.path + "/shapes.drawml")
  }

  private func report(_ drawing: Drawing, rate: Double = 0.05) async throws -> ClassificationReport
  {
    var recognizer = try await recognizer()
    recognizer.policy = DecisionPolicy(refusalRate: rate)
    let result = try recognizer.classify(drawing, neighbors: 5)
    return ClassificationReport(
      result, truth: drawing.label, explanation: .init(result, by: recognizer))
  }

  private let zigzag = Drawing(
    id: "z", strokes: [Stroke([Point(x: 0, y: 0), Point(x: 9, y: 30), Point(x: 40, y: 2)])])

  @Test("F-013: what is refused is told in the requirement's words, and why")
  func message() async throws {
    let dot = Drawing(id: "dot", strokes: [Stroke([Point(x: 3, y: 3)])])
    let refused = try await report(dot)
    #expect(refused.lines[0].hasPrefix("dot: Couldn\u{2019}t classify that drawing."))
    #expect(refused.lines.joined().contains("too little ink"))
    #expect(refused.classification.decision.refusal == .tooLittleInk)
    let empty = try await report(Drawing(id: "empty", strokes: []))
    #expect(empty.lines[0] == "empty: Couldn\u{2019}t classify that drawing.")
    #expect(empty.explanation?.neighbors.isEmpty == true)
    #expect(empty.classification.decision.best == nil)
  }

  @Test("An explanation names the nearest drawings, the score and what was asked for")
  func explanation() async throws {
    let accepted = try await report(zigzag, rate: 0)
    #expect(accepted.classification.decision.isRecognized)
    let explanation = try #require(accepted.explanation)
    #expect(explanation.neighbors.count == 5)
    #expect(
      explanation.neighbors.map(\.distance) == explanation.neighbors.map(\.distance).sorted())
    let text = accepted.lines.joined(separator: "\n")
    #expect(text.contains("accepted: "))
    #expect(text.contains("nearest taught drawings:"))
    #expect(text.contains(explanation.neighbors[0].id))
  }

  @Test("The keys that programs read are there")
  func keys() async throws {
    let data = try JSONEncoder().encode(try await report(zigzag))
    let object = try #require(JSONSerialization.jsonObject(with: data) as? [String: Any])
    #expect(
      Set(object.keys) == [
        "id", "decision", "label", "confidence", "candidates", "boundingBox", "typicality",
        "reason", "truth", "explanation",
      ])
    #expect(object["truth"] is NSNull)
    var labeled = zigzag
    labeled.label = "⚡"
    #expect(try jsonText(try await report(labeled)).contains(#""truth":"⚡""#))
    let explanation = try #require(object["explanation"] as? [String: Any])
    #expect(
      Set(explanation.keys) == [
        "why", "label", "score", "leastScore", "leastScoreWithoutLead", "rival", "margin",
        "refusalRate", "neighbors",
      ])
  }
}
