import Foundation
import Pictures
import TestTools
import Testing

extension CommandLineTests {
  @Suite("Pictures and sets of drawings")
  struct PicturesAndDatasetsTests {
    /// Width and height of a PNG, from its header.
    private func size(_ png: Data) throws -> [Int] {
      try #require(png.starts(with: [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]))
      return [16, 20].map { start in
        png[start..<start + 4].reduce(0) { $0 << 8 | Int($1) }
      }
    }

    @Test(
      "rasterize writes a PNG of the size asked for",
      arguments: [
        ("", [28, 28]), ("--size 64 --stroke-width 3", [64, 64]),
        ("--enlarge 10", [280, 280]), ("--sheet 5", [84, 56]),
        ("--number 6", [28, 28]), ("--white-on-black", [28, 28]),
      ])
    func rasterize(options: String, expected: [Int]) async throws {
      let folder = try TestFolder()
      try folder.write(Fixture.lines("star", 0..<6), to: "stars.ndjson")
      let run = try await folder.run("rasterize stars.ndjson --output s.png \(options)")
      #expect(run.output.isEmpty && run.errors.isEmpty)
      #expect(try size(folder.read("s.png")) == expected)
    }

    @Test("What the model sees is what its rasterizer draws")
    func rasterizeAsModel() async throws {
      let folder = try await Fixture.folderWithModel()
      try folder.write(Fixture.lines("star", 0..<1), to: "star.ndjson")
      for (name, options) in [("a.png", "--model m.drawml"), ("b.png", "")] {
        try await folder.run("rasterize star.ndjson --output \(name) \(options)")
      }
      #expect(try folder.read("a.png") == folder.read("b.png"), "both are the standard's")
    }

    @Test("A sheet begins with the drawing that --number names")
    func rasterizeSheet() async throws {
      let folder = try TestFolder()
      try folder.write(Fixture.lines("star", 0..<4), to: "four.ndjson")
      try folder.write(Fixture.lines("star", 1..<3), to: "two.ndjson")
      for (file, name, options) in [
        ("four.ndjson", "a.png", "--number 2 --sheet 2"),
        ("two.ndjson", "b.png", "--sheet 2"), ("four.ndjson", "c.png", "--sheet 2"),
      ] {
        try await folder.run("rasterize \(file) --output \(name) \(options)")
      }
      #expect(try folder.read("a.png") == folder.read("b.png"))
      #expect(try folder.read("a.png") != folder.read("c.png"))
    }

    @Test("A picture that cannot be is refused: no such drawing, or too many pixels")
    func rasterizeRefusals() async throws {
      let folder = try TestFolder()
      try folder.write(Fixture.lines("star", 0..<6), to: "stars.ndjson")
      for (options, message) in [
        ("--number 7", "stars.ndjson has 6 drawings, so there is no number 7"),
        (
          "--size 4096 --enlarge 64",
          "a picture of 262144 × 262144 pixels is too large: 67,108,864 at most; "
            + "choose a smaller --size, --sheet or --enlarge"
        ),
        (
          "--size 4096 --sheet 6",
          "a picture of 12288 × 8192 pixels is too large: 67,108,864 at most; "
            + "choose a smaller --size, --sheet or --enlarge"
        ),
      ] {
        let run = try await folder.run(
          "rasterize stars.ndjson --output s.png \(options)", status: 1)
        #expect(run.errors == "Error: \(message)\n")
        #expect(try folder.names == ["stars.ndjson"])
      }
    }

    @Test("dataset info counts drawings without a label, and tells of files in which none has one")
    func infoUnlabeled() async throws {
      let folder = try TestFolder()
      let unnamed = #"{"id":"bare","strokes":[[[0,10,20],[0,10,5]]]}"# + "\n"
      try folder.write(Fixture.lines("star", 0..<3) + unnamed, to: "some.ndjson")
      try folder.write(unnamed, to: "none.ndjson")
      let some = try await folder.run("dataset info some.ndjson")
      #expect(some.lines[0].hasPrefix("3 drawings of 1 label, data "))
      #expect(some.lines[1] == "1 drawing without a label left out")
      let json = try await folder.run("dataset info some.ndjson --format json")
      #expect(try json.object()["unlabeled"] as? Int == 1)
      let skipping = try await folder.run("dataset info some.ndjson --skip-invalid")
      #expect(skipping.errors.contains("skipped 1 drawing"))
      let none = try await folder.run("dataset info none.ndjson")
      #expect(none.lines[0].hasPrefix("1 drawing without labels, data "))
      #expect(none.lines.contains { $0.hasPrefix("points a drawing") })
      #expect(!none.output.contains("drawings a label"))
      let bare = try await folder.run("dataset info none.ndjson --skip-invalid --format json")
      #expect(try bare.object()["drawings"] as? Int == 1)
      #expect((try bare.object()["classes"] as? [Any])?.isEmpty == true)
    }

    @Test("dataset info counts, as text and as JSON")
    func info() async throws {
      let folder = try TestFolder()
      try folder.write(Fixture.lines("star", 0..<3), to: "d/star.ndjson")
      try folder.write(
        Fixture.lines("fish", 0..<2) + Fixture.line("[[[5],[7]]]", id: "dot", label: "🐟"),
        to: "d/fish.ndjson")
      let text = try await folder.run("dataset info d")
      #expect(text.lines[0].hasPrefix("6 drawings of 2 labels, data "))
      #expect(text.output.contains("⭐ 3   🐟 3\n"))
      #expect(text.output.hasSuffix("1 drawing to look at:\n  dot (🐟): a single point\n"))
      let run = try await folder.run("dataset info d --format json")
      #expect(try run.object()["drawings"] as? Int == 6)
    }

    @Test("Drawings survive conversion to HDF5, to an array and back, line by line")
    func convert() async throws {
      let folder = try TestFolder()
      let lines = try Fixture.lines("star", 0..<4) + Fixture.lines("fish", 0..<4)
      try folder.write(lines, to: "a.ndjson")
      for (from, to) in [
        ("a.ndjson", "b.h5"), ("b.h5", "c.json"), ("c.json", "d.ndjson"),
      ] {
        let run = try await folder.run("dataset convert \(from) --output \(to)")
        #expect(run.output.isEmpty)
        #expect(run.errors.hasSuffix("\(to): 8 drawings\n"))
      }
      #expect(try folder.read("d.ndjson") == Data(lines.utf8))
      #expect(try folder.names == ["a.ndjson", "b.h5", "c.json", "d.ndjson"])
      // Files of one name, whose drawings have no ids: what is written can be read.
      for width in [1, 2] {
        try folder.write(
          "{\"label\":\"line\",\"strokes\":[[[0,\(width)],[0,1]]]}\n", to: "twice/\(width)/s.ndjson"
        )
      }
      try await folder.run("dataset convert twice --output w.ndjson")
      let info = try await folder.run("dataset info w.ndjson --format json")
      #expect(try info.object()["drawings"] as? Int == 2, "\(info.errors)")
      let run = try await folder.run("dataset convert a.ndjson --output e.bin", status: 1)
      #expect(
        run.errors.hasSuffix(
          "Error: cannot write e.bin: quickdraw-binary is only read; use .json, .ndjson, .h5 or .inkml\n"
        ))
    }

    @Test("The shipped drawings are those that 'dataset synthesize' makes")
    func synthesize() async throws {
      let folder = try TestFolder()
      let run = try await folder.run(
        "dataset synthesize --output made --shapes star,key --count 60 --seed 2026")
      #expect(run.output.isEmpty)
      #expect(
        try FileManager.default.contentsOfDirectory(atPath: folder.path + "/made").sorted()
          == ["key.ndjson", "star.ndjson"])
      for name in ["key.ndjson", "star.ndjson"] {
        let shipped = try Data(contentsOf: URL(fileURLWithPath: "\(Fixture.starter)/\(name)"))
        #expect(try folder.read("made/\(name)") == shipped)
      }
      let list = try await folder.run("dataset synthesize --list")
      #expect(list.lines.contains("⭐  star"))
      #expect(list.lines.count >= 30)
    }
  }

  @Suite(
    "Drawings of people",
    .enabled(
      if: SharedData.isPresent, "no real drawings at DRAWML_SHARED_DATA or ../shared/data"))
  struct RealDrawingsTests {
    @Test("Quick, Draw! files are counted, taught to a model, and mostly told apart by it")
    func quickDraw() async throws {
      let (fixture, folder) = (try await Fixture.shared, try TestFolder())
      let files = ["star", "key", "snail"].map { "'\(SharedData.folder)/quickdraw/\($0).ndjson'" }
        .joined(separator: " ")
      let info = try await folder.run("dataset info --format json \(files)")
      let drawings = try #require(try info.object()["drawings"] as? Int)
      #expect(drawings > 50)

      let train = try await folder.run(
        "train --base \(fixture.model) --hold-out 0.5 --output m.drawml \(files)")
      #expect(train.lines[0].hasPrefix("m.drawml: knows 3 labels from "))
      let judged = try await folder.run("evaluate --model m.drawml --format json \(files)")
      let summary = try judged.object()
      let count = try #require(summary["count"] as? Int)
      #expect(abs(count - drawings / 2) <= 3)
      #expect(try #require(summary["accuracy"] as? Double) > 0.5, "a third would be chance")
    }
  }
}
