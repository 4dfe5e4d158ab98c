internal import Ink
internal import Recognition
internal import Support
internal import Synchronization

/// A model that several threads ask and change.
final class SharedModel: Sendable {
  private let current: Mutex<Recognizer>
  /// Held during a change, so that none is lost.
  private let changing = Mutex(())

  init(_ recognizer: Recognizer) { current = Mutex(recognizer) }

  /// A snapshot.
  var recognizer: Recognizer { current.withLock { $0 } }

  /// Changes the model; if `change` throws, it stays as it was. Queries go on meanwhile.
  func update<Result: Sendable>(
    _ change: (inout Recognizer) throws -> Result
  ) throws -> Result {
    try changing.withLock { _ in
      var changed = recognizer
      let result = try change(&changed)
      let new = changed
      current.withLock { $0 = new }
      return result
    }
  }

  /// What there is to know of a model.
  struct Description: Encodable {
    var labels: [String]
    var samples: [Sample]
    var dimension: Int
    var refusalRate: Double

    struct Sample: Encodable {
      var id: String
      var label: String
    }
  }

  var description: Description {
    let recognizer = recognizer
    return Description(
      labels: recognizer.labels,
      samples: recognizer.memory.samples.map { .init(id: $0.id, label: $0.label) },
      dimension: recognizer.embedding.dimension, refusalRate: recognizer.policy.refusalRate)
  }

  /// Writes the model to `path`, unless there is a file of another kind.
  func save(to path: String) throws {
    try FileKind.model.requireReplaceable(path)
    try ModelFile.write(recognizer, to: path)
  }

  /// A model without taught samples, for few drawings of other labels.
  func untaught() -> SharedModel {
    let recognizer = recognizer
    return SharedModel(recognizer.untaught(head: .standard(for: recognizer)))
  }
}

extension Recognizer {
  /// The confidence of each label for each drawing, row-major, shape [drawings, labels].
  func confidences(of drawings: [Drawing]) throws -> [Float] {
    let columns = Dictionary(uniqueKeysWithValues: zip(labels, labels.indices))
    var confidences = [Float](repeating: 0, count: drawings.count * labels.count)
    let answers = try classify(drawings, candidates: labels.count)
    for (row, answer) in answers.enumerated() {
      for candidate in answer.candidates {
        guard let column = columns[candidate.label] else { continue }
        confidences[row * labels.count + column] = Float(candidate.confidence)
      }
    }
    return confidences
  }
}
