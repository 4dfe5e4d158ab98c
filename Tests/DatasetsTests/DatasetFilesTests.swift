import Datasets
import Files
import Foundation
import Ink
import Numbers
import Pictures
import TestTools
import Testing
import Vectorizing

@Suite("Data set files")
struct DatasetFilesTests {
  @Test(
    "A file's name tells its format",
    arguments: [
      ("a.json", DatasetFormat.json), ("a/b.ndjson", .ndjson), ("X.JSONL", .ndjson),
      ("cat.bin", .quickDrawBinary), ("cat.npy", .numpyBitmaps),
      ("cat.full.npz", .sketchRNN), ("cat.npz.gz", nil), ("0108_01.txt", .omniglotStrokes),
      ("a.b.h5", .hdf5), ("a.hdf5", .hdf5), ("a.PNG", .png), ("a.txt.gz", .omniglotStrokes),
      ("a.gz", nil),
      ("a.png.gz", nil), ("a.JSON.GZ", .json), ("json", nil),
      ("a.d/b", nil),
      ("", nil),
    ] as [(String, DatasetFormat?)])
  func formats(path: String, format: DatasetFormat?) {
    #expect(DatasetFormat(path: path) == format)
  }

  @Test("Drawings survive each format that is written", arguments: ["a.ndjson", "a.json", "a.h5"])
  func roundTrip(name: String) throws {
    let folder = try TemporaryFolder()
    var generator = SeededGenerator(seed: 17)
    let drawings = (0..<50).map { randomDrawing(&generator, id: "\($0)") }
    try DatasetFiles.write(drawings, to: folder.file(name))
    let contents = try DatasetFiles.read([folder.file(name)])
    #expect(contents.drawings == drawings)
    #expect(contents.origins.count == 50)
    #expect(try folder.contents == [name])
  }

  @Test(
    "A format that is not written, or not known, is refused", arguments: ["a.bin", "a", "a.npy"])
  func unwritable(name: String) throws {
    let folder = try TemporaryFolder()
    let error = refusal { try DatasetFiles.write([line(1)], to: folder.file(name)) }
    #expect(error.contains("use .json, .ndjson, .h5 or .inkml"))
    #expect(try folder.contents.isEmpty)
  }

  @Test("A writer that is dropped leaves the old file, and nothing beside it")
  func dropped() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("a.ndjson")
    try DatasetFiles.write([line(1, id: "old")], to: path)
    do {
      var writer = try DrawingWriter(path: path)
      for number in 0..<40_000 { try writer.append(line(number)) }
      #expect(writer.count == 40_000)
      #expect(try folder.contents.count == 2, "it grows beside the old file")
    }
    #expect(try folder.contents == ["a.ndjson"])
    #expect(try DatasetFiles.read([path]).drawings.map(\.id) == ["old"])
  }

  @Test("No drawings are an empty array, or an empty file of lines")
  func empty() throws {
    let folder = try TemporaryFolder()
    try DatasetFiles.write([], to: folder.file("a.json"))
    #expect(try AtomicFile.read(folder.file("a.json")) == Array("[\n]\n".utf8))
    try DatasetFiles.write([], to: folder.file("a.ndjson"))
    #expect(try AtomicFile.read(folder.file("a.ndjson")).isEmpty)
  }

  @Test("A missing folder is an error on writing")
  func missingFolder() {
    let error = #expect(throws: FileError.self) {
      try DatasetFiles.write([line(1)], to: "/nowhere/at/all.ndjson")
    }
    #expect(error?.reason == .system(code: 2))
  }

  @Test(
    "A full disk is an error",
    .enabled(if: FileManager.default.fileExists(atPath: "/dev/full"), "there is no /dev/full"))
  func fullDisk() throws {
    let error = #expect(throws: FileError.self) {
      try DatasetFiles.write([line(2, id: "new")], to: "/dev/full", as: .ndjson)
    }
    #expect(error?.reason == .system(code: 28))
  }

  @Test("Origins name file and line, so that a missing label is found")
  func origins() throws {
    let folder = try TemporaryFolder()
    let good = "{\"id\":\"1\",\"label\":\"a\",\"strokes\":[[[0,1],[0,1]]]}"
    let bad = "{\"id\":\"2\",\"strokes\":[[[0,2],[0,1]]]}"
    try AtomicFile.write(good + "\n\n" + bad + "\n", to: folder.file("x.ndjson"))
    let contents = try DatasetFiles.read([folder.path])
    #expect(
      contents.origins
        == [1, 3].map { SampleSet.Origin(path: folder.file("x.ndjson"), line: $0) })
    #expect(
      throws: SampleSetError.missingLabel(index: 1, id: "2", origin: contents.origins[1])
    ) { try contents.samples() }
    try AtomicFile.write("[\n" + good + ",\n" + bad + "]", to: folder.file("y.json"))
    #expect(try DatasetFiles.read([folder.file("y.json")]).origins.map(\.line) == [2, 3])
  }

  @Test("Files of the same name in two folders do not clash, whichever comes first")
  func sameNames() throws {
    let folder = try TemporaryFolder()
    func text(_ width: Int, _ label: String) -> String {
      "{\"label\":\"\(label)\",\"strokes\":[[[0,\(width)],[0,1]]]}\n"
    }
    for (name, lines) in [("a", text(1, "x") + text(2, "x")), ("b", text(3, "y") + text(2, "x"))] {
      try folder.put(lines, "\(name)/s.ndjson")
    }
    let paths = [folder.file("a"), folder.file("b")]
    let set = try DatasetFiles.read(paths).samples()
    // Line 1 differs in the two files; line 2 is the same drawing.
    #expect(set.drawings.count { $0.id == "s.ndjson:2" } == 1)
    #expect(set.count == 3)
    #expect(set.repeats == 1)
    #expect(set.drawings.count { $0.id.hasPrefix("sha256-") } == 2)
    #expect(try DatasetFiles.read(paths.reversed()).samples().fingerprint == set.fingerprint)
  }

  @Test("The first fault stops; skipping goes on and tells them all")
  func skipping() throws {
    let folder = try TemporaryFolder()
    let good = "{\"label\":\"a\",\"strokes\":[[[0,1],[0,1]]]}"
    let lines = [good, "oops", good, "{\"strokes\":[[[0],[]]]}", good]
    let paths = [
      try folder.put(lines.joined(separator: "\n"), "x.ndjson"),
      try folder.put([0x01, 0x02], "c.bin"), try folder.put("no HDF5", "foreign.h5"),
    ]
    let first = refusal(DatasetError.self) { try DatasetFiles.read(paths) }
    #expect(first.hasPrefix("\(paths[0]), line 2"))
    let contents = try DatasetFiles.read(paths, skippingInvalid: true)
    #expect(contents.drawings.count == 3)
    #expect(contents.skipped.count == 4)
    #expect(
      contents.skipped.map { $0.description.contains("x.ndjson") } == [true, true, false, false])
    #expect(contents.skippedCount == 4)
  }

  @Test("Of very many faults the first are kept and all are counted")
  func manySkipped() throws {
    let folder = try TemporaryFolder()
    let path = try folder.put(String(repeating: "x\n", count: 3000), "x.ndjson")
    let contents = try DatasetFiles.read([path], skippingInvalid: true)
    #expect(contents.skippedCount == 3000)
    #expect(contents.skipped.count == DatasetFiles.Contents.mostSkipped)
  }

  @Test("A folder read as a format means its files with that ending, in order of their bytes")
  func folders() throws {
    let folder = try TemporaryFolder()
    for character in ["character02", "character01"] {
      try folder.put("START\n1,-2,3\nBREAK\n", "Greek/\(character)/0001_01.txt")
      try folder.put("no drawing", "Greek/\(character)/notes.md")
    }
    var seen: [DatasetFiles.Progress] = []
    let contents = try DatasetFiles.read([folder.path], as: .omniglotStrokes) { seen.append($0) }
    #expect(contents.drawings.map(\.label) == ["Greek/character01", "Greek/character02"])
    #expect(seen.map(\.filesDone) == [1, 2])
    #expect(seen.last?.drawings == 2 && seen.last?.files == 2)
    let error = refusal(DatasetError.self) {
      try DatasetFiles.read([folder.path], as: .quickDrawBinary)
    }
    #expect(error.hasSuffix("there is no .bin file in this folder"))
  }

  @Test("A folder means its stroke JSON and pictures, also those in folders below, in order")
  func expand() throws {
    let folder = try TemporaryFolder()
    let names = [
      "Z.json", "a.json", "b.ndjson", "notes.txt", "sub/c.ndjson", "sub/deep/d.json",
      "sub/deep/e.PNG", "top.png",
    ]
    for name in names { try folder.put("", name) }
    let base = folder.path
    let found = try DatasetFiles.expand([base + "/", "-", "\(base)/notes.txt"])
    #expect(
      found.map(\.path)
        == names.filter { $0 != "notes.txt" }.map { "\(base)/\($0)" } + ["-", "\(base)/notes.txt"])
    // Only a picture in a folder below the given one is labeled by its place.
    #expect(found.map(\.label) == [nil, nil, nil, nil, nil, "deep", nil, nil, nil])
    #expect(found.suffix(4).map(\.pictureID) == ["deep/e", "top", "stdin", "notes"])
    #expect(
      try DatasetFiles.expand([base], as: [.png]).map(\.path)
        == ["\(base)/sub/deep/e.PNG", "\(base)/top.png"])
    try AtomicFile.makeFolder("\(base)/none")
    let error = refusal(DatasetError.self) { try DatasetFiles.expand(["\(base)/none"]) }
    #expect(
      error == "cannot read \(base)/none: there is no .json, .ndjson, .png, .jpg, .svg, .inkml, "
        + ".excalidraw, .tldr, .xopp or .rm file in this folder")
    let missing = refusal(DatasetError.self) { try DatasetFiles.expand(["\(base)/missing"]) }
    #expect(missing == "cannot read \(base)/missing: No such file or directory; check the path")
  }

  /// A picture of a slanted line.
  private func picture(_ style: Raster.Style = .blackOnWhite) throws -> [UInt8] {
    try Rasterizer(width: 40, height: 40, strokeWidth: 3)(line(7)).png(style)
  }

  @Test("Pictures in folders are drawings labeled by their folder, whichever tone is ink")
  func pictures() throws {
    let folder = try TemporaryFolder()
    try folder.put(picture(), "cat/1.png")
    try folder.put(picture(.whiteOnBlack), "star/1.png")
    let contents = try DatasetFiles.read([folder.path])
    #expect(contents.drawings.map(\.label) == ["cat", "star"])
    #expect(contents.drawings.map(\.id) == ["cat/1", "star/1"])
    #expect(contents.drawings[0].strokes == contents.drawings[1].strokes)
    #expect(contents.drawings[0].strokes.count == 1)
    #expect(try contents.samples().classes == ["cat", "star"])
    // The same names in two places are two drawings.
    try folder.put(
      Rasterizer(width: 60, height: 40, strokeWidth: 5)(line(3)).png(), "more/star/1.png")
    let both = try DatasetFiles.read([folder.file("more"), folder.path]).samples()
    #expect(both.counts == [1, 2])
    #expect(both.drawings.filter { $0.id.hasPrefix("sha256-") }.count == 2)
  }

  @Test("A picture without label or ink, or an invalid one, is an error that names it")
  func badPictures() throws {
    let folder = try TemporaryFolder()
    let path = try folder.put(picture(), "1.png")
    let contents = try DatasetFiles.read([folder.path])
    #expect(contents.drawings.map(\.label) == [nil])
    let unlabeled = refusal(SampleSetError.self) { try contents.samples() }
    #expect(
      unlabeled
        == "\(path): the drawing with id \"1\" has no label; put the picture into a folder named "
        + "after what it shows, as in shapes/star/1.png, and give the folder above, shapes")
    try AtomicFile.write(
      PNG.encode([UInt8](repeating: 255, count: 100), width: 10, height: 10, as: .gray), to: path)
    #expect(throws: DatasetError.picture(path: path, number: nil, .noInk)) {
      try DatasetFiles.read([path])
    }
    try AtomicFile.write("no picture", to: path)
    let foreign = refusal(DatasetError.self) { try DatasetFiles.read([path]) }
    #expect(foreign == "cannot read \(path): it is not a PNG or JPEG picture")
    #expect(try DatasetFiles.read([path], skippingInvalid: true).skipped.count == 1)
  }

  @Test(
    "Bitmaps become strokes too; their label comes from the file's name, and empty ones are named")
  func bitmaps() throws {
    let contents = try DatasetFiles.read([fixture("flat-v1.npy")], skippingInvalid: true)
    let count = try NumpyBitmaps(path: fixture("flat-v1.npy")).count
    #expect(contents.drawings.count + contents.skipped.count == count)
    #expect(contents.drawings.allSatisfy { $0.label == "flat-v1" })
    for error in contents.skipped {
      #expect(error.description.contains("flat-v1.npy, picture "))
    }
    #expect(try DatasetFiles.read([fixture("full_binary_coffee cup.bin")]).drawings.count == 2)
    #expect(QuickDrawBinaryReader.label(fromPath: "a/full_numpy_bitmap_cat.npy") == "cat")
  }

  @Test("One reader reads each format drawing by drawing, and tells lines where there are some")
  func reader() throws {
    let folder = try TemporaryFolder()
    let drawings = [line(1, id: "a"), line(2, id: "b")]
    for name in ["x.ndjson", "x.json", "x.h5"] {
      try DatasetFiles.write(drawings, to: folder.file(name))
      var reader = try DatasetReader(path: folder.file(name))
      var found: [(String, Int?)] = []
      while let drawing = try reader.next() { found.append((drawing.id, reader.line)) }
      #expect(found.map(\.0) == ["a", "b"])
      #expect(
        found.map(\.1) == (name == "x.h5" ? [nil, nil] : name == "x.json" ? [2, 3] : [1, 2]))
    }
  }
}
