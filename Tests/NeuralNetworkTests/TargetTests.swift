import Foundation
import Numbers
import Testing

@testable import NeuralNetwork

/// Bars, of which every third has no class, each with a direction for its kind as the target.
private struct TaughtBars: TrainingData {
  var bars = Bars()
  var targetSize = 2

  var count: Int { bars.count }
  var fingerprint: String { "taught bars" }

  func fill(
    _ input: inout MutableSpan<Float>, target: inout MutableSpan<Float>, with index: Int,
    using generator: inout SeededGenerator
  ) throws -> Int? {
    var nothing: [Float] = []
    var none = nothing.mutableSpan
    let label = try bars.fill(&input, target: &none, with: index, using: &generator)
    let angle = Double(index % 3) * 2 * .pi / 3
    // Its length does not matter.
    target[0] = Float(7 * cos(angle))
    target[1] = Float(7 * sin(angle))
    return index / 3 % 3 == 0 ? nil : label
  }
}

private func network() throws -> Network {
  var generator = SeededGenerator(seed: 6)
  return try Network.residual(
    inputShape: [8, 8, 1], channels: [4, 6], blocks: [0, 1], pooling: .maxAndFlatten, embedding: 8,
    classes: 3, targets: 2, using: &generator)
}

private func settings() -> TrainingLoop.Configuration {
  TrainingLoop.Configuration(
    epochs: 3, batchSize: 24, shardSize: 8, optimizer: .adamW(weightDecay: 0.01),
    learningRate: 0.01, warmUpEpochs: 0.5, targetWeight: 2, gradientNormLimit: 5,
    averagingDecay: 0.9, seed: 4)
}

@Suite("Targets")
struct TargetTests {
  @Test("The loss of an example is its cross-entropy, and the weighted distance to its target")
  func literal() {
    // Two classes of equal score: ln 2. Student (3, 4), target (0, 2): cosine 0.8.
    let output: [Float] = [1, 1, 3, 4, 5, 5, 3, 4]
    var gradient = output
    let result = TrainingLoss(targetWeight: 10)(
      output, width: 4, targets: [0, 2, 0, 2], targetSize: 2, labels: [0, nil], gradient: &gradient)
    #expect(abs(result.loss - (log(2) + 2 * 10 * 0.2)) < 1e-6)
    #expect(result.labeled == 1)
    #expect(result.correct == 1)
    #expect(abs(result.cosines - 1.6) < 1e-6)
    // d(1 - cos)/ds = cos · s / |s|² - t / (|s| |t|) = 0.8 · (3, 4) / 25 - (0, 1) / 5, times 10.
    #expect(gradient[0] == -0.5 && gradient[1] == 0.5)
    #expect(abs(gradient[2] - 0.96) < 1e-5 && abs(gradient[3] + 0.72) < 1e-5)
    #expect(gradient[4] == 0 && gradient[5] == 0)
  }

  @Test("A student vector of zeros and a target of zeros give finite gradients")
  func zeros() {
    let output: [Float] = [0, 0, 0, 0]
    var gradient: [Float] = [9, 9, 9, 9]
    let loss = TrainingLoss(targetWeight: 1)
    let lost = loss(
      output, width: 4, targets: [1, 0], targetSize: 2, labels: [nil], gradient: &gradient)
    #expect(lost.loss == 1)
    #expect(gradient.allSatisfy { $0.isFinite })
    let free = loss(
      output, width: 4, targets: [0, 0], targetSize: 2, labels: [nil], gradient: &gradient)
    #expect(free == TrainingLoss.Result())
    #expect(gradient == [0, 0, 0, 0])
  }

  @Test("follows its targets, with the same bytes for any number of threads")
  func threads() async throws {
    var networks: [Network] = []
    var last: TrainingLoop.EpochSummary?
    for threads in [1, 3] {
      var configuration = settings()
      configuration.epochs = 16
      configuration.threads = threads
      let outcome = try await TrainingLoop(configuration).fit(try network(), to: TaughtBars())
      networks.append(outcome.network)
      let cosines = outcome.history.compactMap(\.targetCosine)
      #expect(cosines.count == 16)
      let final = try #require(cosines.last)
      #expect(final > 0.8)
      #expect(final > cosines[0])
      last = outcome.history.last
    }
    #expect(networks[0] == networks[1])
    #expect((last?.trainingAccuracy ?? 0) > 0.8, "of those with a class")
    let score = try await networks[0].evaluate(on: TaughtBars())
    #expect(score.accuracy > 0.8)
  }

  @Test("Targets that leave no room for classes are refused")
  func tooLong() async throws {
    await #expect(throws: NetworkError.self) {
      try await TrainingLoop(settings()).fit(try network(), to: TaughtBars(targetSize: 5))
    }
  }

  @Test("A residual network has the stages, blocks and pooling that are asked for")
  func stages() throws {
    var generator = SeededGenerator(seed: 1)
    let network = try Network.residual(
      inputShape: [28, 28, 4], channels: [24, 64, 128], blocks: [0, 1, 2],
      pooling: .maxAndFlatten, embedding: 256, classes: 10, targets: 128, using: &generator)
    #expect(network.outputShape == [138])
    let shortcuts = network.architecture.layers.compactMap { layer in
      if case .residual(let residual) = layer { residual.shortcut } else { nil }
    }
    #expect(shortcuts.map(\.isEmpty) == [false, false, true])
    let embedding = network.dropLast()
    #expect(embedding.outputShape == [256])
    // 28 → 14 → 7 → 3 pixels a side.
    let dense = try #require(embedding.parameterSlots.last { $0.shape.count == 2 })
    #expect(dense.shape == [3 * 3 * 128, 256])
    let large = try Network.residual(
      inputShape: [32, 32, 4], channels: [8, 8, 8], blocks: [0, 0, 1], pooling: .maxAndFlatten,
      embedding: 4, classes: 2, using: &generator)
    #expect(large.parameterSlots.contains { $0.shape == [4 * 4 * 8, 4] })
    #expect(throws: NetworkError.self) {
      try Network.residual(channels: [8, 8], blocks: [1], classes: 2, using: &generator)
    }
    let json = try JSONEncoder().encode(network.architecture)
    let read = try JSONDecoder().decode(Network.Architecture.self, from: json)
    #expect(read == network.architecture)
    let input = Tensor(shape: [2, 28, 28, 4], values: generator.normals(2 * 28 * 28 * 4))
    #expect(relativeError(network(input).values, network.folded()(input).values) < 1e-5)
  }

  @Test("Branches give what their chains give, one after the other")
  func branches() throws {
    let network = try Network(
      .init(inputShape: [2], layers: [.branches([[.dense(features: 1)], [], [.relu]])]),
      parameters: [10, 100, 5], statistics: [])
    let output = network(Tensor(shape: [2, 2], values: [1, -2, 3, 4])).values
    // 10 · 1 - 100 · 2 + 5, and 10 · 3 + 100 · 4 + 5.
    let expected: [Float] = [-185, 1, -2, 1, 0, 435, 3, 4, 3, 4]
    #expect(output == expected)
    var generator = SeededGenerator(seed: 1)
    #expect(throws: NetworkError.self) {
      try Network(.init(inputShape: [2], layers: [.branches([])]), using: &generator)
    }
    #expect(throws: NetworkError.self) {
      try Network(
        .init(inputShape: [2, 2, 1], layers: [.branches([[.maxPool()], []])]), using: &generator)
    }
  }
}
