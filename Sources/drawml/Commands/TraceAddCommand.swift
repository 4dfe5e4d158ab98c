internal import ArgumentParser
internal import Datasets
internal import Files
internal import Ink
internal import Pictures
internal import Remote
internal import Report
internal import Trace
internal import Training
internal import Workspace

struct TraceAddCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "add",
    abstract: "Add your picture to the templates of the workspace.",
    discussion: """
      Reads a PNG, JPEG or SVG file of at most \(TemplateContents.mostFileBytes >> 20) MB and \
      \(TemplatePicture.mostPixels / 1_000_000) million pixels, and keeps it with at most \
      \(TemplatePicture.largestSide) pixels a side. SVG becomes strokes, over which traces get a \
      score; --lines turns the ink of a picture into strokes, too. The workspace is created if \
      needed.

      A picture on the web is fetched only with --allow templates, over HTTPS in 10 seconds, and \
      never from the local network; it is kept in drawml/templates of $XDG_CACHE_HOME or ~/.cache.

      Examples:
        drawml trace add castle.jpg
        drawml trace add house.png --name "our house" --lines
        drawml trace add logo.svg --workspace class-4b
        drawml trace add https://example.org/castle.png --allow templates
      """)

  @Argument(help: "The picture's file or web address.")
  var file: String
  @Option(help: "The template's name (default: the file's).")
  var name: String?
  @Flag(help: "Turn the ink on paper into strokes.")
  var lines = false
  @OptionGroup var permits: PermitOptions
  @OptionGroup var workspace: WorkspaceOption
  @OptionGroup var format: FormatOption

  func run() async throws {
    let address = try RemoteAddress.isMeant(by: file) ? RemoteAddress(file: file) : nil
    let contents =
      if let address { try await fetch(address) } else { try contents(of: AtomicFile.read(file)) }
    let named =
      name ?? address?.name ?? DatasetFiles.Source(path: file, label: nil).pictureID
    let template: Template
    do {
      template = try await workspace.open(creating: true).addTemplate(contents, named: named)
    } catch let error as WorkspaceError {
      guard error.reason.code == .invalidNumber, let why = error.reason.cause else { throw error }
      throw FileError("read", path: file, reason: .malformed(why))
    }
    try format.print(
      TemplateRecord(template), ["“\(template.name)” is added (\(template.extent))."])
  }

  private func fetch(_ address: RemoteAddress) async throws -> TemplateContents {
    guard let files = permits.templates else {
      throw JobProblem(
        "the web is not asked unless you allow it: add --allow "
          + PermitOptions.Permit.templates.rawValue)
    }
    return try await interruptible(hint: { "nothing was added" }) {
      try await files.use(address, contents)
    }
  }

  @Sendable private func contents(of bytes: [UInt8]) throws(FileError) -> TemplateContents {
    do throws(TemplateError) {
      let contents = try TemplateContents(file: bytes)
      return lines ? try contents.lines() : contents
    } catch {
      throw FileError("read", path: file, reason: .malformed("\(error)"))
    }
  }
}
