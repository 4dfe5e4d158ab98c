internal import ArgumentParser
internal import Datasets
internal import Support

/// `--force`, which every command has that writes files.
struct OverwriteOption: ParsableArguments {
  @Flag(help: "Replace files of another kind, too; without it only a file's successor may.")
  var force = false

  /// Finds out before long work, not after it, that a file cannot be written, or that something else would be lost.
  ///
  /// - Parameters:
  ///   - path: Where the file goes; nil for none.
  ///   - kind: What will be written.
  /// - Throws: `FileError` that says what is there and what to do.
  func check(_ path: String?, for kind: FileKind) throws {
    guard let path else { return }
    try AtomicFile.requireWritable(path)
    try checkKind(path, for: kind)
  }

  /// The same for drawings, of the form that the file's name or the caller tells.
  func check(_ path: String?, for format: DatasetFormat?) throws {
    guard let path else { return }
    let isBinary = format ?? DatasetFormat(path: path) == .hdf5
    try check(path, for: isBinary ? .drawings : .strokes)
  }

  /// Finds out that what a training keeps beside its output would replace something else.
  func checkCheckpoint(beside output: String) throws {
    try checkKind(TrainingCheckpointFile(output: output).path, for: .checkpoint)
  }

  private func checkKind(_ path: String, for kind: FileKind) throws(FileError) {
    guard !force, let found = try FileKind(of: path), found != kind else { return }
    throw FileError(
      "write", path: path,
      reason: .malformed(
        "it is \(found.rawValue), not \(kind.rawValue); choose another name, or add --force to replace it"
      ))
  }
}
