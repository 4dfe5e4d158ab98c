import Foundation
import Pictures
import Testing

extension CommandLineTests {
  @Suite("Segment and replay")
  struct SegmentTests {
    /// A folder with a model and three canvases of timed drawings.
    private func folderWithCanvases() async throws -> TestFolder {
      let folder = try await Fixture.folderWithModel()
      try await folder.run(
        """
        dataset synthesize canvases --from '\(Fixture.starter)' -o c.ndjson --count 3 --mix 1,0,0
        --model m.drawml
        """)
      return folder
    }

    /// The strokes of each canvas of a file.
    private func strokeCounts(_ folder: TestFolder) throws -> [Int] {
      try String(decoding: folder.read("c.ndjson"), as: UTF8.self).split(separator: "\n").map {
        try #require(try Program.Run.object(String($0))["strokes"] as? [Any]).count
      }
    }

    @Test("segment prints one object a canvas: every stroke in one shape, with box and label")
    func json() async throws {
      let folder = try await folderWithCanvases()
      let run = try await folder.run("segment c.ndjson --model m.drawml --format json")
      let counts = try strokeCounts(folder)
      #expect(run.lines.count == 3)
      for (line, count) in zip(run.lines, counts) {
        let shapes = try #require(try Program.Run.object(line)["shapes"] as? [[String: Any]])
        #expect(
          shapes.flatMap { $0["strokes"] as? [Int] ?? [] }.sorted() == Array(0..<count))
        for shape in shapes {
          let decision = try #require(shape["decision"] as? String)
          #expect(["recognized", "unrecognized"].contains(decision))
          #expect((0...1).contains(try #require(shape["confidence"] as? Double)))
          let box = try #require(shape["boundingBox"] as? [String: Double])
          #expect(Set(box.keys) == ["x", "y", "width", "height"])
          #expect((shape["placement"] is [String: Any]) == (decision == "recognized"))
          #expect((shape["message"] is String) == (decision == "unrecognized"))
        }
      }
      // The same from standard input, in words.
      let words = try await folder.shell("cat c.ndjson | $drawml segment --model m.drawml")
      #expect(words.lines.count { $0.contains(": ") && !$0.hasPrefix("  ") } == 3)
    }

    @Test("train-segmenter teaches no drawing that is on a canvas: such --lessons end it at once")
    func lessonsApart() async throws {
      let folder = try await Fixture.folderWithModel()
      let run = try await folder.run(
        """
        train-segmenter --base m.drawml --places '\(Fixture.starter)' --answers '\(Fixture.starter)'
        --lessons '\(Fixture.starter)/star.ndjson' -o s.json --places-count 2
        """, status: 64)
      #expect(run.errors.contains("is in --lessons and in --answers"), "\(run.errors)")
      // The ink counts, not its name.
      let renamed = try Fixture.lines("star", 0..<1)
        .replacing(#/"id":"[^"]*"/#, with: #""id":"another""#)
      try folder.write(renamed, to: "renamed.ndjson")
      let other = try await folder.run(
        """
        train-segmenter --base m.drawml --places '\(Fixture.starter)' --answers '\(Fixture.starter)'
        --lessons renamed.ndjson -o s.json --places-count 2
        """, status: 64)
      #expect(other.errors.contains("another is in --lessons and in --answers"))
      #expect(try !folder.names.contains("s.json"))
    }

    @Test("train-segmenter names a label of --lessons that nothing on a canvas has")
    func lessonsOfUnknownLabel() async throws {
      let folder = try await Fixture.folderWithModel()
      let run = try await folder.run(
        """
        train-segmenter --base m.drawml --places '\(Fixture.starter)/heart.ndjson'
        --answers '\(Fixture.starter)/heart.ndjson' --lessons '\(Fixture.starter)/star.ndjson'
        -o s.json --places-count 2
        """, status: 64)
      #expect(run.errors.contains("No drawing of --answers has the label "))
      #expect(try !folder.names.contains("s.json"))
    }

    @Test("train-segmenter keeps no network of a segmenter without one")
    func noWholeness() async throws {
      let folder = try await Fixture.folderWithModel()
      let segmenter = Fixture.starter + "/../../Sources/Kit/Segmentation/segmenter.json"
      let run = try await folder.shell(
        #"""
        sed -E 's/,"wholeness":.*$/}/' '\#(segmenter)' > bare.json
        $drawml train-segmenter --base m.drawml --places x --answers x \
          --wholeness-of bare.json -o s.json
        """#, status: 64)
      #expect(run.errors.contains("bare.json has no wholeness network"))
      #expect(try !folder.names.contains("s.json"))
    }

    @Test("--live tells what happens; its log, replayed, tells the same")
    func live() async throws {
      let folder = try await folderWithCanvases()
      try await folder.shell("head -n 1 c.ndjson >one.ndjson")
      let run = try await folder.run("segment one.ndjson --model m.drawml --live --record one.log")
      var events = try run.lines.map(Program.Run.object)
      #expect(events.count >= 4)
      let names = Set(events.compactMap { $0["event"] as? String })
      #expect(
        names.isSubset(of: ["pending", "recognized", "unrecognized", "confused", "revised"]))
      #expect(names.contains("pending"))
      #expect(events.allSatisfy { $0["canvas"] is String })

      let replay = try await folder.run("replay one.log --model m.drawml")
      for index in events.indices { events[index]["canvas"] = nil }
      #expect(
        try replay.lines.map { NSDictionary(dictionary: try Program.Run.object($0)) }
          == events.map { NSDictionary(dictionary: $0) })
      // The log knows its model; with another one, or other refusals, there is a warning.
      #expect(replay.errors.isEmpty)
      let other = try await folder.run("replay one.log --model m.drawml --refuse 0.3")
      #expect(
        other.errors
          == "Warning: one.log was recorded with another model than m.drawml, or another "
          + "refusal rate (--refuse); the events may differ.\n")
      let swapped = try await folder.shell(
        #"sed -E '1s/("segmenter":")[0-9a-f]{8}/\1aaaaaaaa/' one.log | "#
          + "$drawml replay - --model m.drawml")
      #expect(swapped.lines.count == replay.lines.count)
      #expect(
        swapped.errors
          == "Warning: The log was recorded with another segmenter than the one built into "
          + "drawml; the events may differ.\n")
      let old = try await folder.shell(
        #"sed -E '1s/,?"models":\{[^}]*\}//' one.log | $drawml replay - --model m.drawml --refuse 0.3"#
      )
      #expect(old.errors.isEmpty)

      let input = try await folder.shell(
        "head -n 2 one.log | $drawml replay - --finish --model m.drawml")
      // One stroke: pending, and then decided on.
      #expect(input.lines.count == 2)
    }

    @Test("--picture draws ink, boxes and words; the same canvas gives the same picture")
    func picture() async throws {
      let folder = try await folderWithCanvases()
      for name in ["a.png", "b.png"] {
        try await folder.run("segment c.ndjson --model m.drawml --picture \(name)")
      }
      #expect(try folder.read("a.png").starts(with: [0x89, 0x50, 0x4e, 0x47]))
      #expect(try folder.read("a.png") == folder.read("b.png"))
      try await folder.run("segment c.ndjson --model m.drawml --live --picture l.png")
      #expect(folder.has("l.png"))
    }

    @Test("What cannot be done is told: by file and line, or as wrong use")
    func errors() async throws {
      let folder = try await folderWithCanvases()
      try folder.write(#"{"strokes":[]}"# + "\n", to: "empty.ndjson")
      try folder.write(
        #"{"id":"late","strokes":[[[0,5],[0,4],[1,2e15]]]}"# + "\n", to: "late.ndjson")
      try folder.write(Fixture.sound + #"{"strokes":[[[1,2],[3]]]}"# + "\n", to: "bad.ndjson")
      try folder.write(#"{"format":"drawml-canvas-log","version":1}"# + "\n{}\n", to: "bad.log")
      // Each round brings back all strokes so far, and would tell them again.
      let rounds = (0..<500).map {
        #"{"action":"stroke","milliseconds":\#($0 * 3),"strokes":[[[1],[2]]]}"# + "\n"
          + #"{"action":"clear","milliseconds":\#($0 * 3 + 1)}"# + "\n"
          + #"{"action":"undo","milliseconds":\#($0 * 3 + 2)}"# + "\n"
      }
      let header =
        #"{"format":"drawml-canvas-log","version":1,"canvas":{"width":600,"height":400}}"#
      try folder.write(header + "\n" + rounds.joined(), to: "rounds.log")
      try folder.write(
        header + "\n" + #"{"action":"stroke","milliseconds":1,"strokes":[[[1,2],[2,3],[0,1e90]]]}"#,
        to: "late.log")
      try folder.write(
        #"{"id":"wide","canvas":{"width":1e12,"height":9},"strokes":[[[0,5],[0,4]]]}"# + "\n",
        to: "wide.ndjson")
      for (arguments, status, message) in [
        ("replay rounds.log", 1, "undone clears restore more than 100,000 strokes"),
        ("segment empty.ndjson", 1, "empty.ndjson, line 1: the drawing has no points"),
        (
          "segment bad.ndjson", 1,
          "bad.ndjson, line 2: stroke 0: 2 x, 1 y values; lengths must match"
        ),
        ("segment none.ndjson", 1, "none.ndjson"),
        ("segment c.ndjson --record x.log", 64, "--record and --settle go with --live."),
        ("segment c.ndjson --settle 5", 64, "--record and --settle go with --live."),
        (
          "segment late.ndjson --live --record x.log", 1,
          "canvas late, stroke 0, point 1: with --live, t must be from -1e15 to 1e15 milliseconds"
        ),
        (
          "segment c.ndjson --live --record x.log", 1,
          "cannot write x.log: a log holds one canvas, and there are more; name a file with one"
        ),
        ("segment c.ndjson --settle=-1", 64, "it must be a number from 0 to 1000000"),
        ("segment c.ndjson --picture no/where.png", 1, "no/where.png"),
        (
          "segment wide.ndjson --live --record x.log", 1,
          "canvas.width is 1000000000000.0; it must be from 0 to 1000000000.0"
        ),
        ("replay late.log", 1, "late.log, line 2: point 1: t must be from -1e15 to 1e15"),
        ("replay bad.log", 1, "bad.log, line 2: not an action"),
        ("replay c.ndjson", 1, "c.ndjson, line 1: not a canvas log"),
        ("replay none.log", 1, "none.log"),
      ] {
        let run = try await folder.run("\(arguments) --model m.drawml", status: status)
        #expect(run.errors.contains(message), "\(arguments): \(run.errors)")
        #expect(!folder.has("x.log"))
      }
    }
  }
}
