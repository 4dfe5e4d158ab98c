import Foundation
import Numbers
import Testing

@testable import NeuralNetwork

private let layers: [Layer] = [
  .convolution(channels: 4, bias: true), .batchNormalization(momentum: 0.2, epsilon: 1e-4), .relu,
  .maxPool(),
  .residual(
    body: [
      .convolution(channels: 6, bias: false), .batchNormalization(), .relu,
      .convolution(channels: 6, bias: true), .batchNormalization(),
    ],
    shortcut: [.convolution(channels: 6, kernel: 1, bias: false), .batchNormalization()]),
  .relu, .residual(body: [.convolution(channels: 6), .relu]), .globalAveragePool,
  .dropout(rate: 0.3), .dense(features: 5), .batchNormalization(), .l2Normalize(),
  .cosineClassifier(classes: 3),
]

/// A network of most kinds of layers whose values are nowhere what they begin with.
private func network() throws -> Network {
  var generator = SeededGenerator(seed: 5)
  var network = try Network(
    .init(inputShape: [6, 6, 2], layers: layers), using: &generator)
  network.move(parameters: 0.2, statistics: 0.5, using: &generator)
  return network
}

private func pictures(_ count: Int) -> Tensor {
  var generator = SeededGenerator(seed: 6)
  return Tensor(shape: [count, 6, 6, 2], values: generator.normals(count * 72))
}

@Suite("Networks")
struct NetworkTests {
  @Test("An architecture survives JSON")
  func coding() throws {
    let architecture = try network().architecture
    let json = try JSONEncoder().encode(architecture)
    #expect(try JSONDecoder().decode(Network.Architecture.self, from: json) == architecture)
    var other = architecture
    let dropout = try #require(other.layers.firstIndex(of: .dropout(rate: 0.3)))
    other.layers[dropout] = .dropout(rate: 0.2)
    #expect(other != architecture)
    other = architecture
    let residual = try #require(other.layers.firstIndex { $0.kind == .residual })
    other.layers[residual] = .residual(body: [.convolution(channels: 6)], shortcut: [.relu])
    #expect(other != architecture)
  }

  /// Every kind of layer.
  static let stored: [Layer] = [
    .convolution(channels: 4), .convolution(channels: 4, kernel: 5, rows: 1, bias: false),
    .batchNormalization(), .relu, .maxPool(), .maxPool(rows: 1),
    .residual(body: [.convolution(channels: 4)], shortcut: [.dropout(rate: 0.25)]),
    .globalAveragePool, .dense(features: 5, bias: false), .l2Normalize(),
    .branches([[.cosineClassifier(classes: 3, scale: 8, learnsScale: false)], []]),
  ]

  @Test("Every kind of layer is stored under its name and its settings' names")
  func storedForm() throws {
    let architecture = Network.Architecture(inputShape: [8, 8, 2], layers: Self.stored)
    #expect(architecture.layerCount == 12)
    let stored =
      #"{"inputShape":[8,8,2],"layers":["#
      + #"{"bias":true,"channels":4,"kernel":3,"kind":"convolution"},"#
      + #"{"bias":false,"channels":4,"kernel":5,"kind":"convolution","rows":1},"#
      + #"{"epsilon":1e-05,"kind":"batchNormalization","momentum":0.1},"#
      + #"{"kind":"relu"},{"kind":"maxPool"},{"kind":"maxPool","rows":1},"#
      + #"{"body":[{"bias":true,"channels":4,"kernel":3,"kind":"convolution"}],"#
      + #""kind":"residual","shortcut":[{"kind":"dropout","rate":0.25}]},"#
      + #"{"kind":"globalAveragePool"},{"bias":false,"features":5,"kind":"dense"},"#
      + #"{"epsilon":1e-12,"kind":"l2Normalize"},"#
      + #"{"chains":[[{"classes":3,"kind":"cosineClassifier","learnsScale":false,"scale":8}],[]],"#
      + #""kind":"branches"}]}"#
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    #expect(String(decoding: try encoder.encode(architecture), as: UTF8.self) == stored)
    let read = try JSONDecoder().decode(Network.Architecture.self, from: Data(stored.utf8))
    #expect(read == architecture)
  }

  @Test("A layer of a newer version is named, also inside a residual one")
  func unknownLayer() {
    for json in [
      #"{"inputShape":[4],"layers":[{"kind":"attention","heads":2}]}"#,
      #"{"inputShape":[4],"layers":[{"kind":"residual","body":[{"kind":"attention"}],"shortcut":[]}]}"#,
    ] {
      #expect(throws: NetworkError.unknownLayer("attention")) {
        try JSONDecoder().decode(Network.Architecture.self, from: Data(json.utf8))
      }
    }
  }

  @Test("Layers that do not fit together are refused with the shape that does not fit")
  func misfits() {
    func error(_ input: [Int], _ layers: [Layer]) -> NetworkError? {
      #expect(throws: NetworkError.self) {
        var generator = SeededGenerator(seed: 0)
        _ = try Network(.init(inputShape: input, layers: layers), using: &generator)
      }
    }
    #expect(
      error([1, 4, 2], [.maxPool()])
        == .unsuitableInput(
          layer: "a max-pool", shape: [1, 4, 2],
          needs: "[height, width, channels] of at least 2 × 2"))
    #expect(
      error([4, 4, 2], [.residual(body: [.convolution(channels: 3)])])
        == .branchesDiffer(body: [4, 4, 3], shortcut: [4, 4, 2]))
    #expect(
      error([4, 4, 2], [.convolution(channels: 3, kernel: 2)])
        == .badHyperparameter(layer: "a convolution", name: "kernel", value: "2"))
    #expect(
      error([3], [.dropout(rate: 1)])
        == .badHyperparameter(layer: "a dropout", name: "rate", value: "1.0"))
    #expect(error([0, 4, 1], [.relu]) != nil)
    #expect(error([], []) != nil)
    #expect(error([1 << 40, 1 << 40, 2], [.relu]) != nil)
    #expect(error([1 << 13, 1 << 13, 1], [.convolution(channels: 1 << 15)]) != nil)
  }

  @Test("Stored values of a wrong number, or not finite, are refused")
  func storedValues() throws {
    let sound = try network()
    #expect(
      throws: NetworkError.wrongCount(
        of: "parameters", expected: sound.parameters.count, actual: 1)
    ) { try Network(sound.architecture, parameters: [1], statistics: sound.statistics) }
    var broken = sound.statistics
    broken[3] = .nan
    #expect(throws: NetworkError.notFinite("one of the statistics")) {
      try Network(sound.architecture, parameters: sound.parameters, statistics: broken)
    }
    let again = try Network(
      sound.architecture, parameters: sound.parameters, statistics: sound.statistics)
    #expect(again == sound)
  }

  @Test("Folded batch normalizations compute the same")
  func folding() throws {
    let network = try network()
    let folded = network.folded()
    // The one behind a dense layer stays.
    let dense = try #require(folded.architecture.layers.firstIndex(of: .dense(features: 5)))
    let kept = ["\(dense + 1).mean", "\(dense + 1).variance"]
    #expect(folded.statisticSlots.map(\.name) == kept)
    let input = pictures(20)
    #expect(relativeError(network(input).values, folded(input).values) < 1e-5)
    #expect(folded.folded() == folded)
  }

  @Test("An example gives the same alone and among others")
  func batches() throws {
    let network = try network().folded().dropLast()
    let batch = pictures(37)
    let together = network(batch)
    #expect(together.shape == [37, 5])
    for index in 0..<37 {
      let one = Tensor(
        shape: [1, 6, 6, 2], values: Array(batch.values[(index * 72)..<((index + 1) * 72)]))
      let alone = network(one).values
      for (a, b) in zip(alone, together.values[(index * 5)...]) { #expect(abs(a - b) < 1e-5) }
    }
    #expect(network(pictures(0)).values.isEmpty)
  }

  @Test("Without its last layer a network gives that layer's input")
  func prefix() throws {
    let network = try network()
    let embedding = network.dropLast()
    #expect(embedding.outputShape == [5])
    let vectors = embedding(pictures(3)).values
    for row in 0..<3 {
      let norm = vectors[(row * 5)..<(row * 5 + 5)].reduce(0) { $0 + $1 * $1 }
      #expect(abs(norm - 1) < 1e-5)
    }
    let head = try Network(
      .init(inputShape: [5], layers: [.cosineClassifier(classes: 3)]),
      parameters: Array(network.parameters[embedding.parameters.count...]), statistics: [])
    let scores = head(Tensor(shape: [3, 5], values: vectors)).values
    #expect(relativeError(scores, network(pictures(3)).values) < 1e-6)
  }

  @Test("The standard network has the documented layers and sizes")
  func standard() throws {
    var generator = SeededGenerator(seed: 1)
    let network = try Network.residual(classes: 245, using: &generator)
    #expect(network.outputShape == [245])
    #expect(network.dropLast().outputShape == [128])
    // 3 × 3 convolutions: 1·32, 2 · 32·32, 32·64 + 64·64, 64·128 + 128·128; 1 × 1: 32·64, 64·128.
    let convolutions = 9 * (32 + 2048 + 2048 + 4096 + 8192 + 16384) + 2048 + 8192
    let normalizations = 2 * (3 * 32 + 3 * 64 + 3 * 128)
    #expect(
      network.parameters.count
        == convolutions + normalizations + 128 * 128 + 128 + 245 * 128 + 1)
    var same = SeededGenerator(seed: 1)
    #expect(try Network.residual(classes: 245, using: &same) == network)
    #expect(throws: NetworkError.self) {
      try Network.residual(inputShape: [2, 2, 1], classes: 2, using: &generator)
    }
  }

  @Test("Weights begin with the spread of He et al., scales at 1 and shifts at 0")
  func initialValues() throws {
    var generator = SeededGenerator(seed: 2)
    let network = try Network(
      .init(inputShape: [3, 3, 32], layers: [.convolution(channels: 64), .batchNormalization()]),
      using: &generator)
    let weights = network.parameters[..<(9 * 32 * 64)]
    let variance = weights.reduce(0.0) { $0 + Double($1 * $1) } / Double(weights.count)
    #expect(abs(variance / (2.0 / (9 * 32)) - 1) < 0.05)
    #expect(
      network.parameters[weights.count...].prefix(128)
        == ArraySlice(
          [Float](repeating: 0, count: 64) + [Float](repeating: 1, count: 64)))
    #expect(network.statistics.suffix(64) == ArraySlice([Float](repeating: 1, count: 64)))
  }

  @Test("An architecture with more weights than any machine holds is refused before they are made")
  func absurdWeights() {
    var generator = SeededGenerator(seed: 1)
    for (shape, layers) in [
      ([4096, 4096, 1], [.dense(features: 1 << 20)]),
      ([1, 1, 1 << 16], [.convolution(channels: 1 << 16, kernel: 31)]),
      ([1 << 20], [.cosineClassifier(classes: 1 << 20)]),
    ] as [([Int], [Layer])] {
      #expect(throws: NetworkError.self) {
        try Network(
          Network.Architecture(inputShape: shape, layers: layers), using: &generator)
      }
    }
  }
}
