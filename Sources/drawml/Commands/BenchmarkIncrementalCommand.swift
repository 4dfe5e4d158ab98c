internal import ArgumentParser
internal import Benchmarks
internal import Report
internal import Support

struct BenchmarkIncrementalCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "incremental",
    abstract: "Teach one label after another, and see whether the first ones stay.",
    discussion: """
      Labels arrive one by one, a few drawings each; after each label the model is asked for \
      held-out drawings of all labels so far. Compared with teaching all at once and, with \
      --retrain, with a network trained from nothing on the same drawings. In the end every second \
      label is forgotten, and the model compared with one that was never taught them.

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
    help: "How often, each time other labels, drawings and another order.", in: 1...1000)
  var orders = 5
  @Option(help: "Another seed, other labels and orders.", in: .seeds)
  var seed: UInt64 = 1
  @Option(
    help: ArgumentHelp(
      "Also train a network from nothing on the taught drawings, for so many epochs.",
      valueName: "epochs"), in: 1...10_000)
  var retrain: Int?
  @Option(help: "Write a page with the accuracy after each label here.")
  var report: String?
  @OptionGroup var overwrite: OverwriteOption
  @OptionGroup var format: FormatOption

  func run() async throws {
    try overwrite.check(report, for: .page)
    let set = try samples.read()
    let benchmark = IncrementalBenchmark(
      try model.runner(for: set), samplesPath: samples.samples, labels: labels, shots: shots,
      queries: queries, orders: orders, seed: seed, retrainingEpochs: retrain)
    let result = try await showing(hint: { "nothing was measured" }) {
      try await benchmark.run(on: set, progress: $0)
    }
    if let report { try AtomicFile.write(result.page(), to: report) }
    try format.print(result.report, result.report.lines + reportPathLines(report), besides: report)
  }
}
