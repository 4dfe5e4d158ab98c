internal import NeuralNetwork
internal import Support

/// The checkpoint of a training, beside the model that it will become.
struct TrainingCheckpointFile: Sendable {
  let path: String

  /// The checkpoint beside `output`.
  init(output: String) {
    path = output + ".checkpoint"
  }

  /// The checkpoint to go on from, nil where there is none or none is wanted; says so where that
  /// may surprise.
  func read(resumes: Bool) throws -> TrainingCheckpoint? {
    guard resumes else {
      if exists {
        printToStandardError(
          "A training that was not finished left \(path). Stop now and add --resume to go on "
            + "from it; this training starts anew and will replace it.")
      }
      return nil
    }
    do {
      return try TrainingCheckpoint(reading: path)
    } catch let error as FileError where error.isMissingFile {
      printToStandardError("There is no checkpoint at \(path): starting from the beginning.")
      return nil
    }
  }

  /// Replaces the checkpoint.
  func write(_ checkpoint: TrainingCheckpoint) throws {
    try checkpoint.write(to: path)
  }

  /// Removes it, for the model is done.
  func remove() {
    AtomicFile.remove(path)
  }

  /// Whether there is one.
  var exists: Bool { AtomicFile.exists(path) }

  /// What the user can do after stopping the training.
  var hintAfterInterruption: String {
    exists
      ? "go on with the same command and --resume"
      : "there was no checkpoint yet, so nothing was kept"
  }
}
