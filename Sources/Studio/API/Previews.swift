internal import Ink
internal import Recognition
internal import Segmentation
internal import Workspace

/// What a model says of past drawings, kept so that a dial can ask how sure it must be as fast as
/// it turns.
actor Previews {
  /// Where a drawing comes from.
  enum Kind: String, Encodable {
    /// It was asked about, and is none of those that were taught.
    case history
    /// It was taught; it is judged as if it had not been.
    case sample
  }

  /// A past drawing.
  struct Preview: Sendable {
    var kind: Kind
    var id: String
    /// What the model that answers now takes it for, or what it was taught as.
    var label: String?
    var drawing: Drawing
    var answer: Answer
  }

  /// What the previews depend on.
  private struct Key: Hashable {
    var model: String
    var version: ModelVersion
    var history: [String]
    var samples: [String]
  }

  private let workspace: Workspace
  private let recognizers: Recognizers
  private let queue = WorkQueue("previews")
  /// Those of the model that was asked last.
  private var last: (key: Key, making: Task<[Preview], any Error>)?

  /// The most drawings of each kind.
  private static let most = 48

  init(_ workspace: Workspace, _ recognizers: Recognizers) {
    (self.workspace, self.recognizers) = (workspace, recognizers)
  }

  /// The past drawings of a model, newest first: the history, asked anew, then taught samples. Of
  /// what was taught, the sample alone is judged, by the rest; a model that was taught nothing has
  /// nothing to say.
  func drawings(of model: String) async throws -> [Preview] {
    let snapshot = try await recognizers.snapshot(of: model)
    guard !snapshot.recognizer.labels.isEmpty else { return [] }
    let taught = Set(snapshot.recognizer.memory.samples.map(\.digest))
    let history = try await workspace.history(of: model, limit: Self.most)
      .filter { !taught.contains($0.drawing.digest) }
    let samples = try await workspace.samples(of: model, limit: 2 * Self.most)
      .filter(\.isTaught).prefix(Self.most)
    let key = Key(
      model: model, version: snapshot.version, history: history.map(\.id),
      samples: samples.map(\.id))
    if let last, last.key == key { return try await last.making.value }
    let recognizer = snapshot.recognizer
    let making = Task(executorPreference: queue) {
      try await Self.previews(of: history, Array(samples), by: recognizer)
    }
    last = (key, making)
    do { return try await making.value } catch {
      if last?.key == key { last = nil }
      throw error
    }
  }

  private static func previews(
    of history: [Prediction], _ samples: [WorkspaceSample], by recognizer: Recognizer
  ) async throws -> [Preview] {
    let said = try await recognizer.classify(history.map(\.drawing))
    let rows = Dictionary(
      recognizer.memory.samples.enumerated().map { ($1.id, $0) }, uniquingKeysWith: { $1 })
    let taught = samples.compactMap { sample in rows[sample.id].map { (sample, $0) } }
    let answers = try await recognizer.leftOutAnswers(rows: taught.map(\.1))
    return zip(history, said).map { prediction, said in
      Preview(
        kind: .history, id: prediction.id, label: said.decision.best?.label,
        drawing: prediction.drawing, answer: said.answer)
    }
      + zip(taught, answers).map { taught, answer in
        Preview(
          kind: .sample, id: taught.0.id, label: taught.0.label, drawing: taught.0.drawing,
          answer: answer)
      }
  }
}
