internal import ArgumentParser
internal import Datasets
internal import Files
internal import Ink
internal import JSON
internal import Pictures
internal import Report
internal import Trace
internal import Training
internal import Workspace

struct TraceCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "trace",
    abstract: "List templates to draw over, and score traces.",
    discussion: """
      Examples:
        drawml trace templates
        drawml trace add castle.jpg
        drawml trace score traced.json --template star
      """,
    subcommands: [
      TraceTemplatesCommand.self, TraceAddCommand.self, TraceRemoveCommand.self,
      TraceScoreCommand.self,
    ])
}

extension WorkspaceOption {
  /// The workspace; nil if no option names one and the usual place has none.
  fileprivate func openIfThere() throws -> Workspace? {
    do { return try open() } catch let error as WorkspaceError {
      guard folder == nil, error.reason.code == .noWorkspace else { throw error }
      return nil
    }
  }
}

struct TraceTemplatesCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "templates",
    abstract: "List the built-in templates and your own.",
    discussion: """
      With --format json, one line of stroke JSON per template, which other commands read; \
      pictures, which have no strokes, are left out.

      Examples:
        drawml trace templates --search ice
        drawml trace templates --format json > templates.ndjson
        drawml rasterize templates.ndjson --sheet 52 --size 96 --output sheet.png
        drawml trace templates --labels --model Animals
      """)

  @Option(help: "Only templates whose name or emoji contains this.")
  var search: String?
  @Flag(help: "Only the most typical drawing of each label of a model.")
  var labels = false
  @OptionGroup var options: WorkspaceModelOptions
  @OptionGroup var format: FormatOption

  func validate() throws {
    guard labels || options.model == nil else {
      throw ValidationError("--model goes with --labels.")
    }
  }

  private var all: [Template] {
    get async throws {
      if labels {
        let (workspace, model) = try await options.open()
        return try await workspace.prototypes(of: model.id)
      }
      let imported = try await options.workspace.openIfThere()?.importedTemplates()
      return Template.bundled + (imported ?? [])
    }
  }

  func run() async throws {
    let all = try await all
    let found = all.filter { search.map($0.isFound(by:)) ?? true }
    switch format.format {
    case .text:
      try printToStandardOutput(
        found.map { template in
          "\(template.drawing.label ?? "")\t\(template.name)\t\(template.extent)"
        })
      if found.isEmpty { printToStandardError("No template's name or emoji contains that.") }
    case .json:
      let lines = found.filter { $0.picture == nil }.map { template in
        var drawing = template.drawing
        drawing.id = template.id
        return String(decoding: StrokeJSON.encode(drawing), as: UTF8.self)
      }
      if !lines.isEmpty { try printToStandardOutput(jsonText: lines.joined(separator: "\n")) }
      if lines.count < found.count {
        printToStandardError("Left out \(counted(found.count - lines.count, "picture")).")
      }
    }
  }
}

struct TraceScoreCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "score",
    abstract: "Score how well traces follow a template, from 0 to 100.",
    discussion: """
      The score is the mean of two shares: how much of the template the trace covers, and how much \
      of the trace is on the template, within \(Int(TraceScore.tolerance * 100)) % of the \
      template's size. Both are on the same canvas, and are not aligned first.

      Examples:
        drawml trace score traced.json --template star
        drawml trace score traces.ndjson --template mine.json --format json
      """)

  @Argument(help: "A file of drawings; '-' is standard input.")
  var traces: String
  @Option(
    help: ArgumentHelp(
      "A template's name (the program's before yours) or id, or a file whose first drawing is one.",
      valueName: "name-or-file"))
  var template: String
  @OptionGroup var workspace: WorkspaceOption
  @OptionGroup var format: FormatOption

  private struct Report: Encodable {
    var id: String
    var score: Double
    var cover: Double
    var precision: Double
  }

  func run() async throws {
    let wanted = try await drawing(of: template)
    let scorer = try named(template, "its first drawing") { () throws(InkError) in
      try TraceScorer(wanted.strokes)
    }
    var reader = try DatasetReader(path: traces)
    var count = 0
    while let trace = try reader.next() {
      count += 1
      let id = trace.id.isEmpty ? "\(count)" : trace.id
      let found = try named(traces, id) { () throws(InkError) in try scorer.score(trace.strokes) }
      try format.print(
        Report(
          id: id, score: found.percent, cover: found.cover, precision: found.precision),
        [
          "\(id): \(Int(found.percent.rounded())) of 100: \(ReportNumbers.percent(found.cover)) of "
            + "the template is covered, \(ReportNumbers.percent(found.precision)) of the trace is "
            + "on it"
        ], pretty: false)
    }
    printToStandardError(reader.notes, of: traces)
  }

  /// The result; an error names the file and the drawing in it.
  private func named<Result>(
    _ path: String, _ drawing: String, _ body: () throws(InkError) -> Result
  ) throws(FileError) -> Result {
    do throws(InkError) { return try body() } catch {
      throw FileError("read", path: path, reason: .malformed("\(drawing): \(error)"))
    }
  }

  private func drawing(of name: String) async throws -> Drawing {
    if let known = Template.bundled.first(where: { $0.name == name || $0.drawing.label == name }) {
      return known.drawing
    }
    let imported = try await workspace.openIfThere()?.importedTemplates() ?? []
    if let known = imported.first(where: { $0.isNamed(name) }) {
      guard known.picture == nil else {
        throw JobProblem(
          "the template '\(TextTable.shortened(known.name))' is a picture, so it has no "
            + "score: 'drawml trace add --lines' turns it into strokes")
      }
      return known.drawing
    }
    guard AtomicFile.exists(name) else {
      throw JobProblem.unknownTemplate(
        name, "neither a template nor a file", among: Template.bundled + imported)
    }
    var reader = try DatasetReader(path: name)
    guard let drawing = try reader.next() else {
      throw FileError("read", path: name, reason: .malformed("it has no drawing"))
    }
    printToStandardError(reader.notes, of: name)
    return drawing
  }
}
