internal import ArgumentParser
internal import Datasets
internal import Files
internal import Foundation
internal import Report
internal import Text
internal import Training

struct DatasetCheckCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Find drawings that are probably labeled wrongly.",
    discussion: """
      A base model is taught all drawings; then each is classified by a model without it and its \
      copies. Drawings that are recognized as another label are listed, the surest first, and \
      shown by --report: some are mislabeled, others only unusual. 'dataset info' lists odd \
      drawings and near copies.

      Examples:
        drawml dataset check my-shapes/ --base models/base.drawml
        drawml dataset check my-shapes/ --base base.drawml --report doubts.html
        drawml dataset check my-shapes/ --base base.drawml --answers answers.csv
      """)

  @OptionGroup var samples: SampleArguments
  @Option(help: "The base model to teach the drawings.")
  var base: String
  @Option(help: "How many drawings to list at most.", in: 0...1_000_000)
  var rows = 20
  @Option(help: "Write a page with the pictures of the doubtful drawings here.")
  var report: String?
  @OptionGroup var answers: AnswersOption
  @OptionGroup var threads: ThreadOption
  @OptionGroup var overwrite: OverwriteOption
  @OptionGroup var format: FormatOption

  func run() async throws {
    try overwrite.check(report, for: .page)
    try answers.check(overwrite, distinctFrom: report)
    let (drawings, _) = try samples.readSamples()
    let job = LabelCheckJob(
      base: base, paths: samples.samples, threads: threads.count,
      date: Date.now.formatted(.iso8601))
    let result = try await showing(hint: { "nothing was written" }) {
      try await job.run(on: drawings, progress: $0)
    }
    if let report { try AtomicFile.write(result.page(), to: report) }
    try answers.write(result.answers)
    try format.print(
      result,
      result.lines(rows: rows, more: "--rows, --report or --answers show them")
        + reportPathLines(report) + answers.pathLines,
      outputs: report, answers.path)
  }
}
