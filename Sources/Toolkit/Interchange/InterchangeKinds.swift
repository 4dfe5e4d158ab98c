package import Files

extension FileKind {
  /// A Core ML model of one file.
  package static let coreML = FileKind("a Core ML model", ending: "mlmodel") {
    firstField2($0.bytes) == 0x0a
  }
  /// An ONNX graph.
  package static let onnx = FileKind("an ONNX graph", ending: "onnx") {
    firstField2($0.bytes).map { (0x20..<0x7f).contains($0) } ?? false
  }
  /// Named arrays after a length in 8 bytes, below 4 GiB, and an object in JSON.
  package static let safetensors = FileKind("a safetensors file", ending: "safetensors") {
    let bytes = $0.bytes
    guard bytes.count > 10, bytes[4..<8].allSatisfy({ $0 == 0 }) else { return false }
    return bytes[8...].starts(with: #"{""#.utf8)
  }
  /// Pictures and the answers that an exported model must give.
  package static let testVectors = FileKind("a file of test vectors", format: TestVectors.format)

  /// The first byte of field 2 in a protocol buffer whose field 1 is its format's version: of Core
  /// ML a description, whose first field is 1; of ONNX the name of a program.
  private static func firstField2(_ bytes: [UInt8]) -> UInt8? {
    guard bytes.count > 5, bytes[0] == 0x08, bytes[1] < 0x80, bytes[2] == 0x12 else { return nil }
    return bytes[3...].drop { $0 >= 0x80 }.dropFirst().first
  }
}
