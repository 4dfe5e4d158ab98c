import Foundation
import Testing

@testable import NeuralNetwork

/// What PyTorch computed; made by scripts/make-pytorch-fixtures.
private struct TorchCase: Decodable {
  struct Run: Decodable {
    let name: String
    let losses: [Double]
    let parameters: [Float]
    let statistics: [Float]
    let logits: [Float]
  }

  let head: String
  let inputShape: [Int]
  let input: [Float]
  let labels: [Int]
  let parameters: [Float]
  let logits: [Float]
  let loss: Double
  let gradient: [Float]
  let optimizers: [Run]

  static func all() throws -> [TorchCase] {
    let url = try #require(
      Bundle.module.url(forResource: "pytorch", withExtension: "json", subdirectory: "Fixtures"))
    return try JSONDecoder().decode([TorchCase].self, from: Data(contentsOf: url))
  }

  func network() throws -> Network {
    let block = Layer.residual(
      body: [
        .convolution(channels: 6, bias: false), .batchNormalization(), .relu,
        .convolution(channels: 6, bias: false), .batchNormalization(),
      ],
      shortcut: [.convolution(channels: 6, kernel: 1)])
    let head: [Layer] =
      head == "cosine"
      ? [.l2Normalize(), .cosineClassifier(classes: 5, scale: 6)] : [.relu, .dense(features: 5)]
    let layers: [Layer] = [
      .convolution(channels: 4, bias: false), .batchNormalization(), .relu, .maxPool(), block,
      .relu, .globalAveragePool, .dense(features: 8),
    ]
    let statistics: [Float] = [4, 6, 6].flatMap { channels in
      [Float](repeating: 0, count: channels) + [Float](repeating: 1, count: channels)
    }
    return try Network(
      .init(inputShape: inputShape, layers: layers + head), parameters: parameters,
      statistics: statistics)
  }
}

private let optimizers: [String: (Optimizer, Float)] = [
  "sgd": (.sgd(momentum: 0.9, weightDecay: 0.05), 0.05),
  "nesterov": (.sgd(momentum: 0.9, nesterov: true, weightDecay: 0.05), 0.05),
  "adamW": (.adamW(beta1: 0.9, beta2: 0.99, epsilon: 1e-8, weightDecay: 0.05), 0.01),
]

@Suite("PyTorch")
struct TorchTests {
  @Test("gives the same scores, loss and gradient of every parameter")
  func gradients() throws {
    for test in try TorchCase.all() {
      let network = try test.network()
      var probe = try Probe(network, count: test.labels.count)
      let logits = Array(probe.forward(test.input)[..<test.logits.count])
      #expect(relativeError(logits, test.logits) < 1e-5, "\(test.head)")
      var gradient = logits
      let result = TrainingLoss(labelSmoothing: 0.1)(
        logits, width: 5, labels: test.labels, gradient: &gradient,
        factor: 1 / Float(test.labels.count))
      #expect(abs(result.loss / Double(test.labels.count) - test.loss) < 1e-5)
      let found = probe.backward(test.input, gradient).parameters
      #expect(relativeError(found, test.gradient) < 1e-5, "\(test.head)")
      var start = 0
      for slot in network.parameterSlots {
        let range = start..<(start + slot.count)
        let expected = test.gradient[range]
        #expect(relativeError(found[range], expected) < 2e-5, "\(test.head) \(slot.name)")
        start = range.upperBound
      }
    }
  }

  @Test("reaches the same parameters, statistics and scores in ten steps of each optimizer")
  func optimizerSteps() throws {
    for test in try TorchCase.all() {
      for run in test.optimizers {
        let (optimizer, rate) = try #require(optimizers[run.name])
        var network = try test.network()
        var state = OptimizerState(optimizer, parameterCount: network.parameters.count)
        for loss in run.losses {
          var probe = try Probe(network, count: test.labels.count)
          let logits = probe.forward(test.input)
          var gradient = logits
          let result = TrainingLoss(labelSmoothing: 0.1)(
            logits, width: 5, labels: test.labels, gradient: &gradient,
            factor: 1 / Float(test.labels.count))
          #expect(abs(result.loss / Double(test.labels.count) - loss) < 1e-5, "\(run.name)")
          let slope = probe.backward(test.input, Array(gradient[..<test.logits.count])).parameters
          network.statisticSlots.move(&network.statistics, to: probe.pass.statistics)
          optimizer.step(
            &network.parameters, gradient: slope, slots: network.parameterSlots,
            learningRate: rate, &state)
        }
        let what = "\(test.head) \(run.name)"
        #expect(relativeError(network.parameters, run.parameters) < 2e-5, "\(what)")
        let input = Tensor(shape: [test.labels.count] + test.inputShape, values: test.input)
        #expect(relativeError(network(input).values, run.logits) < 1e-4, "\(what)")
        #expect(relativeError(network.statistics, run.statistics) < 2e-5, "\(what)")
        #expect(relativeError(test.parameters, run.parameters) > 1e-2, "\(what) moved")
      }
    }
  }
}
