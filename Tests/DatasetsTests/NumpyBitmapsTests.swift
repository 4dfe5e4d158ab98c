import Datasets
import Files
import Ink
import Testing

@Suite("Numpy bitmaps")
struct NumpyBitmapsTests {
  @Test(
    "Files of all three versions, flat or square, give the pictures that numpy wrote",
    arguments: ["flat-v1.npy", "flat-v2.npy", "square-v3.npy"])
  func golden(name: String) throws {
    let bitmaps = try NumpyBitmaps(path: fixture(name))
    #expect(bitmaps.count == 3)
    #expect(bitmaps.height == 28)
    #expect(bitmaps.width == 28)
    for picture in 0..<3 {
      #expect(Array(bitmaps[picture]) == (0..<784).map { UInt8((31 * picture + $0) % 256) })
    }
  }

  @Test("A file of no pictures is empty")
  func empty() throws {
    #expect(try NumpyBitmaps(path: fixture("empty.npy")).count == 0)
  }

  @Test(
    "What is no picture is named, with what to save",
    arguments: [
      (
        "records.npy",
        "its values have the type '[(a, |u1), (b, |u1)]', not numbers of bitmaps; save one of its "
          + "fields, array['name']"
      ),
      ("fortran.npy", "its values are in Fortran order; save numpy.ascontiguousarray(array)"),
      ("odd.npy", "its shape is (2, 785), and 785 is not the square of a picture's side"),
      ("one-axis.npy", "its shape is (784), not [N, 784] or [N, 28, 28]"),
    ])
  func refused(name: String, message: String) throws {
    let path = try fixture(name)
    #expect(throws: FileError("read", path: path, reason: .malformed(message))) {
      try NumpyBitmaps(path: path)
    }
  }

  @Test("Ink of other types is from 0 to 1, or from 0 to 255")
  func scales() throws {
    func values(_ type: String, _ data: [UInt8]) throws -> [UInt8] {
      let size = data.count
      let text = "{'descr': '\(type)', 'fortran_order': False, 'shape': (1, 64), }"
      let width = Int(type.suffix(1)) ?? 1
      let bytes = Self.file(text, data + [UInt8](repeating: 0, count: 64 * width - size))
      return Array(try NumpyBitmaps(bytes, path: "a.npy").values.prefix(3))
    }
    // 0.5, 1 and 0.2 as floats of 2, 4 and 8 bytes: the last is 51 of 255.
    #expect(try values("<f2", [0x00, 0x38, 0x00, 0x3c, 0x66, 0x32]) == [128, 255, 51])
    #expect(try values(">f4", [0x3f, 0, 0, 0, 0x3f, 0x80, 0, 0]) == [128, 255, 0])
    #expect(try values("<f4", [0, 0, 0x7f, 0x43, 0, 0, 0x80, 0x3f]) == [255, 1, 0])
    #expect(
      try values("|b1", [1, 0, 1]) == [255, 0, 255] && values("|u1", [0, 1]) == [0, 255, 0])
    #expect(try values("|u1", [1, 2, 3]) == [1, 2, 3] && values("<i4", [200]) == [200, 0, 0])
    #expect(
      refusal { try values("<i2", [0, 1, 255, 255]) }.contains("its values are from -1.0 to 256.0"))
    #expect(
      refusal { try values("<f2", [0, 0x7e]) }.contains("it has a value that is not a number"))
    #expect(refusal { try values("|O8", [1]) }.contains("save numpy.savez('cat.npz', train=array)"))
    #expect(try NumpyBitmaps(path: fixture("floats.npy")).values.allSatisfy { $0 == 0 })
  }

  @Test("Arrays of points are no pictures: what is said to be saved is read")
  func coordinates() throws {
    func said(_ shape: String) -> String {
      refusal {
        try NumpyBitmaps(
          Self.file("{'descr': '|u1', 'fortran_order': False, 'shape': \(shape), }"), path: "a.npy")
      }
    }
    #expect(
      said("(32, 2)").contains("numpy.savetxt('points.csv', array, delimiter=',', header='x,y',"))
    #expect(said("(21, 3)").contains("header='x,y,t',"))
    #expect(said("(16, 4)").contains("header='x,y,t,stroke',"))
    #expect(said("(8, 4, 2)").contains("{'strokes': [a.T.tolist()]}"))
    #expect(said("(7, 3, 3)").contains("numpy.savez('cat.npz', train=array)"))
    // As savetxt writes numbers.
    let saved = "x,y,t,stroke\n1.000000000000000000e+00,2.5e+00,0.0e+00,0.000000000000000000e+00\n"
    #expect(try table(saved).drawings[0].strokes == [Stroke([Point(x: 1, y: 2.5, t: 0)])])
  }

  @Test("Cut short, made longer, foreign and newer files are told apart")
  func damaged() throws {
    let bytes = try AtomicFile.read(fixture("flat-v1.npy"))
    func reason(_ bytes: [UInt8]) -> FileError.Reason? {
      do {
        _ = try NumpyBitmaps(bytes, path: "b.npy")
        return nil
      } catch { return error.reason }
    }
    #expect(reason(bytes) == nil)
    #expect(reason(Array(bytes.dropLast())) == .wrongLength(expected: 2480, actual: 2479))
    #expect(reason(bytes + [0]) == .wrongLength(expected: 2480, actual: 2481))
    for length in 6..<128 {
      #expect(
        reason(Array(bytes[..<length])) == .malformed("it ends within the header; it is truncated"))
    }
    #expect(reason(Array(bytes[..<5])) == .foreign(expected: "numpy file (.npy)"))
    #expect(reason([]) == .foreign(expected: "numpy file (.npy)"))
    #expect(reason(Array("{}".utf8)) == .foreign(expected: "numpy file (.npy)"))
    func header(_ shape: String, version: UInt8 = 2) -> [UInt8] {
      let text = "{'descr': '|u1', 'fortran_order': False, 'shape': (\(shape))}"
      let length = withUnsafeBytes(of: UInt32(text.utf8.count).littleEndian) { Array($0) }
      return [0x93] + Array("NUMPY".utf8) + [version, 0] + length + Array(text.utf8)
    }
    let many = String(repeating: "1,", count: 65)
    #expect(reason(header(many)) == .malformed("its header gives more than 64 axes"))
    let endless = String(repeating: "1,", count: 40_000)
    #expect(reason(header(endless)) == .malformed("its header is longer than 64 KiB"))
    var newer = bytes
    newer[6] = 4
    #expect(reason(newer) == .newerVersion(found: 4, supported: 3))
  }

  /// A file of version 1 with a header and the smallest picture that is taken.
  private static func file(_ header: String, _ data: [UInt8] = picture) -> [UInt8] {
    [0x93] + Array("NUMPY".utf8) + [1, 0, UInt8(header.utf8.count), 0] + Array(header.utf8) + data
  }

  private static let picture = [UInt8](0..<64)

  @Test(
    "Headers that are invalid are errors",
    arguments: [
      "", "{}", "{'descr': '|u1', 'fortran_order': False}",
      "{'descr': '|u1', 'fortran_order': Maybe, 'shape': (1, 64), }",
      "{'descr': '|u1', 'fortran_order': False, 'shape': (1, -64), }",
      "{'descr': '|u1', 'fortran_order': False, 'shape': (1, x), }",
      "{'descr': '|u1', 'fortran_order': False, 'shape': (1, 99999999999999999999), }",
      "{'descr': '|u1', 'fortran_order': False, 'shape': (9223372036854775807, 64), }",
      """
      {'descr': '|u1', 'fortran_order': False, 'shape': (1, 9223372036854775807, \
      9223372036854775807), }
      """,
      "{'descr': '|u1', 'fortran_order': False, 'shape': (1, 9223372036854775807), }",
      "{'descr': '|u1', 'fortran_order': False, 'shape': (1, 0, 64), }",
      "{'descr': '|u1', 'fortran_order': False, 'shape': (16, 4), }",
      "{'descr': '|u1', 'fortran_order': False, 'shape': (1, 1, 64), }",
      "{'descr': '|u1', 'fortran_order': False, 'shape': , }",
    ])
  func header(text: String) {
    #expect(throws: FileError.self) { try NumpyBitmaps(Self.file(text), path: "h.npy") }
  }

  @Test("A header as other programs write it: other order, double quotes, no last comma")
  func otherHeader() throws {
    let text = "{\"shape\":(1,8,8),\"fortran_order\":False,\"descr\":\"<u1\"}"
    let bitmaps = try NumpyBitmaps(Self.file(text), path: "h.npy")
    #expect(bitmaps.values == Self.picture)
    #expect(bitmaps.width == 8)
  }
}
