import Foundation
import Ink
import InterchangeMessages
import NeuralNetwork
import Recognition
import Support
import SwiftProtobuf
import TestTools
import Testing

@testable import Interchange

/// Graphs that come in; `Tests/Interop` compares their vectors with ONNX Runtime's.
@Suite("ONNX import")
struct ONNXImportTests {
  private static func graph(
    of views: [DrawingView], head: HeadConfiguration, isEmbeddingOnly: Bool = false
  ) async throws -> (Recognizer, Onnx_ModelProto) {
    var recognizer = try ExportTests.recognizer(views, head: head)
    try await recognizer.update(with: ExportTests.drawings)
    let model = recognizer
    return (
      model,
      try Onnx_ModelProto(
        serializedBytes: ONNXExport.bytes(
          of: model, isEmbeddingOnly: isEmbeddingOnly, software: "test 1"))
    )
  }

  private static func read(
    _ graph: Onnx_ModelProto, white: Int? = nil, networksOnly: Bool = false
  ) throws -> Recognizer {
    let folder = try TemporaryFolder()
    let path = try folder.put([UInt8](graph.serializedData()), "m.onnx")
    return try ONNXImport.recognizer(
      at: path, white: white, networksOnly: networksOnly, software: "0")
  }

  private static let neighbors = HeadConfiguration.nearestNeighbors(count: 2, weights: .uniform)

  @Test(
    "Networks come back to the bit; samples and labels, too, of nearest neighbors",
    arguments: [[ExportTests.ink], [ExportTests.flow, ExportTests.points]],
    [neighbors, .classMeans]
  )
  func roundTrip(views: [DrawingView], head: HeadConfiguration) async throws {
    let (original, graph) = try await Self.graph(of: views, head: head)
    let back = try Self.read(graph)
    for (a, b) in zip(back.embedding.members, original.embedding.members) {
      let folded = b.network.folded()
      #expect(a.network.parameters.elementsEqual(folded.parameters))
      #expect(a.network.statistics.elementsEqual(folded.statistics))
      #expect(a.view == b.view && a.weight == b.weight)
    }
    #expect(back.embedding.members.count == views.count)
    guard head == Self.neighbors else {
      #expect(back.labels.isEmpty)
      return
    }
    #expect(back.memory.vectors.elementsEqual(original.memory.vectors))
    #expect(back.memory.samples.map(\.label) == original.memory.samples.map(\.label))
    #expect(back.head.configuration == head)
    var again = try Onnx_ModelProto(
      serializedBytes: ONNXExport.bytes(of: back, software: "test 1"))
    again.metadataProps = graph.metadataProps
    #expect(again == graph)
    #expect(try Self.read(graph, networksOnly: true).labels.isEmpty)
  }

  @Test("The embedding alone comes back, too")
  func embeddingOnly() async throws {
    let (original, graph) = try await Self.graph(
      of: [ExportTests.flow, ExportTests.points], head: .classMeans, isEmbeddingOnly: true)
    let back = try Self.read(graph)
    let drawing = ExportTests.drawings[0]
    #expect(try back.embedding.vector(of: drawing) == original.embedding.vector(of: drawing))
  }

  @Test(
    "Networks as PyTorch's exporters write them give its outputs", arguments: ["dynamo", "script"])
  func pyTorch(exporter: String) throws {
    let folder = "\(Repository.path)/Tests/InterchangeTests/Fixtures"
    let model = try ONNXImport.recognizer(
      at: "\(folder)/pytorch-\(exporter).onnx", white: 1, software: "0")
    let network = try #require(model.embedding.members.first).network
    #expect(network.inputShape == [28, 28, 1])
    let pictures = Tensor(
      shape: [3, 28, 28, 1], values: (0..<(3 * 784)).map { Float($0 * 37 % 101) / 100 })
    let expected = try JSONDecoder().decode(
      [[Float]].self,
      from: Data(contentsOf: URL(filePath: "\(folder)/pytorch-outputs.json"))
    ).joined()
    let found = network(pictures).values
    #expect(found.count == expected.count)
    for (a, b) in zip(found, expected) { #expect(abs(a - b) < 1e-6) }
  }

  @Test("What cannot be read is told with the node and the attribute")
  func refused() async throws {
    let (_, sound) = try await Self.graph(of: [ExportTests.ink], head: Self.neighbors)
    func node(_ kind: String, _ change: (inout Onnx_NodeProto) -> Void) throws -> Onnx_ModelProto {
      var model = sound
      let index = try #require(model.graph.node.firstIndex { $0.opType == kind })
      change(&model.graph.node[index])
      return model
    }
    func constant(
      _ name: String, _ change: (inout Onnx_TensorProto) -> Void
    ) throws -> Onnx_ModelProto {
      var model = sound
      let index = try #require(model.graph.initializer.firstIndex { $0.name == name })
      change(&model.graph.initializer[index])
      return model
    }
    func attribute(
      _ name: String, _ values: [Int]
    ) -> (inout Onnx_NodeProto) -> Void {
      { node in
        node.attribute.removeAll { $0.name == name }
        node.attribute.append(ONNXGraph.attribute(name, values))
      }
    }
    func changed(_ change: (inout Onnx_ModelProto) -> Void) -> Onnx_ModelProto {
      var model = sound
      change(&model)
      return model
    }
    func renamed(_ name: String, _ other: String) -> Onnx_ModelProto {
      changed { model in
        for index in model.graph.node.indices {
          model.graph.node[index].input = model.graph.node[index].input.map {
            $0 == name ? other : $0
          }
          model.graph.node[index].output = model.graph.node[index].output.map {
            $0 == name ? other : $0
          }
        }
      }
    }
    var unnamed = sound
    unnamed.metadataProps.removeAll { $0.key == "drawml.views" }
    let kernel = try #require(sound.graph.node.first { $0.opType == "Conv" }).input[1]
    for (model, words) in [
      (try node("Conv", attribute("strides", [2, 2])), "Conv2: strides is [2, 2], not [1, 1]"),
      (try node("Conv", attribute("pads", [0, 0, 0, 0])), "Conv2: pads is [0, 0, 0, 0]"),
      (try node("MaxPool", attribute("kernel_shape", [3, 3])), "kernel_shape is [3, 3]"),
      (
        try node("Relu") { $0.opType = "Erf" },
        "node 3, Erf Relu3: DrawML has no such layer; it has Conv, "
      ),
      (try node("Relu") { $0.domain = "com.example" }, "not ONNX's own, but of com.example"),
      (try node("Relu") { $0.input = ["paper"] }, "its input paper is no value made before it"),
      (try node("Relu") { $0.input = [] }, "it has no input"),
      (renamed("Relu3", kernel), "two values have the name \(kernel)"),
      (renamed("Relu3", "picture"), "two values have the name picture"),
      (try node("Gemm") { $0.input[1] = "paper" }, "B is no constant"),
      (
        try node("Flatten") { node in
          node.opType = "Reshape"
          node.input.append(ONNXGraph.Sample.labels)
        }, "not that of a vector for each example"
      ),
      (try node("Div") { $0.input[1] = kernel }, "divides by something other than the length"),
      (try node("ReduceL2", attribute("axes", [2])), "axes are [2], not all of an example"),
      (try constant(kernel) { $0.dims[0] = 1 << 40 }, "dims of W are [1099511627776, "),
      (try constant(kernel) { $0.dims[0] = -1 }, "dims of W are [-1, "),
      (try constant(kernel) { $0.rawData.removeLast() }, "W has 143 bytes, dims are [4, 1, 3, 3]"),
      (try constant(kernel) { $0.dataType = 10 }, "data_type of W is 10, not FLOAT"),
      (
        try constant(kernel) { $0.externalData = [.init()] },
        "W is in another file; save all in one"
      ),
      (
        try constant(ONNXGraph.Sample.labels) {
          $0.rawData = Data(packing: [Int64](repeating: 2, count: 6))
        }, "sampleLabels has 2; drawml.labels are 2"
      ),
      (
        try constant(ONNXGraph.Sample.vectors) {
          $0.rawData = Data(packing: [Float](repeating: .nan, count: 30))
        }, "sampleVectors has a number that is not finite"
      ),
      (unnamed, "say with --white"),
      (changed { $0.opsetImport = [] }, "it does not use ONNX's operators of version 9 or later"),
      (changed { $0.graph.output.removeFirst() }, "it has 4 outputs, and none named embedding"),
      (
        changed { $0.graph.input[0].type.tensorType.shape.dim.removeFirst() },
        "its input picture is not FLOAT [N, channels, height, width] of fixed sizes"
      ),
      (
        changed { $0.graph.input[0].type.tensorType.shape.dim[1].dimValue = 4 },
        "BatchNormalization1: it is for 1 channels, the value before it has 4"
      ),
    ] as [(Onnx_ModelProto, String)] {
      let error = #expect(throws: FileError.self, "\(words)") { try Self.read(model) }
      #expect(error?.description.contains(words) == true, "\(words): \(error as Any)")
    }
    #expect(try Self.read(unnamed, white: 1).labels == ["flat", "steep"])
  }

  @Test(
    "Hostile graphs are refused by what is wrong in them",
    arguments: [
      ("huge-dims", "node 2, Gemm dense: dims of B are [1099511627776, 1099511627776]"),
      ("negative-dims", "node 2, Gemm dense: dims of B are [-64, -2]"),
      ("packed-dims", "node 2, Gemm dense: dims of B are [1, 1, 1, 1, 1, 1, 1, 1]"),
      ("short", "B has 508 bytes, dims are [64, 2]"),
      ("nan", "B has a number that is not finite"),
      ("external", "B is in another file"),
      ("large-picture", "dense: it is for 64 values, the value before it has 1099511627776"),
      ("vast-picture", "its input x is not FLOAT [N, channels, height, width]"),
      ("cycle", "node 3, Add forth: its input e is no value made before it"),
      ("renamed", "node 5, LpNormalization unit: its input e is no value made before it"),
      ("subgraphs", "node 3, If if: DrawML has no such layer"),
      ("doubled", "node 3, Add s0: it adds a value to itself"),
      ("shared", "B is a large constant of other nodes, too"),
      ("many-nodes", "it has more than 4096 fields"),
      ("parts", "it has more than 4096 fields"),
    ])
  func hostile(name: String, words: String) {
    let path = "\(Repository.path)/Tests/Hostile/onnx/\(name)"
    let error = #expect(throws: FileError.self) {
      try ONNXImport.recognizer(at: path, white: 1, software: "0")
    }
    #expect(error?.description.contains(words) == true, "\(error as Any)")
  }
}
