import Files
import Foundation
import Ink
import NeuralNetwork
import Numbers
import Recognition
import TestTools
import Testing

@testable import Interchange

/// What numpy computed; made by scripts/make-coreml-fixture.
struct CoreMLCase: Decodable, Sendable {
  let name: String
  let input: [Float]
  let output: [Float]

  static func url(_ name: String, _ ending: String) throws -> URL {
    try #require(
      Bundle.module.url(forResource: name, withExtension: ending, subdirectory: "Fixtures"))
  }

  static func bytes(_ name: String) throws -> [UInt8] {
    Array(try Data(contentsOf: url(name, "mlmodel")))
  }
}

@Suite("Core ML import")
struct CoreMLImportTests {
  @Test("Networks give what numpy gives, flattened with channels last or first")
  func outputs() throws {
    let cases = try JSONDecoder().decode(
      [CoreMLCase].self, from: Data(contentsOf: CoreMLCase.url("outputs", "json")))
    #expect(cases.count == 2)
    for item in cases {
      let network = try CoreMLImport.network(from: try CoreMLCase.bytes(item.name))
      #expect(network.inputShape == [9, 9, 1])
      #expect(network.outputShape == [5])
      let result = network(Tensor(shape: [3, 9, 9, 1], values: item.input)).values
      #expect(result.contains { $0 > 0 })
      for (a, b) in zip(result, item.output) { #expect(abs(a - b) < 1e-5, "\(item.name)") }
    }
  }

  @Test("An embedding gives unit vectors")
  func embedding() throws {
    let path = try CoreMLCase.url("channels-last", "mlmodel").path(percentEncoded: false)
    let embedding = try CoreMLImport.embedding(at: path, strokeWidth: 1, margin: 0.5)
    #expect(embedding.dimension == 5)
    let vector = try embedding.vector(
      of: Drawing(strokes: [Stroke([Point(x: 0, y: 0), Point(x: 5, y: 3)])]))
    #expect(abs(vector.reduce(0) { $0 + $1 * $1 } - 1) < 1e-5)
    #expect(throws: FileError.self) { try CoreMLImport.embedding(at: path + ".missing") }
  }

  @Test("What is wrong in a file is told with its name, the layer and the field")
  func errorsOfFiles() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("model.mlmodel")
    /// A field with bytes in it.
    func field(_ number: Int, _ bytes: [UInt8]) -> [UInt8] {
      let tag = number << 3 | 2
      let head = tag < 128 ? [UInt8(tag)] : [UInt8(tag & 0x7f | 0x80), UInt8(tag >> 7)]
      return head + [UInt8(bytes.count)] + bytes
    }
    // An input that is a picture of 9 × 9 pixels.
    let picture = field(2, field(1, field(3, field(4, [8, 9, 16, 9]))))
    /// A model of one layer, which takes the picture.
    func model(_ layer: [UInt8]) -> [UInt8] {
      picture + field(500, field(1, field(2, [0x70]) + field(3, [0x71]) + layer))
    }
    let broken = "it is truncated, or not a protocol buffer of this format"
    /// Fields of a convolution of one input channel that keeps the size.
    let kept: [UInt8] = [8, 1, 16, 1] + field(20, [3, 3]) + field(51, [])
    for (bytes, message) in [
      ([7], "the model is damaged: \(broken)"),
      ([0xff], "the model is damaged: \(broken)"),
      ([], "the model is damaged: it is empty"),
      (picture, "the model cannot be read: it holds no plain neural network"),
      (field(500, []), "the model cannot be read: it takes no picture"),
      (
        // 1,025 layers of no bytes.
        [0xa2, 0x1f, 0x82, 0x10] + [[UInt8]](repeating: [0x0a, 0], count: 1025).joined(),
        "the model cannot be read: it has more than 1024 layers"
      ),
      (
        Array([[UInt8]](repeating: [0x0a, 0], count: 4097).joined()),
        "the model cannot be read: it has more than 4096 fields"
      ),
      (
        model(field(100, kept + [8, 0x80, 0x80, 0x80, 1])),
        """
        the model is damaged: layer 1: outputChannels is 2097152; it must be at most 1048576
        """
      ),
      (
        model(field(100, kept + field(90, field(1, [0, 0, 0x80, 0x7f])))),
        "the model is damaged: layer 1: weights has a number that is not finite"
      ),
      (
        model(field(100, kept + field(90, field(1, [0, 0, 0])))),
        "the model is damaged: layer 1: weights has 3 bytes"
      ),
      (
        model(field(100, field(20, [3, 0x83]) + [16, 1])),
        "the model is damaged: layer 1: kernelSize is not a list of up to 8 whole numbers"
      ),
      (
        model(
          field(1, [0x61])
            + field(
              100,
              kept + [0xb0, 4, 1] + field(90, field(1, [UInt8](repeating: 0, count: 36)))
                + field(91, field(2, [1])))),
        "the model cannot be read: layer 1, a: bias are missing, or not stored as 32-bit floats"
      ),
    ] as [([UInt8], String)] {
      try AtomicFile.write(bytes, to: path)
      let error = #expect(throws: FileError.self) { try CoreMLImport.embedding(at: path) }
      #expect(error?.description == "cannot read \(path): \(message)")
    }
    let sound = try CoreMLCase.url("channels-last", "mlmodel").path(percentEncoded: false)
    let error = #expect(throws: FileError.self) {
      try CoreMLImport.embedding(at: sound, strokeWidth: 8, margin: 1)
    }
    #expect(error?.description.contains("have no room for a pen of 8.0 pixels") == true)
  }

  @Test(
    "A file cut off anywhere, or with any byte changed, gives an error or a network, never a trap"
  )
  func hostile() throws {
    let whole = try CoreMLCase.bytes("channels-last")
    var refused = 0
    for length in 0..<whole.count {
      do { _ = try CoreMLImport.network(from: Array(whole[..<length])) } catch is ImportError {
        refused += 1
      }
    }
    #expect(refused == whole.count, "part of a network is no network")
    var generator = SeededGenerator(seed: 12)
    for _ in 0..<3000 {
      var bytes = whole
      for _ in 0..<(1 + generator.integer(below: 3)) {
        bytes[generator.integer(below: bytes.count)] = UInt8(generator.integer(below: 256))
      }
      do { _ = try CoreMLImport.network(from: bytes) } catch {
        #expect(error is ImportError || error is NetworkError, "\(error)")
      }
    }
    for _ in 0..<500 {
      let bytes = (0..<generator.integer(below: 200)).map { _ in
        UInt8(generator.integer(below: 256))
      }
      #expect(throws: ImportError.self) { try CoreMLImport.network(from: bytes) }
    }
  }

  @Test("A model that is no plain neural network says so")
  func foreign() {
    #expect(throws: ImportError.unsupported("it holds no plain neural network")) {
      // specificationVersion = 1
      try CoreMLImport.network(from: [0x08, 0x01])
    }
    #expect(
      throws: ImportError.unsupported("its input is scaled or shifted before the first layer")
    ) {
      // neuralNetwork = 500 { preprocessing = 2 {} }
      try CoreMLImport.network(from: [0xa2, 0x1f, 0x02, 0x12, 0x00])
    }
  }
}
