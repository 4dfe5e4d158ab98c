import Files
import Foundation
import Ink
import InterchangeMessages
import NeuralNetwork
import Recognition
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

  /// A graph of others: a picture of 8 × 8 pixels, which becomes two channels, once and -2 times
  /// its pixels, and then goes through the nodes.
  private static func others(
    _ nodes: [(kind: String, inputs: [String], output: String, attributes: [Onnx_AttributeProto])],
    _ constants: [String: [Int]] = [:], side: Int = 8
  ) -> Onnx_ModelProto {
    func constant(_ name: String, _ shape: [Int], _ type: ONNXElement, _ bytes: Data)
      -> Onnx_TensorProto
    {
      .with {
        ($0.name, $0.dims) = (name, shape.map { Int64($0) })
        ($0.dataType, $0.rawData) = (type.rawValue, bytes)
      }
    }
    return .with { model in
      model.opsetImport = [.with { $0.version = 17 }]
      model.graph.input = [
        .with { value in
          value.name = "x"
          value.type.tensorType.elemType = ONNXElement.float.rawValue
          value.type.tensorType.shape.dim = [0, 1, side, side].map { size in
            .with { $0.dimValue = Int64(size) }
          }
        }
      ]
      model.graph.output = [.with { $0.name = "y" }]
      model.graph.initializer =
        [constant("w", [2, 1, 1, 1], .float, Data(packing: [Float(1), -2]))]
        + constants.sorted { $0.key < $1.key }.map {
          constant($0.key, [$0.value.count], .int64, Data(packing: $0.value.map { Int64($0) }))
        }
        + [true, false].map { constant("\($0)", [], .bool, Data([$0 ? 1 : 0])) }
      model.graph.node = ([("Conv", ["x", "w"], "a", [])] + nodes).map { node in
        .with {
          ($0.opType, $0.input, $0.output) = (node.kind, node.inputs, [node.output])
          $0.attribute = node.attributes
        }
      }
    }
  }

  private typealias Attribute = Onnx_AttributeProto
  private static let ramp = (0..<64).map { Float($0 + 1) }

  private static func unit(_ values: [Float]) -> [Float] {
    let length = values.reduce(0) { $0 + $1 * $1 }.squareRoot()
    return values.map { $0 / length }
  }

  /// The vector of a picture whose pixels are 1, 2, …, 64.
  private static func vector(_ graph: Onnx_ModelProto) throws -> [Float] {
    let network = try #require(try read(graph, white: 1).embedding.members.first).network
    return network(Tensor(shape: [1, 8, 8, 1], values: ramp)).values
  }

  private static func expect(_ graph: Onnx_ModelProto, _ right: [Float]) throws {
    let found = try vector(graph)
    #expect(found.count == right.count)
    for (a, b) in zip(found, unit(right)) { #expect(abs(a - b) < 1e-6) }
  }

  @Test("A flattened picture at the end is a vector in the file's order, channel by channel")
  func flattenedEnd() throws {
    let right = Self.ramp + Self.ramp.map { -2 * $0 }
    for attributes in [[], [ONNXGraph.attribute("axis", 1)], [ONNXGraph.attribute("axis", -3)]] {
      try Self.expect(Self.others([("Flatten", ["a"], "y", attributes)]), right)
    }
    for shape in [[0, -1], [-1, 128], [1, -1]] {
      try Self.expect(Self.others([("Reshape", ["a", "s"], "y", [])], ["s": shape]), right)
    }
    // Beside its means, and divided by its length.
    try Self.expect(
      Self.others([
        ("Flatten", ["a"], "f", []), ("GlobalAveragePool", ["a"], "m", []),
        ("Flatten", ["m"], "v", []),
        ("Concat", ["v", "f"], "c", [ONNXGraph.attribute("axis", 1)]),
        ("LpNormalization", ["c"], "y", []),
      ]), [32.5, -65] + right)
    let large = #expect(throws: FileError.self) {
      try Self.read(Self.others([("Flatten", ["a"], "y", [])], side: 28), white: 1)
    }
    #expect(large?.description.contains("1568 values is its vector, of at most 1024") == true)
    let rows = #expect(throws: FileError.self) {
      try Self.read(
        Self.others([("Flatten", ["a"], "y", [ONNXGraph.attribute("axis", 2)])]), white: 1)
    }
    #expect(rows?.description.contains("axis is 2, not 1") == true)
  }

  @Test("Means of channels are a vector, however they lose height and width")
  func means() throws {
    let whole = [ONNXGraph.attribute("kernel_shape", [8, 8])]
    for (kind, attributes) in [("GlobalAveragePool", [Attribute]()), ("AveragePool", whole)] {
      for (last, inputs) in [("Squeeze", ["m", "s"]), ("Flatten", ["m"])] {
        try Self.expect(
          Self.others(
            [(kind, ["a"], "m", attributes), (last, inputs, "y", [])], ["s": [2, 3]]),
          [32.5, -65])
      }
    }
    let half = [ONNXGraph.attribute("kernel_shape", [4, 4])]
    let error = #expect(throws: FileError.self) {
      try Self.read(
        Self.others([("AveragePool", ["a"], "m", half), ("Flatten", ["m"], "y", [])]), white: 1)
    }
    #expect(error?.description.contains("the mean of [4, 4] pixels, not of all 8 × 8") == true)
  }

  @Test("A pool that keeps the rest is like ours where there is none")
  func ceilingPool() throws {
    func pool(_ side: Int) -> Onnx_ModelProto {
      let attributes = [
        ONNXGraph.attribute("kernel_shape", [2, 2]), ONNXGraph.attribute("strides", [2, 2]),
        ONNXGraph.attribute("ceil_mode", 1),
      ]
      return Self.others(
        [("MaxPool", ["a"], "p", attributes), ("GlobalAveragePool", ["p"], "y", [])], side: side)
    }
    // The largest of 2 × 2 pixels are on average 4.5 above the mean, the smallest as much below.
    try Self.expect(pool(8), [37, -56])
    let error = #expect(throws: FileError.self) { try Self.read(pool(9), white: 1) }
    #expect(error?.description.contains("row or column of an odd size, 9 × 9") == true)
  }

  @Test("Dropout that is not in training changes nothing")
  func dropout() throws {
    func graph(_ mode: String) -> Onnx_ModelProto {
      Self.others([
        ("GlobalAveragePool", ["a"], "m", []), ("Dropout", ["m", "", mode], "y", []),
      ])
    }
    try Self.expect(graph("false"), [32.5, -65])
    try Self.expect(graph(""), [32.5, -65])
    let error = #expect(throws: FileError.self) { try Self.read(graph("true"), white: 1) }
    #expect(error?.description.contains("training_mode is true") == true)
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
      (try node("Relu") { $0.domain = "com.example" }, "not a standard one, but of com.example"),
      (try node("Relu") { $0.input = ["paper"] }, "its input paper is not an earlier value"),
      (try node("Relu") { $0.input = [] }, "it has no input"),
      (renamed("Relu3", kernel), "two values have the name \(kernel)"),
      (renamed("Relu3", "picture"), "two values have the name picture"),
      (try node("Gemm") { $0.input[1] = "paper" }, "B is not a constant"),
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
      (unnamed, "for white ink with --white"),
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
      ("cycle", "node 3, Add forth: its input e is not an earlier value"),
      ("renamed", "node 5, LpNormalization unit: its input e is not an earlier value"),
      ("subgraphs", "node 3, If if: DrawML has no such layer"),
      ("doubled", "node 3, Add s0: it adds a value to itself"),
      ("shared", "B is a large constant shared with other nodes"),
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
