import Foundation
import Pictures
import Testing

extension CommandLineTests {
  @Suite("Pictures to strokes")
  struct VectorizeTests {
    /// A folder with pictures of stars and houses, drawn from the starter set, in folders named
    /// after them.
    private func folderWithPictures() async throws -> TestFolder {
      let folder = try await Fixture.folderWithModel()
      for shape in ["star", "house"] {
        try folder.write(Fixture.lines(shape, 20..<22), to: "\(shape).ndjson")
        try folder.write("", to: "pictures/\(shape)/notes.txt")
        for number in 1...2 {
          try await folder.run(
            """
            rasterize \(shape).ndjson --number \(number) --size 105 --stroke-width 3
            --output pictures/\(shape)/\(number).png
            """)
        }
      }
      return folder
    }

    @Test("vectorize writes a line of stroke JSON a picture, labeled by its folder")
    func lines() async throws {
      let folder = try await folderWithPictures()
      let run = try await folder.run("vectorize pictures")
      let drawings = try run.lines.map(Program.Run.object)
      #expect(
        drawings.map { $0["id"] as? String } == ["house/1", "house/2", "star/1", "star/2"])
      #expect(drawings.map { $0["label"] as? String } == ["house", "house", "star", "star"])
      for drawing in drawings {
        #expect(drawing["canvas"] as? [String: Int] == ["width": 105, "height": 105])
        let strokes = try #require(drawing["strokes"] as? [[[Double]]])
        #expect(!strokes.isEmpty && strokes.allSatisfy { $0.count == 2 })
      }
      let one = try await folder.run("vectorize pictures/star/1.png")
      #expect(try Program.Run.object(one.output)["label"] == nil)
      #expect(one.errors.isEmpty)
      let input = try await Program.shell(
        "cat pictures/star/1.png | $drawml vectorize -", in: folder)
      #expect(try Program.Run.object(input.output)["id"] as? String == "stdin")
    }

    @Test("With --output and --preview two files are written, and nothing to standard output")
    func files() async throws {
      let folder = try await folderWithPictures()
      let run = try await folder.run("vectorize pictures --output all.ndjson --preview seen.png")
      #expect(run.output.isEmpty)
      #expect(run.errors.hasSuffix("all.ndjson: 4 drawings\n"))
      let info = try await folder.run("dataset info all.ndjson --format json")
      #expect(try info.object()["drawings"] as? Int == 4)
      // The preview is a picture itself, with ink of several colors.
      #expect(try folder.read("seen.png").starts(with: [0x89, 0x50, 0x4e, 0x47]))
      try await folder.run("vectorize seen.png")
    }

    @Test("Pictures of the same name in several folders get ids of their own in a file")
    func sameNames() async throws {
      let folder = try await folderWithPictures()
      let pictures = "pictures/star/1.png pictures/house/1.png pictures/star/2.png"
      try await folder.run("vectorize \(pictures) --output all.ndjson")
      let ids = try String(decoding: folder.read("all.ndjson"), as: UTF8.self)
        .split(separator: "\n").map { try Program.Run.object(String($0))["id"] as? String }
      #expect(Set(ids).count == 3 && ids.last == "2")
    }

    @Test("Pictures teach, judge, are classified and drawn like stroke JSON")
    func everywhere() async throws {
      let folder = try await folderWithPictures()
      for (arguments, text) in [
        ("update pictures --model m.drawml", "4 samples added"),
        ("evaluate pictures --model m.drawml --include-taught", "of 4 right"),
        ("train pictures --base m.drawml --output p.drawml", "from 4 samples"),
        ("classify pictures/star/1.png --model m.drawml", "1: "),
        ("classify pictures --model p.drawml", "star/2: "),
        ("dataset convert pictures --output p.h5", ""),
        ("classify p.h5 --model m.drawml", "house/1: "),
      ] {
        let run = try await folder.run(arguments)
        #expect(text.isEmpty || run.output.contains(text), "\(run.output)")
      }
      try await folder.run("rasterize pictures/star/1.png --output s.png")
      #expect(folder.has("s.png"))
      try await folder.run("rasterize p.h5 --number 4 --output h.png")
      // The fourth drawing is the second star.
      try await folder.run("rasterize pictures/star/2.png --output i.png")
      #expect(try folder.read("h.png") == folder.read("i.png"))
    }

    @Test("Pictures without label cannot teach, and the message says how to lay out the folder")
    func unlabeled() async throws {
      let folder = try await folderWithPictures()
      for arguments in [
        "train pictures/star --output q.drawml", "update pictures/star/1.png --model m.drawml",
      ] {
        let run = try await folder.run(arguments, status: 1)
        #expect(
          run.errors.contains(
            #"Error: pictures/star/1.png: the drawing with id "1" has no label; put the picture "#
              + "into a folder named after what it shows, as in shapes/star/1.png, and give the "
              + "folder above, shapes\n"))
      }
      #expect(!folder.has("q.drawml"))
    }

    @Test("Errors name the file, and leave nothing half written; --skip-invalid goes on")
    func errors() async throws {
      let folder = try await folderWithPictures()
      try folder.write("hello", to: "bad.png")
      // One white pixel: what any program writes.
      let blank = try #require(
        Data(
          base64Encoded: "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGP4DwABAQEA"
            + "sTj2FAAAAABJRU5ErkJggg=="))
      try folder.write(blank, to: "blank.png")
      let noInk =
        "blank.png: there is no ink in the picture: all its pixels have nearly the same tone"
      for (name, message) in [
        ("bad.png", "cannot read bad.png: it is not a PNG or JPEG picture"), ("blank.png", noInk),
        ("none.png", "cannot read none.png: No such file or directory; check the path"),
        ("star.ndjson", "cannot read star.ndjson: it is not a PNG or JPEG picture"),
      ] {
        let run = try await folder.run(
          "vectorize \(name) --output q.ndjson --preview q.png", status: 1)
        #expect(run.errors == "Error: \(message)\n")
        #expect(run.output.isEmpty && !folder.has("q.ndjson") && !folder.has("q.png"))
      }
      let asked = try await folder.run("classify blank.png -m m.drawml", status: 1)
      #expect(
        asked.errors == "Error: \(noInk)\n"
          + "  Correct it, or leave such drawings out with --skip-invalid.\n")
      let skipped = try await folder.run(
        "vectorize blank.png bad.png pictures/star/1.png --skip-invalid")
      #expect(skipped.lines.count == 1)
      #expect(skipped.errors.contains("skipped: \(noInk)\n"))
      #expect(skipped.errors.hasSuffix("skipped 2 pictures that could not be used\n"))
      try folder.write("", to: "empty/notes.txt")
      let empty = try await folder.run("vectorize empty", status: 1)
      #expect(
        empty.errors == "Error: cannot read empty: there is no .png or .jpg file in this folder\n")
    }
  }
}
