internal import Foundation
internal import JSON
internal import NeuralNetwork
public import Recognition

/// Writes a recognizer's numbers as a safetensors file: the length of a header, the header in JSON,
/// and the arrays one after the other (huggingface.co/docs/safetensors).
///
/// Arrays have the names and shapes that they have in the model file: `embedding/0/0.weight`,
/// `head/means`, `samples/vector` (float32); and `samples/label` (int64), each sample's index into
/// the labels. Metadata holds the labels, what makes the networks' inputs of drawings
/// (`drawml.views`), and the layers (`drawml.networks`). Priors are left out.
public enum SafetensorsExport {
  /// The bytes of a `.safetensors` file; the same recognizer gives the same bytes.
  ///
  /// - Parameters:
  ///   - recognizer: The model, with or without labels.
  ///   - software: The program and version to name.
  /// - Returns: The file's bytes.
  /// - Throws: What `ModelFile.fingerprint` throws.
  public static func bytes(of recognizer: Recognizer, software: String) throws -> [UInt8] {
    let (members, memory) = (recognizer.embedding.members, recognizer.memory)
    let facts = try ExportFacts(
      of: recognizer, NetworkInput.all(of: members), software: software)
    let networks = members.map(\.network)
    var metadata = Dictionary(uniqueKeysWithValues: facts.entries)
    metadata["drawml.networks"] = try jsonText(networks.map(\.architecture))
    var contents = Contents()
    if !memory.samples.isEmpty {
      // First, as whole numbers of 8 bytes then begin at a multiple of 8.
      contents.add(memory.labelIndices, at: "samples/label")
    }
    for (number, network) in networks.enumerated() {
      for (name, array) in network.arrays { contents.add(array, at: "embedding/\(number)/\(name)") }
    }
    for (name, array) in recognizer.head.learned.sorted(by: { $0.key < $1.key }) {
      contents.add(array, at: "head/\(name)")
    }
    if !memory.samples.isEmpty {
      contents.add(
        Tensor(shape: [memory.samples.count, memory.dimension], values: memory.vectors),
        at: "samples/vector")
    }
    return try contents.file(metadata: metadata)
  }

  /// The arrays and their header entries.
  private struct Contents {
    private var header: [String: Item] = [:]
    private var bytes = Data()

    /// Adds floats.
    mutating func add(_ array: Tensor, at name: String) {
      add(Data(packing: array.values), "F32", array.shape, at: name)
    }

    /// Adds whole numbers, shape [values].
    mutating func add(_ values: [Int], at name: String) {
      add(Data(packing: values.map { Int64($0) }), "I64", [values.count], at: name)
    }

    private mutating func add(_ array: Data, _ type: String, _ shape: [Int], at name: String) {
      header[name] = .array(
        .init(dtype: type, shape: shape, offsets: [bytes.count, bytes.count + array.count]))
      bytes += array
    }

    /// The file; the header ends with spaces, so that the arrays begin at a multiple of 8.
    func file(metadata: [String: String]) throws -> [UInt8] {
      let items = header.merging(["__metadata__": .texts(metadata)]) { $1 }
      var text = Array(try jsonText(items).utf8)
      text += [UInt8](repeating: 0x20, count: (8 - text.count % 8) % 8)
      return [UInt8](Data(packing: [Int64(text.count)])) + text + [UInt8](bytes)
    }
  }

  /// A value of the header.
  private enum Item: Encodable {
    case texts([String: String])
    case array(ArrayEntry)

    /// An array.
    struct ArrayEntry: Encodable {
      var dtype: String
      var shape: [Int]
      /// Where it begins and ends, in bytes after the header.
      var offsets: [Int]

      private enum CodingKeys: String, CodingKey {
        case dtype, shape
        case offsets = "data_offsets"
      }
    }

    func encode(to encoder: any Encoder) throws {
      switch self {
      case .texts(let texts): try texts.encode(to: encoder)
      case .array(let array): try array.encode(to: encoder)
      }
    }
  }
}
