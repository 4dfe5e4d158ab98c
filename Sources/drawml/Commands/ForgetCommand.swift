internal import ArgumentParser
internal import Files
internal import Recognition
internal import Report
internal import Text

struct ForgetCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "forget",
    abstract: "Make a model forget a label or a sample, in place.",
    discussion: """
      The model is then the same, byte for byte, as one that was never taught it. If the drawing \
      trained the embedding, the weights keep what they learned.

      Examples:
        drawml forget --model shapes.drawml --label 🐧
        drawml forget --model shapes.drawml --sample penguin-0003
        drawml info shapes.drawml --samples | grep 🐧
      """)

  @Option(name: .shortAndLong, help: "The model.")
  var model: String
  @Option(help: "Forget every sample of this label.")
  var label: String?
  @Option(help: "Forget the sample with this id, or all of this ink; see 'info --samples'.")
  var sample: String?
  @OptionGroup var format: FormatOption

  struct Report: Codable {
    var model: String
    var forgotten: [String]
    /// How many of them trained the embedding, whose weights stay.
    var inEmbedding: Int
    var labels: Int
    var samples: Int
  }

  func validate() throws {
    guard (label == nil) != (sample == nil) else {
      throw ValidationError("Say what to forget: either --label or --sample.")
    }
  }

  func run() throws {
    try OverwriteOption.requireOutsideWorkspaces(model)
    let lock = try FileLock(path: model) {
      printToStandardError("Waiting for another program to end its work on \(model).")
    }
    defer { withExtendedLifetime(lock) {} }
    var recognizer = try ModelFile.read(model)
    var gone: [TaughtSample] = []
    if let label { gone = try recognizer.forget(label: label) }
    if let sample { gone = try recognizer.forget(sample: sample) }
    try ModelFile.write(recognizer, to: model)
    let report = Report(
      model: model, forgotten: gone.map(\.id),
      inEmbedding: gone.count(where: recognizer.memory.trained.wasFitted),
      labels: recognizer.labels.count, samples: recognizer.memory.samples.count)
    try format.print(
      report,
      [
        "\(model): \(counted(gone.count, "sample")) forgotten. It now knows "
          + "\(counted(report.labels, "label")) from \(counted(report.samples, "sample"))."
      ]
        + (report.inEmbedding == 0
          ? []
          : [
            "\(grouped(report.inEmbedding)) of them trained the embedding, whose weights keep "
              + "what they learned. To undo that, train again without them."
          ]))
  }
}
