internal import Files
internal import Foundation
internal import InterchangeMessages
public import Recognition

/// Reads ONNX graphs: networks of the layers that `ONNXExport` writes, and the samples of nearest
/// neighbors behind them.
public enum ONNXImport {
  /// A recognizer of the ONNX file at `path`: its networks and, where they are those of a model of
  /// ours with nearest neighbors, its samples and labels; without, one that knows no label.
  ///
  /// - Parameters:
  ///   - path: An `.onnx` file.
  ///   - white: What the first layer takes for white ink, in files that do not say how inputs are
  ///     made (`drawml.views`).
  ///   - networksOnly: Whether to leave out the samples.
  ///   - software: The version of this program, for the provenance.
  /// - Returns: The recognizer.
  /// - Throws: `FileError` with the node and attribute that cannot be read.
  public static func recognizer(
    at path: String, white: Int? = nil, networksOnly: Bool = false, software: String
  ) throws -> Recognizer {
    let bytes = try AtomicFile.read(path)
    return try ImportedModel.locating(path) {
      let model = try decoded(bytes)
      let facts = try ImportFacts(
        Dictionary(model.metadataProps.map { ($0.key, $0.value) }) { $1 })
      let output = try Self.output(of: model.graph)
      let steps = try ONNXSteps(of: model.graph, to: output)
      let inputs = try Self.inputs(of: model.graph, facts)
      var reader = try GraphReader(
        inputs: inputs.map { ($0.name, $0.shape) }, steps: steps.steps)
      return try ImportedModel(
        facts: facts, inputs: inputs, parts: reader.parts(of: steps.name(of: output)),
        samples: networksOnly ? nil : samples(of: model.graph, facts), format: "ONNX",
        digest: Fingerprint.sha256(bytes)
      ).recognizer(white: white, software: software)
    }
  }

  /// Texts and numbers, and messages that the schema leaves out: PyTorch records the origin of each
  /// node and constant at length.
  private static let leaves: [[UInt64]] =
    [[6], [14, 2], [25], [7, 13]] + [1, 2, 3, 4, 6, 9].map { [7, 1, $0] }
    + [1, 4].map { [7, 1, 5, $0] } + [4, 5, 7, 9].map { [7, 1, 5, 5, $0] }
    + [4, 5, 7, 8, 9, 16].map { [7, 5, $0] }

  /// Since this version of the operators, additions and products broadcast as they do now.
  private static let leastOperatorSet = 9

  private static func decoded(_ bytes: [UInt8]) throws(ImportError) -> Onnx_ModelProto {
    let model: Onnx_ModelProto = try ImportedModel.decoded(bytes, leaves: leaves)
    let operators = model.opsetImport.first { ["", "ai.onnx"].contains($0.domain) }
    guard let operators, operators.version >= leastOperatorSet else {
      throw .unsupported("it does not use ONNX's operators of version \(leastOperatorSet) or later")
    }
    return model
  }

  /// The name of the vector: that of ours, or the only output.
  private static func output(of graph: Onnx_GraphProto) throws(ImportError) -> String {
    let names = graph.output.map(\.name)
    if names.contains(ONNXGraph.Output.embedding) { return ONNXGraph.Output.embedding }
    guard names.count == 1 else {
      throw .unsupported("it has \(names.count) outputs, and none named embedding")
    }
    return names[0]
  }

  /// The inputs, [examples, channels, height, width]; one channel is a picture of the ink.
  private static func inputs(
    of graph: Onnx_GraphProto, _ facts: ImportFacts
  ) throws(ImportError) -> [ImportedModel.Input] {
    // Older graphs name the constants among the inputs.
    let constants = Set(graph.initializer.map(\.name))
    var inputs: [ImportedModel.Input] = []
    for value in graph.input where !constants.contains(value.name) {
      let sizes = value.type.tensorType.shape.dim.map(\.dimValue)
      guard value.type.tensorType.elemType == ONNXElement.float.rawValue,
        sizes.count == 4, sizes.dropFirst().allSatisfy({ (1...(1 << 20)).contains($0) })
      else {
        throw .unsupported(
          "its input \(value.name) is not FLOAT [N, channels, height, width] of fixed sizes")
      }
      inputs.append(
        .init(
          name: value.name, shape: [Int(sizes[2]), Int(sizes[3]), Int(sizes[1])],
          isImage: sizes[1] == 1,
          scale: sizes[1] == 1 && facts.views[value.name] == nil ? nil : .init()))
    }
    return inputs
  }

  /// The samples of nearest neighbors; nil for other heads, and in others' files.
  private static func samples(
    of graph: Onnx_GraphProto, _ facts: ImportFacts
  ) throws(ImportError) -> ImportedModel.Samples? {
    guard case .nearestNeighbors(let count, let weights)? = facts.head,
      let vectors = graph.initializer.first(where: { $0.name == ONNXGraph.Sample.vectors }),
      let labels = graph.initializer.first(where: { $0.name == ONNXGraph.Sample.labels })
    else { return nil }
    let values = try vectors.floats(ONNXGraph.Sample.vectors).values
    let indices = try labels.integers(ONNXGraph.Sample.labels)
    guard indices.count <= WireLimits.members else {
      throw .unsupported("it has more than \(WireLimits.members) samples")
    }
    let names = try indices.map { index throws(ImportError) in
      guard facts.labels.indices.contains(index) else {
        throw .malformed(
          "\(ONNXGraph.Sample.labels) has \(index); drawml.labels are \(facts.labels.count)")
      }
      return facts.labels[index]
    }
    return .init(vectors: values, labels: names, neighbors: count, weights: weights)
  }
}
