internal import ArgumentParser
internal import Benchmarks
internal import Report

struct InfoCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "info",
    abstract: "Show what a model file is and holds.",
    discussion: """
      Labels with their samples, head, prior, embedding, what it refuses, and where it comes from. \
      The file is checked against its checksum. Of another file it says what it is, and the \
      command that goes on with it.

      Examples:
        drawml info shapes.drawml
        drawml info shapes.drawml --format json
        drawml info studio.drawmlx
      """)

  @Argument(help: "The model, or another file.")
  var file: String
  @OptionGroup var format: FormatOption

  /// A file that is no model.
  struct OtherFile: Encodable {
    var file: String
    /// What it is, as in "a Core ML model".
    var kind: String
    /// The command that goes on with it.
    var next: Nullable<String>
  }

  func run() throws {
    // A file that cannot be read is explained by the model's reader.
    if let kind = try? FileKind(of: file), kind != .model, kind != .other {
      let next = kind.nextCommand(for: file)
      return try format.print(
        OtherFile(file: file, kind: kind.rawValue, next: Nullable(value: next)),
        ["\(file): \(kind.rawValue)"] + (next.map { ["Go on with: \($0)"] } ?? []))
    }
    let info = try ModelInfo(path: file)
    try format.print(info, info.lines)
  }
}
