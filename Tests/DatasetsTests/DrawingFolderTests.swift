import Datasets
import Files
import Ink
import Pictures
import TestTools
import Testing

@Suite("Folders of pictures")
struct DrawingFolderTests {
  private func line(_ id: String, _ label: String?) -> Drawing {
    Drawing(
      id: id, label: label,
      strokes: [Stroke([Point(x: 1, y: 2), Point(x: 60, y: 70), Point(x: 5, y: 50)])],
      canvas: .init(width: 100, height: 100))
  }

  @Test("A folder for each label, a file for each drawing, read back with labels and ids")
  func roundTrip() throws {
    let folder = try TemporaryFolder()
    let drawings = [
      line("1", "star"), line("star/2", "star"), line("a/../b", "⭐"), line("", "star"),
      line("x", nil), line("1", "Star"),
    ]
    var count = 0
    try DrawingFolder(folder.file("svg"), of: .svg(isAnimated: true)).write(drawings) { count = $0 }
    #expect(count == 6)
    #expect(
      try FolderListing.files(below: folder.file("svg")) == [
        "Star 2/1.svg", "star/1.svg", "star/2.svg", "star/4.svg", "x.svg", "⭐/a-..-b.svg",
      ])
    let svg = try DatasetFiles.read([folder.file("svg")]).drawings
    #expect(svg.map(\.label) == ["Star", "star", "star", "star", nil, "⭐"])
    #expect(svg.map(\.id) == ["1", "1", "star/2", "star/4", "x", "a/../b"])
    #expect(svg.allSatisfy { $0.strokes == drawings[0].strokes })

    let renamed = try DrawingFolder(folder.file("png"), of: .png(size: 64)).write(drawings)
    #expect(renamed == ["Star"])
    let png = try DatasetFiles.read([folder.file("png")]).drawings
    #expect(png.map(\.label) == ["Star 2", "star", "star", "star", nil, "⭐"])
    #expect(png.allSatisfy { $0.canvas == Drawing.Canvas(width: 64, height: 64) })
  }

  @Test("A folder with something in it, a file or a link is refused")
  func refused() throws {
    let folder = try TemporaryFolder()
    try folder.put("mine", "full/note.txt")
    for name in ["full", "full/note.txt"] {
      #expect(throws: FileError.self) {
        try DrawingFolder(folder.file(name), of: .png(size: 64))
      }
    }
    #expect(try FolderListing.files(below: folder.file("full")) == ["note.txt"])
  }

  @Test("Where a picture cannot be made, nothing is left of those before it")
  func allOrNothing() throws {
    let folder = try TemporaryFolder()
    var broken = line("2", "b")
    broken.strokes[0].points[1].x = .nan
    #expect(throws: FileError.self) {
      try DrawingFolder(folder.file("png"), of: .png(size: 64)).write([line("1", "a"), broken])
    }
    #expect(try folder.contents == [])
  }

  @Test("Formats with one drawing a file say what to do; InkML is written")
  func formats() throws {
    let folder = try TemporaryFolder()
    let error = refusal { try DatasetFiles.write([line("1", "a")], to: folder.file("a.svg")) }
    #expect(error.contains("with --to svg"))
    try DatasetFiles.write([line("1", "a")], to: folder.file("a.inkml"))
    #expect(try DatasetFiles.read([folder.file("a.inkml")]).drawings == [line("1", "a")])
  }

  @Test("A label's folder and a picture without a label never have the same name")
  func labelsLikeFiles() throws {
    let folder = try TemporaryFolder()
    let drawings = [line("1", "a.svg"), line("a", nil), line("b", nil), line("2", "B.svg")]
    let renamed = try DrawingFolder(folder.file("svg"), of: .svg(isAnimated: false)).write(drawings)
    #expect(renamed == ["B.svg"])
    #expect(
      try FolderListing.files(below: folder.file("svg")) == [
        "B.svg 2/2.svg", "a 2.svg", "a.svg/1.svg", "b.svg",
      ])
    let back = try DatasetFiles.read([folder.file("svg")]).drawings
    #expect(back.map(\.label) == ["B.svg", nil, "a.svg", nil])
    #expect(back.map(\.id) == ["2", "a", "1", "b"])
  }
}
