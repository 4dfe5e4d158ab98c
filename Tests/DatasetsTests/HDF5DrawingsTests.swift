import Datasets
import Files
import HDF5
import Ink
import Numbers
import TestTools
import Testing

@Suite("HDF5 drawings")
struct HDF5DrawingsTests {
  @Test("What was written is read: ids, labels, canvases, shapes, times")
  func roundTrip() throws {
    let folder = try TemporaryFolder()
    var generator = SeededGenerator(seed: 31)
    for count in [0, 1, 2, 60] {
      let drawings = (0..<count).map { randomDrawing(&generator, id: $0 == 0 ? "" : "é\($0)") }
      let path = folder.file("\(count).h5")
      try HDF5Drawings.write(drawings, to: path)
      #expect(try HDF5Drawings.read(path) == drawings)
    }
  }

  @Test("Strokes without points are dropped, as in stroke JSON; a drawing without any is named")
  func empty() throws {
    let folder = try TemporaryFolder()
    let stroke = Stroke([Point(x: 1, y: 2)])
    let drawing = Drawing(
      id: "a", label: "", strokes: [Stroke([]), stroke, Stroke([])],
      shapes: [.init(strokes: [0, 1], label: "dot")])
    try HDF5Drawings.write([drawing], to: folder.file("a.h5"))
    #expect(
      try HDF5Drawings.read(folder.file("a.h5"))
        == [Drawing(id: "a", strokes: [stroke], shapes: [.init(strokes: [0], label: "dot")])])
    try HDF5Drawings.write([Drawing(id: "none", strokes: [])], to: folder.file("b.h5"))
    let error = refusal { try HDF5Drawings.read(folder.file("b.h5")) }
    #expect(error.contains("b.h5: drawing none: the drawing has no points"))
  }

  @Test("Numbers nearer to 0 than 1e-100 are read as 0; an unknown time stays unknown")
  func smallNumbers() throws {
    let folder = try TemporaryFolder()
    let least = Double.leastNonzeroMagnitude
    let small = Drawing(
      id: "p",
      strokes: [Stroke([Point(x: least, y: 1e-100, t: -least), Point(x: 1, y: -least)])],
      canvas: .init(width: 1e-100, height: 1))
    try HDF5Drawings.write([small], to: folder.file("a.h5"))
    let drawing = try #require(try HDF5Drawings.read(folder.file("a.h5")).first)
    #expect(drawing.strokes == [Stroke([Point(x: 0, y: 1e-100, t: 0), Point(x: 1, y: 0)])])
    #expect(drawing.canvas == Drawing.Canvas(width: 1e-100, height: 1))
    var flat = small
    flat.canvas = .init(width: 0, height: 100)
    try HDF5Drawings.write([flat], to: folder.file("b.h5"))
    let error = refusal { try HDF5Drawings.read(folder.file("b.h5")) }
    #expect(error.contains("the canvas of p is 0.0 × 100.0; it needs a width and a height"))
  }

  @Test("The layout is the documented one")
  func layout() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("a.h5")
    let drawings = [
      Drawing(
        id: "p", label: "b",
        strokes: [
          Stroke([Point(x: 1, y: 2, t: 0), Point(x: 3, y: 4, t: 9)]), Stroke([Point(x: 5, y: 6)]),
        ], canvas: .init(width: 10, height: 20), wasGuessed: true),
      Drawing(
        id: "q", strokes: [Stroke([Point(x: 7, y: 8)])],
        shapes: [.init(strokes: [0], label: "a")]),
    ]
    try HDF5Drawings.write(drawings, to: path)
    // HDF5 finds its signature behind the 512 bytes of the header.
    let bytes = try AtomicFile.read(path)
    #expect(bytes[512..<520].elementsEqual([0x89, 0x48, 0x44, 0x46, 0x0d, 0x0a, 0x1a, 0x0a]))
    let image = try HDF5Reader(Array(bytes[512...]))
    #expect(try image.strings(at: "/ids", longest: 9) == ["p", "q"])
    #expect(try image.strings(at: "/classes", longest: 9) == ["a", "b"])
    #expect(try image.integers(at: "/labels").values == [1, -1])
    #expect(try image.integers(at: "/guessed").values == [1, -1])
    #expect(try image.doubles(at: "/canvas").values.prefix(2) == [10, 20])
    #expect(try image.doubles(at: "/canvas").shape == [2, 2])
    #expect(try image.integers(at: "/offsets/strokes").values == [0, 2, 3])
    #expect(try image.integers(at: "/offsets/points").values == [0, 2, 3, 4])
    #expect(try image.doubles(at: "/points/x").values == [1, 3, 5, 7])
    #expect(try image.doubles(at: "/points/y").values == [2, 4, 6, 8])
    let times = try image.doubles(at: "/points/t").values
    #expect(times[..<2] == [0, 9] && times[2].isNaN && times[3].isNaN)
    #expect(try image.integers(at: "/shapes/drawings").values == [1])
    #expect(try image.integers(at: "/shapes/labels").values == [0])
    #expect(try image.integers(at: "/shapes/offsets").values == [0, 1])
    #expect(try image.integers(at: "/shapes/strokes").values == [0])
  }

  @Test("The same drawings give the same bytes")
  func deterministic() throws {
    let folder = try TemporaryFolder()
    var generator = SeededGenerator(seed: 8)
    let drawings = (0..<30).map { randomDrawing(&generator, id: "\($0)") }
    try HDF5Drawings.write(drawings, to: folder.file("a.h5"))
    try HDF5Drawings.write(drawings, to: folder.file("b.h5"))
    #expect(try AtomicFile.read(folder.file("a.h5")) == AtomicFile.read(folder.file("b.h5")))
  }

  @Test("Foreign, truncated and changed files are told apart")
  func damaged() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("a.h5")
    try HDF5Drawings.write([Drawing(id: "p", strokes: [Stroke([Point(x: 1, y: 2)])])], to: path)
    let bytes = try AtomicFile.read(path)
    func reason(_ bytes: [UInt8]) throws -> FileError.Reason? {
      try AtomicFile.write(bytes, to: path)
      do {
        _ = try HDF5Drawings.read(path)
        return nil
      } catch { return error.reason }
    }
    #expect(try reason(Array("{}".utf8)) == .foreign(expected: "file of DrawML drawings"))
    #expect(
      try reason(Array(bytes.dropLast()))
        == .wrongLength(expected: bytes.count, actual: bytes.count - 1))
    // What its HDF5 begins with is gone: see `PlainHDF5Tests` for other changes.
    var changed = bytes
    changed[512] ^= 1
    #expect(try reason(changed) == .checksum)
    #expect(try reason(bytes) == nil)
  }

  /// The parts of a sound file with one stroke of two points.
  private struct Parts {
    var ids = ["p"]
    var classes = ["a"]
    var guessed = [-1]
    var labels = [0]
    var strokeOffsets = [0, 1]
    var pointOffsets = [0, 2]
    var x = [1.0, 2.0]
    var shapeDrawings: [Int] = []
    var shapeOffsets = [0]
    var shapeStrokes: [Int] = []
    /// Pictures, which older versions could write.
    var rasterShape: [Int]?

    func write(to path: String) throws {
      let image = try HDF5Writer()
      try image.write(ids, at: "/ids")
      try image.write(classes, at: "/classes")
      for (name, values) in [
        ("/labels", labels), ("/guessed", guessed), ("/offsets/strokes", strokeOffsets),
        ("/offsets/points", pointOffsets), ("/shapes/drawings", shapeDrawings),
        ("/shapes/labels", shapeDrawings.map { _ in 0 }), ("/shapes/offsets", shapeOffsets),
        ("/shapes/strokes", shapeStrokes),
      ] { try image.write(values, shape: [values.count], at: name) }
      try image.write([Double.nan, .nan], shape: [1, 2], at: "/canvas")
      try image.write(x, shape: [x.count], at: "/points/x")
      try image.write([0.0, 0.0], shape: [2], at: "/points/y")
      try image.write([0.0, 0.0], shape: [2], at: "/points/t")
      if let rasterShape {
        try image.write(
          [UInt8](repeating: 0, count: rasterShape.reduce(1, *)), shape: rasterShape, at: "/rasters"
        )
      }
      try SealedFile(kind: "DrawML drawings", version: 1).write(image.bytes(), to: path)
    }
  }

  @Test("A sealed file whose parts contradict each other is malformed, never a crash")
  func contradictions() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("a.h5")
    try Parts().write(to: path)
    #expect(try HDF5Drawings.read(path).count == 1)
    let wrong: [Parts] = [
      Parts(classes: ["a", "a"]), Parts(guessed: [2]), Parts(guessed: [-2]), Parts(labels: [1]),
      Parts(labels: [-2]), Parts(labels: [0, 0]), Parts(strokeOffsets: [0, 2]),
      Parts(strokeOffsets: [1, 1]), Parts(strokeOffsets: []), Parts(strokeOffsets: [0, -1]),
      Parts(strokeOffsets: [0, .max]), Parts(pointOffsets: [0, 3]), Parts(pointOffsets: [0, .max]),
      Parts(pointOffsets: [2, 2]), Parts(x: [1, .nan]), Parts(x: [1, .infinity]), Parts(x: [1]),
      Parts(x: [1, 2e100]),
      Parts(shapeDrawings: [1], shapeOffsets: [0, 0]),
      Parts(shapeDrawings: [-1], shapeOffsets: [0, 0]),
      Parts(shapeDrawings: [0], shapeOffsets: [0, 1], shapeStrokes: [1]),
      Parts(shapeDrawings: [0], shapeOffsets: [0, 2], shapeStrokes: [0]),
    ]
    for parts in wrong {
      try parts.write(to: path)
      let error = #expect(throws: FileError.self) { try HDF5Drawings.read(path) }
      guard case .malformed? = error?.reason else {
        Issue.record("\(parts): \(String(describing: error))")
        continue
      }
    }
  }

  @Test("A zero byte in an id is refused, since HDF5 text would end there")
  func zeroByte() throws {
    let folder = try TemporaryFolder()
    let drawing = Drawing(id: "a\0b", strokes: [Stroke([Point(x: 1, y: 2)])])
    let path = folder.file("z.h5")
    #expect(
      throws: FileError(
        "write", path: path, reason: .malformed("drawing 0 has a zero byte in its id or label"))
    ) { try HDF5Drawings.write([drawing], to: path) }
    #expect(try folder.contents.isEmpty)
  }

  @Test("The pictures of older files are skipped")
  func rasters() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("a.h5")
    try Parts().write(to: path)
    let drawings = try HDF5Drawings.read(path)
    for shape in [[1, 2, 3], [1, 4]] {
      try Parts(rasterShape: shape).write(to: path)
      #expect(try HDF5Drawings.read(path) == drawings)
    }
  }
}
