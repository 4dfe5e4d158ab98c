internal import ArgumentParser
internal import Datasets
internal import Files
internal import Training

struct SweepCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sweep",
    abstract: "Try training settings and find the best.",
    discussion: """
      --config has the settings of 'train', and under "vary" a list of values for each setting \
      that varies: every combination is tried. "trials: 20" tries 20 random combinations instead; \
      then a number may also be drawn log-uniformly from a range, {from: 1e-4, to: 1e-2}. Each \
      trial is judged by cross-validation on the same folds.

      Each finished trial is a line of --output. The same command continues where it stopped; with \
      more "trials", the first ones stay the same.

      Examples:
        echo 'vary: {training.epochs: [20, 40], seed: [1, 2]}' > sweep.yaml
        drawml sweep my-shapes/ --config sweep.yaml --output trials.jsonl \\
          --best best.yaml
        drawml sweep my-shapes/ --config sweep.yaml --output trials.jsonl \\
          --report trials.html
        drawml sweep my-shapes/ --base models/base.drawml --config heads.yaml \\
          --output heads.jsonl
      """)

  @OptionGroup var samples: SampleArguments
  @Option(help: ArgumentHelp("A YAML file of settings and what varies.", valueName: "file.yaml"))
  var config: String
  @Option(help: "A model whose embedding is kept and only taught the drawings.")
  var base: String?
  @Option(help: "How many folds, each with one training per trial.", in: 2...1000)
  var folds = 5
  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("The file of the trials; new trials are appended.", valueName: "file.jsonl"))
  var output: String
  @Option(
    help: ArgumentHelp(
      "Write all settings of the best trial here, for 'train --config'.", valueName: "file.yaml"))
  var best: String?
  @OptionGroup var threads: ThreadOption
  @OptionGroup var kernels: KernelOption
  @OptionGroup var page: PageOutput

  func run() async throws {
    kernels.select()
    let plan = try SweepPlan(path: config, hasBase: base != nil)
    try page.overwrite.check(
      output, for: .trials, reading: samples.samples + [config] + (base.map { [$0] } ?? []))
    guard !AtomicFile.isDevice(output) else {
      throw FileError(
        "write", path: output,
        reason: .malformed("a sweep reads its trials from the output again: name a file"))
    }
    try page.check()
    if let best { try AtomicFile.requireWritable(best) }
    try OverwriteOption.requireDistinct([output, page.report, best, config])
    let drawings = try samples.readSamples().samples
    let job = SweepJob(
      plan, folds: folds, base: base, paths: samples.samples, threads: threads.count,
      output: output)
    let result = try await showing(hint: {
      "the same command continues after the trials in \(output)"
    }) {
      try await job.run(on: drawings, progress: $0)
    }
    if let best {
      try AtomicFile.write(result.bestSettings.joined(separator: "\n") + "\n", to: best)
    }
    try page.finish(
      result, result.lines(best: best), page: result.page(), outputs: [output, best])
  }
}
