internal import ArgumentParser
internal import Report
internal import Support
internal import Workspace

struct ModelCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "model",
    abstract: "Make, train and manage the models that the studio shows.",
    discussion: """
      Each model maps drawings to labels of its own. One is active: the studio shows it, and \
      commands without --model mean it. All of this may be done while the studio runs.

      Examples:
        drawml model create Animals
        drawml model use Animals
        drawml model train
        drawml model list --format json
        drawml model export Animals --output animals.drawmlx
      """,
    subcommands: [
      ModelListCommand.self, ModelCreateCommand.self, ModelRenameCommand.self,
      ModelDeleteCommand.self, ModelUseCommand.self, ModelTrainCommand.self,
      ModelReportCommand.self,
      ModelExportCommand.self, FileImportCommand.self,
    ])
}

struct ModelListCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "List the models.",
    discussion: """
      The active one is marked. With --format json, each trained model's file is named, which \
      other commands take as --model.

      Examples:
        drawml model list
        drawml model list --workspace class-4b --format json
      """)

  @OptionGroup var workspace: WorkspaceOption
  @OptionGroup var format: FormatOption

  struct Report: Encodable {
    var models: [ModelRecord]
  }

  func run() async throws {
    let workspace = try workspace.open()
    let models = try await workspace.models()
    var table = TextTable([
      ("", .left), ("name", .left), ("knows", .left), ("labels", .right), ("samples", .right),
      ("untrained", .right), ("trained", .left),
    ])
    for model in models {
      table.add([
        model.isActive ? "*" : "", model.name, model.isEveryday ? "everyday" : "",
        grouped(model.labelCount), grouped(model.sampleCount), grouped(model.untrainedCount),
        model.lastTrained?.iso8601 ?? "never",
      ])
    }
    try format.print(Report(models: models.map { ModelRecord($0, in: workspace) }), table.lines)
  }
}

struct ModelCreateCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "create",
    abstract: "Make a new model.",
    discussion: """
      Examples:
        drawml model create Animals
        drawml model create Animals --use
        drawml model create "Everyday things" --everyday --use
      """)

  @Argument(help: "What to call it.")
  var name: String
  @Flag(help: "Let it know everyday things from the beginning; your own labels come on top.")
  var everyday = false
  @Flag(help: "Make it the active one.")
  var use = false
  @OptionGroup var workspace: WorkspaceOption
  @OptionGroup var format: FormatOption

  func run() async throws {
    let workspace = try workspace.open(creating: true)
    let model = try await workspace.createModel(
      named: name, everyday: everyday, activating: use)
    try show(model, in: workspace, format, "“\(model.name)” is there\(use ? " and active" : "").")
  }
}

struct ModelRenameCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rename",
    abstract: "Give a model another name.",
    discussion: """
      Examples:
        drawml model rename "My first model" Animals
      """)

  @Argument(help: "The model's name or id.")
  var model: String
  @Argument(help: "What to call it.")
  var name: String
  @OptionGroup var workspace: WorkspaceOption
  @OptionGroup var format: FormatOption

  func run() async throws {
    let workspace = try workspace.open()
    let old = try await workspace.find(model)
    let model = try await workspace.changeModel(old.id, name: name)
    try show(model, in: workspace, format, "“\(old.name)” is called “\(model.name)” now.")
  }
}

struct ModelUseCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "use",
    abstract: "Make a model the active one.",
    discussion: """
      Examples:
        drawml model use Animals
      """)

  @Argument(help: "The model's name or id.")
  var model: String
  @OptionGroup var workspace: WorkspaceOption
  @OptionGroup var format: FormatOption

  func run() async throws {
    let workspace = try workspace.open()
    let model = try await workspace.changeModel(
      try await workspace.find(model).id, activating: true)
    try show(model, in: workspace, format, "“\(model.name)” is active.")
  }
}

struct ModelDeleteCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "delete",
    abstract: "Delete a model with its labels, samples and history.",
    discussion: """
      There is always an active model: if it is deleted, the one trained last follows; if it was \
      the last one, a new one is made.

      Examples:
        drawml model delete Animals
        drawml model delete Animals --yes
      """)

  @Argument(help: "The model's name or id.")
  var model: String
  @OptionGroup var confirmation: ConfirmationOption
  @OptionGroup var workspace: WorkspaceOption
  @OptionGroup var format: FormatOption

  func run() async throws {
    let workspace = try workspace.open()
    let model = try await workspace.find(model)
    try confirmation.confirm(
      "the model “\(model.name)” with \(counted(model.sampleCount, "sample"))")
    let active = try await workspace.deleteModel(model.id)
    try show(
      active, in: workspace, format, "“\(model.name)” is deleted. “\(active.name)” is active.")
  }
}

/// Prints a model as JSON, or what happened to it.
private func show(
  _ model: WorkspaceModel, in workspace: Workspace, _ format: FormatOption, _ text: String
) throws {
  try format.print(ModelRecord(model, in: workspace), [text])
}
