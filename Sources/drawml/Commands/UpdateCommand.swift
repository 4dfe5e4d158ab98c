internal import ArgumentParser
internal import Benchmarks
internal import Datasets
internal import Files
internal import Recognition
internal import Report
internal import Text
internal import Training

struct UpdateCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "update",
    abstract: "Teach a model more examples or new labels, in place.",
    discussion: """
      Nothing is forgotten and nothing is retrained: the drawings are added to what the model was \
      taught. Teaching the same drawing and id again changes nothing; with another label, it \
      corrects the label.

      Examples:
        drawml update five-penguins.ndjson --model shapes.drawml
        drawml update corrections/ --model shapes.drawml --format json
      """)

  @OptionGroup var samples: SampleArguments
  @Option(name: .shortAndLong, help: "The model to teach.")
  var model: String
  @OptionGroup var refusal: RefusalOption
  @OptionGroup var threads: ThreadOption
  @OptionGroup var kernels: KernelOption
  @OptionGroup var format: FormatOption

  struct Report: Codable {
    var model: String
    var added: Int
    var repeated: Int
    var relabeled: Int
    var newLabels: [String]
    var labels: Int
    var samples: Int
    /// The expected error rates on new drawings.
    var rates: AcceptanceRates
  }

  func run() async throws {
    kernels.select()
    try OverwriteOption.requireOutsideWorkspaces(model)
    let drawings = try samples.readSamples().samples.drawings
    let report = try await interruptible(hint: { "the model is as it was" }) {
      [model, refusal, threads] in
      let bar = ProgressBar("Teaching")
      defer { bar.finish() }
      let lock = try FileLock(path: model) {
        bar.note("Waiting for another program to end its work on \(model).")
      }
      defer { withExtendedLifetime(lock) {} }
      var recognizer = try ModelFile.read(model)
      let update = try await recognizer.update(with: drawings, threads: threads.count) {
        bar.update($0, of: $1)
      }
      if let policy = refusal.policy { recognizer.policy = policy }
      try ModelFile.write(recognizer, to: model)
      return Report(
        model: model, added: update.added, repeated: update.repeated,
        relabeled: update.relabeled, newLabels: update.newLabels,
        labels: recognizer.labels.count, samples: recognizer.memory.samples.count,
        rates: recognizer.acceptanceRates())
    }
    let new =
      report.newLabels.isEmpty ? "" : "; new labels: " + report.newLabels.joined(separator: ", ")
    let relabeled = report.relabeled == 0 ? "" : "\(grouped(report.relabeled)) relabeled, "
    try format.print(
      report,
      [
        "\(model): \(counted(report.added, "sample")) added, \(relabeled)"
          + "\(grouped(report.repeated)) there already\(new). It now knows "
          + "\(counted(report.labels, "label")) from \(counted(report.samples, "sample"))."
      ] + report.rates.lines)
  }
}
