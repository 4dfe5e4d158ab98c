import ArgumentParser
import Pictures
import Testing

@testable import drawml

extension CommandLineTests {
  @Suite("Help")
  struct HelpTests {
    @Test("Every command has help with examples")
    func help() async throws {
      var seen: Set<ObjectIdentifier> = []
      try check(DrawMLCommand.self, "drawml", &seen)
      let run = try await TestFolder().run("--help")
      #expect(run.errors.isEmpty)
      #expect(run.output.contains("OVERVIEW: "))
    }

    /// Checks the help of a command and of those below it.
    ///
    /// - Parameters:
    ///   - command: The command.
    ///   - name: All its words.
    ///   - seen: The commands that were checked: `import` is one of `model` and of `workspace`.
    ///   - shortName: The words that suffice: the standard one of several needs no name.
    /// - Throws: When one has no name.
    private func check(
      _ command: any ParsableCommand.Type, _ name: String, _ seen: inout Set<ObjectIdentifier>,
      shortName: String? = nil
    ) throws {
      guard seen.insert(ObjectIdentifier(command)).inserted else { return }
      let help = DrawMLCommand.helpMessage(for: command, columns: 80)
      #expect(help.contains("OVERVIEW: "), "\(name)")
      #expect(help.contains("USAGE: \(name) "))
      let start = "  \(shortName ?? name) "
      let examples = help.split(separator: "\n").filter { $0.hasPrefix(start) }
      #expect(!examples.isEmpty, "no example that begins with '\(start)'")
      if name.contains(" benchmark") || name.hasSuffix(" split") {
        // Wrapped examples cannot be copied: what follows stays within the terminal's 80 columns.
        #expect(examples.allSatisfy { $0.count <= 78 })
        let begun = examples.filter { $0.hasSuffix(" \\") }.count
        #expect(help.split(separator: "\n").count { $0.hasPrefix("    --") } >= begun)
      }
      for next in command.configuration.subcommands {
        let isStandard = next == command.configuration.defaultSubcommand
        let word = try #require(next.configuration.commandName)
        try check(next, "\(name) \(word)", &seen, shortName: isStandard ? name : nil)
      }
    }

    @Test("B-001: the program starts, and its version is a line of its own")
    func version() async throws {
      let run = try await TestFolder().run("--version")
      #expect(run.output == "0.2.0\n")
      #expect(run.errors.isEmpty)
    }

    @Test(
      "Wrong use is told with how it is used, and exit code 64",
      arguments: [
        ("frobnicate", "Error: Unexpected argument 'frobnicate'"),
        ("modle list", "Error: 2 unexpected arguments: 'modle', 'list'. Did you mean 'model'?"),
        ("model lst", "Error: Unexpected argument 'lst'. Did you mean 'list'?"),
        ("model fits", "Error: Unexpected argument 'fits'"),
        ("studio --foo", "Error: Unknown option '--foo'"),
        ("studio --prot 1", "Error: Unknown option '--prot'. Did you mean '--port'?"),
        ("train", "Error: Missing expected argument '<samples> ...'"),
        ("train x -o m --bogus", "Error: Unknown option '--bogus'"),
        ("train x", "Error: Missing expected argument '--output <output>'"),
        (
          "train x -o m --no-adapt",
          "Error: --no-adapt goes with --base: only a base model's prior is adapted."
        ),
        ("info", "Error: Missing expected argument '<file>'"),
        ("diff a", "Error: Missing expected argument '<after>'"),
        ("evaluate x -m m --answers a.txt", "Error: --answers is a .csv or .jsonl file."),
        ("cross-validate x --answers a.csv.gz", "Error: --answers is a .csv or .jsonl file."),
        ("forget --model m", "Error: Say what to forget: either --label or --sample."),
        (
          "forget --model m --label a --sample b",
          "Error: Say what to forget: either --label or --sample."
        ),
        ("dataset synthesize", "Error: Say where to write with --output, or --list the shapes."),
        (
          "dataset synthesize -o x --shapes star,unicorn",
          "Error: There is no shape named unicorn; --list shows them all."
        ),
        (
          "dataset split x -o y --test 0.9",
          """
          Error: --validation and --test must be less than 1 together, so that something is left \
          to train on.
          """
        ),
        (
          "benchmark omniglot -m m",
          """
          Error: Say where the characters are: --runs FOLDER for the official runs, or --strokes \
          FILE.
          """
        ),
        (
          "benchmark omniglot -m m --runs x --as-pictures",
          "Error: --tasks, --ways, --seed, --as-pictures and --save-episodes are for --strokes."
        ),
        (
          "rasterize x -o x.png --size 8 --stroke-width 9",
          "Error: A picture of 8 pixels has no room for --stroke-width 9.0 and --margin 1.0."
        ),
        ("vectorize x -o x.png", "Error: --output is a .ndjson, .json, .h5 or .inkml file."),
        ("vectorize x --preview x.ndjson", "Error: --preview is a .png file."),
        ("rasterize x -o x.jpg", "Error: --output is a .png file."),
        ("segment x -m m --picture x.jpg", "Error: --picture is a .png file."),
        (
          "dataset synthesize canvases --from x -o y --picture z",
          "Error: --picture is a .png file."
        ),
        (
          "benchmark segmentation --canvases x -m m --failures f.jpeg",
          "Error: --failures is a .png file."
        ),
        (
          "benchmark segmentation --canvases x -m m --order backwards",
          """
          Error: The value 'backwards' is invalid for '--order <order>'. Please provide one of \
          'given' and 'shuffled'.
          """
        ),
        (
          "rasterize x -o x.png --size two",
          """
          Error: The value 'two' is invalid for '--size <size>': it must be a whole number from 1 \
          to 4096
          """
        ),
      ])
    func wrongUse(arguments: String, message: String) async throws {
      let folder = try TestFolder()
      let run = try await folder.run(arguments, status: 64)
      #expect(run.output.isEmpty)
      let lines = run.errors.split(separator: "\n").map(String.init)
      #expect(lines.first == message)
      #expect(lines.contains { $0.hasPrefix("Usage: drawml ") })
      #expect(try folder.names.isEmpty)
    }

    @Test(
      "Help for an unknown command names it",
      arguments: [
        ("help nope", "Error: Unknown command 'nope'."),
        ("help trian", "Error: Unknown command 'trian'. Did you mean 'train'?"),
        ("help model lst", "Error: Unknown command 'lst'. Did you mean 'list'?"),
      ])
    func unknownHelp(line: String, message: String) async throws {
      let run = try await TestFolder().run(line, status: 64)
      #expect(run.output.isEmpty)
      #expect(run.errors.hasPrefix(message + "\n"), "\(run.errors)")
      let known = try await TestFolder().run("help model list")
      #expect(known.output.contains("drawml model list"))
    }
  }
}
