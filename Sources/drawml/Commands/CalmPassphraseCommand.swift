internal import ArgumentParser
internal import Calm
internal import Files
internal import Foundation
internal import Text
internal import Training
internal import Workspace

struct CalmPassphraseCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "passphrase",
    abstract: "Set or remove the passphrase of the calm surface's adult.",
    discussion: """
      Reads the new passphrase from standard input, one line; on a terminal it is asked for twice, \
      and not shown. It is kept as a hash, so a forgotten one can only be replaced.

      Examples:
        drawml calm passphrase
        drawml calm passphrase --remove
        pass show calm | drawml calm passphrase
      """)

  @Flag(help: "Remove it: holding the corner is then enough.")
  var remove = false
  @OptionGroup var workspace: WorkspaceOption

  func run() throws {
    let folder = try workspace.open(creating: true)
    let file = CalmFile(folder: folder.folder)
    try folder.close()
    if remove {
      try file.set(nil)
      return printToStandardError("There is no passphrase now.")
    }
    let text = try entered("New passphrase: ")
    guard Passphrase.isShortEnough(text), text.count >= Passphrase.lengths.lowerBound else {
      throw JobProblem(
        "a passphrase has \(Passphrase.lengths.lowerBound) to \(Passphrase.lengths.upperBound) "
          + "characters; this one has \(text.count)")
    }
    if isatty(STDIN_FILENO) == 1, try entered("Once more: ") != text {
      throw JobProblem("the two differ; nothing was changed")
    }
    try file.set(Passphrase(text))
    printToStandardError("The passphrase is set.")
  }

  /// A line of standard input, which a terminal does not show.
  private func entered(_ question: String) throws -> String {
    guard isatty(STDIN_FILENO) == 1 else { return readLine() ?? "" }
    FileHandle.standardError.write(Data(question.utf8))
    var settings = termios()
    guard unsafe tcgetattr(STDIN_FILENO, &settings) == 0 else { return readLine() ?? "" }
    var hidden = settings
    hidden.c_lflag &= ~tcflag_t(ECHO)
    let shown = settings
    let show: @Sendable () -> Void = {
      var shown = shown
      _ = unsafe tcsetattr(STDIN_FILENO, TCSAFLUSH, &shown)
      FileHandle.standardError.write(Data("\n".utf8))
    }
    Interruption.setRestoring(show)
    _ = unsafe tcsetattr(STDIN_FILENO, TCSAFLUSH, &hidden)
    defer {
      Interruption.setRestoring(nil)
      show()
    }
    return readLine() ?? ""
  }
}
