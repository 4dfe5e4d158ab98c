internal import ArgumentParser
internal import Training

/// `--answers`, of the commands that judge models on labeled drawings.
struct AnswersOption: ParsableArguments {
  @Option(
    name: .customLong("answers"),
    help: ArgumentHelp(
      "Write the answer to each drawing here, as CSV or JSON Lines by the file's ending.",
      valueName: "file.csv|file.jsonl"))
  var path: String?

  func validate() throws {
    guard path == nil || format != nil else {
      throw ValidationError("--answers is a .csv or .jsonl file.")
    }
  }

  private var format: AnswerFile.Format? { path.flatMap { AnswerFile.Format(path: $0) } }

  /// Writes the answers, if that is asked for.
  func write(_ answers: @autoclosure () -> AnswerFile) throws {
    guard let path, let format else { return }
    try answers().write(to: path, as: format)
  }

  /// Lines below a result with the file's path, if any.
  var pathLines: [String] { path.map { ["", "The answers are in \($0)."] } ?? [] }
}
