import Testing

extension CommandLineTests {
  @Suite("Help")
  struct HelpTests {
    @Test(
      "Every command has help with examples",
      arguments: [
        [], ["train"], ["update"], ["forget"], ["evaluate"], ["classify"], ["rasterize"],
        ["vectorize"],
        ["dataset"], ["dataset", "info"], ["dataset", "convert"], ["dataset", "split"],
        ["dataset", "synthesize"], ["benchmark"], ["benchmark", "few-shot"],
        ["benchmark", "omniglot"], ["benchmark", "incremental"], ["benchmark", "open-set"],
        ["benchmark", "segmentation"], ["benchmark", "speed"],
        ["dataset", "synthesize", "canvases"], ["train-segmenter"],
        ["segment"], ["replay"], ["studio"],
        ["model"], ["model", "list"], ["model", "create"], ["model", "rename"],
        ["model", "delete"], ["model", "use"], ["model", "train"], ["model", "export"],
        ["model", "import"], ["model", "report"], ["label"], ["label", "list"],
        ["label", "rename"],
        ["label", "delete"], ["sample"], ["sample", "list"], ["sample", "add"],
        ["sample", "relabel"], ["sample", "delete"], ["workspace"], ["workspace", "info"],
        ["workspace", "check"], ["workspace", "export"], ["workspace", "import"],
        ["workspace", "rescue"],
      ])
    func help(of command: [String]) async throws {
      let run = try await Program.run(command + ["--help"], in: TestFolder())
      #expect(run.status == 0)
      #expect(run.errors.isEmpty)
      #expect(run.output.contains("OVERVIEW: "))
      let name = (["drawml"] + command).joined(separator: " ")
      #expect(run.output.contains("USAGE: \(name) "))
      let examples = run.output.split(separator: "\n").filter { $0.hasPrefix("  \(name) ") }
      #expect(!examples.isEmpty, "no example that begins with '\(name)'")
      if command.first == "benchmark" || command.last == "split" {
        // Wrapped examples cannot be copied: what follows stays within the terminal's 80 columns.
        #expect(examples.allSatisfy { $0.count <= 78 })
        let begun = examples.filter { $0.hasSuffix(" \\") }.count
        #expect(run.output.split(separator: "\n").count { $0.hasPrefix("    --") } >= begun)
      }
    }

    @Test("The version is a line of its own")
    func version() async throws {
      let run = try await Program.run(["--version"], in: TestFolder())
      #expect(run.status == 0)
      #expect(run.output == "0.1.0\n")
      #expect(run.errors.isEmpty)
    }

    @Test(
      "Wrong use is told with how it is used, and exit code 64",
      arguments: [
        (["frobnicate"], "Error: Unexpected argument 'frobnicate'"),
        (
          ["modle", "list"], "Error: 2 unexpected arguments: 'modle', 'list'. Did you mean 'model'?"
        ),
        (["model", "lst"], "Error: Unexpected argument 'lst'. Did you mean 'list'?"),
        (["model", "fits"], "Error: Unexpected argument 'fits'"),
        (["studio", "--foo"], "Error: Unknown option '--foo'"),
        (["studio", "--prot", "1"], "Error: Unknown option '--prot'. Did you mean '--port'?"),
        (["train"], "Error: Missing expected argument '<samples> ...'"),
        (["train", "x", "-o", "m", "--bogus"], "Error: Unknown option '--bogus'"),
        (["train", "x"], "Error: Missing expected argument '--output <output>'"),
        (["train", "x", "-o", "m", "--epochs", "0"], "Error: --epochs must be at least 1."),
        (
          ["train", "x", "-o", "m", "--hold-out", "1"],
          "Error: --hold-out is a share of the drawings: from 0 to 0.8."
        ),
        (
          ["train", "x", "-o", "m", "--base", "b", "--resume"],
          "Error: With --base no embedding is trained: leave out --epochs and --resume."
        ),
        (
          ["train", "x", "-o", "m", "--no-adapt"],
          "Error: --no-adapt goes with --base: only what a base knows is adapted."
        ),
        (["train", "x", "-o", "m", "--threads", "0"], "Error: --threads must be at least 1."),
        (["train", "x", "-o", "m", "--neighbors", "0"], "Error: --neighbors must be at least 1."),
        (
          ["train", "x", "-o", "m", "--penalty", "nan"],
          "Error: --penalty must be a number from 0 up."
        ),
        (["classify", "x", "--model", "m", "--top", "0"], "Error: --top must be at least 1."),
        (
          ["forget", "--model", "m"], "Error: Say what to forget: either --label or --sample."
        ),
        (
          ["forget", "--model", "m", "--label", "a", "--sample", "b"],
          "Error: Say what to forget: either --label or --sample."
        ),
        (["dataset", "info", "x", "--rows=-1"], "Error: --rows must be at least 0."),
        (
          ["dataset", "synthesize"],
          "Error: Say where to write with --output, or --list the shapes."
        ),
        (
          ["dataset", "synthesize", "-o", "x", "--shapes", "star,unicorn"],
          "Error: There is no shape named unicorn; --list shows them all."
        ),
        (
          ["dataset", "split", "x", "-o", "y", "--test", "1"],
          "Error: --validation and --test are shares from 0; together they leave something to train on."
        ),
        (
          ["benchmark", "few-shot", "--samples", "x", "-m", "m", "--ways", "1"],
          "Error: --tasks, --shots and --queries are at least 1, --ways at least 2, --strangers at least 0."
        ),
        (
          ["benchmark", "open-set", "--samples", "x", "-m", "m", "--dial", "5"],
          "Error: --dial is a share of the drawings: from 0 to 0.5."
        ),
        (
          ["benchmark", "incremental", "--samples", "x", "-m", "m", "--labels", "1"],
          "Error: --shots, --queries and --orders are at least 1, --labels at least 2."
        ),
        (
          ["benchmark", "omniglot", "-m", "m"],
          "Error: Say where the characters are: --runs FOLDER for the official runs, or --strokes FILE."
        ),
        (
          ["benchmark", "omniglot", "-m", "m", "--runs", "x", "--as-pictures"],
          "Error: --as-pictures and --save-episodes are for --strokes."
        ),
        (
          ["benchmark", "speed", "--repeats", "0"],
          "Error: --repeats is at least 1, --warm-ups at least 0."
        ),
        (
          ["rasterize", "x", "-o", "x.png", "--size", "0"],
          "Error: --size is 1 to 4096 pixels."
        ),
        (
          ["rasterize", "x", "-o", "x.png", "--size", "8", "--stroke-width", "9"],
          "Error: A picture of 8 pixels has no room for --stroke-width 9.0 and --margin 1.0."
        ),
        (["vectorize", "x", "-o", "x.png"], "Error: --output is a .ndjson, .json or .h5 file."),
        (["vectorize", "x", "--preview", "x.ndjson"], "Error: --preview is a .png file."),
        (
          ["rasterize", "x", "-o", "x.png", "--size", "two"],
          "Error: The value 'two' is invalid for '--size <size>'"
        ),
      ])
    func wrongUse(arguments: [String], message: String) async throws {
      let folder = try TestFolder()
      let run = try await Program.run(arguments, in: folder)
      #expect(run.status == 64)
      #expect(run.output.isEmpty)
      let lines = run.errors.split(separator: "\n").map(String.init)
      #expect(lines.first == message)
      #expect(lines.contains { $0.hasPrefix("Usage: drawml ") })
      #expect(try folder.names.isEmpty)
    }
  }
}
