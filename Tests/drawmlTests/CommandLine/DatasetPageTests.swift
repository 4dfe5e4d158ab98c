import Foundation
import Testing

extension CommandLineTests {
  @Suite("The page of a data set")
  struct DatasetPageTests {
    @Test("It shows each label, odd drawings, and each copy beside what it is a copy of")
    func page() async throws {
      let folder = try TestFolder()
      let star = #"[[[0,50,100,20],[0,90,2,30]],[[5,60],[70,75]]]"#
      let moved = #"[[[10,60,110,30],[5,95,7,35]],[[15,70],[75,80]]]"#
      try folder.write(
        Fixture.line(star, id: "first", label: "⭐") + Fixture.line(moved, id: "moved", label: "⭐")
          + Fixture.line(star, id: "same", label: "⭐")
          + Fixture.line("[[[1],[1]]]", id: "dot", label: "<b>"), to: "all.ndjson")
      let run = try await folder.run("dataset info all.ndjson --report page.html")
      #expect(
        run.output.contains(
          "2 copies:\n  moved (⭐): nearly first\n  same (⭐): the same strokes as first\n"),
        "\(run.output)")
      let page = String(decoding: try folder.read("page.html"), as: UTF8.self)
      #expect(page.contains("drawings of 2 labels") && page.contains("&lt;b&gt;"))
      #expect(!page.contains("<b>b") && !page.contains("<b></b>"))
      #expect(page.contains("all.ndjson:2") && page.contains("nearly the same as"))
      #expect(page.contains("a single point") && page.contains("all.ndjson:4"))
      #expect(page.components(separatedBy: "<symbol").count == 5, "each drawing once")
      #expect(page.contains("aria-label=\"⭐\""))
      // Times may be anything.
      try folder.write(
        Fixture.line("[[[0,9],[0,4],[0,1e100]]]", id: "late", label: "x")
          + Fixture.line("[[[0,9],[0,4],[0,5]]]", id: "soon", label: "y"), to: "late.ndjson")
      try await folder.run("dataset info late.ndjson --report late.html")
      let copies = try #require(
        try await folder.run("dataset info all.ndjson --format json").object()["copies"]
          as? [[String: Any]])
      #expect(copies.map { $0["of"] as? String } == ["first", "first"])
      #expect(copies.map { $0["isExact"] as? Bool } == [false, true])

      try folder.write("mine", to: "notes.html")
      let foreign = try await folder.run(
        "dataset info all.ndjson --report notes.html", status: 1)
      #expect(foreign.errors.contains("notes.html"))
      try folder.write(Fixture.line(star, id: "a", label: nil), to: "bare.ndjson")
      let bare = try await folder.run("dataset info bare.ndjson --report b.html", status: 64)
      #expect(bare.errors.contains("--report shows labels"))
    }
  }
}
