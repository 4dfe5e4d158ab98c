internal import Ink
internal import Recognition

/// Shows groups of strokes to a recogniser.
struct GroupReader: Sendable {
  private let recognizer: Recognizer
  private let wholeness: WholenessModel?
  private var worker: Embedding.Worker

  /// A reader; the likeness of whole shapes is asked only where it was fitted to the recogniser's own embedding.
  init(_ recognizer: Recognizer, _ wholeness: WholenessModel?) {
    self.recognizer = recognizer
    self.wholeness = wholeness?.embedding == recognizer.embedding.fingerprint ? wholeness : nil
    worker = Embedding.Worker(embedding: recognizer.embedding)
  }

  /// When an answer is said aloud.
  var policy: DecisionPolicy { recognizer.policy }
  /// What was taught.
  var labels: [String] { recognizer.labels }

  /// Whether it can tell how much a group looks like a whole shape.
  var knowsWholeness: Bool { wholeness != nil }

  mutating func read(_ strokes: [Stroke]) -> Reading {
    let drawing = Drawing(strokes: strokes)
    var answer: Answer?
    var vector: [Float] = []
    if drawing.hasEnoughInk, let found = try? worker.vector(of: drawing) {
      vector = found
      answer = recognizer.answers(to: vector, candidates: 5).first
    }
    let odds = vector.isEmpty ? 0 : wholeness?.score(vector) ?? 0
    return Reading(
      answer: answer, vector: vector, wholeness: odds,
      features: GroupFeatures.features(strokes: strokes.count, answer: answer, wholeness: odds))
  }
}
