internal import ArgumentParser
internal import Datasets
internal import Files
internal import Foundation
internal import Training

/// Options for following a training.
struct LogOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      """
      Append each step and epoch to this file, one JSON object per line; or, in a folder, to a new \
      file for each run, for 'drawml runs' to compare.
      """, valueName: "file.jsonl|folder/"))
  var log: String?
  @Option(
    name: .customLong("tensorboard"),
    help: ArgumentHelp("Write event files for TensorBoard into this folder.", valueName: "folder"))
  var folder: String?

  /// The options that were given, as they are written.
  var given: [String] {
    [("--log", log), ("--tensorboard", folder)].filter { $0.1 != nil }.map(\.0)
  }

  /// Opens the files.
  ///
  /// - Parameters:
  ///   - overwrite: Whether a file of another kind may be replaced.
  ///   - inputs: Files and folders that are read, which the log never replaces.
  ///   - output: The model that is trained.
  ///   - resumes: Whether its training may go on, and with it its log.
  /// - Returns: The log, or nil without these options.
  /// - Throws: `FileError` if a file cannot be written, or the log is a file of another kind.
  func open(
    _ overwrite: OverwriteOption, reading inputs: [String], of output: String, resumes: Bool
  ) throws -> TrainingLog? {
    guard !given.isEmpty else { return nil }
    let log = try log.map { try TrainingRuns.file($0, of: output, resumes: resumes, at: .now) }
    if let log, inputs.contains(where: { Self.isRead(log, with: $0) }) {
      throw FileError(
        "write", path: log, reason: .malformed("it is read here; choose another name"))
    }
    try overwrite.check(log, for: .trainingLog)
    if let log, overwrite.force, let kind = try FileKind(of: log), kind != .trainingLog {
      // Also with --force: a log is only appended to a log.
      try AtomicFile.write("", to: log)
    }
    return try TrainingLog(lines: log, events: folder, clock: { Date.now })
  }

  /// Whether a file is an input, or is read with the folder that is one.
  private static func isRead(_ log: String, with input: String) -> Bool {
    OverwriteOption.holds(input, log)
      && (!FolderListing.isFolder(input) || DatasetFormat(path: log) != nil)
  }
}
