internal import ArgumentParser
internal import Files
internal import JSON
internal import Recognition
internal import Report
internal import Text
internal import Training
internal import Workspace

struct InfoCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "info",
    abstract: "Show what a model file is and holds.",
    discussion: """
      Labels with their samples, head, prior, embedding, what it refuses, and where it comes from. \
      The file is checked against its checksum. For other files it says what they are, and which \
      command reads them.

      With --samples it lists the taught drawings: label, id and the ink's digest, which 'forget' \
      takes.

      With --card it prints a model card in Markdown, all from the model's file: training data, \
      taught drawings, accuracy and settings.

      Examples:
        drawml info shapes.drawml
        drawml info shapes.drawml --card > shapes.md
        drawml info shapes.drawml --samples
        drawml info shapes.drawml --format json
        drawml info studio.drawmlx
      """)

  @Argument(help: "The model, or another file.")
  var file: String
  @Flag(help: "Print a model card in Markdown.")
  var card = false
  @Flag(help: "List the taught drawings: label, id and digest.")
  var samples = false
  @OptionGroup var format: FormatOption

  /// A file that is no model.
  struct OtherFile: Encodable {
    var file: String
    /// What it is, as in "a Core ML model".
    var kind: String
    /// The command that goes on with it.
    @OrNull var next: String?
  }

  func validate() throws {
    guard !card || format.format == .text else {
      throw ValidationError("--card is Markdown: leave out --format json.")
    }
    guard !card || !samples else {
      throw ValidationError("--card and --samples print different things: give one of them.")
    }
  }

  func run() throws {
    if card { return try printToStandardOutput(ModelCard.lines(path: file)) }
    if samples { return try printSamples() }
    if FolderListing.isFolder(file) {
      let database = file + "/workspace.sqlite"
      if AtomicFile.exists(database), try FileKind(of: database) == .workspace {
        let next = FileKind.workspace.nextCommand(for: database)
        return try tell("the folder of a DrawML workspace", next: next)
      }
      return try tell("a folder", next: "drawml dataset info \(file.shellWord)")
    }
    // A file that cannot be read is explained by the model's reader.
    if let kind = try? FileKind(of: file), kind != .model, kind != .other {
      return try tell(kind.name, next: kind.nextCommand(for: file))
    }
    let info = try ModelInfo(path: file)
    try format.print(info, info.lines)
  }

  /// One taught drawing.
  struct Sample: Encodable {
    var label: String
    var id: String
    var digest: String
  }

  /// Lists what the model was taught, in its order.
  private func printSamples() throws {
    let samples = try ModelFile.read(file).memory.samples
    var table = TextTable([("label", .left), ("id", .left), ("digest", .left)])
    for sample in samples { table.add([sample.label, sample.id, sample.digest]) }
    try format.print(
      samples.map { Sample(label: $0.label, id: $0.id, digest: $0.digest) },
      samples.isEmpty ? ["\(file) was taught no sample."] : table.lines)
  }

  /// Prints what `file` is, if it is not a model.
  private func tell(_ kind: String, next: String?) throws {
    try format.print(
      OtherFile(file: file, kind: kind, next: next),
      ["\(file): \(kind)"] + (next.map { ["Go on with: \($0)"] } ?? []))
  }
}
