internal import InterchangeMessages
public import Recognition
internal import SwiftProtobuf

/// Writes a recognizer as an ONNX graph: its networks and, unless only the embedding is wanted, its
/// head and acceptance.
///
/// Inputs are [N, channels, height, width]; outputs `embedding` [N, dimension] and, with the
/// decision, `confidences` [N, labels], `label` [N] (an index), `typicality` [N] and `recognized`
/// [N]. The file's metadata holds the labels and what makes inputs of drawings. That a drawing has
/// too little ink is for the caller to say.
public enum ONNXExport {
  /// The format's version that belongs to the operator set.
  private static let formatVersion: Int64 = 8

  /// The bytes of an `.onnx` file; the same recognizer gives the same bytes.
  ///
  /// - Parameters:
  ///   - recognizer: The model.
  ///   - isEmbeddingOnly: Whether to leave out head and acceptance.
  ///   - software: The program and version to name as the producer.
  /// - Returns: The file's bytes.
  /// - Throws: `ExportError`, and what `ModelFile.fingerprint` throws.
  public static func bytes(
    of recognizer: Recognizer, isEmbeddingOnly: Bool = false, software: String
  ) throws -> [UInt8] {
    let embedding = recognizer.embedding
    let inputs = NetworkInput.all(of: embedding.members)
    let facts = try ExportFacts(of: recognizer, inputs, software: software)
    var graph = ONNXGraph()
    let vector = try graph.embedding(
      embedding.members, shares: embedding.shares, inputs: inputs.map(\.name))
    let name = graph.add("Identity", [vector], output: ONNXGraph.Output.embedding)
    var outputs = [value(name, .float, [nil, embedding.dimension])]
    if !isEmbeddingOnly {
      guard !recognizer.labels.isEmpty else { throw ExportError.nothingTaught }
      try graph.decision(on: name, by: DecisionTerms(of: recognizer))
      outputs += [
        value(ONNXGraph.Output.confidences, .float, [nil, recognizer.labels.count]),
        value(ONNXGraph.Output.label, .int64, [nil]),
        value(ONNXGraph.Output.typicality, .float, [nil]),
        value(ONNXGraph.Output.recognized, .bool, [nil]),
      ]
    }
    let model = Onnx_ModelProto.with {
      $0.irVersion = formatVersion
      $0.producerName = "DrawML"
      $0.producerVersion = software
      $0.docString = facts.summary
      $0.opsetImport = [.with { $0.version = ONNXGraph.operatorSet }]
      $0.graph = .with {
        $0.name = "drawml"
        $0.node = graph.nodes
        $0.initializer = graph.constants
        $0.input = inputs.map { input in
          var value = value(input.name, .float, [nil] + input.shape)
          value.docString = input.explanation
          return value
        }
        $0.output = outputs
      }
      $0.metadataProps = facts.entries.map { key, text in
        .with {
          $0.key = key
          $0.value = text
        }
      }
    }
    return try model.serializedBytes()
  }

  /// A value of the given lengths, nil for the number of examples.
  private static func value(
    _ name: String, _ type: ONNXElement, _ shape: [Int?]
  ) -> Onnx_ValueInfoProto {
    .with {
      $0.name = name
      $0.type.tensorType = .with {
        $0.elemType = type.rawValue
        $0.shape.dim = shape.map { count in
          .with { if let count { $0.dimValue = Int64(count) } else { $0.dimParam = "N" } }
        }
      }
    }
  }
}
