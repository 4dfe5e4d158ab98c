internal import ArgumentParser
internal import Datasets
internal import Ink
internal import Report
internal import Support
internal import Trace
internal import Workspace

/// An imported template in JSON, without its strokes and its picture.
private struct TemplateRecord: Encodable {
  let id: String
  let name: String
  let strokes: Int
  let picture: Nullable<Template.PictureSize>

  init(_ template: Template) {
    (id, name, strokes) = (template.id, template.name, template.drawing.strokes.count)
    picture = Nullable(value: template.picture)
  }
}

extension Template {
  /// What it consists of, for people.
  var extent: String {
    picture.map { "picture, \($0.width) × \($0.height)" }
      ?? counted(drawing.strokes.count, "stroke")
  }

  /// Whether a user means it by its name or id.
  func isNamed(_ nameOrID: String) -> Bool { name == nameOrID || id == nameOrID }
}

struct TraceAddCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "add",
    abstract: "Add a picture of yours to the templates of the workspace.",
    discussion: """
      Reads a PNG, JPEG or SVG file of at most \(TemplateContents.mostFileBytes >> 20) MB and \
      \(TemplatePicture.mostPixels / 1_000_000) million pixels, and keeps it with at most \
      \(TemplatePicture.largestSide) pixels a side. SVG becomes strokes, over which traces get a \
      score; so do the lines of a picture of ink with --lines. The workspace is made if needed.

      Examples:
        drawml trace add castle.jpg
        drawml trace add house.png --name "our house" --lines
        drawml trace add logo.svg --workspace class-4b
      """)

  @Argument(help: "The picture's file.")
  var file: String
  @Option(help: "What to call it (default: the file's name).")
  var name: String?
  @Flag(help: "Make it lines: ink on paper becomes strokes.")
  var lines = false
  @OptionGroup var workspace: WorkspaceOption
  @OptionGroup var format: FormatOption

  func run() async throws {
    let contents = try contents()
    let named = name ?? DatasetFiles.Source(path: file, label: nil).pictureID
    let template = try await workspace.open(creating: true).addTemplate(contents, named: named)
    try format.print(
      TemplateRecord(template), ["“\(template.name)” is added (\(template.extent))."])
  }

  private func contents() throws -> TemplateContents {
    let bytes = try AtomicFile.read(file)
    do throws(TemplateError) {
      let contents = try TemplateContents(file: bytes)
      return lines ? try contents.lines() : contents
    } catch {
      throw FileError("read", path: file, reason: .malformed("\(error)"))
    }
  }
}

struct TraceRemoveCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove",
    abstract: "Delete a template that you added.",
    discussion: """
      Samples that were traced over it stay.

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
      throw UnknownTemplate(template, "no template of yours", among: all)
    }
    try confirmation.confirm("the template “\(found.name)” (\(found.extent))")
    try await workspace.deleteTemplate(found.id)
    try format.print(TemplateRecord(found), ["“\(found.name)” is deleted."])
  }
}

/// The error for a name that no template has, and no file.
struct UnknownTemplate: Error, CustomStringConvertible {
  let description: String

  /// - Parameters:
  ///   - name: What was asked for.
  ///   - what: What it is not the name of, such as "no template of yours".
  ///   - templates: Those whose names may be meant.
  init(_ name: String, _ what: String, among templates: [Template]) {
    let near = Spelling.near(name, among: templates.map(\.name)).first
    description =
      "there is \(what) '\(TextTable.shortened(name))': "
      + (near.map { "did you mean '\($0)'?" } ?? "'drawml trace templates' lists the templates")
  }
}
