internal import ArgumentParser
internal import Benchmarks

struct BenchmarkIncrementalCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "incremental",
    abstract: "Teach one label after another, and measure how well the first ones are kept.",
    discussion: """
      Labels are taught one by one, with a few drawings each; after each label the model \
      classifies held-out drawings of all labels so far. The result is compared with teaching all \
      labels at once and, with --retrain, with a network trained from scratch on the same \
      drawings. At the end every second label is forgotten, and the model is compared with one \
      that was never taught them.

      Examples:
        drawml benchmark incremental --samples test/ --model base.drawml
        drawml benchmark incremental --samples test/ --model base.drawml \\
          --labels 20 --shots 10 --report incremental.html
        drawml benchmark incremental --samples test/ --model base.drawml \\
          --retrain 40 --format json
      """)

  @OptionGroup var samples: BenchmarkSamples
  @OptionGroup var model: BenchmarkModel
  @Option(help: "How many labels are taught.", in: 2...10_000)
  var labels = 40
  @Option(help: "Taught drawings of each label.", in: 1...1000)
  var shots = 5
  @Option(help: "Held-out drawings of each label.", in: 1...1000)
  var queries = 10
  @Option(
    help: "How many repetitions, each with other labels, drawings and order.", in: 1...1000)
  var orders = 5
  @Option(help: "The seed of the labels and orders.", in: .seeds)
  var seed: UInt64 = 1
  @Option(
    help: ArgumentHelp(
      "Also train a network from scratch on the taught drawings, for this many epochs.",
      valueName: "epochs"), in: 1...10_000)
  var retrain: Int?
  @OptionGroup var page: PageOutput

  func run() async throws {
    try page.check()
    let set = try samples.read()
    let benchmark = IncrementalBenchmark(
      try model.runner(for: set), samplesPath: samples.samples, labels: labels, shots: shots,
      queries: queries, orders: orders, seed: seed, retrainingEpochs: retrain)
    let result = try await showing(hint: { "nothing was measured" }) {
      try await benchmark.run(on: set, progress: $0)
    }
    try page.finish(result.report, result.report.lines, page: result.page())
  }
}
