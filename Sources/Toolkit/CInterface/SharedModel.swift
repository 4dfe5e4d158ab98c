internal import Datasets
internal import Files
internal import Foundation
internal import Ink
internal import JSON
internal import Recognition
internal import Synchronization
internal import Training

/// A model that several threads ask and change.
final class SharedModel: Sendable {
  private let current: Mutex<Recognizer>
  /// Held during a change, so that no change is lost.
  private let changing = Mutex(())
  /// The file that the model was read from, and the other one that it was last written to.
  private let files: Mutex<(read: KnownFile?, written: KnownFile?)>

  /// A file that has what the model was at some time.
  private struct KnownFile {
    /// Its path, without links.
    let place: String
    var version: FileVersion

    init?(_ place: String, _ version: FileVersion?) {
      guard let version else { return nil }
      (self.place, self.version) = (place, version)
    }
  }

  /// A model in memory.
  init(_ recognizer: Recognizer) {
    current = Mutex(recognizer)
    files = Mutex((nil, nil))
  }

  /// The model of a file.
  init(path: String) throws {
    let version = FileVersion(at: path)
    current = Mutex(try ModelFile.read(path))
    files = Mutex((KnownFile(Self.place(path), version), nil))
  }

  /// A snapshot.
  var recognizer: Recognizer { current.withLock { $0 } }

  /// Changes the model; if `change` throws, it is unchanged. Queries continue meanwhile.
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
    var head: HeadChoice
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
      dimension: recognizer.embedding.dimension, head: HeadChoice(recognizer.head.configuration),
      refusalRate: recognizer.policy.refusalRate)
  }

  /// Writes the model to `path`, unless there is a file of another kind, or the file that it was
  /// read from or last written to, and another program has changed that since.
  func save(to path: String) throws {
    try FileKind.model.requireReplaceable(
      path, among: FileKind.ofDrawings + [.model, .checkpoint, .json])
    try files.withLock { files in
      let place = Self.place(path)
      let known = [files.read, files.written].compactMap(\.self).first { $0.place == place }
      let written = try ModelFile.write(
        recognizer, to: path, replacing: known.map { .only($0.version) } ?? .any)
      let file = KnownFile(place, written.version)
      if files.read?.place == place { files.read = file } else { files.written = file }
    }
  }

  private static func place(_ path: String) -> String {
    URL(fileURLWithPath: path).resolvingSymlinksInPath().path
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
