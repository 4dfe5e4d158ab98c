internal import ArgumentParser
internal import Datasets
internal import Files
internal import Ink
internal import JSON
internal import Report
internal import Text
internal import Training
internal import Workspace

struct SampleCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sample",
    abstract: "List, add, relabel and delete the training samples of a model in the workspace.",
    discussion: """
      Examples:
        drawml sample add datasets/starter
        drawml sample list --label ⭐
        drawml sample relabel star-12 🌟
        drawml sample delete star-12
      """,
    subcommands: [
      SampleListCommand.self, SampleAddCommand.self, SampleRelabelCommand.self,
      SampleDeleteCommand.self,
    ])
}

struct SampleListCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "List a model's samples, newest first.",
    discussion: """
      With --format json, one line of stroke JSON per sample, which other commands read.

      Examples:
        drawml sample list --label ⭐ --limit 5
        drawml sample list --model Animals --format json > animals.ndjson
      """)

  @Option(help: "Only samples of this label.")
  var label: String?
  @Option(help: "How many at most (default: all).", in: 1...1_000_000_000)
  var limit: Int?
  @OptionGroup var options: WorkspaceModelOptions
  @OptionGroup var format: FormatOption

  func run() async throws {
    let (workspace, model) = try await options.open()
    var (left, last): (Int, WorkspaceSample?) = (limit ?? .max, nil)
    while left > 0 {
      let page = try await workspace.samples(
        of: model.id, label: label, olderThan: last, limit: min(left, 500))
      guard !page.isEmpty else { return }
      switch format.format {
      case .text: try printToStandardOutput(page.map(line))
      case .json:
        try printToStandardOutput(jsonText: page.map(json).joined(separator: "\n"))
      }
      left -= page.count
      last = page.last
    }
  }

  private func line(_ sample: WorkspaceSample) -> String {
    [
      sample.id, sample.label, sample.created.iso8601,
      counted(sample.drawing.strokes.count, "stroke"), sample.isTaught ? "taught" : "not taught",
    ].joined(separator: "\t")
  }

  /// Stroke JSON with two additional keys, which readers of drawings ignore.
  private func json(_ sample: WorkspaceSample) -> String {
    String(decoding: StrokeJSON.encode(sample.drawing).dropLast(), as: UTF8.self)
      + #","created":"\#(sample.created.iso8601)","isTaught":\#(sample.isTaught)}"#
  }
}

struct SampleAddCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "add",
    abstract: "Add drawings to a model's training samples.",
    discussion: """
      Either all drawings are added or none. A drawing keeps its id; adding it again changes \
      nothing. Train the model afterwards: drawml model train.

      Examples:
        drawml sample add datasets/starter
        drawml sample add scans/ --model Animals
        drawml sample add doodles.ndjson --label ⭐ --new-ids
      """)

  @OptionGroup var samples: SampleArguments
  @Option(help: "The label of all drawings, in place of their own.")
  var label: String?
  @Flag(
    name: .customLong("new-ids"),
    help: "Give the drawings new ids, for example if their ids are taken.")
  var newIDs = false
  @OptionGroup var options: WorkspaceModelOptions
  @OptionGroup var format: FormatOption

  /// A deterministic sample id for a drawing's id, also if that contains an emoji from a folder's
  /// name, and by the ink for a line of standard input; nil for a drawing without an id.
  private static func sampleID(of drawing: Drawing) -> String? {
    if drawing.id.hasPrefix("stdin:") { return "sha256-" + drawing.digest.prefix(16) }
    let id = drawing.id
    guard !id.isEmpty, !Workspace.isID(id) else { return id.isEmpty ? nil : id }
    return "sha256-" + Fingerprint.sha256(Array(id.utf8)).prefix(16)
  }

  struct Report: Encodable {
    var model: String
    var added: [String]
    var repeated: Int
  }

  func run() async throws {
    let drawings =
      try label == nil ? samples.readSamples().samples.drawings : samples.read().drawings
    let additions = drawings.map { drawing in
      SampleAddition(
        id: newIDs ? nil : Self.sampleID(of: drawing),
        label: label ?? drawing.label ?? "", drawing: drawing)
    }
    for (index, addition) in additions.enumerated() {
      do throws(WorkspaceError) { try Workspace.check(addition) } catch {
        // The drawings are sorted by label at this point.
        let id = drawings[index].id
        let which = id.isEmpty ? "\(index + 1) of \(additions.count)" : "“\(id)”"
        throw JobProblem("\(error.message) Drawing \(which): \(error.detail)")
      }
    }
    let (workspace, model) = try await options.open(creating: true)
    let added: [AddedSample]
    do {
      added = try await workspace.addSamples(additions, to: model.id)
    } catch let error as WorkspaceError where error.code == "idTaken" {
      throw JobProblem("\(error.message) \(error.detail) Or add --new-ids.")
    }
    let report = Report(
      model: model.name, added: added.filter(\.isNew).map(\.sample.id),
      repeated: added.count { !$0.isNew })
    try format.print(
      report,
      [
        "“\(model.name)”: \(counted(report.added.count, "sample")) added, "
          + "\(grouped(report.repeated)) there already. Train it with 'drawml model train'."
      ])
  }
}

/// A sample in JSON, without its strokes.
private struct SampleRecord: Encodable {
  var id: String
  var label: String
}

struct SampleRelabelCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "relabel",
    abstract: "Give a sample another label.",
    discussion: """
      Examples:
        drawml sample relabel star-12 🌟
      """)

  @Argument(help: "The sample's id.")
  var sample: String
  @Argument(help: "The new label.")
  var label: String
  @OptionGroup var options: WorkspaceModelOptions
  @OptionGroup var format: FormatOption

  func run() async throws {
    let (workspace, model) = try await options.open()
    let changed = try await workspace.relabelSample(sample, to: label, of: model.id)
    try format.print(
      SampleRecord(id: changed.id, label: changed.label),
      ["\(changed.id) is \(changed.label) now."])
  }
}

struct SampleDeleteCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "delete",
    abstract: "Delete samples.",
    discussion: """
      Examples:
        drawml sample delete star-12 star-13
        drawml sample delete star-12 --model Animals --yes
      """)

  @Argument(help: "The samples' ids.")
  var samples: [String]
  @OptionGroup var confirmation: ConfirmationOption
  @OptionGroup var options: WorkspaceModelOptions
  @OptionGroup var format: FormatOption

  private struct Report: Encodable {
    var deleted: [SampleRecord]
  }

  func run() async throws {
    let (workspace, model) = try await options.open()
    try confirmation.confirm("\(counted(samples.count, "sample")) of “\(model.name)”")
    let deleted = try await workspace.deleteSamples(samples, of: model.id)
    try format.print(
      Report(deleted: deleted.map { SampleRecord(id: $0.id, label: $0.label) }),
      ["\(counted(deleted.count, "sample")) deleted."])
  }
}
