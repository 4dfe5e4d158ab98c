internal import ArgumentParser
internal import Recognition
internal import Report
internal import Workspace

struct ModelTrainCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "train",
    abstract: "Train a model on its samples.",
    discussion: """
      Only what has changed since the last training is computed, yet the model is the same as one \
      that was taught everything at once. For the numbers printed, each sample is classified by a \
      model without it. The samples of the previous training are compared with its report; those \
      added since are counted apart. 'model report' shows the numbers again. A model whose samples \
      are all deleted forgets everything.

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
