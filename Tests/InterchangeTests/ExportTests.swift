import Foundation
import Ink
import InterchangeMessages
import NeuralNetwork
import Numbers
import Recognition
import SwiftProtobuf
import Testing

@testable import Interchange

/// What the exports say of themselves; `Tests/Interop` runs them in other programs.
@Suite("Export")
struct ExportTests {
  /// A network of every kind of layer that an embedding can have, for pictures of `channels`.
  private static func network(
    _ shape: [Int], rows: Int? = nil, _ generator: inout SeededGenerator
  ) throws -> Network {
    try Network(
      Network.Architecture(
        inputShape: shape,
        layers: [
          .batchNormalization(), .convolution(channels: 4, kernel: 3, rows: rows), .relu,
          .residual(
            body: [
              .convolution(channels: 6, kernel: 3, rows: rows, bias: false),
              .batchNormalization(), .relu,
            ], shortcut: [.convolution(channels: 6, kernel: 1)]),
          .maxPool(rows: rows), .dropout(rate: 0.1),
          .branches([[.globalAveragePool], [.dense(features: 3, bias: false)]]),
          .dense(features: 5), .l2Normalize(),
        ]), using: &generator)
  }

  static func recognizer(
    _ views: [DrawingView], head: HeadConfiguration = .classMeans
  ) throws -> Recognizer {
    var generator = SeededGenerator(seed: 5)
    let members = try views.enumerated().map { index, view in
      let rows = if case .sequence = view { 1 } else { nil as Int? }
      return try EmbeddingMember(
        view: view, network: network(view.shape, rows: rows, &generator),
        weight: Float(index + 1))
    }
    return Recognizer(
      embedding: try Embedding(members), head: head,
      provenance: Provenance(
        software: "test", seed: 5, threads: 1, dataFingerprint: "", trainingDrawings: 0,
        validationDrawings: 0, validationAccuracy: nil, recipes: []))
  }

  static let ink = DrawingView.picture(Rasterizer(width: 12, height: 10))
  static let flow = DrawingView.picture(
    Rasterizer(width: 12, height: 10, channels: .inkAndFlow))
  static let points = DrawingView.sequence(StrokeSequence(steps: 8))

  static let drawings: [Drawing] = (0..<6).map { (index: Int) -> Drawing in
    let isFlat = index % 2 == 0
    let points = [
      Point(x: 0, y: Double(index)), Point(x: 9, y: isFlat ? 1 : 30), Point(x: 11, y: 4),
    ]
    return Drawing(
      id: "\(index)", label: isFlat ? "flat" : "steep", strokes: [Stroke(points)])
  }

  private static func model(_ recognizer: Recognizer) throws -> CoreMLModel {
    try CoreMLModel(serializedBytes: CoreMLExport.bytes(of: recognizer, software: "test 1"))
  }

  @Test("Inputs: an image where the networks see ink, multi-arrays otherwise")
  func inputs() async throws {
    var mixed = try Self.recognizer([Self.flow, Self.ink, Self.points])
    try await mixed.update(with: Self.drawings)
    let inputs = try Self.model(mixed).description_p.input
    #expect(inputs.map(\.name) == ["picture", "picture2", "strokes"])
    #expect(inputs[0].type.multiArrayType.shape.varints(atMost: 3) == [4, 10, 12])
    #expect(inputs[1].type.imageType.width == 12)
    #expect(inputs[1].type.imageType.height == 10)
    #expect(inputs[2].type.multiArrayType.shape.varints(atMost: 3) == [6, 1, 8])
    let networks = try Self.model(mixed).pipelineClassifier.pipeline.models[0]
    #expect(networks.neuralNetwork.preprocessing.map(\.featureName) == ["picture2"])
    #expect(networks.neuralNetwork.preprocessing.map(\.scaler.channelScale) == [1 / 255])
  }

  @Test("The networks of images alone have their part of the samples' vectors, at length 1")
  func imagesOnly() async throws {
    var mixed = try Self.recognizer([Self.flow, Self.ink])
    try await mixed.update(with: Self.drawings)
    let left = try mixed.restrictedToImages()
    #expect(left.embedding.members == [mixed.embedding.members[1]])
    #expect(left.labels == ["flat", "steep"])
    for (row, sample) in left.memory.samples.enumerated() {
      let drawing = try #require(Self.drawings.first { $0.id == sample.id })
      for (a, b) in zip(left.memory.vector(row), try left.embedding.vector(of: drawing)) {
        #expect(abs(a - b) < 1e-6)
      }
    }
    #expect(try Self.model(left).description_p.input.map(\.name) == ["picture"])
    // All of a model that sees ink alone.
    let whole = try Self.recognizer([Self.ink])
    #expect(try whole.restrictedToImages().embedding == whole.embedding)
    let error = #expect(throws: ExportError.self) {
      try Self.recognizer([Self.flow, Self.points]).restrictedToImages()
    }
    #expect(
      error?.description == """
        an image is not enough for this model: its networks see the strokes' directions and order \
        beside the ink and the strokes' points; a model trained without --base sees ink alone
        """)
  }

  @Test("The classifier holds the samples with their labels and votes as the head does")
  func samples() async throws {
    var recognizer = try Self.recognizer(
      [Self.ink], head: .nearestNeighbors(count: 2, weights: .uniform))
    #expect(throws: ExportError.nothingTaught) { try Self.model(recognizer) }
    try await recognizer.update(with: Self.drawings)
    let neighbors = try Self.model(recognizer).pipelineClassifier.pipeline.models[1]
    let classifier = neighbors.kNearestNeighborsClassifier
    let samples = classifier.nearestNeighborsIndex.floatSamples.compactMap(\.vector.floats)
    #expect(samples.joined().elementsEqual(recognizer.memory.vectors))
    #expect(
      classifier.stringClassLabels.vector == recognizer.memory.samples.map(\.label))
    #expect(classifier.numberOfNeighbors.defaultValue == 2)
    #expect(classifier.weightingScheme == .uniformWeighting(.init()))
  }

  @Test("The same model gives the same bytes; without labels, ONNX has the embedding alone")
  func bytes() async throws {
    var recognizer = try Self.recognizer([Self.ink, Self.points])
    #expect(throws: ExportError.nothingTaught) {
      try ONNXExport.bytes(of: recognizer, software: "test 1")
    }
    let bare = try Onnx_ModelProto(
      serializedBytes: ONNXExport.bytes(
        of: recognizer, isEmbeddingOnly: true, software: "test 1"))
    #expect(bare.graph.output.map(\.name) == ["embedding"])
    try await recognizer.update(with: Self.drawings)
    let (copy, original) = (recognizer, recognizer)
    #expect(
      try CoreMLExport.bytes(of: copy, software: "a")
        == CoreMLExport.bytes(of: original, software: "a"))
    #expect(
      try ONNXExport.bytes(of: copy, software: "a")
        == ONNXExport.bytes(of: original, software: "a"))
  }

  @Test("Test vectors leave out drawings with too little ink")
  func vectors() async throws {
    var recognizer = try Self.recognizer([Self.ink, Self.points])
    try await recognizer.update(with: Self.drawings)
    let dot = Drawing(strokes: [Stroke([Point(x: 1, y: 1)])])
    let tests = try TestVectors(of: Self.drawings + [dot], by: recognizer)
    #expect(tests.count == 6)
    #expect(throws: ExportError.self) {
      try TestVectors(of: Array(repeating: dot, count: 100_000), by: recognizer)
    }
    #expect(tests.vectors[0].inputs["picture"]?.count == 120)
    #expect(tests.vectors[0].inputs["strokes"]?.count == 48)
    // Channels first: the third row of the points is the cosine of the direction.
    let strokes = try #require(tests.vectors[0].inputs["strokes"])
    #expect(strokes[16..<24].allSatisfy { abs($0) <= 1 })
    #expect(strokes[32..<40].elementsEqual([1, 0, 0, 0, 0, 0, 0, 0]))
  }
}

@Suite("Packed numbers")
struct PackingTests {
  @Test("Lists are as the encoding guide writes them")
  func literal() {
    #expect([UInt8](Data(varints: [3, 270, 86942])) == [0x03, 0x8e, 0x02, 0x9e, 0xa7, 0x05])
    #expect(Data([0x03, 0x8e, 0x02, 0x9e, 0xa7, 0x05]).varints(atMost: 3) == [3, 270, 86942])
    #expect([UInt8](Data(packing: [Float(1), -2])) == [0, 0, 0x80, 0x3f, 0, 0, 0, 0xc0])
    #expect(Data([0, 0, 0x80, 0x3f, 0, 0, 0, 0xc0]).floats == [1, -2])
    #expect([UInt8](Data(packing: [Int64(-2)])) == [0xfe] + [UInt8](repeating: 0xff, count: 7))
  }

  @Test("What ends too early, is too long or too many is no list")
  func malformed() {
    #expect(Data([0x80]).varints(atMost: 8) == nil)
    #expect(Data([UInt8](repeating: 0xff, count: 9) + [2]).varints(atMost: 8) == nil)
    #expect(Data([UInt8](repeating: 0xff, count: 9) + [1]).varints(atMost: 8) == [.max])
    #expect(Data([1, 2, 3]).varints(atMost: 2) == nil)
    #expect(Data([1, 2, 3]).floats == nil)
  }
}
