internal import ArgumentParser
internal import Files
internal import Interchange
internal import Recognition
internal import Report
internal import Text

struct ImportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract: "Import a model of another program: Core ML, ONNX.",
    discussion: """
      Examples:
        drawml import coreml --model app.mlmodel --output imported.drawml
        drawml import onnx --model app.onnx --output imported.drawml
      """,
    subcommands: [ImportCoreMLCommand.self, ImportONNXCommand.self])
}

struct ImportCoreMLCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "coreml",
    abstract: "Import a Core ML drawing classifier.",
    discussion: """
      Imports the networks and, of an updatable classifier, the samples and labels; the head is \
      knn, as in the file. Networks alone become a base model: teach it.

      Examples:
        drawml import coreml --model app.mlmodel --output imported.drawml
        drawml import coreml --model others.mlmodel --white 255 --output others.drawml
        drawml import coreml --model plda.mlmodel --networks-only --output base.drawml
      """)

  @OptionGroup var options: ImportOptions

  func run() throws {
    try options.run(.coreML) { path, white, networksOnly in
      try CoreMLImport.recognizer(
        at: path, white: white, networksOnly: networksOnly, software: Version.text)
    }
  }
}

struct ImportONNXCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "onnx",
    abstract: "Import the networks of an ONNX graph.",
    discussion: """
      Networks become a base model: teach it. Samples and labels are imported, too, if drawml \
      exported the graph of a model whose head is knn.

      Examples:
        drawml import onnx --model app.onnx --output imported.drawml
        drawml import onnx --model others.onnx --white 1 --output base.drawml
        drawml train drawings --base base.drawml --output taught.drawml
      """)

  @OptionGroup var options: ImportOptions

  func run() throws {
    try options.run(.onnx) { path, white, networksOnly in
      try ONNXImport.recognizer(
        at: path, white: white, networksOnly: networksOnly, software: Version.text)
    }
  }
}

/// What every import reads and writes.
struct ImportOptions: ParsableArguments {
  @Option(
    help: """
      The first layer's value for white ink, if the file declares no scale of its image.
      """)
  var white: White?
  @Flag(help: "Leave out the samples, and with them the labels.")
  var networksOnly = false
  @OptionGroup var files: ExportFiles

  /// The value of a white pixel.
  enum White: String, ExpressibleByArgument, CaseIterable {
    case one = "1"
    case full = "255"

    var number: Int { self == .one ? 1 : 255 }
  }

  private struct Report: Encodable {
    var file: String
    var labels: Int
    var samples: Int
    var bytes: Int
  }

  /// Writes what `read` makes of the file, which is of the given kind.
  func run(
    _ kind: FileKind,
    _ read: (_ path: String, _ white: Int?, _ networksOnly: Bool) throws -> Recognizer
  ) throws {
    let replacement = try files.overwrite.check(
      files.output, for: .model, reading: [files.model])
    try kind.require(files.model)
    let recognizer = try read(files.model, white?.number, networksOnly)
    let written = try ModelFile.write(recognizer, to: files.output, replacing: replacement)
    let report = Report(
      file: files.output, labels: recognizer.labels.count,
      samples: recognizer.memory.samples.count, bytes: written.byteCount)
    try files.format.print(
      report,
      report.labels > 0
        ? [
          "\(report.file): \(counted(report.labels, "label")) from "
            + "\(counted(report.samples, "sample")), \(megabytes(report.bytes))"
        ]
        : [
          "\(report.file): networks alone, \(megabytes(report.bytes))",
          "Teach it: drawml train DRAWINGS --base \(report.file.shellWord) "
            + "--output MODEL",
        ], outputs: [files.output])
  }
}
