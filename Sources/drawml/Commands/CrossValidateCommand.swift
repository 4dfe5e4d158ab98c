internal import ArgumentParser
internal import Datasets
internal import Foundation
internal import Training

struct CrossValidateCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "cross-validate",
    abstract: "Measure a training's accuracy by k-fold cross-validation.",
    discussion: """
      The drawings are split into folds of equal size, each label evenly, by --seed. For each \
      fold, a model is trained on the other folds as by 'train', and judged on this one: each \
      drawing is judged once, by a model that was not taught it. Drawings with the same strokes \
      share a fold. No model is written. If these drawings trained the embedding of --base, the \
      result is too optimistic. --report writes a page like that of 'evaluate', with the folds; \
      --answers writes the answer to each drawing, as 'evaluate' does, with the fold instead of \
      the model: use it to find wrong labels.

      Examples:
        drawml cross-validate datasets/starter --folds 5 --epochs 10
        drawml cross-validate my-shapes/ --base models/base.drawml --report folds.html
        drawml cross-validate my-shapes/ --base models/base.drawml --answers answers.csv
        drawml cross-validate my-shapes/ --config train.yaml --format json
      """)

  @OptionGroup var samples: SampleArguments
  @Option(help: "How many folds; each takes a training.", in: 2...1000)
  var folds = 5
  @OptionGroup var training: TrainingOptions
  @OptionGroup var answers: AnswersOption
  @OptionGroup var page: PageOutput

  func run() async throws {
    training.kernels.select()
    let settings = try training.settings()
    if let problem = settings.holdOutProblem("Each fold is held out in turn") {
      throw ValidationError(problem + ".")
    }
    if try training.prints(settings) { return }
    try page.check(with: answers.path, for: .answers)
    let (drawings, skipped) = try samples.readSamples()
    let job = CrossValidationJob(
      folds: folds, base: training.base, settings: settings, paths: samples.samples,
      threads: training.threads.count, skipped: skipped, date: Date.now.formatted(.iso8601))
    let result = try await showing(hint: { "nothing was written" }) {
      try await job.run(on: drawings, progress: $0)
    }
    try answers.write(result.answers)
    try page.finish(
      result, result.lines, page: result.page(), more: answers.pathLines, outputs: [answers.path])
  }
}
