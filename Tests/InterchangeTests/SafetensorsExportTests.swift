import Foundation
import Recognition
import Testing

@testable import Interchange

/// What is in the file; `Tests/Interop/test_safetensors.py` reads it with the format's own package.
@Suite("Export: safetensors")
struct SafetensorsExportTests {
  /// The header as JSON, and where the arrays begin.
  private static func header(of bytes: [UInt8]) throws -> (values: [String: Any], end: Int) {
    let length = bytes[..<8].reversed().reduce(0) { $0 << 8 | Int($1) }
    let header = try JSONSerialization.jsonObject(with: Data(bytes[8..<(8 + length)]))
    return (try #require(header as? [String: Any]), 8 + length)
  }

  @Test("Arrays follow each other without gaps to the end, those of 8 bytes at multiples of 8")
  func arrays() async throws {
    var recognizer = try ExportTests.recognizer([ExportTests.ink, ExportTests.points])
    try await recognizer.update(with: ExportTests.drawings)
    let taught = recognizer
    let bytes = try SafetensorsExport.bytes(of: taught, software: "test 1")
    var (header, end) = try Self.header(of: bytes)
    let start = end
    let texts = try #require(header.removeValue(forKey: "__metadata__") as? [String: String])
    #expect(texts["drawml.software"] == "test 1")
    #expect(texts["drawml.labels"] == #"["flat","steep"]"#)
    #expect(texts["drawml.weights"] == "[1,2]")
    #expect(end % 8 == 0)
    var ranges: [[Int]] = []
    for (name, value) in header {
      let array = try #require(value as? [String: Any], "\(name)")
      let range = try #require(array["data_offsets"] as? [Int])
      let count = try #require(array["shape"] as? [Int]).reduce(1, *)
      let isWhole = name == "samples/label"
      #expect(array["dtype"] as? String == (isWhole ? "I64" : "F32"))
      #expect(range[1] - range[0] == count * (isWhole ? 8 : 4))
      if isWhole { #expect(range[0] % 8 == 0) }
      ranges.append(range)
    }
    for range in ranges.sorted(by: { $0[0] < $1[0] }) {
      #expect(start + range[0] == end)
      end += range[1] - range[0]
    }
    #expect(end == bytes.count)
    #expect(header.keys.contains("embedding/1/0.mean"))
    #expect(try SafetensorsExport.bytes(of: taught, software: "test 1") == bytes)
  }

  @Test("Without labels there are the weights alone")
  func untaught() throws {
    let bytes = try SafetensorsExport.bytes(
      of: ExportTests.recognizer(
        [ExportTests.ink], head: .nearestNeighbors(count: 1, weights: .uniform)),
      software: "test 1")
    let names = try Self.header(of: bytes).values.keys
    #expect(names.allSatisfy { $0 == "__metadata__" || $0.hasPrefix("embedding/0/") })
    #expect(names.count > 1)
  }
}
