internal import Ink
internal import JSON
internal import Recognition

/// The facts about a model that exported files carry.
struct ExportFacts {
  /// The SHA-256 of the model, as `ModelFile.fingerprint` gives it.
  let fingerprint: String
  /// What the model does, in a sentence.
  let summary: String
  /// All facts by name, in a fixed order.
  let entries: [(String, String)]

  init(of recognizer: Recognizer, _ inputs: [NetworkInput], software: String) throws {
    fingerprint = try ModelFile.fingerprint(of: recognizer)
    let (labels, samples) = (recognizer.labels, recognizer.memory.samples)
    summary = "Recognizes drawings of \(labels.count) labels, taught by \(samples.count) samples."
    entries = [
      ("drawml.fingerprint", fingerprint),
      ("drawml.head", try jsonText(recognizer.head.configuration)),
      ("drawml.labels", try jsonText(labels)),
      ("drawml.refusalRate", "\(recognizer.policy.refusalRate)"),
      ("drawml.software", software),
      (
        "drawml.views",
        try jsonText(
          Dictionary(
            uniqueKeysWithValues: inputs.map { ($0.name, $0.view) }))
      ),
      ("drawml.weights", try jsonText(recognizer.embedding.members.map(\.weight))),
    ]
  }
}
