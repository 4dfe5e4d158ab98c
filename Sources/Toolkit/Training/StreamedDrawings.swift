internal import Datasets
internal import Ink
internal import Recognition
internal import Synchronization

/// Training drawings that are read from their files in every pass, with only a few in memory.
///
/// The examples follow a `DrawingStream` through all files, and then the next one in another order.
/// Each step's drawings are read before its threads start, so the result depends on neither threads
/// nor interruptions: a resumed training reads up to where it stopped.
package final class StreamedDrawings: Sendable {
  /// How to stream.
  package struct Settings: Sendable {
    /// Files and folders.
    var paths: [String]
    /// The size of the shuffle buffer in drawings.
    var buffer: Int
    /// Whether drawings that cannot be read or have no label are left out.
    var skipsInvalid: Bool

    package init(paths: [String], buffer: Int, skipsInvalid: Bool) {
      (self.paths, self.buffer, self.skipsInvalid) = (paths, buffer, skipsInvalid)
    }
  }

  /// The classes, in ascending order.
  let classes: [String]
  /// The number of drawings in the files to train on.
  let count: Int
  private let settings: Settings
  private let seed: UInt64
  private let numbers: [String: Int]
  /// Drawings for evaluation: neither they nor their copies are trained on.
  private let leftOut: CopyIndex
  private let state = Mutex(State())

  private struct State: ~Copyable {
    var stream: DrawingStream?
    /// The number of drawings returned since the start of the training.
    var given = -1
    /// The drawings of the step, by example.
    var step: [Int: Labeled] = [:]
  }

  private struct Labeled {
    var drawing: Drawing
    var label: Int
  }

  /// Counts the drawings to train on, which reads all files.
  ///
  /// - Parameters:
  ///   - settings: How to stream.
  ///   - classes: The labels, in ascending order; drawings of others are left out.
  ///   - leftOut: Drawings that are not trained on, nor are their copies.
  ///   - seed: The seed of the order.
  /// - Throws: `DatasetError` for a drawing that cannot be read, unless invalid ones are skipped.
  init(
    _ settings: Settings, classes: [String], leavingOut leftOut: [Drawing], seed: UInt64
  ) throws {
    self.settings = settings
    self.classes = classes
    self.seed = seed
    numbers = Dictionary(uniqueKeysWithValues: zip(classes, classes.indices))
    self.leftOut = CopyIndex(leftOut)
    var count = 0
    var stream = try DrawingStream(
      settings.paths, seed: seed, buffer: 1, skippingInvalid: settings.skipsInvalid)
    while try Self.next(&stream, numbers, self.leftOut) != nil { count += 1 }
    self.count = count
  }

  /// Examples for a training.
  ///
  /// - Parameters:
  ///   - perEpoch: Examples per epoch.
  ///   - fingerprint: Identifies the drawings and their augmentation.
  ///   - augment: The augmentation of a drawing.
  /// - Returns: Examples whose drawings are read step by step.
  func examples(
    perEpoch: Int, fingerprint: String, _ augment: @escaping EmbeddingTrainer.Augment
  ) -> TrainingExamples {
    TrainingExamples(
      classes: classes, count: perEpoch, fingerprint: fingerprint,
      prepare: { batch, epoch, position in
        try self.prepare(batch, after: epoch * perEpoch + position)
      },
      draw: { index, generator in
        let found = self.state.withLock { $0.step[index] }
        guard let found else { preconditionFailure("example \(index) is not of this step") }
        return (augment(found.drawing, &generator), found.label)
      })
  }

  /// Reads the drawings of a step that follows `given` earlier drawings.
  private func prepare(_ batch: ArraySlice<Int>, after given: Int) throws {
    try state.withLock { state in
      if state.given != given {
        // Resuming: skip to where the training stopped.
        try open(pass: given / count, &state)
        for _ in 0..<(given % count) { _ = try next(&state) }
        state.given = given
      }
      state.step.removeAll(keepingCapacity: true)
      for index in batch {
        if state.given.isMultiple(of: count), state.given > 0 || state.stream == nil {
          try open(pass: state.given / count, &state)
        }
        state.step[index] = try next(&state)
        state.given += 1
      }
    }
  }

  private func open(pass: Int, _ state: inout State) throws {
    state.stream = try DrawingStream(
      settings.paths, seed: seed, epoch: pass, buffer: settings.buffer,
      skippingInvalid: settings.skipsInvalid)
  }

  private func next(_ state: inout State) throws -> Labeled {
    guard var stream = state.stream.take() else { preconditionFailure("no stream is open") }
    let found = try Self.next(&stream, numbers, leftOut)
    state.stream = consume stream
    guard let found else {
      throw JobProblem(
        "the drawings of \(settings.paths.joined(separator: ", ")) became fewer during the training"
      )
    }
    return found
  }

  /// The next drawing to train on.
  private static func next(
    _ stream: inout DrawingStream, _ numbers: [String: Int], _ leftOut: CopyIndex
  ) throws -> Labeled? {
    while let drawing = try stream.next() {
      guard let label = drawing.label, let number = numbers[label],
        !leftOut.hasCopy(of: drawing)
      else { continue }
      return Labeled(drawing: drawing, label: number)
    }
    return nil
  }
}
