internal import ArgumentParser
internal import Benchmarks

struct BenchmarkOpenSetCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "open-set",
    abstract: "Measure what the model refuses: unknown drawings, and drawings of taught labels.",
    discussion: """
      Runs the tasks of few-shot and measures refusals: how well the score separates unknowns from \
      drawings of taught labels at every threshold (AUROC, FPR95, OSCR), how risk falls with \
      coverage, whether confidences are calibrated (ECE), and what happens at the model's own \
      threshold. The page shows the worst mistakes.

      Examples:
        drawml benchmark open-set --samples test/ --model base.drawml
        drawml benchmark open-set --samples test/ --model base.drawml \\
          --report open-set.html
        drawml benchmark open-set --samples test/ --model base.drawml \\
          --episodes tasks.json --format json
      """)

  @OptionGroup var samples: BenchmarkSamples
  @OptionGroup var model: BenchmarkModel
  @OptionGroup var tasks: TaskOptions
  @OptionGroup var page: PageOutput

  func run() async throws {
    let result = try await tasks.run(samples, model, page, needsUnknowns: true)
    try page.finish(
      result.openSetReport, result.report.refusalLines, page: result.openSetPage(),
      outputs: [tasks.saveEpisodes])
  }
}
