internal import ArgumentParser
internal import Trace
internal import Training
internal import Workspace

struct TraceRemoveCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove",
    abstract: "Delete a template that you added.",
    discussion: """
      Samples that were traced over it are kept.

      Examples:
        drawml trace remove castle
        drawml trace remove castle --workspace class-4b --yes
      """)

  @Argument(help: ArgumentHelp("The template's name or id.", valueName: "name-or-id"))
  var template: String
  @OptionGroup var confirmation: ConfirmationOption
  @OptionGroup var workspace: WorkspaceOption
  @OptionGroup var format: FormatOption

  func run() async throws {
    let workspace = try workspace.open()
    let all = try await workspace.importedTemplates()
    guard let found = all.first(where: { $0.isNamed(template) }) else {
      throw JobProblem.unknownTemplate(template, "no template of yours", among: all)
    }
    try confirmation.confirm("the template “\(found.name)” (\(found.extent))")
    try await workspace.deleteTemplate(found.id)
    try format.print(TemplateRecord(found), ["“\(found.name)” is deleted."])
  }
}
