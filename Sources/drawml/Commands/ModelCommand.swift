internal import ArgumentParser
internal import Report
internal import Text
internal import Workspace

struct ModelCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "model",
    abstract: "Create, train and manage the models of the studio.",
    discussion: """
      Each model has its own labels and samples. One is active: the studio shows it, and commands \
      without --model use it. You can run these commands while the studio runs.

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
      The active one is marked. --format json names each trained model's file, for other commands' \
      --model.

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
    abstract: "Create a new model.",
    discussion: """
      Examples:
        drawml model create Animals
        drawml model create Animals --use
        drawml model create "Everyday things" --everyday --use
      """)

  @Argument(help: "The model's name.")
  var name: String
  @Flag(help: "Start with a model that knows everyday things; you can add your own labels.")
  var everyday = false
  @Flag(help: "Make it the active model.")
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
    abstract: "Rename a model.",
    discussion: """
      Examples:
        drawml model rename "My first model" Animals
      """)

  @Argument(help: "The model's name or id.")
  var model: String
  @Argument(help: "The new name.")
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
    abstract: "Make a model the active model.",
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
      There is always an active model: if you delete it, the most recently trained model becomes \
      active; if you delete the last model, a new one is created.

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
