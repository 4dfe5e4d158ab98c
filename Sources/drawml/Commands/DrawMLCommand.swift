internal import ArgumentParser
internal import Support

@main
struct DrawMLCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "drawml",
    abstract: "Teach a computer the shapes you draw.",
    discussion: """
      Strokes in; out comes which shape it is, where, and how sure the model is, or an honest \
      "I don't know". Everything runs on this machine, offline.

      A first round:
        drawml train datasets/starter --hold-out 0.5 --output shapes.drawml
        drawml evaluate datasets/starter --model shapes.drawml --report report.html
        drawml classify drawing.json --model shapes.drawml
      """,
    version: Version.text,
    subcommands: [
      TrainCommand.self, TrainSegmenterCommand.self, UpdateCommand.self, ForgetCommand.self,
      EvaluateCommand.self,
      ClassifyCommand.self, SegmentCommand.self, ReplayCommand.self, RasterizeCommand.self,
      VectorizeCommand.self, DatasetCommand.self,
      BenchmarkCommand.self,
      StudioCommand.self, ModelCommand.self, LabelCommand.self, SampleCommand.self,
      WorkspaceCommand.self,
    ])

  static func main() async {
    ProcessHeap.settle(for: CommandLine.arguments)
    ProcessorKernels.choose()
    StandardStream.occupyClosedPlaces()
    do {
      let command = try await asyncParseAsRoot()
      if var command = command as? any AsyncParsableCommand {
        try await command.run()
      } else {
        var command = command
        try command.run()
      }
    } catch {
      guard exitCode(for: error) == .validationFailure else { exit(withError: error) }
      let message = fullMessage(for: error)
      if !message.isEmpty {
        printToStandardError(
          WrongUse.explained(
            message, arguments: Array(CommandLine.arguments.dropFirst()), of: self))
      }
      exit(withError: ExitCode.validationFailure)
    }
  }
}
