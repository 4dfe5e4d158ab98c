internal import ArgumentParser
internal import Benchmarks
internal import Datasets
internal import Files
internal import Ink
internal import NeuralNetwork
internal import Report
internal import Text

@main
struct DrawMLCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "drawml",
    abstract: "Teach a computer the shapes you draw.",
    discussion: """
      DrawML reads strokes and says which shapes they are, where they are, and how sure it is, or \
      answers "I don't know". Everything runs on this machine, offline.

      To begin:
        drawml train datasets/starter --hold-out 0.5 --output shapes.drawml
        drawml evaluate datasets/starter --model shapes.drawml --report report.html
        drawml classify drawing.json --model shapes.drawml
      """,
    version: Version.text,
    subcommands: [
      TrainCommand.self, TrainBaseCommand.self, TrainSegmenterCommand.self, UpdateCommand.self,
      ForgetCommand.self, InfoCommand.self, DiffCommand.self, EvaluateCommand.self,
      CrossValidateCommand.self, SweepCommand.self, RunsCommand.self,
      ClassifyCommand.self, SegmentCommand.self,
      ReplayCommand.self, RasterizeCommand.self, VectorizeCommand.self, DatasetCommand.self,
      BenchmarkCommand.self, StudioCommand.self, ModelCommand.self, LabelCommand.self,
      SampleCommand.self, WorkspaceCommand.self, ExportCommand.self, ImportCommand.self,
      TraceCommand.self, WorksheetCommand.self, CaptureCommand.self, PictureCommand.self,
      TransformCommand.self, CalmCommand.self,
    ])

  static func main() async {
    ProcessHeap.tune(for: CommandLine.arguments)
    ProcessorKernels.choose()
    StandardStream.openClosedDescriptors()
    SharedRun.begin(CommandLine.arguments)
    var runs = false
    do {
      try UsageError.checkHelp(Array(CommandLine.arguments.dropFirst()), of: self)
      let command = try await asyncParseAsRoot()
      runs = true
      try SharedRun.check()
      // The studio's server handles signals itself, to close its connections first.
      let serves = command is StudioCommand || command is CalmShowCommand
      let interruption = serves ? nil : Interruption()
      defer { withExtendedLifetime(interruption) {} }
      if var command = command as? any AsyncParsableCommand {
        try await command.run()
      } else {
        var command = command
        try command.run()
      }
      SharedRun.end()
    } catch is RankIsDone {
      SharedRun.end()
    } catch {
      let code = exitCode(for: error)
      if code == .success { printHelp(fullMessage(for: error)) }
      let lines = lines(about: error, whileRunning: runs)
      if !lines.isEmpty { printToStandardError(lines) }
      SharedRun.end(after: error, lines, status: code.rawValue)
      exit(withError: code)
    }
  }

  /// Ends the program with the text of --help, --version and such, which has no input of users.
  private static func printHelp(_ text: String) -> Never {
    do throws(FileError) {
      if !text.isEmpty { try StandardStream.output.writeUnchanged(text + "\n") }
      exit(withError: ExitCode.success)
    } catch {
      printToStandardError("Error: \(error)")
      exit(withError: ExitCode.failure)
    }
  }

  /// The message of an error: one line, unless the error provides more.
  private static func lines(about error: any Error, whileRunning: Bool) -> [String] {
    if let error = error as? InvalidDrawing {
      return ["Error: " + (error.lines.first ?? "")] + error.lines.dropFirst()
    }
    let explanation: String? =
      switch error {
      case let error as FileError: FileKind.explanation(of: error)
      case let error as DrawingFileError: FileKind.explanation(of: error)
      case DatasetError.drawing(let error), DatasetError.foreign(let error, _):
        FileKind.explanation(of: error)
      default: nil
      }
    if let explanation { return ["Error: " + explanation] }
    let message = fullMessage(for: error)
    guard exitCode(for: error) == .validationFailure else { return [message].filter { $0 != "" } }
    let arguments = Array(CommandLine.arguments.dropFirst())
    return whileRunning
      ? UsageError.withoutUsage(message, arguments: arguments, of: self)
      : UsageError.explained(message, arguments: arguments, of: self)
  }
}
