internal import ArgumentParser
internal import Benchmarks
internal import JSON
internal import Report
internal import Text
internal import Training
internal import Workspace

struct ModelReportCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "report",
    abstract: "Show the report of a model's last training.",
    discussion: """
      It is the report that 'model train' prints, whether the studio or the command line trained \
      the model.

      Examples:
        drawml model report
        drawml model report Animals --format json
      """)

  @Argument(help: "The model's name or id (default: the active one).")
  var model: String?
  @OptionGroup var workspace: WorkspaceOption
  @OptionGroup var format: FormatOption

  func run() async throws {
    let workspace = try workspace.open()
    let model = try await workspace.find(model)
    try show(try await workspace.report(of: model.id), in: workspace, format)
  }
}

/// Prints the report of a training.
func show(
  _ report: TrainingReport, in workspace: Workspace, _ format: FormatOption
) throws {
  try format.print(
    Joined(["model": ModelRecord(report.model, in: workspace)], report.findings),
    report.lines)
}

extension TrainingReport {
  /// The report for people: a table and remarks.
  var lines: [String] {
    guard self.samples > 0 else {
      return ["“\(model.name)” forgot \(counted(self.removed, "sample")) and knows nothing now."]
    }
    return [
      "“\(model.name)” knows \(counted(self.labels.count, "label")) from "
        + "\(counted(self.samples, "sample")): \(grouped(self.added)) new, "
        + "\(grouped(self.relabeled)) relabeled, \(grouped(self.removed)) forgotten.", "",
    ] + findings.lines
  }
}

extension TrainingReport.Findings {
  fileprivate var lines: [String] {
    var lines = table.lines
    if shares.known != nil {
      lines += [
        "",
        """
        Each sample is classified by a model without it. before, now: samples of the previous \
        training; new: those added since.
        """,
      ]
    }
    if !mistakes.isEmpty {
      lines += ["", "Without being taught, these would be taken for something else:"]
      lines += mistakes.map { "  \($0.sample): \($0.label) for \($0.takenFor)" }
    }
    if let rates, !rates.lines.isEmpty { lines += [""] + rates.lines }
    if !refusals.isEmpty {
      let count = counted(refusals.count, "sample")
      lines += ["", "\(count) would not be recognized without being taught."]
    }
    return lines
  }

  private var table: TextTable {
    // Without a comparison, one share is enough.
    guard shares.known != nil else {
      var table = TextTable([
        ("label", .left), ("samples", .right), ("recognized", .right), ("", .left),
      ])
      for label in labels {
        table.add([
          label.label, grouped(label.samples), label.shares.recognized.map(percent) ?? "",
          label.change.words,
        ])
      }
      return table
    }
    var table = TextTable([
      ("label", .left), ("samples", .right), ("before", .right), ("now", .right), ("new", .right),
      ("", .left),
    ])
    for label in labels {
      let (known, added) = (label.shares.known, label.shares.added)
      table.add([
        label.label, grouped(label.samples), known.map { percent($0.before) } ?? "",
        known.map { percent($0.after) } ?? "",
        added.map { added in
          let right = Int((added.recognized * Double(added.judged)).rounded())
          return "\(grouped(right)) of \(grouped(added.judged))"
        } ?? "", label.change.words,
      ])
    }
    return table
  }
}

extension TrainingReport.Change {
  fileprivate var words: String {
    switch self {
    case .new: "new"
    case .better: "better"
    case .same: ""
    case .worse: "worse"
    case .unknown: "one drawing is not enough: add more"
    }
  }
}
