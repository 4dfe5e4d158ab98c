internal import ArgumentParser
internal import Foundation
internal import Glibc
internal import Workspace

/// `--workspace`, which every command on the studio's data has.
struct WorkspaceOption: ParsableArguments {
  @Option(
    name: .customLong("workspace"),
    help: ArgumentHelp(
      "The folder of your models and drawings (default: drawml in $XDG_DATA_HOME or ~/.local/share).",
      valueName: "folder"))
  var folder: String?

  /// Where it is.
  var path: String { folder ?? Workspace.standardFolder() }

  /// Opens it.
  func open() throws -> Workspace { try Workspace(folder: path) }
}

/// `--workspace` and `--model`, for commands on one model's labels and samples.
struct WorkspaceModelOptions: ParsableArguments {
  @OptionGroup var workspace: WorkspaceOption
  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("The model's name or id (default: the active one).", valueName: "name-or-id")
  )
  var model: String?

  /// Opens the workspace and finds the model.
  func open() async throws -> (workspace: Workspace, model: WorkspaceModel) {
    let opened = try workspace.open()
    return (opened, try await opened.find(model))
  }
}

/// `--yes`, which commands have that delete.
struct ConfirmationOption: ParsableArguments {
  @Flag(name: .shortAndLong, help: "Do not ask \"Are you sure?\"; needed without a terminal.")
  var yes = false

  /// Asks on the terminal, unless told not to.
  ///
  /// - Parameter what: What will be deleted, such as "the model “Animals” with 12 samples".
  /// - Throws: `ValidationError` where there is no one to ask, and an exit code where the answer is no.
  func confirm(_ what: String) throws {
    if yes { return }
    guard isatty(STDIN_FILENO) == 1, isatty(STDERR_FILENO) == 1 else {
      throw ValidationError("This deletes \(what). Say --yes to go on without being asked.")
    }
    printToStandardError("This deletes \(what). Are you sure? [y/N] ", terminator: "")
    let answer = (readLine() ?? "").trimmingCharacters(in: .whitespaces).lowercased()
    guard answer == "y" || answer == "yes" else {
      printToStandardError("Nothing was deleted.")
      throw ExitCode(1)
    }
  }
}

extension Workspace {
  /// The model with the given name or id; the active one where none is given.
  func find(_ nameOrID: String?) async throws -> WorkspaceModel {
    guard let nameOrID else { return try await activeModel() }
    return try await model(named: nameOrID)
  }
}

/// A model in JSON.
struct ModelRecord: Encodable {
  let id: String
  let name: String
  let created: String
  let lastTrained: Nullable<String>
  let isActive: Bool
  let labelCount: Int
  let sampleCount: Int
  let untrainedCount: Int
  let refusalRate: Double
  /// The trained model's file, which other commands take as --model.
  let file: Nullable<String>

  init(_ model: WorkspaceModel, in workspace: Workspace) {
    id = model.id
    name = model.name
    created = model.created.iso8601
    lastTrained = Nullable(value: model.lastTrained?.iso8601)
    isActive = model.isActive
    labelCount = model.labelCount
    sampleCount = model.sampleCount
    untrainedCount = model.untrainedCount
    refusalRate = model.refusalRate
    file = Nullable(value: workspace.trainedFile(of: model))
  }
}

extension Date {
  /// Such as "2026-11-21T17:20:48.123Z".
  var iso8601: String {
    formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
  }
}
