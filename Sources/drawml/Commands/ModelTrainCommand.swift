internal import ArgumentParser
internal import Recognition
internal import Report
internal import Workspace

struct ModelTrainCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "train",
    abstract: "Teach a model its samples.",
    discussion: """
      Only what has changed since the last training is computed, yet the model is the same as one \
      that was taught everything at once. The shares printed are honest: each sample is left out \
      before the model is asked about it. What was before is compared on the samples that the \
      training before knew; those added since are counted apart. 'model report' shows it again. A \
      model whose samples are all deleted forgets everything, and is as it was before its first \
      training.

      Examples:
        drawml model train
        drawml model train --model Animals --refuse 0.1
        drawml model train --model Animals --format json
      """)

  @OptionGroup var options: WorkspaceModelOptions
  @OptionGroup var refusal: RefusalOption
  @OptionGroup var threads: ThreadOption
  @OptionGroup var format: FormatOption

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
    try show(report, in: workspace, format)
  }
}
