import Ink
import Recognition

/// The lines of the README's example are those of this function: a test compares them.
func readmeExample(drawing: Drawing, fiveDrawings: [Drawing]) async throws {
  var recognizer = try ModelFile.read("shapes.drawml")
  let answer = try recognizer.classify(drawing)
  switch answer.decision {
  case .recognized(let best): print(best.label, best.confidence, answer.boundingBox)
  case .unrecognized(let best, _): print("not recognized; closest is \(best?.label ?? "nothing")")
  }
  try await recognizer.update(with: fiveDrawings)
}
