internal import ArgumentParser
internal import Benchmarks
internal import Files
internal import Report
internal import Training

struct RunsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "runs",
    abstract: "Compare training runs by their logs.",
    discussion: """
      Each training logged by 'train --log' is a row: the settings that differ, the epochs \
      completed, the accuracy on the validation drawings and the time. --report draws the curves.

      Examples:
        drawml train my-shapes/ --output a.drawml --log runs/
        drawml train my-shapes/ --output b.drawml --log runs/ \\
          --set training.learningRate=0.01
        drawml runs runs/ --report runs.html
      """)

  @Argument(help: "Logs, or folders of them.")
  var logs: [String]
  @Option(help: "Write a page with the table and the curves here.")
  var report: String?
  @OptionGroup var overwrite: OverwriteOption
  @OptionGroup var format: FormatOption

  func run() throws {
    try overwrite.check(report, for: .page)
    try OverwriteOption.requireDistinct([report] + logs)
    let runs = try TrainingRuns(reading: logs)
    if let report { try AtomicFile.write(runs.page(), to: report) }
    try format.print(runs, runs.lines + reportPathLines(report), outputs: report)
  }
}
