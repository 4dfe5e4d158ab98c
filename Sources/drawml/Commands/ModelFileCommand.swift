internal import ArgumentParser
internal import Files
internal import Foundation
internal import Report
internal import Workspace

struct ModelExportCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Export models, with all that belongs to them, to one file.",
    discussion: """
      The file holds the drawings, the trained model and the history; 'model import' reads it on \
      any machine.

      Examples:
        drawml model export Animals --output animals.drawmlx
        drawml model export Animals Letters --output both.drawmlx
      """)

  @Argument(help: "The models' names or ids (default: the active one).")
  var models: [String] = []
  @Option(name: .shortAndLong, help: "The file to write.")
  var output: String
  @OptionGroup var overwrite: OverwriteOption
  @OptionGroup var workspace: WorkspaceOption
  @OptionGroup var format: FormatOption

  func run() async throws {
    try overwrite.check(output, for: .export)
    let workspace = try workspace.open()
    var ids: [String] = []
    for model in models { ids.append(try await workspace.find(model).id) }
    if ids.isEmpty { ids = [try await workspace.activeModel().id] }
    try await write(ids, of: workspace, to: output, format)
  }
}

struct WorkspaceExportCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Export the whole workspace to one file.",
    discussion: """
      Examples:
        drawml workspace export --output everything.drawmlx
      """)

  @Option(name: .shortAndLong, help: "The file to write.")
  var output: String
  @OptionGroup var overwrite: OverwriteOption
  @OptionGroup var workspace: WorkspaceOption
  @OptionGroup var format: FormatOption

  func run() async throws {
    try overwrite.check(output, for: .export)
    try await write(nil, of: try workspace.open(), to: output, format)
  }
}

/// `model import` and `workspace import`.
struct FileImportCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract: "Import the models of an exported file and, into a new workspace, its settings.",
    discussion: """
      All models are imported, or none. A model that is in the workspace already, under whatever \
      name, stays as it is; if it was changed since the export, the imported one is added beside \
      it. A name that is taken gets a number. The whole file is checked first.

      Examples:
        drawml model import animals.drawmlx
        drawml workspace import everything.drawmlx --workspace copy
      """)

  @Argument(help: "The file.")
  var file: String
  @OptionGroup var workspace: WorkspaceOption
  @OptionGroup var format: FormatOption

  private struct Report: Encodable {
    var models: [ModelRecord]
    var added: [ModelRecord]
    var unchanged: [ModelRecord]
    var addedArtworks: Int
  }

  func run() async throws {
    // Before a workspace is made for it.
    guard AtomicFile.exists(file) else {
      throw FileError("read", path: file, reason: .system(code: ENOENT))
    }
    try FileKind.export.require(file)
    let folder = workspace.path
    let (workspace, report) = try await interruptible(hint: { "nothing was imported" }) {
      do {
        return try await Workspace.importing(
          from: file, into: folder, waiting: printWaitingNotice)
      } catch {
        guard let error = error as? WorkspaceError, error.reason.code == .notImportable,
          let why = error.reason.cause
        else {
          throw error
        }
        throw WorkspaceError(error.operation, .notImportable("\(file): \(why)"))
      }
    }
    func records(_ models: [WorkspaceModel]) -> [ModelRecord] {
      models.map { ModelRecord($0, in: workspace) }
    }
    var lines = report.added.flatMap { model in
      let counts =
        "\(counted(model.labelCount, "label")), \(counted(model.sampleCount, "sample"))"
      return ["“\(model.name)”: \(counts)"]
        + (workspace.trainedFile(of: model).map { ["  for --model: \($0)"] } ?? [])
    }
    if !report.unchanged.isEmpty {
      let names = report.unchanged.map { "“\($0.name)”" }.joined(separator: ", ")
      lines.append(
        (report.added.isEmpty ? "Nothing new: " : "") + names
          + (report.unchanged.count == 1 ? " is" : " are") + " already here.")
    }
    if report.addedArtworks > 0 { lines.append(counted(report.addedArtworks, "artwork")) }
    try format.print(
      Report(
        models: records(report.models), added: records(report.added),
        unchanged: records(report.unchanged), addedArtworks: report.addedArtworks), lines)
  }
}

private struct ExportRecord: Encodable {
  var file: String
  var models: Int
  var samples: Int
  var artworks: Int
  var bytes: Int
}

private func write(
  _ models: [String]?, of workspace: Workspace, to path: String, _ format: FormatOption
) async throws {
  let report = try await interruptible(hint: { "nothing was written" }) {
    try await workspace.export(models: models, to: path, waiting: printWaitingNotice)
  }
  try format.print(
    ExportRecord(
      file: path, models: report.models, samples: report.samples, artworks: report.artworks,
      bytes: report.bytes),
    [report.line(to: path)], outputs: [path])
}

@Sendable private func printWaitingNotice() {
  printToStandardError("Waiting for a training to end.")
}

extension ExportReport {
  /// What was written, in a line for people.
  func line(to path: String) -> String {
    let pictures = artworks == 0 ? "" : ", \(counted(artworks, "artwork"))"
    return "\(path): \(counted(models, "model")) with \(counted(samples, "sample"))\(pictures), "
      + megabytes(bytes)
  }
}
