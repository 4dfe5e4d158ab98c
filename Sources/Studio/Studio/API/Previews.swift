internal import Ink
internal import Recognition
internal import Segmentation
internal import Workspace

/// Cached predictions for past drawings, so that the dial for the refusal rate can update as fast
/// as it turns.
actor Previews {
  /// The origin of a drawing.
  enum Kind: String, Encodable {
    /// A drawing from the history that is not a training sample.
    case history
    /// A training sample, classified with itself left out.
    case sample
  }

  /// A past drawing.
  struct Preview: Sendable {
    var kind: Kind
    var id: String
    /// The current model's best label, or the sample's own label.
    var label: String?
    var drawing: Drawing
    var answer: Answer
  }

  /// The key of the cache: what the previews depend on.
  private struct Key: Hashable {
    var model: String
    var version: ModelVersion
    var history: [String]
    var samples: [String]
  }

  private let workspace: Workspace
  private let recognizers: Recognizers
  private let queue = WorkQueue("previews")
  /// The previews of the last requested model.
  private var last: (key: Key, making: Task<[Preview], any Error>)?

  /// The maximum number of drawings of each kind.
  private static let most = 48

  init(_ workspace: Workspace, _ recognizers: Recognizers) {
    (self.workspace, self.recognizers) = (workspace, recognizers)
  }

  /// A model's past drawings, newest first: the history, classified again by the current model,
  /// then training samples, each left out in turn. Training samples in the history are skipped;
  /// empty for an untrained model.
  func drawings(of model: String) async throws -> [Preview] {
    let snapshot = try await recognizers.snapshot(of: model)
    guard !snapshot.recognizer.labels.isEmpty else { return [] }
    let taught = Set(snapshot.recognizer.memory.samples.map(\.digest))
    let history = try await workspace.history(of: model, limit: Self.most)
      .filter { !taught.contains($0.drawing.digest) }
    let samples = try await workspace.samples(of: model, limit: 2 * Self.most)
      .filter(\.isTaught).prefix(Self.most)
    let key = Key(
      model: model, version: snapshot.model.version, history: history.map(\.id),
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
    let answers = try await recognizer.leaveOneOutAnswers(rows: taught.map(\.1))
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
