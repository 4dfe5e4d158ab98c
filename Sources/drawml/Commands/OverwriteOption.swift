internal import ArgumentParser
internal import Datasets
internal import Files
internal import Foundation
internal import Ink
internal import Pictures
internal import Training
internal import Workspace

/// `--force`, of all commands that write files.
struct OverwriteOption: ParsableArguments {
  @Flag(help: "Also replace files of another kind (default: only a file of the output's own kind).")
  var force = false

  /// Checks, before long work, that a file can be written without losing another one.
  ///
  /// - Parameters:
  ///   - path: Where the file goes; nil for none.
  ///   - kind: The kind of the file to write.
  ///   - inputs: Files and folders that the command reads, which must not be overwritten.
  /// - Returns: What the file may replace: with --force that may be an input, if no other program
  ///   has changed it by then.
  /// - Throws: `FileError` with the name or the existing file, and what to do.
  @discardableResult
  func check(
    _ path: String?, for kind: FileKind, reading inputs: [String] = []
  ) throws -> Replacement {
    guard let path else { return .any }
    guard path != "-" else {
      throw JobProblem("an output needs a name; for standard output give /dev/stdout")
    }
    try Self.requireOutsideWorkspaces(path)
    try AtomicFile.requireWritable(path)
    if !force {
      try kind.requireReplaceable(path, remedy: ", or add --force to replace it")
      try kind.requireName(path)
    }
    guard force || !inputs.contains(where: { Self.holds($0, path) }) else {
      throw FileError(
        "write", path: path,
        reason: .malformed("it is read here; choose another name, or add --force to replace it"))
    }
    return Replacement(of: path, reading: inputs)
  }

  /// The same for a file whose name the command makes up: a link or a pipe of that name is refused
  /// even with --force.
  func check(ownName path: String, for kind: FileKind) throws {
    try Self.requireReplaceable(path)
    try check(path, for: kind)
  }

  /// Refuses a link, a pipe or a device under a name that a command makes up, because the user did
  /// not name it.
  static func requireReplaceable(_ path: String) throws(FileError) {
    guard AtomicFile.isLink(path) || AtomicFile.isDevice(path) else { return }
    throw FileError(
      "write", path: path,
      reason: .malformed(
        "it is a link or a pipe, which is not written to; remove it, or choose another output"
      ))
  }

  /// The same for drawings, in the format of the file's name or the given one.
  @discardableResult
  func check(
    _ path: String?, for format: DatasetFormat?, reading inputs: [String] = []
  ) throws -> Replacement {
    guard let path else { return .any }
    try DatasetFiles.requireNotPacked(path)
    let kind: FileKind =
      switch format ?? DatasetFormat(path: path) {
      case .hdf5: .drawings
      case .inkML: .inkML
      default: .strokes
      }
    let replacement = try check(path, for: kind, reading: inputs)
    if !force, let format, let named = DatasetFormat(path: path), named != format {
      throw FileError(
        "write", path: path,
        reason: .malformed(
          "by its name it is \(named.rawValue), not \(format.rawValue); choose another, or add "
            + "--force"))
    }
    return replacement
  }

  /// Whether an input is the file at `path`, or a folder that contains it.
  static func holds(_ input: String, _ path: String) -> Bool {
    guard AtomicFile.exists(path) else { return false }
    let (input, path) = (resolved(input), resolved(path))
    return path == input || path.hasPrefix(input + "/")
  }

  /// A path without links and dots, also for a file that does not exist yet.
  private static func resolved(_ path: String) -> String {
    let url = URL(fileURLWithPath: path)
    guard !AtomicFile.exists(path) else { return url.resolvingSymlinksInPath().path }
    let folder = url.deletingLastPathComponent().resolvingSymlinksInPath()
    return folder.appendingPathComponent(url.lastPathComponent).path
  }

  /// Refuses one name for two files of a command: the second would replace the first.
  static func requireDistinct(_ paths: String?...) throws { try requireDistinct(paths) }

  /// The same for a list.
  static func requireDistinct(_ paths: [String?]) throws {
    let paths = paths.compactMap(\.self).filter { !AtomicFile.isDevice($0) }
    let places = paths.map(resolved)
    for (index, path) in paths.enumerated() where places[..<index].contains(places[index]) {
      throw ValidationError("\(path) is named for two outputs; give each its own name.")
    }
  }

  /// Refuses to change a model's file in a workspace, whose database lists the taught samples.
  static func requireOutsideWorkspaces(_ path: String) throws {
    guard let workspace = Workspace.folder(ofModelAt: path) else { return }
    throw JobProblem(
      "\(path) belongs to the workspace \(workspace): teach it with 'drawml sample add' and "
        + "'drawml model train', or change a copy of it")
  }

  /// Refuses to start from scratch where --resume finds a finished model and no checkpoint.
  func requireUnfinished(_ output: String, _ files: [String]) throws {
    guard !force, AtomicFile.exists(output), !files.contains(where: AtomicFile.exists) else {
      return
    }
    throw JobProblem(
      "\(output) is finished: there is no checkpoint beside it to go on from. Leave out --resume to "
        + "train it from scratch; to train it further, name it as --base, with --epochs and "
        + "another --output"
    )
  }
}

/// The rule for pictures that commands write: PNG files, with that extension.
enum PictureFile {
  /// - Parameters:
  ///   - path: The option's path; nil if it was not given. Devices and pipes are accepted.
  ///   - option: The option's name, such as "--picture".
  /// - Throws: `ValidationError` for another extension.
  static func check(_ path: String?, _ option: String) throws {
    guard let path, DatasetFormat(path: path) != .png, !AtomicFile.isDevice(path) else { return }
    throw ValidationError("\(option) is a .png file.")
  }
}
