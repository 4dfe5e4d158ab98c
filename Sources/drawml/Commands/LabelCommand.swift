internal import ArgumentParser
internal import Ink
internal import Report
internal import Text
internal import Workspace

struct LabelCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "label",
    abstract: "List, rename and delete the labels of a model in the workspace.",
    discussion: """
      Examples:
        drawml label list
        drawml label rename ⭐ 🌟
        drawml label delete 🌟 --model Animals
      """,
    subcommands: [LabelListCommand.self, LabelRenameCommand.self, LabelDeleteCommand.self])
}

struct LabelListCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "List a model's labels and how many samples each has.",
    discussion: """
      Examples:
        drawml label list
        drawml label list --model Animals --format json
      """)

  @OptionGroup var options: WorkspaceModelOptions
  @OptionGroup var format: FormatOption

  private struct Report: Encodable {
    var model: String
    var labels: [WorkspaceLabel]
  }

  func run() async throws {
    let (workspace, model) = try await options.open()
    let labels = try await workspace.labels(of: model.id)
    var table = TextTable([
      ("label", .left), ("samples", .right), ("taught", .right), ("name", .left),
    ])
    for label in labels {
      table.add([
        label.label, grouped(label.sampleCount), grouped(label.taughtCount), label.name ?? "",
      ])
    }
    try format.print(Report(model: model.name, labels: labels), table.lines)
  }
}

struct LabelRenameCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rename",
    abstract: "Give a label's samples another label, or the label a name.",
    discussion: """
      The model answers with the old label until it is trained.

      Examples:
        drawml label rename ⭐ 🌟
        drawml label rename ⭐ --name "shooting star"
        drawml label rename cat 🐱 --merge
      """)

  @Argument(help: "The label.")
  var label: String
  @Argument(help: "The samples' new label.")
  var new: String?
  @Option(help: "The label's name; an empty text removes it.")
  var name: String?
  @Flag(help: "If the new label exists already, join its samples.")
  var merge = false
  @OptionGroup var options: WorkspaceModelOptions
  @OptionGroup var format: FormatOption

  func validate() throws {
    guard new != nil || name != nil else {
      throw ValidationError("Give the new label, or a name with --name.")
    }
  }

  func run() async throws {
    let (workspace, model) = try await options.open()
    let renamed = try await workspace.changeLabel(
      label, to: new, name: name, merging: merge, of: model.id)
    let called = renamed.name.map { " (\($0))" } ?? ""
    try format.print(
      renamed,
      ["\(renamed.label)\(called): \(counted(renamed.sampleCount, "sample"))"])
  }
}

struct LabelDeleteCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "delete",
    abstract: "Delete a label with its samples.",
    discussion: """
      The model still answers with the label until it is trained.

      Examples:
        drawml label delete ⭐
        drawml label delete ⭐ --model Animals --yes
      """)

  @Argument(help: "The label.")
  var label: String
  @OptionGroup var confirmation: ConfirmationOption
  @OptionGroup var options: WorkspaceModelOptions
  @OptionGroup var format: FormatOption

  private struct Report: Encodable {
    var label: String
    var deleted: [String]
  }

  func run() async throws {
    let (workspace, model) = try await options.open()
    // A label without samples needs no confirmation.
    let all = try await workspace.labels(of: model.id)
    let label = LabelRule.spelling(of: label, among: all.map(\.label))
    let found = all.first { $0.label == label }
    if let found, found.sampleCount > 0 {
      try confirmation.confirm(
        "the label \(label) with \(counted(found.sampleCount, "sample"))")
    } else if found != nil {
      printToStandardError(
        "Error: The label \(label) has no samples; the model forgets it with 'drawml model train'.")
      throw ExitCode.validationFailure
    }
    let deleted = try await workspace.deleteLabel(label, of: model.id).samples
    try format.print(
      Report(label: label, deleted: deleted.map(\.id)),
      ["\(label) is deleted with \(counted(deleted.count, "sample"))."])
  }
}
