internal import ArgumentParser
internal import Datasets
internal import Foundation
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
  @OptionGroup var answers: AnswersOption
  @OptionGroup var threads: ThreadOption
  @OptionGroup var page: PageOutput

  func run() async throws {
    try page.check(with: answers.path, for: .answers)
    let (drawings, _) = try samples.readSamples()
    let job = LabelCheckJob(
      base: base, paths: samples.samples, threads: threads.count,
      date: Date.now.formatted(.iso8601))
    let result = try await showing(hint: { "nothing was written" }) {
      try await job.run(on: drawings, progress: $0)
    }
    try answers.write(result.answers)
    try page.finish(
      result, result.lines(rows: rows, more: "--rows, --report or --answers show them"),
      page: result.page(), more: answers.pathLines, outputs: [answers.path])
  }
}
