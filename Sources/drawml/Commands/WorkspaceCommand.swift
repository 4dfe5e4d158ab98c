internal import ArgumentParser
internal import Report
internal import Text
internal import Workspace

struct WorkspaceCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "workspace",
    abstract: "Inspect, check, export and import all that the studio keeps.",
    discussion: """
      The workspace is a folder: drawml in $XDG_DATA_HOME or ~/.local/share, unless --workspace \
      names another one.

      Examples:
        drawml workspace info
        drawml workspace check
        drawml workspace export --output everything.drawmlx
        drawml workspace import everything.drawmlx --workspace copy
      """,
    subcommands: [
      WorkspaceInfoCommand.self, WorkspaceCheckCommand.self, WorkspaceExportCommand.self,
      FileImportCommand.self, WorkspaceRescueCommand.self,
    ])
}

struct WorkspaceInfoCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "info",
    abstract: "Show where the workspace is and what it holds.",
    discussion: """
      Examples:
        drawml workspace info
        drawml workspace info --format json
      """)

  @OptionGroup var workspace: WorkspaceOption
  @OptionGroup var format: FormatOption

  func run() async throws {
    let summary = try await workspace.open().summary()
    try format.print(
      summary,
      [
        summary.folder,
        "  \(counted(summary.models, "model")), of which “\(summary.activeModel)” is active",
        "  \(counted(summary.samples, "sample"))",
        "  \(counted(summary.artworks, "artwork"))",
        "  \(megabytes(summary.bytes))",
      ])
  }
}

struct WorkspaceCheckCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Check every page, row and model file.",
    discussion: """
      Reads all files. The exit code is 1 if something is wrong.

      Examples:
        drawml workspace check
        drawml workspace check --workspace class-4b --format json
      """)

  @OptionGroup var workspace: WorkspaceOption
  @OptionGroup var format: FormatOption

  private struct Report: Encodable {
    var folder: String
    var problems: [String]
  }

  func run() async throws {
    let workspace = try workspace.open()
    let problems = try await workspace.problems()
    let report = Report(folder: workspace.folder, problems: problems)
    try format.print(report, problems.isEmpty ? ["\(workspace.folder) is sound."] : problems)
    if !problems.isEmpty { throw ExitCode(1) }
  }
}

struct WorkspaceRescueCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rescue",
    abstract: "Save what can be read of a damaged workspace.",
    discussion: """
      Writes every model, label and drawing that can still be read to a file, for 'workspace \
      import' into a new folder. The damaged workspace is not changed.

      Examples:
        drawml workspace rescue --output rescued.drawmlx
        drawml workspace import rescued.drawmlx --workspace new
      """)

  @Option(name: .shortAndLong, help: "The file to write.")
  var output: String
  @OptionGroup var overwrite: OverwriteOption
  @OptionGroup var workspace: WorkspaceOption
  @OptionGroup var format: FormatOption

  func run() async throws {
    try overwrite.check(output, for: .export)
    let report = try Workspace.rescue(workspace.path, to: output)
    let (written, lost) = (report.written, report.lostSamples)
    var lines = [written.line(to: output)]
    if !lost.isEmpty {
      lines.append("  lost: \(counted(lost.count, "damaged sample")), " + listed(lost))
    }
    if !report.damagedTables.isEmpty {
      lines.append(
        "  rows cannot be read, or are invalid, and are left out: "
          + listed(report.damagedTables))
    }
    try format.print(
      RescueRecord(
        file: output, models: written.models, samples: written.samples,
        artworks: written.artworks, bytes: written.bytes,
        lostSamples: lost, damagedTables: report.damagedTables), lines,
      outputs: [output])
  }

  private struct RescueRecord: Encodable {
    var file: String
    var models: Int
    var samples: Int
    var artworks: Int
    var bytes: Int
    /// The ids of damaged samples.
    var lostSamples: [String]
    /// The tables with rows that cannot be read, or are invalid.
    var damagedTables: [String]
  }
}
