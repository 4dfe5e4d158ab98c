import Datasets
import Files
import Ink
import Numbers
import Testing

@Suite("Quick, Draw! binary")
struct QuickDrawBinaryTests {
  private func all(_ reader: QuickDrawBinaryReader) throws -> [Drawing] {
    var reader = reader
    var drawings: [Drawing] = []
    while let drawing = try reader.next() { drawings.append(drawing) }
    return drawings
  }

  @Test("A file packed by Python's struct reads as the drawings that went in")
  func golden() throws {
    let drawings = try all(
      QuickDrawBinaryReader(path: fixture("full_binary_coffee cup.bin")))
    #expect(
      drawings == [
        Drawing(
          id: "5152802093400064", label: "coffee cup",
          strokes: [stroke((0, 10), (20, 255), (40, 10)), stroke((7, 9))], wasGuessed: true),
        Drawing(
          id: "18446744073709551614", label: "coffee cup", strokes: [stroke((255, 0), (0, 255))],
          wasGuessed: false),
      ])
  }

  @Test(
    "The label comes from the file's name",
    arguments: [
      ("a/full_binary_ice cream.bin", "ice cream"), ("cat.bin", "cat"), ("/x.y/t-shirt", "t-shirt"),
      ("full_simplified_The Eiffel Tower.bin", "The Eiffel Tower"),
      // An emoji is one label with and without its variation selector.
      ("❤.bin", "❤\u{fe0f}"), ("❤\u{fe0f}.bin", "❤\u{fe0f}"),
    ])
  func label(path: String, label: String) {
    #expect(QuickDrawBinaryReader.label(fromPath: path) == label)
  }

  @Test("Cut anywhere but between drawings, the file gives an error that names drawing and byte")
  func truncation() throws {
    let bytes = try AtomicFile.read(fixture("full_binary_coffee cup.bin"))
    // 17 bytes before the strokes, then 2 + 6 and 2 + 2.
    let boundary = 29
    #expect(bytes.count == 52)
    for length in 1..<bytes.count {
      let reader = try QuickDrawBinaryReader(Array(bytes[..<length]), path: "c.bin", label: nil)
      guard length != boundary else {
        #expect(try all(reader).count == 1)
        continue
      }
      let error = refusal { try all(reader) }
      #expect(error.hasPrefix("cannot read c.bin: drawing \(length < boundary ? 0 : 1), byte "))
      #expect(error.hasSuffix("it is truncated"))
    }
    let reader = try QuickDrawBinaryReader(Array(bytes[..<24]), path: "c.bin", label: nil)
    let error = refusal { try all(reader) }
    #expect(
      error == "cannot read c.bin: drawing 0, byte 22: the file ends within the y of stroke 0 "
        + "(2 of 3 bytes); it is truncated")
  }

  @Test("A drawing without strokes or points is refused, and the next one is read")
  func emptyDrawing() throws {
    let good = try Array(AtomicFile.read(fixture("full_binary_coffee cup.bin")).dropFirst(29))
    let head: [UInt8] = [1, 0, 0, 0, 0, 0, 0, 0, 0x55, 0x53, 1, 0, 0, 0, 0]
    for (tail, message) in [
      ([0, 0], "drawing 0, byte 15: it has no strokes"),
      ([2, 0, 1, 0, 5, 5, 0, 0], "drawing 0, byte 21: stroke 1 has no points"),
    ] {
      var reader = try QuickDrawBinaryReader(
        head + tail.map { UInt8($0) } + good, path: "c.bin", label: "cup")
      let error = refusal { try reader.next() }
      #expect(error == "cannot read c.bin: \(message)")
      #expect(try reader.next()?.id == "18446744073709551614")
      #expect(try reader.next() == nil)
      #expect(reader.drawingCount == 2)
    }
  }

  @Test("A flag that is neither 0 nor 1 and an empty file are errors, and reading ends there")
  func nonsense() throws {
    var bytes = try AtomicFile.read(fixture("full_binary_coffee cup.bin"))
    bytes[10] = 77
    var reader = try QuickDrawBinaryReader(bytes, path: "c.bin", label: nil)
    let error = refusal { try reader.next() }
    #expect(
      error == "cannot read c.bin: drawing 0, byte 10: the recognized flag is 77, not 0 or 1")
    #expect(try reader.next() == nil)
    #expect(throws: FileError("read", path: "e.bin", reason: .malformed("it is empty"))) {
      _ = try QuickDrawBinaryReader([], path: "e.bin", label: nil)
    }
  }

  @Test("Random bytes never crash the reader and always end it")
  func noise() throws {
    var generator = SeededGenerator(seed: 99)
    for _ in 0..<300 {
      let bytes = (0..<(1 + generator.integer(below: 200))).map { _ in
        generator.chance(0.7)
          ? UInt8(generator.integer(below: 3)) : UInt8(generator.integer(below: 256))
      }
      var reader = try QuickDrawBinaryReader(bytes, path: "n.bin", label: nil)
      var calls = 0
      while true {
        calls += 1
        do { if try reader.next() == nil { break } } catch { #expect(error.path == "n.bin") }
      }
      #expect(calls <= bytes.count / 17 + 2)
    }
  }
}
