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

/// Updatable classifiers that come back; `Tests/Interop` compares their answers with another
/// program's.
@Suite("Core ML import: classifiers")
struct CoreMLClassifierTests {
  private static func taught(
    _ views: [DrawingView],
    head: HeadConfiguration = .nearestNeighbors(count: 3, weights: .inverseDistance)
  ) async throws -> Recognizer {
    var recognizer = try ExportTests.recognizer(views, head: head)
    recognizer.policy = DecisionPolicy(refusalRate: 0.25)
    try await recognizer.update(with: ExportTests.drawings)
    return recognizer
  }

  private static func message(_ recognizer: Recognizer) throws -> CoreMLModel {
    try CoreMLModel(serializedBytes: CoreMLExport.bytes(of: recognizer, software: "test 1"))
  }

  /// What the reader makes of a message.
  private static func read(
    _ message: CoreMLModel, white: Int? = nil, networksOnly: Bool = false
  ) throws -> Recognizer {
    let folder = try TemporaryFolder()
    let path = folder.path + "/m.mlmodel"
    try AtomicFile.write([UInt8](message.serializedData()), to: path)
    return try CoreMLImport.recognizer(
      at: path, white: white, networksOnly: networksOnly, software: "0")
  }

  @Test(
    "Networks, vectors, labels, head and views come back to the bit, of one network or several",
    arguments: [
      [ExportTests.ink], [ExportTests.flow, ExportTests.points],
      [ExportTests.points, ExportTests.ink, ExportTests.flow],
    ])
  func roundTrip(views: [DrawingView]) async throws {
    let original = try await Self.taught(views)
    let message = try Self.message(original)
    let back = try Self.read(message)
    for (a, b) in zip(back.embedding.members, original.embedding.members) {
      // Normalizations behind convolutions are folded into them in the file.
      let folded = b.network.folded()
      #expect(a.network.parameters.elementsEqual(folded.parameters))
      #expect(a.network.statistics.elementsEqual(folded.statistics))
      #expect(a.view == b.view && a.weight == b.weight)
    }
    #expect(back.embedding.members.count == views.count)
    #expect(back.memory.vectors.elementsEqual(original.memory.vectors))
    #expect(back.memory.samples.map(\.label) == original.memory.samples.map(\.label))
    #expect(back.memory.samples.map(\.id).first == "sample-000001")
    #expect(back.head.configuration == original.head.configuration)
    #expect(back.policy.refusalRate == 0.25)
    for drawing in ExportTests.drawings {
      #expect(
        try back.classify(drawing).candidates == original.classify(drawing).candidates)
    }
    // Exported again it is the same file, but for what names the model.
    var again = try Self.message(back)
    #expect(again.description_p.metadata.userDefined["drawml.fingerprint"] != nil)
    again.description_p.metadata = message.description_p.metadata
    #expect(again == message)
  }

  @Test("Without samples there are networks to be taught, also of a head that cannot come back")
  func networksOnly() async throws {
    let original = try await Self.taught([ExportTests.flow, ExportTests.points])
    let back = try Self.read(Self.message(original), networksOnly: true)
    #expect(back.labels.isEmpty)
    let drawing = ExportTests.drawings[1]
    #expect(try back.embedding.vector(of: drawing) == original.embedding.vector(of: drawing))
  }

  @Test("Where no scale is declared, it is given: 255 is what the file says")
  func white() async throws {
    var message = try Self.message(try await Self.taught([ExportTests.ink]))
    message.pipelineClassifier.pipeline.models[0].neuralNetwork.preprocessing = []
    let error = #expect(throws: FileError.self) { try Self.read(message) }
    #expect(error?.description.contains("for white ink with --white") == true)
    let (one, full) = (try Self.read(message, white: 1), try Self.read(message, white: 255))
    #expect(
      one.embedding.members[0].network.architecture.layers.count + 1
        == full.embedding.members[0].network.architecture.layers.count)
    let (a, b) = (one.embedding.members[0].network, full.embedding.members[0].network)
    var picture = [Float](repeating: 0, count: 120)
    for index in picture.indices { picture[index] = Float(index % 7) / 7 }
    let scaled = a(Tensor(shape: [1, 10, 12, 1], values: picture.map { $0 * 255 })).values
    for (x, y) in zip(b(Tensor(shape: [1, 10, 12, 1], values: picture)).values, scaled) {
      #expect(abs(x - y) < 1e-5)
    }
  }

  @Test(
    "A declared scale is what the file's networks see: 1, as coremltools writes it, is 0 to 255",
    arguments: [(1, 0), (2.0 / 255, -1), (-1.0 / 255, 1)])
  func scale(factor: Float, shift: Float) async throws {
    var message = try Self.message(try await Self.taught([ExportTests.ink]))
    let plain = try Self.read(message).embedding.members[0].network
    let path = \CoreMLModel.pipelineClassifier.pipeline.models[0].neuralNetwork.preprocessing[0]
    message[keyPath: path].scaler.channelScale = factor
    message[keyPath: path].scaler.grayBias = shift
    let scaled = try Self.read(message).embedding.members[0].network
    let picture = (0..<120).map { Float($0 % 7) / 7 }
    let seen = picture.map { $0 * 255 * factor + shift }
    let found = scaled(Tensor(shape: [1, 10, 12, 1], values: picture)).values
    for (x, y) in zip(found, plain(Tensor(shape: [1, 10, 12, 1], values: seen)).values) {
      #expect(abs(x - y) < 1e-5)
    }
    message[keyPath: path].scaler.channelScale = 0
    let error = #expect(throws: FileError.self) { try Self.read(message) }
    #expect(error?.description.contains("channelScale is 0.0") == true)
  }

  @Test("Labels that are whole numbers are read as their digits")
  func numberLabels() async throws {
    var message = try Self.message(try await Self.taught([ExportTests.ink]))
    let path = \CoreMLModel.pipelineClassifier.pipeline.models[1].kNearestNeighborsClassifier
    let count = message[keyPath: path].stringClassLabels.vector.count
    message[keyPath: path].clearStringClassLabels()
    let numbers = (0..<count).map { UInt64(bitPattern: $0 == 0 ? -3 : 20) }
    message[keyPath: path].int64ClassLabels.vector = Data(varints: numbers)
    let back = try Self.read(message)
    #expect(back.labels == ["-3", "20"])
    #expect(back.memory.samples.map(\.label) == ["-3"] + Array(repeating: "20", count: count - 1))
  }

  @Test("What cannot be read is told with the field")
  func refused() async throws {
    let sound = try Self.message(try await Self.taught([ExportTests.flow, ExportTests.points]))
    typealias Classifier = CoreML_Specification_KNearestNeighborsClassifier
    func broken(_ change: (inout Classifier) -> Void) -> CoreMLModel {
      var model = sound
      change(&model.pipelineClassifier.pipeline.models[1].kNearestNeighborsClassifier)
      return model
    }
    func network(_ change: (inout CoreMLModel) -> Void) -> CoreMLModel {
      var model = sound
      change(&model.pipelineClassifier.pipeline.models[0])
      return model
    }
    func facts(_ key: String, _ value: String?) -> CoreMLModel {
      var model = sound
      model.description_p.metadata.userDefined[key] = value
      return model
    }
    let short = Data(packing: [Float](repeating: 0, count: 9))
    let nan = Data(packing: [Float](repeating: .nan, count: 10))
    let long = Data(packing: [Float](repeating: 1, count: 10))
    for (model, words) in [
      (
        broken { $0.nearestNeighborsIndex.floatSamples[2].vector = short },
        "floatSamples[2] has 9 numbers, numberOfDimensions is 10"
      ),
      (
        broken { $0.nearestNeighborsIndex.floatSamples[1].vector = nan },
        "floatSamples[1] has a number that is not finite"
      ),
      (
        broken { $0.nearestNeighborsIndex.floatSamples[1].vector = long },
        "sample 2 has the length 3.16"
      ),
      (
        broken { $0.nearestNeighborsIndex.floatSamples[1].vector = Data([1]) },
        "floatSamples[1] has 1 bytes"
      ),
      (
        broken { index in
          index.nearestNeighborsIndex.floatSamples.removeLast()
        }, "there are 6 class labels, but 5 floatSamples"
      ),
      (broken { $0.numberOfNeighbors.defaultValue = 0 }, "numberOfNeighbors is 0"),
      (broken { $0.numberOfNeighbors.defaultValue = -1 }, "numberOfNeighbors is -1"),
      (broken { $0.weightingScheme = nil }, "WeightingScheme"),
      (broken { $0.nearestNeighborsIndex.clearSquaredEuclideanDistance() }, "DistanceFunction"),
      (
        broken { $0.stringClassLabels.vector[3] = "a\u{7}b" },
        "the label of sample 4 has the control character U+0007"
      ),
      (broken { $0.stringClassLabels.vector[0] = "" }, "the label of sample 1 is empty"),
      (facts("drawml.views", nil), "input picture is made from a drawing"),
      (facts("drawml.views", "[]"), "drawml.views in its metadata"),
      (
        facts("drawml.views", #"{"picture":{"sequence":{"steps":8}}}"#),
        "drawml.views makes picture of the shape [1, 8, 6], it is [10, 12, 4]"
      ),
      (facts("drawml.refusalRate", "0.6"), "drawml.refusalRate is 0.6"),
      (
        network { $0.neuralNetwork.layers[0].input = ["paper"] },
        "its input paper is not an earlier value"
      ),
      (network { $0.neuralNetwork.layers.removeLast() }, "compares other vectors"),
      (network { $0.neuralNetwork.layers[1].layer = nil }, "layer 2, convolution2: it is of a"),
      (
        network { $0.description_p.input[0].type.multiArrayType.shape = Data(varints: [4, 10]) },
        "shape of picture has 2 axes"
      ),
      (
        network {
          $0.description_p.input[0].type.multiArrayType.shape = Data(varints: [4, 1 << 30, 1 << 30])
        }, "shape is 1073741824; it must be at most 1048576"
      ),
    ] as [(CoreMLModel, String)] {
      let error = #expect(throws: FileError.self, "\(words)") { try Self.read(model) }
      #expect(error?.description.contains(words) == true, "\(words): \(error as Any)")
    }
  }

  @Test(
    "Hostile classifiers are refused by what is wrong in them",
    arguments: [
      ("short", "floatSamples[1] has 1 numbers, numberOfDimensions is 2"),
      ("nan", "floatSamples[0] has a number that is not finite"),
      ("long", "sample 1 has the length inf, not 1"),
      ("many-labels", "5,002 labels are too many"),
      ("large-picture", "dense: it is for 64 values, the value before it has 1099511627776"),
      ("doubled", "layer 3, s0: it adds a value to itself"),
      ("parts", "it has more than 64 parts of lists"),
    ])
  func hostile(name: String, words: String) {
    let path = "\(Repository.path)/Tests/Hostile/coreml/classifier-\(name)"
    let error = #expect(throws: FileError.self) {
      try CoreMLImport.recognizer(at: path, software: "0")
    }
    #expect(error?.description.contains(words) == true, "\(error as Any)")
  }

  @Test("Thousands of samples come in; lists in many parts and too many members are refused")
  func limits() throws {
    let lists: [[UInt64]] = [[200, 2], [201, 2]]
    /// A field of field 200 with `count` members of two bytes.
    func part(_ count: Int) -> [UInt8] {
      let members = [[UInt8]](repeating: [18, 1, 7], count: count).joined()
      return [0xc2, 0x0c] + [UInt8](Data(varints: [members.count])) + members
    }
    try WireLimits.check(part(10_000), lists: lists)
    #expect(throws: ImportError.unsupported("it has more than 4096 fields")) {
      try WireLimits.check(part(10_000))
    }
    try WireLimits.check(Array((0..<64).map { _ in part(3) }.joined()), lists: lists)
    #expect(throws: ImportError.unsupported("it has more than 64 parts of lists")) {
      try WireLimits.check(Array((0..<65).map { _ in part(3) }.joined()), lists: lists)
    }
    #expect(
      throws: ImportError.unsupported("it has more than 262144 samples and labels of samples")
    ) { try WireLimits.check(part(300_000), lists: lists) }
  }
}

@Suite("Networks in graphs")
struct GraphReaderTests {
  private func step(
    _ kind: GraphStep.Kind, _ inputs: [String], _ output: String
  ) -> GraphStep {
    GraphStep(place: output, kind: kind, inputs: inputs, output: output)
  }

  private func network(_ steps: [GraphStep]) throws -> Network {
    var reader = try GraphReader(inputs: [("x", [4, 4, 1])], steps: steps)
    let parts = try reader.parts(of: "y")
    return try #require(parts.first).network
  }

  private func convolution(_ value: Float) -> GraphStep.Kind {
    .convolution(Tensor(shape: [1, 1, 1, 1], values: [value]), bias: [])
  }

  @Test("Chains that part and meet are residual layers and branches, within each other, too")
  func structure() throws {
    let network = try network([
      step(convolution(1), ["x"], "a"), step(convolution(2), ["a"], "b"),
      step(convolution(3), ["a"], "c"), step(.sum, ["b", "c"], "d"),
      step(.sum, ["a", "d"], "e"), step(.means(), ["e"], "f"), step(.means(), ["e"], "g"),
      step(.concatenation, ["f", "g"], "y"),
    ])
    let point = Layer.convolution(channels: 1, kernel: 1, bias: false)
    #expect(
      network.architecture.layers == [
        point, .residual(body: [.residual(body: [point], shortcut: [point])]),
        .branches([[.globalAveragePool], [.globalAveragePool]]),
      ])
    #expect(network.parameters == [1, 2, 3])
  }

  @Test("Steps that cross, double or lead nowhere are refused by name")
  func refused() throws {
    for (steps, words) in [
      (
        [
          step(convolution(1), ["x"], "a"), step(convolution(2), ["x"], "b"),
          step(.sum, ["a", "b"], "c"), step(.sum, ["a", "c"], "y"),
        ], "a: chains that branch before it do not meet at one node"
      ),
      ([step(.sum, ["x", "x"], "y")], "y: it adds a value to itself"),
      ([step(.rectifier, ["z"], "y")], "y: its input z is not an earlier value"),
      ([step(.rectifier, ["x"], "x")], "x: two values have the name x"),
      ([step(.sum, ["x"], "y")], "y: it has 1 inputs"),
      ([step(.rectifier, ["x"], "y")], "y is a picture, not a vector"),
      ([step(.rectifier, ["x"], "z")], "its output y is not one of its values"),
      (
        [
          step(.linearMap(Tensor(shape: [16, 1], repeating: 1), bias: []), ["x"], "y")
        ], "y: it takes a picture that was not flattened"
      ),
      (
        [
          step(.means(), ["x"], "a"),
          step(.linearMap(Tensor(shape: [2, 1], repeating: 1), bias: []), ["a"], "y"),
        ], "y: it is for 2 values, the value before it has 1"
      ),
      (
        [step(.means(), ["x"], "a"), step(.product(factor: 2), ["a"], "y")],
        "y: it multiplies by a number within a network"
      ),
    ] as [([GraphStep], String)] {
      let error = #expect(throws: ImportError.self, "\(words)") { _ = try network(steps) }
      #expect(error?.description.hasSuffix(words) == true, "\(error as Any)")
    }
  }
}
