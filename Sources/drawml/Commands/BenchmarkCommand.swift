internal import ArgumentParser

struct BenchmarkCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "benchmark",
    abstract: "Measure models on standard tasks.",
    discussion: """
      Every benchmark prints text or JSON; benchmarks of models give 95 % intervals, and most \
      write a page with --report. Published results of others are listed beside ours, marked as \
      published.

      Examples:
        drawml benchmark few-shot --samples test/ --model base.drawml
        drawml benchmark omniglot --runs all_runs --model base.drawml
        drawml benchmark open-set --samples test/ --model base.drawml
        drawml benchmark incremental --samples test/ --model base.drawml
        drawml benchmark learning-curve my-shapes/ --base base.drawml
        drawml benchmark speed
        drawml benchmark stream quickdraw/
        drawml benchmark search quickdraw-shards --model base.drawml
      """,
    subcommands: [
      BenchmarkFewShotCommand.self, BenchmarkOmniglotCommand.self, BenchmarkOpenSetCommand.self,
      BenchmarkIncrementalCommand.self, BenchmarkLearningCurveCommand.self,
      BenchmarkSegmentationCommand.self, BenchmarkSpeedCommand.self, BenchmarkStreamCommand.self,
      BenchmarkSearchCommand.self,
    ])
}
