internal import ArgumentParser
internal import Report
internal import Training

struct DiffCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "diff",
    abstract: "Show what changed between two models.",
    discussion: """
      Compares labels, samples, head, prior, embedding and refusals. With drawings, it also \
      compares the accuracy on them, with McNemar's exact test; drawings that one of the models \
      was taught or trained on are left out.

      The exit code is 0 whether or not the models differ; with --format json, "isSame" says so.

      Examples:
        drawml diff before.drawml after.drawml
        drawml diff before.drawml after.drawml test.ndjson
        drawml diff before.drawml after.drawml test/ --format json
      """)

  @Argument(help: "The first model.")
  var before: String
  @Argument(help: "The second model.")
  var after: String
  @Argument(help: "Files or folders of labeled drawings; '-' is standard input.")
  var drawings: [String] = []
  @Flag(help: "Leave out drawings that cannot be read, and say which.")
  var skipInvalid = false
  @Flag(help: "Also judge drawings that a model was taught or trained on.")
  var includeTaught = false
  @Option(help: "How many labels to list at most.", in: 0...1_000_000)
  var rows = 20
  @OptionGroup var threads: ThreadOption
  @OptionGroup var kernels: KernelOption
  @OptionGroup var format: FormatOption

  func run() async throws {
    kernels.select()
    let samples =
      drawings.isEmpty
      ? nil : try SampleArguments.named(drawings, skipInvalid: skipInvalid).readSamples().samples
    let job = ModelDifferenceJob(
      before: before, after: after, includesTaught: includeTaught, threads: threads.count)
    let difference = try await showing(hint: { "nothing was changed" }) {
      try await job.run(on: samples, progress: $0)
    }
    try format.print(difference, difference.lines(rows: rows))
  }
}
