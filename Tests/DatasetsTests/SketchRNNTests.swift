import Datasets
import Files
import Ink
import TestTools
import Testing

@Suite("Drawings of sketch-rnn")
struct SketchRNNTests {
  private func all(_ bytes: [UInt8], path: String = "a.npz") throws -> [Drawing] {
    var reader = try SketchRNNDrawings(bytes, path: path)
    var drawings: [Drawing] = []
    while let drawing = try reader.next() { drawings.append(drawing) }
    return drawings
  }

  /// What is said of a file.
  private func message(_ bytes: [UInt8]) -> String {
    do {
      let drawings = try all(bytes)
      return "\(drawings.count) drawings"
    } catch { return "\(error)" }
  }

  /// What is said of a file whose `train.npy` is a pickle.
  private func message(pickle: [UInt8], count: Int = 1) -> String {
    message(ZipFile.bytes([.init("train.npy", Self.npy(pickle, count: count))]))
  }

  private static func npy(_ pickle: [UInt8], count: Int) -> [UInt8] {
    let text = "{'descr': '|O', 'fortran_order': False, 'shape': (\(count),), }"
    return [0x93] + Array("NUMPY".utf8) + [1, 0, UInt8(text.utf8.count), 0] + Array(text.utf8)
      + pickle
  }

  // MARK: Pickles by hand, of protocol 2

  private static let reconstruct = Array("cnumpy.core.multiarray\n_reconstruct\n".utf8)
  private static let fresh =
    reconstruct + Array("cnumpy\nndarray\nK".utf8) + [0, 0x85] + Array("U\u{1}b".utf8)
    + [0x87, 0x52]

  private static func type(_ code: String, _ order: String) -> [UInt8] {
    Array("cnumpy\ndtype\nU".utf8) + [UInt8(code.utf8.count)] + Array(code.utf8)
      + [0x4b, 0, 0x4b, 1, 0x87, 0x52, 0x28, 0x4b, 3, 0x55, 1] + Array(order.utf8)
      + Array("NNNK\u{0}K\u{0}K\u{0}tb".utf8)
  }

  /// An array of int16 of the shape [rows, 3].
  private static func array(_ data: [UInt8], rows: UInt8 = 1, columns: UInt8 = 3) -> [UInt8] {
    fresh + [0x28, 0x4b, 1, 0x4b, rows, 0x4b, columns, 0x86] + type("i2", "<")
      + [0x89, 0x55, UInt8(data.count)] + data + Array("tb".utf8)
  }

  private static let dot = array([1, 0, 2, 0, 1, 0])

  /// An array of objects, whose list `elements` fill.
  private static func objects(_ elements: [UInt8], count: UInt8 = 1) -> [UInt8] {
    [0x80, 2] + fresh + [0x28, 0x4b, 1, 0x4b, count, 0x85] + type("O8", "|") + [0x89]
      + Array("](".utf8) + elements + Array("etb.".utf8)
  }

  // MARK: Sound files

  @Test(
    "Files of all protocols, and those of Python 2, give the drawings that went in",
    arguments: [
      "python2.full.npz", "protocol2.npz", "protocol3.npz", "protocol4.npz", "protocol5.npz",
      "savez.npz", "types.npz", "half.npz",
    ])
  func golden(name: String) throws {
    let drawings = try DatasetFiles.read([fixture(name)]).drawings
    #expect(
      drawings.map(\.strokes) == [
        [stroke((0, 0), (10, 5), (7, 205)), stroke((14, 212))], [stroke((1, 2))],
        [stroke((5, 5), (305, -295))], [stroke((0, 0))],
      ])
    #expect(drawings.map(\.id) == (1...4).map { "\(name):\($0)" })
    let label = name.prefix { $0 != "." }
    #expect(drawings.allSatisfy { $0.label == String(label) && $0.shapes.isEmpty })
  }

  @Test("A pickle by hand is read, stored and deflated")
  func byHand() throws {
    let file = Self.npy(Self.objects(Self.dot), count: 1)
    let expected = [Drawing(id: "a.npz:1", label: "a", strokes: [stroke((1, 2))])]
    #expect(try all(ZipFile.bytes([.init("train.npy", file)])) == expected)
    #expect(try all(ZipFile.bytes([.init(deflating: file, as: "test.npy")])) == expected)
  }

  @Test("What is wrong with a drawing is named by its rows, and the next one is read")
  func faults() throws {
    let elements =
      Self.array([1, 0, 2, 0, 2, 0]) + Self.array([1, 0, 2, 0, 1, 0], rows: 3, columns: 1)
      + Self.array([], rows: 0) + Self.dot
    let file = Self.npy(Self.objects(elements, count: 4), count: 4)
    var reader = try SketchRNNDrawings(ZipFile.bytes([.init("valid.npy", file)]), path: "a.npz")
    var found: [String] = []
    while true {
      do {
        guard let drawing = try reader.next() else { break }
        found.append(drawing.id)
      } catch { found.append("\(error)") }
    }
    #expect(
      found == [
        "cannot read a.npz/valid.npy: drawing 0, row 0: the pen's state is 2.0, not 0 or 1 (lifted)",
        "cannot read a.npz/valid.npy: drawing 1 has the shape (3, 1), not [points, 3]: dx, dy, "
          + "pen lifted", "cannot read a.npz/valid.npy: drawing 2 has no points", "a.npz:4",
      ])
  }

  @Test("An archive of other arrays, and what is no archive, is named")
  func other() throws {
    #expect(
      try message(AtomicFile.read(fixture("other.npz")))
        == "cannot read a.npz: it has no drawings of sketch-rnn, which are train.npy, valid.npy "
        + "and test.npy, but x.npy, y.npy")
    #expect(message(ZipFile.bytes([])).hasSuffix("; it is empty"))
    #expect(
      message(Array("{}".utf8)) == "cannot read a.npz: it is not a zip file of numpy arrays")
    let numbers = try AtomicFile.read(fixture("one-axis.npy"))
    #expect(
      message(ZipFile.bytes([.init("train.npy", numbers)]))
        == "cannot read a.npz/train.npy: it has the type '|u1' and 1 axes; the drawings of "
        + "sketch-rnn are one axis of objects ('|O'), an array for each drawing, or numbers of the "
        + "shape [drawings, points, 3]")
  }

  @Test("Drawings of one length are an array of numbers, and an empty part one of floats")
  func stacked() throws {
    let drawings = try DatasetFiles.read([fixture("stacked.npz")]).drawings
    #expect(
      drawings.map(\.strokes) == [
        [stroke((1, 2), (4, 6))], [stroke((5, 6)), stroke((12, 14))], [stroke((1.5, 2.5))],
      ])
    #expect(drawings.map(\.id) == (1...3).map { "stacked.npz:\($0)" })
    func said(_ type: String, _ shape: String, _ data: [UInt8], order: String = "False") -> String {
      let text = "{'descr': '\(type)', 'fortran_order': \(order), 'shape': \(shape), }"
      let file =
        [0x93] + Array("NUMPY".utf8) + [1, 0, UInt8(text.utf8.count), 0] + Array(text.utf8) + data
      return message(ZipFile.bytes([.init("train.npy", file)]))
    }
    #expect(said("|i1", "(2, 1, 3)", [1, 2, 1, 3, 4, 0]) == "2 drawings")
    #expect(said("|i1", "(2, 1, 3)", [1, 2, 1, 3, 4]).contains("truncated"))
    #expect(said("|i1", "(0, 1, 3)", []) == "0 drawings")
    #expect(said("|i1", "(9223372036854775807, 0, 3)", []).contains("have no points"))
    #expect(said("<f8", "(9223372036854775807, 9, 3)", []).contains("truncated"))
    #expect(said("|i1", "(1, 1, 2)", [1, 2]).contains("has the shape (1, 2), not [points, 3]"))
    #expect(said("|i1", "(1, 1, 3)", [1, 2, 1], order: "True").contains("ascontiguousarray"))
    #expect(said("|O", "(1, 1, 3)", [1]).contains("save array.astype('float32')"))
  }

  // MARK: Hostile archives

  @Test("Cut anywhere, an archive is an error")
  func truncated() throws {
    let bytes = try AtomicFile.read(fixture("savez.npz"))
    for length in 0..<bytes.count {
      #expect(throws: FileError.self, "\(length)") { try all(Array(bytes[..<length])) }
    }
  }

  @Test("Entries that lie are refused")
  func lies() throws {
    let file = Self.npy(Self.objects(Self.dot), count: 1)
    func said(_ change: (inout ZipFile.Entry) -> Void) -> String {
      var entry = ZipFile.Entry(deflating: file, as: "train.npy")
      change(&entry)
      return message(ZipFile.bytes([entry]))
    }
    let damaged = "cannot read a.npz: its train.npy is damaged; copy it again"
    #expect(said { $0.size += 1 } == damaged)
    #expect(said { $0.size -= 1 } == damaged)
    #expect(said { $0.checksum += 1 } == damaged)
    #expect(said { $0.data.removeLast() } == damaged)
    #expect(said { $0.method = 0 } == damaged)
    #expect(said { $0.method = 12 }.hasSuffix("is packed by method 12; only deflate (8) is read"))
    #expect(said { $0.flags = 1 } == "cannot read a.npz: its train.npy is encrypted")
    #expect(said { $0.size = Int(UInt32.max) }.contains("unpack to more than 8 MiB and 8 times"))
    let entry = ZipFile.Entry("train.npy", file)
    #expect(message(ZipFile.bytes([entry, entry])) == "cannot read a.npz: it has train.npy twice")
    var large = ZipFile.bytes([entry])
    large.replaceSubrange((large.count - 6)..<(large.count - 2), with: [255, 255, 255, 255])
    #expect(message(large).contains("it is a zip64 file, which is not read"))
  }

  @Test("What unpacks to a thousand times its size is refused before it is unpacked")
  func bomb() throws {
    let zeros = [UInt8](repeating: 0, count: 16 << 20)
    let bytes = ZipFile.bytes([.init(deflating: zeros, as: "train.npy")])
    #expect(bytes.count < 20_000)
    #expect(
      message(bytes)
        == "cannot read a.npz: its entries unpack to more than 8 MiB and 8 times its size; "
        + "unpack it and save it without compression")
  }

  // MARK: Hostile pickles

  @Test("What a pickle would import or run is named, and nothing is run")
  func calls() {
    let system = Array("cos\nsystem\nU".utf8) + [2] + Array("id".utf8) + [0x85, 0x52]
    #expect(
      message(pickle: [0x80, 2] + system + Array(".".utf8))
        == "cannot read a.npz/train.npy: byte 68: it names os.system, which arrays of drawings do "
        + "not need; nothing was run")
    #expect(message(pickle: Self.objects(system)).contains("it names os.system,"))
    let stacked = [0x8c, 2] + Array("os".utf8) + [0x8c, 6] + Array("system".utf8) + [0x93]
    #expect(message(pickle: Self.objects(stacked)).contains("it names os.system,"))
    for name in ["cnumpy\nload\n", "c__builtin__\neval\n", "cnumpy.core.multiarray\narray\n"] {
      #expect(message(pickle: [0x80, 2] + Array(name.utf8)).contains("nothing was run"))
    }
    // Dictionaries, persistent ids, instances, and all that is newer.
    for code in [UInt8(ascii: "}"), UInt8(ascii: "P"), UInt8(ascii: "i"), 0x81, 0x97, 0xff] {
      #expect(
        message(pickle: [0x80, 2, code]).contains(
          "it has the instruction 0x\(String(code, radix: 16)) of Python's pickle"))
    }
  }

  @Test("Pickles that make no array of drawings are refused")
  func nonsense() {
    let start: [UInt8] = [0x80, 2]
    for (pickle, words) in [
      ([], "truncated"), ([0x80, 0], "protocol 2, 3, 4 or 5"), ([0x80, 6], "protocol"),
      (Array("(lp0\n.".utf8), "protocol"), (start + Array(".".utf8), "no array of objects"),
      (start + Array("N.".utf8), "no array of objects"), (start + Array("R".utf8), "empty"),
      (start + Array("t".utf8), "no mark"), (start + Array("(R".utf8), "empty"),
      (start + Array("]]".utf8), "second list"), (start + Array("]Na".utf8), "other than arrays"),
      (start + Array("NNa".utf8), "other than a list"), (start + Array("h\u{5}".utf8), "recalls"),
      (start + Array("Nq\u{5}".utf8), "not in order"), (start + Array("NNR".utf8), "calls"),
      (start + Array("K\u{1}K\u{2}\u{7}".utf8), "instruction"),
      (start + [0x8a, 9, 1, 1, 1, 1, 1, 1, 1, 1, 1], "a number of 9 bytes"),
      (start + [0x8e, 255, 255, 255, 255, 255, 255, 255, 255], "truncated"),
      (start + [0x42, 255, 255, 255, 127], "truncated"),
      (start + Self.type("S5", "|"), "the type 'S5'"),
      (start + Self.type("i2", "<") + [0x4e, 0x62], "completes"),
      (Self.objects(Self.dot) + [0], "has data after"), (Self.objects(Self.fresh), "element 0"),
      (Self.objects(Self.array([1, 0, 2, 0, 1])), "has 5 bytes"),
      (Self.objects(Self.dot, count: 2), "an array of 2 objects holds 1"),
      (start + Array("N\u{85}\u{85}".unicodeScalars.map { UInt8($0.value) }) + [0x85], "tuples"),
    ] as [([UInt8], String)] {
      #expect(message(pickle: pickle).contains(words), "\(words): \(message(pickle: pickle))")
    }
    #expect(message(pickle: Self.objects(Self.dot), count: 2).contains("its header says 2 arrays"))
  }

  @Test("A drawing of more points than any is refused: each of its three bytes would be a stroke")
  func tooManyPoints() {
    func bytes(_ number: Int) -> [UInt8] { (0..<4).map { UInt8(number >> (8 * $0) & 255) } }
    let rows = (1 << 18) + 1
    let data = [UInt8](repeating: 1, count: 3 * rows)
    let drawing =
      Self.fresh + [0x28, 0x4b, 1, 0x4a] + bytes(rows) + [0x4b, 3, 0x86] + Self.type("i1", "|")
      + [0x89, 0x54] + bytes(data.count) + data + Array("tb".utf8)
    #expect(
      message(pickle: Self.objects(drawing)).contains(
        "drawing 0 has \(rows) points; at most 262144 are read"))
  }

  @Test("Small pickles do not make many points, long texts, or deep stacks")
  func growth() {
    let data = [UInt8](repeating: 0, count: 240)
    // One array, recalled: each time two bytes make forty points.
    let recalls = [UInt8]((0..<200).flatMap { _ in [0x68, 0] as [UInt8] })
    let shared = Self.objects(Self.array(data, rows: 40) + [0x71, 0] + recalls, count: 201)
    #expect(message(pickle: shared, count: 201).contains("its arrays share bytes"))
    let text = [0x58, 200, 0, 0, 0] + [UInt8](repeating: 0x61, count: 200) + [0x71, 0]
    let encode =
      Array("c_codecs\nencode\nq\u{1}h\u{0}X\u{6}\u{0}\u{0}\u{0}latin1q\u{2}\u{86}".unicodeScalars)
      .map { UInt8($0.value) } + [0x52]
    let more = [UInt8](
      (0..<100).flatMap { _ in [0x68, 1, 0x68, 0, 0x68, 2, 0x86, 0x52] as [UInt8] })
    #expect(message(pickle: [0x80, 2] + text + encode + more).contains("encodes more text"))
    let nones = [UInt8](repeating: UInt8(ascii: "N"), count: 5000)
    #expect(message(pickle: [0x80, 2] + nones).contains("its stack is deeper"))
    let marks = [UInt8](repeating: UInt8(ascii: "("), count: 50)
    #expect(message(pickle: [0x80, 2] + marks).contains("its stack is deeper"))
    let remembered = [UInt8](repeating: 0x94, count: 5000)
    #expect(message(pickle: [0x80, 4, 0x4e] + remembered).contains("it memorizes more"))
    let deep = [UInt8](repeating: 0x85, count: 100_000)
    #expect(message(pickle: [0x80, 2, 0x4e] + deep).contains("deeper tuples"))
  }
}
