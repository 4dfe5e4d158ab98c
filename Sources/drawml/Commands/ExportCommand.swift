internal import ArgumentParser
internal import Benchmarks
internal import Datasets
internal import Files
internal import Ink
internal import Interchange
internal import JSON
internal import Recognition
internal import Report
internal import Synthesis
internal import Text

struct ExportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Export a model to Core ML, ONNX, safetensors, or a web page.",
    discussion: """
      With Core ML models and ONNX graphs, test vectors are written: drawings with the model's \
      inputs, embedding and answer, to test the program that runs the export.

      Examples:
        drawml export onnx --model shapes.drawml --output shapes.onnx
        drawml export coreml --model shapes.drawml --output shapes.mlmodel
        drawml export safetensors --model shapes.drawml --output shapes.safetensors
        drawml export web --model shapes.drawml --output shapes.html
      """,
    subcommands: [
      ExportCoreMLCommand.self, ExportONNXCommand.self, ExportSafetensorsCommand.self,
      ExportWebCommand.self,
    ])
}

struct ExportCoreMLCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "coreml",
    abstract: "Export an updatable Core ML model.",
    discussion: """
      A pipeline of the networks and a k-nearest-neighbors classifier that holds the taught \
      samples and learns more on the device. Its labels can differ from the model's (the guide \
      says how often), and it refuses nothing.

      Examples:
        drawml export coreml --model shapes.drawml --output shapes.mlmodel
        drawml export coreml --model mixed.drawml --image-only --output mixed.mlmodel
      """)

  @Flag(help: "Keep only the networks whose input is an image of the ink.")
  var imageOnly = false
  @OptionGroup var options: ExportOptions

  func run() throws {
    let recognizer = try options.open(for: .coreML)
    let exported = imageOnly ? try recognizer.restrictedToImages() : recognizer
    try options.write(
      try CoreMLExport.bytes(of: exported, software: ExportOptions.software), of: exported)
  }
}

struct ExportONNXCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "onnx",
    abstract: "Export an ONNX graph.",
    discussion: """
      One graph of the networks, the head and the decision, for any number of drawings at once. It \
      decides as the model does.

      Examples:
        drawml export onnx --model shapes.drawml --output shapes.onnx
        drawml export onnx --model shapes.drawml --embedding-only --output shapes.onnx
      """)

  @Flag(help: "Leave out head and decision: drawings in, vectors out.")
  var embeddingOnly = false
  @OptionGroup var options: ExportOptions

  func run() throws {
    let recognizer = try options.open(for: .onnx)
    let bytes = try ONNXExport.bytes(
      of: recognizer, isEmbeddingOnly: embeddingOnly, software: ExportOptions.software)
    try options.write(bytes, of: recognizer)
  }
}

struct ExportSafetensorsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "safetensors",
    abstract: "Export a model's numbers as named arrays, for NumPy, PyTorch, JAX and others.",
    discussion: """
      The weights of the networks, what the head learned, and the taught samples' vectors and \
      labels, named as in the model file. The metadata has the layers and how the inputs are drawn.

      Examples:
        drawml export safetensors --model shapes.drawml --output shapes.safetensors
      """)

  @OptionGroup var files: ExportFiles

  private struct Report: Encodable {
    var file: String
    var bytes: Int
    var labels: Int
    var samples: Int
  }

  func run() throws {
    try files.overwrite.check(files.output, for: .safetensors, reading: [files.model])
    let recognizer = try ModelFile.read(files.model)
    let bytes = try SafetensorsExport.bytes(of: recognizer, software: ExportOptions.software)
    try AtomicFile.write(bytes, to: files.output)
    let report = Report(
      file: files.output, bytes: bytes.count, labels: recognizer.labels.count,
      samples: recognizer.memory.samples.count)
    try files.format.print(
      report,
      [
        "\(report.file): the arrays of \(counted(report.labels, "label")) from "
          + "\(counted(report.samples, "sample")), \(megabytes(report.bytes))"
      ], outputs: [files.output])
  }
}

struct ExportWebCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "web",
    abstract: "Export a web page that classifies what you draw, without a server.",
    discussion: """
      One HTML file, at most 12 MB, to send to a friend: it answers as the model does, and loads \
      and sends nothing.

      Examples:
        drawml export web --model shapes.drawml --output shapes.html
        drawml export web --model shapes.drawml --title "Mia’s shapes" --output shapes.html
      """)

  @Option(help: "The page's heading.")
  var title = "Draw something"
  @OptionGroup var files: ExportFiles

  private struct Report: Encodable {
    var file: String
    var bytes: Int
    var labels: Int
  }

  func validate() throws {
    let isBlank = title.allSatisfy(\.isWhitespace)
    guard !isBlank, title.count <= 80 else {
      throw ValidationError("--title is a text of 1 to 80 characters.")
    }
  }

  func run() throws {
    try files.overwrite.check(files.output, for: .page, reading: [files.model])
    let recognizer = try ModelFile.read(files.model)
    let bytes = try WebExport.bytes(
      of: recognizer, title: title, software: ExportOptions.software)
    try AtomicFile.write(bytes, to: files.output)
    let report = Report(
      file: files.output, bytes: bytes.count, labels: recognizer.labels.count)
    try files.format.print(
      report,
      [
        "\(report.file): a page that knows \(counted(report.labels, "label")), "
          + megabytes(report.bytes)
      ], outputs: [files.output])
  }
}

/// What every export reads and writes.
struct ExportFiles: ParsableArguments {
  @Option(name: .shortAndLong, help: "The model.")
  var model: String
  @Option(name: .shortAndLong, help: "The file to write.")
  var output: String
  @OptionGroup var overwrite: OverwriteOption
  @OptionGroup var format: FormatOption
}

/// The options of exports for other programs.
struct ExportOptions: ParsableArguments {
  @Option(help: "Make the test vectors from these drawings instead of built-in ones.")
  var drawings: String?
  @OptionGroup var files: ExportFiles

  static let software = "DrawML \(Version.text)"

  /// How many drawings of our own make test vectors.
  private static let drawingCount = 12

  /// The test vectors' path; nil for an output without a folder.
  private var vectors: String? {
    AtomicFile.isDevice(files.output) ? nil : files.output + ".vectors.json"
  }

  private struct Report: Encodable {
    var file: String
    var bytes: Int
    @OrNull var vectors: String?
    var drawings: Int
    var labels: Int
    var samples: Int
  }

  /// Reads the model, after a check that the files can be written.
  func open(for kind: FileKind) throws -> Recognizer {
    let inputs = [files.model] + (drawings.map { [$0] } ?? [])
    try files.overwrite.check(files.output, for: kind, reading: inputs)
    try files.overwrite.check(vectors, for: .testVectors, reading: inputs)
    return try ModelFile.read(files.model)
  }

  /// Writes an exported model and its test vectors.
  func write(_ bytes: [UInt8], of recognizer: Recognizer) throws {
    let shown = try drawings.map { try DatasetFiles.read([$0]).drawings } ?? Self.ownDrawings
    let tests = try TestVectors(of: shown, by: recognizer)
    if tests.count < shown.count {
      printToStandardError(
        "\(counted(shown.count - tests.count, "drawing")) with too little ink left out")
    }
    try AtomicFile.write(bytes, to: files.output)
    // The name is made up: a link there leads to no file that was asked for.
    if let vectors {
      try AtomicFile.write(
        Array((try jsonText(tests) + "\n").utf8), to: vectors, replacesLinks: true)
    }
    let report = Report(
      file: files.output, bytes: bytes.count, vectors: vectors, drawings: tests.count,
      labels: recognizer.labels.count, samples: recognizer.memory.samples.count)
    try files.format.print(
      report,
      [
        "\(report.file): \(counted(report.labels, "label")) from "
          + "\(counted(report.samples, "sample")), \(megabytes(report.bytes))"
      ] + (vectors.map { ["\($0): test vectors of \(counted(report.drawings, "drawing"))"] } ?? []),
      outputs: [files.output])
  }

  private static var ownDrawings: [Drawing] {
    Synthesizer(seed: 1).set(kinds: Array(ShapeCatalog.all.prefix(drawingCount)), count: 1)
  }
}
