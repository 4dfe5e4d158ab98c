import CZlib
import Datasets
import Files
import Ink
import TestTools
import Testing

@Suite("Files packed by gzip")
struct GzipTests {
  private let lines = """
    {"id":"a","label":"⭐","strokes":[[[1,2.5],[3,-4e2],[0,16]],[[40],[60]]]}
    {"key_id":"5","word":"star","drawing":[[[0,12,40],[7,90,3]]]}

    """

  private func read(_ path: String) throws -> [Drawing] {
    try DatasetFiles.read([path]).drawings
  }

  @Test("Drawings are the same packed or not, alone and in a folder")
  func same() throws {
    let folder = try TemporaryFolder()
    let plain = try read(folder.put(lines, "plain/set.ndjson"))
    try folder.put("", "packed/other.txt")
    let path = try folder.put(gzip(lines), "packed/set.ndjson.gz")
    #expect(plain.map(\.label) == ["⭐", "star"])
    #expect(try read(path) == plain && read(folder.file("packed")) == plain)

    let array = "[" + lines.split(separator: "\n").joined(separator: ",") + "]"
    let other = try folder.put(gzip(array), "set.json.gz")
    #expect(try read(other).map(\.strokes) == plain.map(\.strokes))
  }

  @Test("What gzip itself packed is read")
  func golden() throws {
    // printf '{"strokes":[[[1,2],[3,4]]]}\n' | gzip -9n | xxd -i
    let packed: [UInt8] = [
      0x1f, 0x8b, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0x03, 0xab, 0x56, 0x2a, 0x2e,
      0x29, 0xca, 0xcf, 0x4e, 0x2d, 0x56, 0xb2, 0x8a, 0x8e, 0x8e, 0x36, 0xd4, 0x31, 0x8a,
      0xd5, 0x89, 0x36, 0xd6, 0x31, 0x89, 0x8d, 0x8d, 0xad, 0xe5, 0x02, 0x00, 0x30, 0x28,
      0x23, 0xd2, 0x1c, 0x00, 0x00, 0x00,
    ]
    let folder = try TemporaryFolder()
    let path = try folder.put(packed, "one.ndjson.gz")
    #expect(try read(path).map(\.strokes) == [[Stroke([Point(x: 1, y: 3), Point(x: 2, y: 4)])]])
  }

  @Test("Packed SVG is read by both of its endings")
  func packedSVG() throws {
    let folder = try TemporaryFolder()
    let text = "<svg><path stroke='red' d='M1 2L3 4'/></svg>"
    for name in ["set/a.svgz", "set/b.svg.gz", "set/C.SVGZ"] {
      try folder.put(gzip(text), name)
    }
    let contents = try DatasetFiles.read([folder.file("set")])
    #expect(contents.drawings.map(\.id) == ["C", "a", "b"])
    #expect(contents.drawings.allSatisfy { $0.places == ["1,2 3,4"] })
  }

  @Test("Members follow one another, then zeros may; other bytes may not")
  func members() throws {
    let folder = try TemporaryFolder()
    let path = try folder.put(gzip(lines) + gzip(lines) + [0, 0, 0], "two.ndjson.gz")
    #expect(try read(path).count == 4)
    try AtomicFile.write(gzip(lines) + [0, 7, 7], to: path)
    #expect(throws: DatasetError.self) { try read(path) }
  }

  @Test("A binary file is unpacked, and its label is that of its name")
  func binary() throws {
    let folder = try TemporaryFolder()
    let plain = try fixture("full_binary_coffee cup.bin")
    let path = try folder.put(
      gzip(AtomicFile.read(plain)), "full_binary_coffee cup.bin.gz")
    #expect(try read(path) == read(plain))
  }

  @Test("Cut anywhere, or with any bit of data or checksum changed, a packed file is an error")
  func damage() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("set.ndjson.gz")
    let packed = gzip(lines)
    for length in 1..<packed.count {
      try AtomicFile.write(Array(packed[..<length]), to: path)
      #expect(throws: DatasetError.self, "\(length) of \(packed.count)") { try read(path) }
    }
    // The header's first ten bytes say when and where it was packed, too; at most seven bits after
    // the data have no meaning.
    let plain = try read(folder.put(lines, "set.ndjson"))
    var unnoticed = 0
    for bit in (10 * 8)..<(packed.count * 8) {
      var changed = packed
      changed[bit / 8] ^= 1 << UInt8(bit % 8)
      try AtomicFile.write(changed, to: path)
      do {
        // An id made from the file's name differs.
        #expect(try read(path).map(\.strokes) == plain.map(\.strokes), "bit \(bit)")
        unnoticed += 1
      } catch is DatasetError {}
    }
    #expect(unnoticed <= 7)
    try AtomicFile.write(Array(packed.dropLast(9)), to: path)
    let error = refusal(DatasetError.self) { try read(path) }
    #expect(error.contains("its gzip data are cut off; copy it again"))
  }

  @Test("What unpacks to a thousand times its size is refused")
  func bomb() throws {
    let folder = try TemporaryFolder()
    let packed = gzip([UInt8](repeating: 0x0a, count: 32 << 20))
    #expect(packed.count < 40_000)
    let path = try folder.put(packed, "bomb.ndjson.gz")
    let error = refusal(DatasetError.self) { try read(path) }
    #expect(
      error.hasSuffix(
        "its gzip data unpack to more than 8 MiB and 8 times its size; unpack it with gunzip first"
      ))
  }

  @Test("Drawings are not written to a name that says gzip")
  func writing() throws {
    let folder = try TemporaryFolder()
    let error = refusal { try DatasetFiles.write([], to: folder.file("a.ndjson.gz")) }
    #expect(
      error.hasSuffix("gzip can only be read; write it without .gz, then compress it with gzip"))
    #expect(try folder.contents == [])
  }

  private func gzip(_ text: String) -> [UInt8] { gzip(Array(text.utf8)) }

  /// A member as RFC 1952 has it: zlib's data without zlib's own header and checksum.
  private func gzip(_ bytes: [UInt8]) -> [UInt8] {
    var length = compressBound(UInt(bytes.count))
    var data = [UInt8](repeating: 0, count: Int(length))
    #expect(compress2(&data, &length, bytes, UInt(bytes.count), 9) == Z_OK)
    let sum = UInt32(crc32(0, bytes, UInt32(bytes.count)))
    func littleEndian(_ value: UInt32) -> [UInt8] {
      (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
    return [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3] + data[2..<(Int(length) - 4)]
      + littleEndian(sum) + littleEndian(UInt32(bytes.count))
  }
}
