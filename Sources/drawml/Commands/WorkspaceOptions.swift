internal import ArgumentParser
internal import Files
internal import Foundation
internal import JSON
internal import Report
internal import Text
internal import Training
internal import Workspace

/// `--workspace`, of all commands on the studio's data.
struct WorkspaceOption: ParsableArguments {
  @Option(
    name: .customLong("workspace"),
    help: ArgumentHelp(
      """
      The folder of your models and drawings (default: drawml in $XDG_DATA_HOME or ~/.local/share).
      """,
      valueName: "folder"))
  var folder: String?

  /// The workspace's path.
  var path: String { folder ?? Workspace.standardFolder() }

  /// Opens the workspace; commands that add data to it create it if needed.
  func open(creating: Bool = false) throws -> Workspace {
    try Workspace(folder: path, creating: creating)
  }
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
  func open(
    creating: Bool = false
  ) async throws -> (workspace: Workspace, model: WorkspaceModel) {
    let opened = try workspace.open(creating: creating)
    return (opened, try await opened.find(model))
  }
}

/// `--yes`, of commands that delete.
struct ConfirmationOption: ParsableArguments {
  @Flag(name: .shortAndLong, help: "Do not ask \"Are you sure?\"; needed without a terminal.")
  var yes = false

  /// Asks for confirmation on the terminal, unless `--yes` is given.
  ///
  /// - Parameter what: What will be deleted, such as "the model “Animals” with 12 samples".
  /// - Throws: An exit code if there is no terminal to ask on, which is reported, or if the answer
  ///   is no.
  func confirm(_ what: String) throws {
    if yes { return }
    guard isatty(STDIN_FILENO) == 1, isatty(STDERR_FILENO) == 1 else {
      // Printed here, without the command's usage, because the message says what to do.
      printToStandardError(
        "Error: This deletes \(what). Add --yes to delete without being asked.")
      throw ExitCode.validationFailure
    }
    try? StandardStream.errors.writeUnchanged(
      "This deletes \(what.visible). Are you sure? [y/N] ")
    let answer = (readLine() ?? "").trimmingCharacters(in: .whitespaces).lowercased()
    guard answer == "y" || answer == "yes" else {
      printToStandardError("Nothing was deleted.")
      throw ExitCode(1)
    }
  }
}

extension Workspace {
  /// The model with the given name or id; the active one for nil.
  func find(_ nameOrID: String?) async throws -> WorkspaceModel {
    guard let nameOrID else { return try await activeModel() }
    do { return try await model(named: nameOrID) } catch let error as WorkspaceError {
      guard error.reason.code == .unknownModel else { throw error }
      throw JobProblem.unknownModel(nameOrID, among: try await models().map(\.name))
    }
  }
}

extension JobProblem {
  /// The error for an unknown model name or id, with the existing names.
  fileprivate static func unknownModel(_ name: String, among names: [String]) -> JobProblem {
    let most = 5
    let begun = names.filter { $0.lowercased().hasPrefix(name.lowercased()) && !name.isEmpty }
    let near = Spelling.near(name, among: names)
    let meant = near + begun.filter { !near.contains($0) }
    func list(_ names: [String], _ word: String) -> String {
      let quoted = names.prefix(most).map { "“\($0)”" }
      return quoted.count < 2
        ? quoted.joined()
        : quoted.dropLast().joined(separator: ", ") + " \(word) \(quoted[quoted.count - 1])"
    }
    let advice =
      !meant.isEmpty
      ? "Did you mean \(list(meant, "or"))?"
      : names.count <= most
        ? "There \(names.count == 1 ? "is" : "are") \(list(names, "and"))."
        : "'drawml model list' shows all \(names.count)."
    return JobProblem("There is no model “\(TextTable.shortened(name))”. \(advice)")
  }
}

/// A model in JSON.
struct ModelRecord: Encodable {
  let id: String
  let name: String
  let created: String
  @OrNull var lastTrained: String?
  let isActive: Bool
  let labelCount: Int
  let sampleCount: Int
  let untrainedCount: Int
  let refusalRate: Double
  let isEveryday: Bool
  /// The trained model's file, which other commands take as --model.
  @OrNull var file: String?

  init(_ model: WorkspaceModel, in workspace: Workspace) {
    id = model.id
    name = model.name
    created = model.created.iso8601
    lastTrained = model.lastTrained?.iso8601
    isActive = model.isActive
    labelCount = model.labelCount
    sampleCount = model.sampleCount
    untrainedCount = model.untrainedCount
    refusalRate = model.refusalRate
    isEveryday = model.isEveryday
    file = workspace.trainedFile(of: model)
  }
}

extension Date {
  /// The date in ISO 8601, such as "2026-11-21T17:20:48.123Z".
  var iso8601: String {
    formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
  }
}
