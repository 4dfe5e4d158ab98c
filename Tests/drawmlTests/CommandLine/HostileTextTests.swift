import Foundation
import Testing

extension WrongInputCommandLineTests {
  /// Text of others that clears the screen, sets its title, turns lines around or begins lines of
  /// its own.
  @Suite("Hostile text")
  struct HostileTextTests {
    static let escape = "x\u{1b}[2J\u{7f}\u{9b}1m\u{202e}\u{2028}"
    static let hostile = escape + "\nError: forged"
    /// The same as JSON has it.
    static let hostileJSON = #"x\u001b[2J\u007f\u009b1m\u202e\u2028\nError: forged"#
    static let shown = #"x\u{1b}[2J\u{7f}\u{9b}1m\u{202e}\u{2028}\nError: forged"#

    /// Nothing that a terminal obeys but line feeds and tabs, and no line that others began.
    private func expectHarmless(_ run: Program.Run, _ comment: Comment? = nil) {
      for text in [run.output, run.errors] {
        let obeyed = text.unicodeScalars.filter { scalar in
          scalar.properties.generalCategory == .control && scalar != "\n" && scalar != "\t"
            || (0x2028...0x202e).contains(scalar.value) || (0x2066...0x2069).contains(scalar.value)
        }
        #expect(obeyed.isEmpty, comment)
        #expect(!text.split(separator: "\n").contains("Error: forged"), comment)
      }
    }

    /// A folder with a model that was taught drawings with hostile ids in a hostile file, and with
    /// drawings that have hostile labels.
    private func taught() async throws -> TestFolder {
      let folder = try await Fixture.folderWithModel()
      for (name, label) in [("drawings", "kept"), ("labeled", Self.hostileJSON)] {
        let lines = (0..<4).map { number in
          let strokes = "[[[0,\(10 + number),20],[0,10,\(5 * number)]]]"
          return Fixture.line(strokes, id: "\(number)" + Self.hostileJSON, label: label)
        }
        try folder.write(lines.joined(), to: "\(name) \(Self.escape)/\(Self.hostile).ndjson")
      }
      let run = try await folder.run("update 'drawings \(Self.escape)' --model m.drawml")
      #expect(run.output.contains("new labels: kept"))
      expectHarmless(run)
      return folder
    }

    @Test("Labels, ids and names of files are shown, not obeyed")
    func shown() async throws {
      let folder = try await taught()
      let drawings = "drawings \(Self.escape)"
      let labeled = "labeled \(Self.escape)"
      let commands = [
        "classify '\(drawings)' --model m.drawml --explain",
        "segment '\(drawings)' --model m.drawml", "segment '\(drawings)' --model m.drawml --live",
        "classify '\(labeled)' --model m.drawml", "dataset info '\(labeled)'",
        "evaluate '\(labeled)' --model m.drawml",
        "evaluate '\(drawings)' --model m.drawml --include-taught --answers /dev/stdout",
        "update '\(labeled)' --model m.drawml",
        "dataset split '\(labeled)' --by drawing --output 'parts\(Self.hostile)'",
        "dataset convert '\(labeled)' --output 'copy\(Self.hostile).ndjson'",
        "dataset convert '\(labeled)' --output /dev/stdout --to ndjson",
        "forget --model m.drawml --label 'gone\(Self.hostile)'",
        "classify 'missing\(Self.hostile).json' --model m.drawml",
        "classify '\(drawings)' --model 'missing\(Self.hostile)'",
        "sample list --model 'none\(Self.hostile)' --workspace 'w\(Self.hostile)'",
        "sample add '\(labeled)' --workspace w", "'frobnicate\(Self.hostile)'",
        "classify --model m '--\(Self.hostile)'",
        "dataset synthesize --output x --shapes '\(Self.hostile)'",
      ]
      for command in commands {
        let run = try await Program.run(command, in: folder)
        expectHarmless(run, "\(command)")
        #expect((run.output + run.errors).contains(#"\u"#), "\(command)")
        guard run.status == 0, command.hasPrefix("classify") || command.hasPrefix("segment"),
          !command.hasSuffix("--live")
        else { continue }
        let json = try await folder.run("\(command) --format json")
        expectHarmless(json, "\(command)")
        #expect(json.output.contains(Self.hostileJSON))
      }
    }

    @Test("What is wrong in a file is told in one line, and what to do below it")
    func wrong() async throws {
      let folder = try await Fixture.folderWithModel()
      try folder.write(
        Fixture.line("[[[0],[0,1]]]", id: Self.hostileJSON), to: "bad\(Self.hostile).ndjson")
      let arguments = "classify 'bad\(Self.hostile).ndjson' --model m.drawml"
      let run = try await folder.run(arguments, status: 1)
      expectHarmless(run)
      let lines = run.errors.split(separator: "\n")
      #expect(lines.count == 2 && lines[0].hasPrefix("Error: bad\(Self.shown).ndjson"))
      #expect(lines[1] == "  Correct it, or leave such drawings out with --skip-invalid.")
      let skipped = try await folder.run("\(arguments) --skip-invalid", status: 1)
      #expect(skipped.errors.hasPrefix("skipped: bad\(Self.shown)"))
      expectHarmless(skipped)
    }

    @Test("On a terminal the bar moves the cursor, and what it shows does not")
    func terminal() async throws {
      let folder = try await taught()
      try folder.write(
        """
        \(try Program.path()) dataset info draw*
        \(try Program.path()) classify draw* --model m.drawml
        \(try Program.path()) classify draw* "$(printf 'missing\\033[2J')" --model m.drawml
        """, to: "commands")
      // 'script' gives them a terminal, and writes down what the terminal gets.
      try await folder.shell("script --quiet --return --command 'bash commands' seen", status: 1)
      let seen = String(decoding: try folder.read("seen"), as: UTF8.self)
      #expect(seen.contains("\r\u{1b}[K"), "the bar")
      #expect(seen.contains(Self.shown) && seen.contains(#"missing\u{1b}[2J: No such file"#))
      #expect(!seen.contains("\u{1b}[2J"))
    }
  }
}
