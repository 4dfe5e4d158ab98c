import Foundation
import Testing

extension CommandLineTests {
  @Suite("Tracing")
  struct TraceCommandTests {
    @Test("TR-030: templates lists names and emojis; in JSON they are drawings, which score 100")
    func templates() async throws {
      let folder = try TestFolder()
      let list = try await Program.run(["trace", "templates"], in: folder)
      #expect(list.status == 0)
      #expect(list.lines.count >= 52)
      #expect(list.lines.contains("⭐\tstar\t1 stroke"))
      let found = try await Program.run(
        ["trace", "templates", "--search", "ICE", "--format", "json"], in: folder)
      #expect(
        try found.lines.map(Program.Run.object).map { $0["id"] as? String }
          == ["bundled/ice-cream"])
      try folder.write(found.output, to: "ice.json")
      let score = try await Program.run(
        ["trace", "score", "ice.json", "--template", "ice cream", "--format", "json"], in: folder)
      #expect(score.status == 0)
      let row = try Program.Run.object(score.output)
      #expect(row["score"] as? Double == 100)
      #expect(row["id"] as? String == "bundled/ice-cream")
    }

    @Test("TR-030: with --labels they are the most typical drawings of a model's labels")
    func labels() async throws {
      let folder = try TestFolder()
      try folder.write(Fixture.lines("star", 0..<5), to: "star.ndjson")
      let added = try await Program.run(
        ["sample", "add", "star.ndjson", "--workspace", "w"], in: folder)
      try #require(added.status == 0, "\(added.errors)")
      let run = try await Program.run(
        ["trace", "templates", "--labels", "--workspace", "w"], in: folder)
      #expect(run.status == 0)
      #expect(run.lines.count == 1)
      #expect(run.lines.first?.hasPrefix("⭐\t") == true)
    }

    @Test("TR-041: score tells cover and precision for people; a file can be the template")
    func score() async throws {
      let folder = try TestFolder()
      try folder.write(#"{"id":"line","strokes":[[[0,100],[0,0]]]}"#, to: "line.json")
      try folder.write(#"{"id":"half","strokes":[[[0,50],[0,0]]]}"#, to: "half.json")
      let run = try await Program.run(
        ["trace", "score", "half.json", "--template", "line.json"], in: folder)
      #expect(run.status == 0)
      #expect(run.output.hasPrefix("half: 77 of 100: 54"))
    }

    @Test("A trace or a template with more strokes than count is refused by file and drawing")
    func tooManyStrokes() async throws {
      let folder = try TestFolder()
      let dots = String(repeating: ",[[0],[0]]", count: 1025).dropFirst()
      try folder.write(#"{"id":"dots","strokes":[\#(dots)]}"#, to: "dots.json")
      let words = "it has 1025 strokes; canvases with shapes, traces and templates may have 1024"
      let trace = try await Program.run(
        ["trace", "score", "dots.json", "--template", "star"], in: folder)
      #expect(trace.status == 1)
      #expect(trace.errors.contains("dots.json: dots: \(words)"), "\(trace.errors)")
      let template = try await Program.run(
        ["trace", "score", "dots.json", "--template", "dots.json"], in: folder)
      #expect(template.status == 1)
      #expect(
        template.errors.contains("dots.json: its first drawing: \(words)"), "\(template.errors)")
    }

    @Test("What is neither template nor file is told with the nearest name")
    func unknown() async throws {
      let folder = try TestFolder()
      try folder.write(#"{"strokes":[[[0,100],[0,0]]]}"#, to: "line.json")
      let run = try await Program.run(
        ["trace", "score", "line.json", "--template", "stra"], in: folder)
      #expect(run.status == 1)
      #expect(
        run.errors
          == "Error: there is neither a template nor a file 'stra': did you mean 'star'?\n")
      let model = try await Program.run(["trace", "templates", "--model", "x"], in: folder)
      #expect(model.status == 64)
      #expect(model.errors.hasPrefix("Error: --model and --workspace go with --labels."))
    }
  }
}
