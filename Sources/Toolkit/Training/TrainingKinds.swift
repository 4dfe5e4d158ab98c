package import Files
internal import HDF5
internal import NeuralNetwork

extension FileKind {
  /// The state of a training.
  package static let checkpoint = FileKind("a DrawML checkpoint", seal: TrainingCheckpoint.format)
  /// The log of a training.
  package static let trainingLog = FileKind("a training log", format: TrainingLog.format)
  /// The trials of a sweep.
  package static let trials = FileKind("a file of trials", format: SweepJob.format)
  /// One answer a line, as JSON or CSV.
  package static let answers = FileKind("a file of answers") { file in
    ["model", "fold"].contains { file.bytes.starts(with: "\($0),id,file,line,truth,answer,".utf8) }
      || file.text.hasPrefix(#"{"answer":"#) && file.text.contains(#","decision":""#)
  }
}
