internal import ArgumentParser
internal import Recognition
internal import Workspace

struct ModelTrainCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "train",
    abstract: "Teach a model its samples.",
    discussion: """
      Only what has changed since the last training is computed, yet the model is the same as one \
      that was taught everything at once. The shares printed are honest: each sample is left out \
      before the model is asked about it.

      Examples:
        drawml model train
        drawml model train --model Animals --refuse 0.1
        drawml model train --model Animals --format json
      """)

  @OptionGroup var options: WorkspaceModelOptions
  @OptionGroup var refusal: RefusalOption
  @OptionGroup var threads: ThreadOption
  @OptionGroup var format: FormatOption

  struct Report: Encodable {
    var model: ModelRecord
    var samples: Int
    var added: Int
    var relabelled: Int
    var removed: Int
    var labels: [TrainingReport.Label]
    var mistakes: [TrainingReport.Mistake]
    var refusals: [TrainingReport.Refusal]
  }

  func run() async throws {
    let (workspace, model) = try await options.open()
    let (rate, threads) = (refusal.rate, threads.count)
    let report = try await interruptible(hint: { "the model is as it was" }) {
      let bar = ProgressBar("Training")
      defer { bar.finish() }
      return try await workspace.train(model.id, refusalRate: rate, threads: threads) { step in
        if step.stage == .waiting { bar.note("Waiting for another training to end.") }
        if step.total > 0 { bar.update(step.done, of: step.total, step.stage.rawValue) }
      }
    }
    guard format.format == .text else {
      return try printToStandardOutput(
        json(
          Report(
            model: ModelRecord(report.model, in: workspace), samples: report.samples,
            added: report.added, relabelled: report.relabelled, removed: report.removed,
            labels: report.labels, mistakes: report.mistakes, refusals: report.refusals)))
    }
    try printToStandardOutput(Self.text(report))
  }

  static func text(_ report: TrainingReport) -> String {
    var table = TextTable([
      ("label", .left), ("samples", .right), ("before", .right), ("now", .right), ("", .left),
    ])
    for label in report.labels {
      table.add([
        label.label, grouped(label.samples), label.recognizedBefore.map(percent) ?? "",
        label.recognizedAfter.map(percent) ?? "", label.change.words,
      ])
    }
    var lines = [
      "“\(report.model.name)” knows \(counted(report.labels.count, "label")) from "
        + "\(counted(report.samples, "sample")): \(grouped(report.added)) new, "
        + "\(grouped(report.relabelled)) relabelled, \(grouped(report.removed)) forgotten.", "",
    ]
    lines += table.lines
    if !report.mistakes.isEmpty {
      lines += ["", "Left out, these would be taken for something else:"]
      lines += report.mistakes.map { "  \($0.sample): \($0.label) for \($0.takenFor)" }
    }
    if !report.refusals.isEmpty {
      lines += [
        "",
        "Left out, \(counted(report.refusals.count, "sample")) would not be recognized.",
      ]
    }
    return lines.joined(separator: "\n")
  }
}

extension TrainingReport.Change {
  fileprivate var words: String {
    switch self {
    case .new: "new"
    case .better: "better"
    case .same: ""
    case .worse: "worse"
    case .unknown: "one drawing says nothing yet: add more"
    }
  }
}
