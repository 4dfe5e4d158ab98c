internal import ArgumentParser
internal import Text

/// Improves the argument parser's messages on invalid arguments with better suggestions.
enum UsageError {
  /// The message with a suggestion if one is close, and without distant ones.
  ///
  /// - Parameters:
  ///   - message: The parser's message; the error is its first line.
  ///   - arguments: The program's arguments, without its name.
  ///   - root: The root command.
  /// - Returns: The lines of the message, which may be unchanged.
  static func explained(
    _ message: String, arguments: [String], of root: any ParsableCommand.Type
  ) -> [String] {
    // An argument must not start a new line.
    let message = arguments.filter { $0 != $0.visible }.reduce(message) {
      $0.replacing($1, with: $1.visible)
    }
    guard !message.isEmpty else { return [] }
    if arguments.first == "train", arguments.contains(where: isForTrainBase) {
      return [
        "Error: Use 'drawml train-base' to train a base model: it takes --recipe and the "
          + "options of a recipe.", "  See 'drawml train-base --help' for more information.",
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

  /// The error of a command that runs already, and where its options are explained: the parser
  /// would show the usage of the whole program.
  static func withoutUsage(
    _ message: String, arguments: [String], of root: any ParsableCommand.Type
  ) -> [String] {
    guard !message.isEmpty else { return [] }
    let command = (["drawml"] + commands(in: arguments, of: root).compactMap(name(of:)))
      .joined(separator: " ")
    return message.split(separator: "\n").prefix(1).map(String.init)
      + ["  See '\(command) --help' for more information."]
  }

  /// Refuses `drawml help` for a command that does not exist, which the parser ignores.
  ///
  /// - Throws: `ValidationError` that names it.
  static func checkHelp(
    _ arguments: [String], of root: any ParsableCommand.Type
  ) throws(ValidationError) {
    guard arguments.first == "help" else { return }
    let names = arguments.dropFirst().filter { !$0.hasPrefix("-") && $0 != "help" }
    guard let name = names.dropFirst(commands(in: names, of: root).count).first else { return }
    let meant = Spelling.near(name, among: choices(for: names, of: root)).first
    throw ValidationError(
      "Unknown command '\(name)'." + (meant.map { " Did you mean '\($0)'?" } ?? ""))
  }

  /// Whether an argument is an option that 'train' had before 'train-base' was split off.
  private static func isForTrainBase(_ argument: String) -> Bool {
    [
      "--recipe", "--teacher", "--unlabelled", "--hold-out-classes", "--statistics-of", "--teach",
    ].contains(String(argument.prefix { $0 != "=" }))
  }

  /// The subcommands of the command that the arguments select.
  private static func choices(
    for arguments: [String], of root: any ParsableCommand.Type
  ) -> [String] {
    (commands(in: arguments, of: root).last ?? root).configuration.subcommands
      .compactMap(name(of:))
  }

  /// The subcommands that the arguments select, outermost first.
  private static func commands(
    in arguments: [String], of root: any ParsableCommand.Type
  ) -> [any ParsableCommand.Type] {
    var found: [any ParsableCommand.Type] = []
    for argument in arguments {
      guard
        let next = (found.last ?? root).configuration.subcommands.first(where: {
          name(of: $0) == argument
        })
      else { break }
      found.append(next)
    }
    return found
  }

  private static func name(of command: any ParsableCommand.Type) -> String? {
    command.configuration.commandName
  }
}

/// Suggestions for misspelled words.
enum Spelling {
  /// The words within a small edit distance of a text, nearest first; ties in the given order.
  static func near(_ text: String, among words: [String]) -> [String] {
    let most = mostEdits(in: text)
    return words.map { ($0, editDistance(from: text, to: $0)) }.filter { $0.1 <= most }
      .enumerated().sorted { ($0.element.1, $0.offset) < ($1.element.1, $1.offset) }
      .map(\.element.0)
  }

  /// The maximum edit distance: a third of the letters, at most 3, so that short words do not match
  /// any other short word.
  private static func mostEdits(in text: String) -> Int { min(3, text.count / 3) }

  /// The edit distance: deletions, insertions, substitutions and swaps of adjacent letters;
  /// case-insensitive.
  ///
  /// The distance is that of optimal string alignment.
  static func editDistance(from text: String, to word: String) -> Int {
    let (a, b) = (Array(text.lowercased()), Array(word.lowercased()))
    var rows = [Array(0...b.count)]
    for i in a.indices {
      var row = [i + 1]
      for j in b.indices {
        var least = min(rows[i][j + 1] + 1, row[j] + 1, rows[i][j] + (a[i] == b[j] ? 0 : 1))
        if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] {
          least = min(least, rows[i - 1][j - 1] + 1)
        }
        row.append(least)
      }
      rows.append(row)
    }
    return rows[a.count][b.count]
  }
}
