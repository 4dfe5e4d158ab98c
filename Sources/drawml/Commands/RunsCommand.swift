internal import ArgumentParser
internal import Benchmarks
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
  @OptionGroup var page: PageOutput

  func run() throws {
    try page.check()
    try OverwriteOption.requireDistinct([page.report] + logs)
    let runs = try TrainingRuns(reading: logs)
    try page.finish(runs, runs.lines, page: runs.page())
  }
}
