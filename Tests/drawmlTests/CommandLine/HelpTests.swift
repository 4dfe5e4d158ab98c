import Testing

extension CommandLineTests {
  @Suite("Help")
  struct HelpTests {
    @Test(
      "Every command has help with examples",
      arguments: [
        [], ["train"], ["train-base"], ["update"], ["forget"], ["evaluate"], ["classify"],
        ["cross-validate"],
        ["info"], ["diff"],
        ["rasterize"],
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
        ["export"], ["export", "coreml"], ["export", "onnx"], ["export", "safetensors"],
        ["export", "web"], ["import"], ["import", "coreml"], ["import", "onnx"], ["trace"],
        ["trace", "templates"], ["trace", "add"], ["trace", "remove"], ["trace", "score"],
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

    @Test("B-001: the program starts, and its version is a line of its own")
    func version() async throws {
      let run = try await Program.run(["--version"], in: TestFolder())
      #expect(run.status == 0)
      #expect(run.output == "0.2.0\n")
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
        (
          ["train", "x", "-o", "m", "--epochs", "0"],
          """
          Error: The value '0' is invalid for '--epochs <epochs>': it must be a whole number from \
          1 to 100000
          """
        ),
        (
          ["train", "x", "-o", "m", "--hold-out", "1"],
          """
          Error: The value '1' is invalid for '--hold-out <share>': it must be a number from 0 to \
          0.8
          """
        ),
        (
          ["train", "x", "-o", "m", "--base", "b", "--resume"],
          """
          Error: With --base no embedding is trained: leave out --epochs, --resume, --log, \
          --tensorboard and --report.
          """
        ),
        (
          ["train", "x", "-o", "m", "--no-adapt"],
          "Error: --no-adapt goes with --base: only what a base knows is adapted."
        ),
        (
          ["train", "x", "-o", "m", "--threads", "0"],
          """
          Error: The value '0' is invalid for '--threads <threads>': it must be a whole number \
          from 1 to 256
          """
        ),
        (
          ["train", "x", "-o", "m", "--neighbors", "0"],
          """
          Error: The value '0' is invalid for '--neighbors <neighbors>': it must be a whole number \
          from 1 to 10000
          """
        ),
        (
          ["train", "x", "-o", "m", "--penalty", "nan"],
          """
          Error: The value 'nan' is invalid for '--penalty <penalty>': it must be a number from 0 \
          to 1000000
          """
        ),
        (
          ["classify", "x", "--model", "m", "--top", "0"],
          """
          Error: The value '0' is invalid for '--top <top>': it must be a whole number from 1 to \
          100000
          """
        ),
        (["info"], "Error: Missing expected argument '<file>'"),
        (["diff", "a"], "Error: Missing expected argument '<after>'"),
        (
          ["forget", "--model", "m"], "Error: Say what to forget: either --label or --sample."
        ),
        (
          ["forget", "--model", "m", "--label", "a", "--sample", "b"],
          "Error: Say what to forget: either --label or --sample."
        ),
        (
          ["dataset", "info", "x", "--rows=-1"],
          """
          Error: The value '-1' is invalid for '--rows <rows>': it must be a whole number from 0 \
          to 1000000
          """
        ),
        (
          ["dataset", "synthesize"],
          "Error: Say where to write with --output, or --list the shapes."
        ),
        (
          ["dataset", "synthesize", "-o", "x", "--shapes", "star,unicorn"],
          "Error: There is no shape named unicorn; --list shows them all."
        ),
        (
          ["dataset", "split", "x", "-o", "y", "--test", "0.9"],
          """
          Error: --validation and --test must be less than 1 together, so that something is left \
          to train on.
          """
        ),
        (
          ["benchmark", "few-shot", "--samples", "x", "-m", "m", "--ways", "1"],
          """
          Error: The value '1' is invalid for '--ways <ways>': it must be a whole number from 2 to \
          1000
          """
        ),
        (
          ["benchmark", "open-set", "--samples", "x", "-m", "m", "--dial", "5"],
          "Error: The value '5' is invalid for '--dial <dial>': it must be a number from 0 to 0.5"
        ),
        (
          ["benchmark", "incremental", "--samples", "x", "-m", "m", "--labels", "1"],
          """
          Error: The value '1' is invalid for '--labels <labels>': it must be a whole number from \
          2 to 10000
          """
        ),
        (
          ["benchmark", "omniglot", "-m", "m"],
          """
          Error: Say where the characters are: --runs FOLDER for the official runs, or --strokes \
          FILE.
          """
        ),
        (
          ["benchmark", "omniglot", "-m", "m", "--runs", "x", "--as-pictures"],
          "Error: --tasks, --ways, --seed, --as-pictures and --save-episodes are for --strokes."
        ),
        (
          ["benchmark", "speed", "--repeats", "0"],
          """
          Error: The value '0' is invalid for '--repeats <repeats>': it must be a whole number \
          from 1 to 10000
          """
        ),
        (
          ["rasterize", "x", "-o", "x.png", "--size", "0"],
          """
          Error: The value '0' is invalid for '--size <size>': it must be a whole number from 1 to \
          4096
          """
        ),
        (
          ["rasterize", "x", "-o", "x.png", "--size", "8", "--stroke-width", "9"],
          "Error: A picture of 8 pixels has no room for --stroke-width 9.0 and --margin 1.0."
        ),
        (
          ["vectorize", "x", "-o", "x.png"],
          "Error: --output is a .ndjson, .json, .h5 or .inkml file."
        ),
        (["vectorize", "x", "--preview", "x.ndjson"], "Error: --preview is a .png file."),
        (["rasterize", "x", "-o", "x.jpg"], "Error: --output is a .png file."),
        (["segment", "x", "-m", "m", "--picture", "x.jpg"], "Error: --picture is a .png file."),
        (
          ["dataset", "synthesize", "canvases", "--from", "x", "-o", "y", "--picture", "z"],
          "Error: --picture is a .png file."
        ),
        (
          ["benchmark", "segmentation", "--canvases", "x", "-m", "m", "--failures", "f.jpeg"],
          "Error: --failures is a .png file."
        ),
        (
          ["rasterize", "x", "-o", "x.png", "--size", "two"],
          """
          Error: The value 'two' is invalid for '--size <size>': it must be a whole number from 1 \
          to 4096
          """
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

    @Test(
      "Help for an unknown command names it",
      arguments: [
        (["help", "nope"], "Error: Unknown command 'nope'."),
        (["help", "trian"], "Error: Unknown command 'trian'. Did you mean 'train'?"),
        (["help", "model", "lst"], "Error: Unknown command 'lst'. Did you mean 'list'?"),
      ])
    func unknownHelp(arguments: [String], message: String) async throws {
      let run = try await Program.run(arguments, in: TestFolder())
      #expect(run.status == 64 && run.output.isEmpty)
      #expect(run.errors.hasPrefix(message + "\n"), "\(run.errors)")
      let known = try await Program.run(["help", "model", "list"], in: TestFolder())
      #expect(known.status == 0 && known.output.contains("drawml model list"))
    }
  }
}
