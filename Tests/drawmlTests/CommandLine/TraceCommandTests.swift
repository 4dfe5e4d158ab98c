import Foundation
import Pictures
import Testing
import Text

extension CommandLineTests {
  @Suite("Tracing")
  struct TraceCommandTests {
    @Test("TR-030: templates lists names and emojis; in JSON they are drawings, which score 100")
    func templates() async throws {
      let folder = try TestFolder()
      let list = try await folder.run("trace templates")
      #expect(list.lines.count >= 52)
      #expect(list.lines.contains("⭐\tstar\t1 stroke"))
      let found = try await folder.run("trace templates --search ICE --format json")
      #expect(
        try found.lines.map(Program.Run.object).map { $0["id"] as? String }
          == ["bundled/ice-cream"])
      try folder.write(found.output, to: "ice.json")
      let score = try await folder.run("trace score ice.json --template 'ice cream' --format json")
      let row = try Program.Run.object(score.output)
      #expect(row["score"] as? Double == 100)
      #expect(row["id"] as? String == "bundled/ice-cream")
    }

    @Test("TR-030: with --labels they are the most typical drawings of a model's labels")
    func labels() async throws {
      let folder = try TestFolder()
      try folder.write(Fixture.lines("star", 0..<5), to: "star.ndjson")
      try await folder.run("sample add star.ndjson --workspace w")
      let run = try await folder.run("trace templates --labels --workspace w")
      #expect(run.lines.count == 1)
      #expect(run.lines.first?.hasPrefix("⭐\t") == true)
    }

    @Test("TR-032: a picture on the web needs a permit, and an address that may be asked")
    func web() async throws {
      let folder = try TestFolder()
      func errors(_ arguments: String) async throws -> String {
        try await folder.run("trace add \(arguments)", status: 1).errors
      }
      // Nothing listens on port 1.
      let url = "http://127.0.0.1:1/a.png"
      #expect(
        try await errors(url)
          == "Error: the web is not asked unless you allow it: add --allow templates\n")
      #expect(
        try await errors("\(url) --allow templates").hasPrefix(
          "Error: cannot reach the server of \(url): "))
      #expect(
        try await errors("http://example.org/a.png --allow templates").contains(
          "give one that begins with https://"))
      #expect(
        try await errors("https://10.0.0.1/a.png --allow templates")
          == "Error: https://10.0.0.1/a.png is on the local network, where drawml fetches no "
          + "pictures\n")
    }

    @Test("TR-041: score tells cover and precision for people; a file can be the template")
    func score() async throws {
      let folder = try TestFolder()
      try folder.write(#"{"id":"line","strokes":[[[0,100],[0,0]]]}"#, to: "line.json")
      try folder.write(#"{"id":"half","strokes":[[[0,50],[0,0]]]}"#, to: "half.json")
      let run = try await folder.run("trace score half.json --template line.json")
      #expect(run.output.hasPrefix("half: 77 of 100: 54"))
    }

    @Test("A trace or a template with more strokes than count is refused by file and drawing")
    func tooManyStrokes() async throws {
      let folder = try TestFolder()
      let dots = String(repeating: ",[[0],[0]]", count: 1025).dropFirst()
      try folder.write(#"{"id":"dots","strokes":[\#(dots)]}"#, to: "dots.json")
      let words =
        "it has 1025 strokes; canvases with shapes, traces and templates have at most 1024"
      let trace = try await folder.run("trace score dots.json --template star", status: 1)
      #expect(trace.errors.contains("dots.json: dots: \(words)"), "\(trace.errors)")
      let template = try await folder.run("trace score dots.json --template dots.json", status: 1)
      #expect(
        template.errors.contains("dots.json: its first drawing: \(words)"), "\(template.errors)")
    }

    @Test("TR-003, TR-031, TR-033: a picture is added, listed, made lines, traced and removed")
    func imported() async throws {
      let folder = try TestFolder()
      func run(_ line: String, status: Int = 0) async throws -> Program.Run {
        try await folder.run("trace \(line) --workspace w", status: status)
      }
      var values = [UInt8](repeating: 255, count: 40 * 20)
      for row in 8..<12 { for column in 4..<36 { values[row * 40 + column] = 0 } }
      let file = Data(try PNG.encode(values, width: 40, height: 20, as: .gray))
      try folder.write(file, to: "castle.png")
      try folder.write("no picture", to: "bad.png")
      let bad = try await run("add bad.png", status: 1)
      #expect(
        bad.errors == "Error: cannot read bad.png: it is not a PNG, JPEG or SVG picture; save it "
          + "as one of these\n", "\(bad.errors)")
      #expect(!folder.has("w"))
      let added = try await run("add castle.png")
      #expect(added.output == "“castle” is added (picture, 40 × 20).\n")
      let lines = try await run("add castle.png --lines --name 'a bar' --format json")
      #expect(try lines.object()["strokes"] as? Int == 1)
      #expect(try lines.object()["picture"] is NSNull)
      let list = try await run("templates")
      #expect(list.lines.suffix(2) == ["\ta bar\t1 stroke", "\tcastle\tpicture, 40 × 20"])
      let drawings = try await run("templates --search a --format json")
      #expect(drawings.lines.last?.contains("imported/") == true)
      #expect(drawings.errors == "Left out 1 picture.\n")
      try folder.write(try #require(drawings.lines.last), to: "bar.json")
      let score = try await run("score bar.json --template 'a bar' --format json")
      #expect(try score.object()["score"] as? Double == 100)
      let picture = try await run("score bar.json --template castle", status: 1)
      #expect(picture.errors.contains("is a picture, so it has no score"))
      let asked = try await run("remove castle", status: 64)
      #expect(asked.errors.contains("Add --yes"))
      let wrong = try await run("remove castel --yes", status: 1)
      #expect(
        wrong.errors == "Error: there is no template of yours 'castel': did you mean 'castle'?\n")
      let removed = try await run("remove castle --yes")
      #expect(removed.output == "“castle” is deleted.\n")
      #expect(try await run("templates").lines.last == "\ta bar\t1 stroke")
      let missing = try await folder.run("trace templates --workspace none", status: 1)
      #expect(missing.errors.contains("There is no workspace"))
    }

    @Test("What is neither template nor file is told with the nearest name")
    func unknown() async throws {
      let folder = try TestFolder()
      try folder.write(#"{"strokes":[[[0,100],[0,0]]]}"#, to: "line.json")
      let run = try await folder.run("trace score line.json --template stra", status: 1)
      #expect(
        run.errors
          == "Error: there is neither a template nor a file 'stra': did you mean 'star'?\n")
      let model = try await folder.run("trace templates --model x", status: 64)
      #expect(model.errors.hasPrefix("Error: --model goes with --labels."))
    }
  }
}
