internal import ArgumentParser
internal import Support

/// What is said of arguments that are none, in the words of the argument parser, with better
/// guesses at what was meant.
enum WrongUse {
  /// The message with a guess where there is a near one, and without one that is far off.
  ///
  /// - Parameters:
  ///   - message: What the parser says; the error is its first line.
  ///   - arguments: The program's, without its name.
  ///   - root: The command that they are for.
  /// - Returns: The message's lines, which may be the same.
  static func explained(
    _ message: String, arguments: [String], of root: any ParsableCommand.Type
  ) -> [String] {
    // An argument begins no line of its own.
    let message = arguments.filter { $0 != $0.visible }.reduce(message) {
      $0.replacing($1, with: $1.visible)
    }
    guard !message.isEmpty else { return [] }
    if arguments.first == "train", arguments.contains(where: isForTrainBase) {
      return [
        "Error: Base models are trained by 'drawml train-base' now: it takes --recipe, and what went "
          + "with it.", "  See 'drawml train-base --help' for more information.",
      ]
    }
    var lines = message.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    let first = lines[0]
    if let match = first.wholeMatch(
      of: /(Error: Unknown option '(-*)([^']*)')\. Did you mean '-*([^']*)'\?/),
      Spelling.near(String(match.3), among: [String(match.4)]).isEmpty
    {
      lines[0] = String(match.1)
    } else if let match = first.wholeMatch(
      of: /Error: (?:Unexpected argument:?|[0-9]+ unexpected arguments:) '([^']*)'.*/),
      let meant = Spelling.near(String(match.1), among: choices(for: arguments, of: root)).first
    {
      lines[0] = "\(first). Did you mean '\(meant)'?"
    }
    return lines
  }

  /// Whether an argument is an option that 'train' had before there was 'train-base'.
  private static func isForTrainBase(_ argument: String) -> Bool {
    [
      "--recipe", "--teacher", "--unlabelled", "--hold-out-classes", "--statistics-of", "--teach",
    ].contains(String(argument.prefix { $0 != "=" }))
  }

  /// The subcommands of the command that the arguments lead to.
  private static func choices(
    for arguments: [String], of root: any ParsableCommand.Type
  ) -> [String] {
    var choices = root.configuration.subcommands
    for argument in arguments {
      guard let next = choices.first(where: { name(of: $0) == argument }) else { break }
      choices = next.configuration.subcommands
    }
    return choices.compactMap { name(of: $0) }
  }

  private static func name(of command: any ParsableCommand.Type) -> String? {
    command.configuration.commandName
  }
}
