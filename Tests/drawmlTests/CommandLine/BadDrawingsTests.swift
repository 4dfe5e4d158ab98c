import Foundation
import Pictures
import Testing

extension WrongInputCommandLineTests {
  @Suite("Bad drawings")
  struct BadDrawingsTests {
    /// What is wrong with a line, and what is said about it behind the file's name.
    struct Fault: Sendable, CustomTestStringConvertible {
      var name: String
      var line: String
      var message: String
      var testDescription: String { name }

      init(_ name: String, _ line: String, _ message: String) {
        (self.name, self.line, self.message) = (name, line, message)
      }
    }

    static let faults = [
      Fault(
        "x and y of different length", Fixture.line("[[[1,2],[1,2]],[[5,6],[5]]]"),
        "stroke 1: 2 x, 1 y values; lengths must match"),
      Fault(
        "NaN", Fixture.line("[[[5,NaN],[5,6]]]"), "stroke 0, point 1: x is not a finite number"),
      Fault(
        "a number whose sums are no numbers", Fixture.line("[[[1e308,-1e308],[5,6]]]"),
        "stroke 0, point 0: x must be from -1e100 to 1e100"),
      Fault(
        "truncated JSON", #"{"id":"a","label":"x","strokes":[[[5,"# + "\n",
        "byte 37: the text ends where a number is due"),
      Fault(
        "a list", #"[{"label":"x","strokes":[[[1,2],[3,4]]]}]"# + "\n",
        "byte 0: a list begins here, not a drawing; name a file that is one list .json"),
      Fault(
        "no strokes", #"{"id":"a","label":"x"}"# + "\n",
        #"byte 21: a drawing without "strokes" or "drawing""#),
    ]

    @Test(
      "The first bad line stops with file, line and place; nothing is written", arguments: faults)
    func stops(fault: Fault) async throws {
      let folder = try await Fixture.folderWithModel()
      let before = try folder.read("m.drawml")
      try folder.write(Fixture.sound + "\n" + fault.line + Fixture.sound, to: "bad.ndjson")
      for arguments in [
        "train bad.ndjson --output q.drawml", "update bad.ndjson -m m.drawml",
        "dataset convert bad.ndjson --output q.h5", "classify bad.ndjson --model m.drawml",
      ] {
        let run = try await folder.run(arguments, status: 1)
        #expect(
          run.errors == "Error: bad.ndjson, line 3: \(fault.message)\n"
            + "  Correct it, or leave such drawings out with --skip-invalid.\n")
        #expect(
          run.lines.count { $0.hasPrefix("sound") } == (arguments.hasPrefix("classify") ? 1 : 0))
      }
      #expect(try folder.names == ["bad.ndjson", "m.drawml"])
      #expect(try folder.read("m.drawml") == before)
    }

    @Test("A drawing as large as any that is read is answered, and its box is a number")
    func largestDrawing() async throws {
      let folder = try await Fixture.folderWithModel()
      let strokes = "[[[-1e100,1e100],[1e100,-1e100]],[[1e100,0],[1e100,1e-100]]]"
      try folder.write(Fixture.line(strokes), to: "a.ndjson")
      for arguments in [
        "classify a.ndjson -m m.drawml", "segment a.ndjson -m m.drawml",
        "segment a.ndjson -m m.drawml --live",
      ] {
        let run = try await folder.run("\(arguments) --format json")
        #expect(run.lines.count >= 1)
        for line in run.lines { _ = try Program.Run.object(line) }
      }
    }

    @Test("A drawing smaller than any number that is read is a dot, which trains as one")
    func smallestDrawing() async throws {
      let folder = try TestFolder()
      for shape in ["house", "star"] {
        try folder.write(Fixture.lines(shape, 0..<6), to: "taught/\(shape).ndjson")
      }
      let dot = Fixture.line("[[[5e-324,0],[0,5e-324]]]", label: Fixture.labels[0])
      try folder.write(dot, to: "taught/dot.ndjson")
      try await folder.run("train taught --output m.drawml --epochs 1 --threads 2")
      #expect(folder.has("m.drawml"))
    }

    @Test("Text that is not UTF-8 is refused where it is, from standard input too")
    func invalidUTF8() async throws {
      let folder = try await Fixture.folderWithModel()
      let bytes = Data(#"{"label":"x"#.utf8) + [0xff] + Data(#"","strokes":[[[1],[1]]]}"#.utf8)
      try folder.write(bytes, to: "a.ndjson")
      let hint = "  Correct it, or leave such drawings out with --skip-invalid.\n"
      let file = try await folder.run("classify a.ndjson -m m.drawml", status: 1)
      #expect(file.errors == "Error: a.ndjson, line 1: byte 11: the text is not UTF-8\n" + hint)
      let input = try await Program.shell(
        "cat a.ndjson | $drawml classify -m m.drawml", in: folder)
      #expect(
        input.errors == "Error: standard input, line 1: byte 11: the text is not UTF-8\n" + hint)
    }

    @Test("Where all is left out, convert writes nothing over what was there")
    func nothingLeft() async throws {
      let folder = try TestFolder()
      try folder.write("x,y\n1,oops\n", to: "bad.csv")
      try folder.write(Fixture.lines("star", 0..<2), to: "keep.ndjson")
      let run = try await folder.run(
        "dataset convert bad.csv --skip-invalid --output keep.ndjson", status: 1)
      #expect(run.errors.contains("there are no drawings to write"))
      #expect(try folder.read("keep.ndjson") == Data(Fixture.lines("star", 0..<2).utf8))
    }

    @Test("--skip-invalid goes on, says which drawings were left out and how many")
    func skipInvalid() async throws {
      let folder = try await Fixture.folderWithModel()
      let bad = Self.faults.map(\.line).joined() + Fixture.line("[[[1,2],[3,4]]]", label: nil)
      try folder.write(Fixture.sound + bad + Fixture.lines("fish", 0..<2), to: "some.ndjson")
      var expected = Self.faults.enumerated().map {
        "skipped: some.ndjson, line \($0 + 2): \($1.message)\n"
      }
      let without =
        #"skipped: some.ndjson:8: the drawing with id "a" has no label; add a "label" "#
        + #"(or "word") that says what it shows"# + "\n"

      let asked = try await folder.run(
        "classify some.ndjson --skip-invalid --model m.drawml --format json")
      let ids = try asked.lines.map { try Program.Run.object($0)["id"] as? String }
      #expect(ids == ["sound", "a", "synthetic-fish-0000", "synthetic-fish-0001"])
      expected.append("skipped 6 drawings that could not be used\n")
      try folder.write(Self.faults[0].line, to: "none.ndjson")
      let none = try await folder.run(
        "classify none.ndjson --skip-invalid --model m.drawml", status: 1)
      #expect(none.output.isEmpty)
      #expect(none.errors.hasSuffix("skipped 1 drawing that could not be used\n"))
      #expect(asked.errors == expected.joined(), "a drawing to classify needs no label")

      let taught = try await folder.run(
        "update some.ndjson --skip-invalid --model m.drawml --format json")
      #expect(try taught.object()["added"] as? Int == 3)
      #expect(taught.errors.contains(expected.joined()))
      #expect(taught.errors.contains(without + "skipped 1 drawing that could not be used\n"))

      let judged = try await folder.run(
        "evaluate some.ndjson --skip-invalid --model m.drawml --include-taught --format json")
      let facts = try #require(try judged.object()["facts"] as? [String: Any])
      #expect(facts["skippedCount"] as? Int == 7)
    }

    static let withoutLabel = Fault(
      "none", #"{"key_id":"7","drawing":[[[0,9],[0,9]]]}"#,
      #"has no label; add a "label" (or "word") that says what it shows"#)
    static let invalidLabel = Fault(
      "invisible", #"{"id":"7","label":"st\u0000ar","strokes":[[[0,9],[0,9]]]}"#,
      "has a label that has the control character U+0000, which cannot be seen; take it out")

    @Test(
      "A drawing without a label, or with one that no model can have, cannot teach or judge",
      arguments: [withoutLabel, invalidLabel])
    func badLabel(fault: Fault) async throws {
      let folder = try await Fixture.folderWithModel()
      let before = try folder.read("m.drawml")
      try folder.write(Fixture.sound + fault.line + "\n", to: "a.ndjson")
      for arguments in [
        "train a.ndjson --output q.drawml", "update a.ndjson -m m.drawml",
        "evaluate a.ndjson -m m.drawml",
      ] {
        let run = try await folder.run(arguments, status: 1)
        #expect(
          run.errors.hasSuffix(
            #"Error: a.ndjson:2: the drawing with id "7" \#(fault.message)\#n"#
              + "  Correct it, or leave such drawings out with --skip-invalid.\n"))
        #expect(!run.errors.contains("Learning"))
      }
      #expect(try folder.names == ["a.ndjson", "m.drawml"])
      #expect(try folder.read("m.drawml") == before)
    }

    @Test("A list without drawings is told, and a drawing on each line of a .json file, too")
    func listsAndLines() async throws {
      let folder = try await Fixture.folderWithModel()
      let line = try Fixture.lines("star", 0..<1)
      try folder.write("[]", to: "none.json")
      let none = try await folder.run("classify none.json -m m.drawml")
      #expect(none.output.isEmpty)
      #expect(none.errors == "There is no drawing to classify.\n")

      try folder.write(line + line, to: "lines.json")
      let lines = try await folder.run("classify lines.json -m m.drawml", status: 1)
      #expect(
        lines.errors.contains(
          "lines.json, line 2: byte \(line.utf8.count): another drawing begins here; put several "
            + "in a list, [ ], or one per line in an .ndjson file"), "\(lines.errors)")
    }

    @Test("The same id for two drawings names both places")
    func conflictingIDs() async throws {
      let folder = try await Fixture.folderWithModel()
      let before = try folder.read("m.drawml")
      try folder.write(
        Fixture.line("[[[0,9],[0,9]]]", id: "7") + Fixture.line("[[[0,9],[9,0]]]", id: "7"),
        to: "a.ndjson")
      for command in [
        "train a.ndjson -o q.drawml", "update a.ndjson -m m.drawml",
        "dataset info a.ndjson", "dataset convert a.ndjson --output b.ndjson",
        "dataset convert a.ndjson --to svg --output pictures",
      ] {
        let run = try await folder.run(command, status: 1)
        #expect(
          run.errors.hasSuffix(
            #"Error: the id "7" names two different drawings (a.ndjson:1 and a.ndjson:2); "#
              + "give each drawing its own id\n"))
      }
      #expect(try folder.names == ["a.ndjson", "m.drawml"])
      #expect(try folder.read("m.drawml") == before)
    }

    @Test("Empty and missing files, folders without drawings: each says what to do")
    func nothingThere() async throws {
      let folder = try await Fixture.folderWithModel()
      try folder.write("", to: "empty.ndjson")
      try folder.write(" \n\n", to: "blank.json")
      try folder.write("not a drawing", to: "notes/readme.txt")
      for (name, message) in [
        ("empty.ndjson", "it is empty; it should hold drawings as JSON"),
        ("blank.json", "it is empty; it should hold drawings as JSON"),
        (
          "notes",
          "there is no .json, .ndjson, .png, .jpg, .svg, .inkml, .excalidraw, .tldr, .xopp or .rm "
            + "file in this folder"
        ),
        ("gone.ndjson", "No such file or directory; check the path"),
      ] {
        for arguments in [
          "train \(name) --output q.drawml", "classify \(name) --model m.drawml",
          "dataset info \(name)",
        ] {
          let run = try await folder.run(arguments, status: 1)
          #expect(run.errors == "Error: cannot read \(name): \(message)\n")
          #expect(run.output.isEmpty)
        }
      }
      let input = try await folder.run("classify --model m.drawml", status: 1)
      #expect(
        input.errors
          == "Error: cannot read standard input: it is empty; it should hold drawings as JSON\n")
      #expect(!folder.has("q.drawml"))
    }

    @Test("One label cannot train an embedding; a base can be taught it, even with one drawing")
    func oneClass() async throws {
      let folder = try await Fixture.folderWithModel()
      try folder.write(Fixture.lines("fish", 0..<3), to: "three.ndjson")
      try folder.write(Fixture.lines("fish", 0..<1), to: "one.ndjson")
      for name in ["three.ndjson", "one.ndjson"] {
        let run = try await folder.run("train \(name) --output q.drawml", status: 1)
        #expect(
          run.errors.hasSuffix(
            #"Error: all drawings have the label "🐟"; a classifier needs drawings of at least "#
              + "two labels\n"))
        #expect(!folder.has("q.drawml") && !folder.has("q.drawml.checkpoint"))
      }
      let based = try await folder.run("train one.ndjson --base m.drawml --output q.drawml")
      #expect(based.lines[0] == "q.drawml: knows 1 label from 1 sample")
      let asked = try await folder.run("classify one.ndjson --model q.drawml")
      #expect(asked.output == "synthetic-fish-0000: 🐟  100.0 %\n")
    }

    @Test("Labels in two Unicode normal forms are one label, in training, answers and forgetting")
    func normalForms() async throws {
      let folder = try await Fixture.folderWithModel()
      try folder.write(
        Fixture.line("[[[0,9],[0,9]]]", id: "1", label: "caf\u{e9}")
          + Fixture.line("[[[0,9],[9,0]]]", id: "2", label: "cafe\u{301}"), to: "a.ndjson")
      let run = try await folder.run("update a.ndjson --model m.drawml --format json")
      let labels = try #require(try run.object()["newLabels"] as? [String])
      #expect(labels.map { Array($0.unicodeScalars) } == [Array("caf\u{e9}".unicodeScalars)])
      let forgotten = try await folder.run(
        "forget --model m.drawml --label cafe\u{301} --format json")
      #expect(try forgotten.object()["forgotten"] as? [String] == ["1", "2"])
    }

    @Test("Strokes of a million points are read and answered in bounded memory")
    func millionPoints() async throws {
      let folder = try await Fixture.folderWithModel()
      // Over 1000 × 10 units, with long rests, as of a pen that reports its place all the time.
      var x: [String] = []
      var y: [String] = []
      for index in 0..<1_000_000 {
        x.append("\(index / 1000)")
        y.append("\(index / 1000 % 10)")
      }
      let line = Fixture.line("[[[\(x.joined(separator: ","))],[\(y.joined(separator: ","))]]]")
      // At once they would fill more than what is allowed.
      try folder.write(String(repeating: line, count: 20), to: "long.ndjson")
      let run = try await folder.run("classify long.ndjson --model m.drawml --format json")
      #expect(run.lines.count == 20)
      let box = try Program.Run.object(run.lines[19])["boundingBox"] as? [String: Int]
      #expect(box == ["x": 0, "y": 0, "width": 999, "height": 9])
      let peak = try #require(run.peakMemoryBytes)
      #expect(peak < 400_000_000)
    }

    @Test(
      "A line of 200 MB is refused with its number in bounded memory; skipping it finds the next")
    func longLine() async throws {
      let folder = try await Fixture.folderWithModel()
      // A hole in the file: it is long, but fills no disk.
      try await folder.shell("truncate -s 200M long.ndjson && echo >> long.ndjson")
      let message =
        "cannot read long.ndjson: line 1 is longer than 67108864 bytes; "
        + "is there one JSON object on each line?\n"
      let run = try await folder.run("classify long.ndjson -m m.drawml", status: 1)
      #expect(
        run.errors == "Error: " + message
          + "  Correct it, or leave such drawings out with --skip-invalid.\n")
      let peak = try #require(run.peakMemoryBytes)
      #expect(peak < 300_000_000)
      let handle = try #require(FileHandle(forWritingAtPath: folder.path + "/long.ndjson"))
      try handle.seekToEnd()
      try handle.write(contentsOf: Data(Fixture.sound.utf8))
      try handle.close()
      let skipped = try await folder.run("classify long.ndjson -m m.drawml --skip-invalid")
      #expect(skipped.output.hasPrefix("sound: "))
      #expect(
        skipped.errors == "skipped: " + message + "skipped 1 drawing that could not be used\n")
    }
  }
}
