import Foundation
import Testing

extension CommandLineTests {
  @Suite("Worksheets")
  struct WorksheetTests {
    @Test("CA-021: worksheet writes a page with emojis and words, and says where its boxes are")
    func page() async throws {
      let folder = try TestFolder()
      let run = try await folder.run(
        "worksheet --labels ⭐,🏠,fish --rows 3 --columns 5 --output sheet.svg --format json")
      let svg = String(decoding: try folder.read("sheet.svg"), as: UTF8.self)
      #expect(svg.contains(">⭐</text>") && svg.contains(">star</text>"))
      #expect(svg.contains(">house</text>") && svg.contains(">fish</text>"))
      let pages = try #require(
        JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [[String: Any]])
      #expect(pages.count == 1)
      #expect(pages[0]["labels"] as? [String] == ["⭐", "🏠", "fish"])
      let boxes = try #require(pages[0]["boxes"] as? [[[String: Double]]])
      #expect(boxes.count == 3 && boxes.allSatisfy { $0.count == 5 })
      let again = try await folder.run("worksheet --labels ⭐ --output sheet.svg")
      #expect(again.output.hasPrefix("1 page with room for 48 drawings is in sheet.svg."))
    }

    @Test("Of several pages, each has a file of its own")
    func pages() async throws {
      let folder = try TestFolder()
      let run = try await folder.run("worksheet --labels a,b,c --rows 2 --output sheet.svg")
      #expect(try folder.names == ["sheet-1.svg", "sheet-2.svg"])
      #expect(run.output.contains("are in sheet-1.svg, sheet-2.svg."))
      try folder.write("mine", to: "sheet-2.svg")
      let refused = try await folder.run(
        "worksheet --labels a,b,c --rows 2 --output sheet.svg", status: 1)
      #expect(refused.errors.contains("sheet-2.svg"))
      #expect(String(decoding: try folder.read("sheet-2.svg"), as: UTF8.self) == "mine")
    }

    @Test(
      "What cannot be printed is refused in a sentence",
      arguments: [
        ("--labels ⭐,⭐ --output a.svg", 1, "the label ⭐ is given twice"),
        ("--labels , --output a.svg", 1, "at least one label"),
        ("--labels ⭐ --output a.txt", 64, "--output is a .pdf, .svg or .png file."),
        ("--labels ⭐ --rows 13 --output a.svg", 64, "from 1 to 12"),
        ("--labels .. --output a.svg", 64, "nothing but dots"),
      ])
    func refusals(arguments: String, status: Int, sentence: String) async throws {
      let folder = try TestFolder()
      let run = try await folder.run("worksheet \(arguments)", status: status)
      #expect(run.errors.contains(sentence), "\(run.errors)")
      #expect(try folder.names.isEmpty)
    }

    @Test("CA-020: capture turns a photo of a worksheet into labeled drawings")
    func capture() async throws {
      let folder = try TestFolder()
      let photo = Guide.root + "/docs/images/worksheet-photo.jpg"
      let run = try await folder.run(
        "capture \(photo) --to samples.ndjson --preview seen.png")
      #expect(run.output.contains(": 14 drawings, 10 empty, page 1 of 1"))
      let free = try await folder.run(
        "capture \(photo) --free --output free.ndjson", status: 1)
      #expect(free.errors.contains("shows a worksheet: leave out --free"))
      let info = try await folder.run("dataset info samples.ndjson --format json")
      #expect(try info.object()["drawings"] as? Int == 14)
      #expect(try folder.read("seen.png").starts(with: [0x89, 0x50, 0x4e, 0x47]))
    }

    @Test(
      "CA-006, CA-022: A picture that is no worksheet is refused by name, and nothing is written")
    func noSheet() async throws {
      let folder = try TestFolder()
      try folder.write(Fixture.lines("star", 0..<1), to: "star.ndjson")
      try await folder.run("rasterize star.ndjson --size 400 --output star.png")
      try folder.write("", to: "empty.jpg")
      let run = try await folder.run("capture star.png --output samples.ndjson", status: 1)
      #expect(
        run.errors.contains(
          "cannot read star.png: there is no worksheet in the picture: none of its four corner"))
      let empty = try await folder.run("capture empty.jpg --output samples.ndjson", status: 1)
      #expect(empty.errors.contains("cannot read empty.jpg: it is empty"))
      let photo = Guide.root + "/docs/images/worksheet-photo.jpg"
      let some = try await folder.run(
        "capture star.png \(photo) --output samples.ndjson --skip-invalid")
      #expect(some.errors.contains("skipped: cannot read star.png"))
      #expect(some.errors.contains("skipped 1 photo that could not be used"))
      #expect(try folder.names == ["empty.jpg", "samples.ndjson", "star.ndjson", "star.png"])
    }
  }
}
