internal import ArgumentParser
internal import Benchmarks
internal import Recognition
internal import Report
internal import Support

struct ForgetCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "forget",
    abstract: "Make a model forget a label or a sample, in place.",
    discussion: """
      The model is then the same, byte for byte, as one that was never taught it. What \
      training the embedding on a drawing did to its weights stays.

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
    var labels: Int
    var samples: Int
  }

  func validate() throws {
    guard (label == nil) != (sample == nil) else {
      throw ValidationError("Say what to forget: either --label or --sample.")
    }
  }

  func run() throws {
    let lock = try FileLock(path: model)
    defer { withExtendedLifetime(lock) {} }
    var recognizer = try ModelFile.read(model)
    var gone: [TaughtSample] = []
    if let label { gone = try recognizer.forget(label: label) }
    if let sample { gone = try Self.forget(sample, in: &recognizer) }
    try ModelFile.write(recognizer, to: model)
    let report = Report(
      model: model, forgotten: gone.map(\.id), labels: recognizer.labels.count,
      samples: recognizer.memory.samples.count)
    try format.print(
      report,
      [
        "\(model): \(counted(gone.count, "sample")) forgotten. It now knows "
          + "\(counted(report.labels, "label")) from \(counted(report.samples, "sample"))."
      ])
  }

  /// How many samples an error names at most.
  private static let mostNamed = 10

  /// Forgets the one sample with an id, or every sample with an ink's digest.
  ///
  /// - Throws: `JobProblem` if several drawings have the id, as numbered ones of files without ids
  ///   may.
  private static func forget(
    _ name: String, in recognizer: inout Recognizer
  ) throws -> [TaughtSample] {
    let named = recognizer.memory.samples.filter { $0.id == name }
    guard named.count < 2 else {
      throw JobProblem(
        "\(named.count) samples have the id \"\(name)\"; name one by its ink: "
          + named.prefix(Self.mostNamed).map { "--sample \($0.digest) (\($0.label))" }
          .joined(separator: ", ") + (named.count > Self.mostNamed ? ", …" : ""))
    }
    let ink = named.isEmpty ? recognizer.forget { $0.digest == name } : []
    return ink.isEmpty ? try recognizer.forget(sample: name) : ink
  }
}
