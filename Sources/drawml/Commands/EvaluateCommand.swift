internal import ArgumentParser
internal import Datasets
internal import Foundation
internal import Training

struct EvaluateCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "evaluate",
    abstract: "Measure models on labeled drawings they have not seen.",
    discussion: """
      Drawings that the model was taught or trained on (the same ink in any file) are left out. So \
      after 'train --hold-out', give the same folder here: only the held-out drawings are judged. \
      A model trained with --stream, or a base model, does not know all drawings that trained it: \
      give others. --include-taught also judges the taught ones; the result is then too \
      optimistic.

      Accuracy counts the best label, also of refused drawings; the share recognized, and how many \
      of these are right, are listed apart. Several models are compared on the drawings that none \
      of them was taught or trained on, with McNemar's exact test. --report also shows the \
      confusion matrix and the worst drawings.

      --answers writes each model's answer to each drawing, with its id, file and line, truth, \
      confidences and the reason of a refusal: for a spreadsheet (.csv) or programs (.jsonl).

      Examples:
        drawml evaluate datasets/starter --model shapes.drawml
        drawml evaluate test.ndjson --model m.drawml --report report.html
        drawml evaluate test.ndjson --model m.drawml --format json
        drawml evaluate test.ndjson --model m.drawml --answers answers.csv
        drawml evaluate test.ndjson --model old.drawml --model new.drawml --report both.html
      """)

  @OptionGroup var samples: SampleArguments
  @Option(name: .shortAndLong, help: "The model; give it again to compare several.")
  var model: [String]
  @OptionGroup var answers: AnswersOption
  @Flag(help: "Also judge drawings that a model was taught or trained on.")
  var includeTaught = false
  @OptionGroup var threads: ThreadOption
  @OptionGroup var kernels: KernelOption
  @OptionGroup var page: PageOutput

  func run() async throws {
    kernels.select()
    try page.check(with: answers.path, for: .answers)
    let (drawings, skipped) = try samples.readSamples()
    let job = EvaluationJob(
      models: model, paths: samples.samples, includesTaught: includeTaught, threads: threads.count,
      skipped: skipped, date: Date.now.formatted(.iso8601))
    let result = try await showing(hint: { "nothing was written" }) {
      try await job.run(on: drawings, progress: $0)
    }
    try answers.write(result.answers)
    try page.finish(
      result, result.lines, page: result.page(), more: answers.pathLines, outputs: [answers.path])
  }
}
