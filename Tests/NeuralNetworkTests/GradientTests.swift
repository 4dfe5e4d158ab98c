import Numbers
import Testing

@testable import NeuralNetwork

/// The derivative of `function` at `values[index]` from four function values; the error is of
/// fourth order, so that steps can be long enough for single precision.
private func slope(
  _ values: [Float], _ index: Int, _ step: Float, _ function: ([Float]) -> Double
) -> Float {
  func value(_ steps: Float) -> Double {
    var moved = values
    moved[index] += steps * step
    return function(moved)
  }
  let near = value(1) - value(-1)
  let far = value(2) - value(-2)
  return Float((8 * near - far) / (12 * Double(step)))
}

struct GradientCase: CustomTestStringConvertible, Sendable {
  let name: String
  let inputShape: [Int]
  let layers: [Layer]
  var isTraining = true
  /// Whether inputs must keep away from kinks.
  var spaced = false

  var testDescription: String { name }

  static let all: [GradientCase] = [
    .init(name: "convolution 3 × 3", inputShape: [4, 5, 2], layers: [.convolution(channels: 3)]),
    .init(
      name: "convolution 1 × 1 without bias", inputShape: [3, 2, 3],
      layers: [.convolution(channels: 4, kernel: 1, bias: false)]),
    .init(
      name: "convolution 5 × 5 on a smaller picture", inputShape: [3, 4, 2],
      layers: [.convolution(channels: 2, kernel: 5)]),
    .init(
      name: "convolution 1 × 5 on a sequence", inputShape: [1, 8, 3],
      layers: [.convolution(channels: 2, kernel: 5, rows: 1)]),
    .init(
      name: "convolution 3 × 1", inputShape: [4, 3, 2],
      layers: [.convolution(channels: 3, kernel: 1, rows: 3)]),
    .init(
      name: "batch normalization in training", inputShape: [2, 3, 3],
      layers: [.batchNormalization()]),
    .init(
      name: "batch normalization of 17 features", inputShape: [17],
      layers: [.batchNormalization()]),
    .init(
      name: "batch normalization in use", inputShape: [2, 3, 3], layers: [.batchNormalization()],
      isTraining: false),
    .init(name: "rectifier", inputShape: [3, 3, 2], layers: [.relu], spaced: true),
    .init(name: "max-pool", inputShape: [4, 4, 2], layers: [.maxPool()], spaced: true),
    .init(
      name: "max-pool of odd sides", inputShape: [5, 3, 2], layers: [.maxPool()], spaced: true),
    .init(
      name: "max-pool of a sequence", inputShape: [1, 7, 2], layers: [.maxPool(rows: 1)],
      spaced: true),
    .init(name: "global average pool", inputShape: [3, 4, 3], layers: [.globalAveragePool]),
    .init(name: "dense", inputShape: [2, 2, 3], layers: [.dense(features: 5)]),
    .init(name: "dense without bias", inputShape: [6], layers: [.dense(features: 4, bias: false)]),
    .init(name: "dropout", inputShape: [12], layers: [.dropout(rate: 0.4)]),
    .init(
      name: "residual", inputShape: [3, 3, 3],
      layers: [.residual(body: [.convolution(channels: 3, bias: false), .batchNormalization()])]),
    .init(
      name: "residual with a shortcut", inputShape: [4, 3, 2],
      layers: [
        .residual(
          body: [
            .convolution(channels: 4, bias: false), .batchNormalization(),
            .convolution(channels: 3),
          ],
          shortcut: [.convolution(channels: 3, kernel: 1, bias: false), .batchNormalization()])
      ]),
    .init(
      name: "residual in a residual", inputShape: [3, 3, 2],
      layers: [
        .dropout(rate: 0),
        .residual(body: [
          .convolution(channels: 2), .residual(body: [.convolution(channels: 2)]),
          .convolution(channels: 2),
        ]),
        .convolution(channels: 3, kernel: 1),
      ]),
    .init(name: "L2 normalization", inputShape: [6], layers: [.l2Normalize()]),
    .init(
      name: "cosine classifier", inputShape: [6],
      layers: [.cosineClassifier(classes: 4, scale: 3)]),
    .init(
      name: "cosine classifier of fixed scale", inputShape: [5],
      layers: [.l2Normalize(), .cosineClassifier(classes: 3, scale: 2, learnsScale: false)]),
    .init(
      name: "branches", inputShape: [6],
      layers: [
        .dense(features: 4),
        .branches([
          [.l2Normalize(), .cosineClassifier(classes: 5, scale: 2)], [.dense(features: 7)], [],
        ]),
        .dense(features: 3),
      ]),
    .init(
      name: "branches on a picture", inputShape: [4, 4, 2],
      layers: [
        .branches([
          [.globalAveragePool],
          [.convolution(channels: 3, bias: false), .batchNormalization(), .dense(features: 2)],
        ])
      ]),
  ]
}

@Suite("Gradients")
struct GradientTests {
  @Test("agree with finite differences", arguments: GradientCase.all)
  func layer(_ test: GradientCase) throws {
    var generator = SeededGenerator(seed: 20)
    var network = try Network(
      .init(inputShape: test.inputShape, layers: test.layers), using: &generator)
    // Scales of 1 and shifts of 0 would hide mistakes.
    network.move(parameters: 0.3, statistics: 0.3, using: &generator)
    let count = 5
    let inputCount = count * network.inputSize
    let input = test.spaced ? generator.spaced(inputCount) : generator.normals(inputCount)
    let weights = generator.normals(count * network.outputSize)

    func objective(_ input: [Float], _ parameters: [Float]) -> Double {
      guard var probe = try? Probe(network, count: count, isTraining: test.isTraining) else {
        return .nan
      }
      probe.pass.parameters = parameters
      return zip(probe.forward(input), weights).reduce(0) { $0 + Double($1.0) * Double($1.1) }
    }

    var probe = try Probe(network, count: count, isTraining: test.isTraining)
    _ = probe.forward(input)
    let gradient = probe.backward(input, weights)
    let step: Float = 0.02
    let byInput = input.indices.map { index in
      slope(input, index, step) { objective($0, network.parameters) }
    }
    #expect(gradient.input.contains { $0 != 0 })
    #expect(relativeError(gradient.input, byInput) < 5e-4)
    var start = 0
    for slot in network.parameterSlots {
      let range = start..<(start + slot.count)
      let expected = range.map { index in
        slope(network.parameters, index, step) { objective(input, $0) }
      }
      #expect(gradient.parameters[range].contains { $0 != 0 }, "\(slot.name)")
      #expect(relativeError(gradient.parameters[range], expected) < 5e-4, "\(slot.name)")
      start = range.upperBound
    }
  }

  @Test("of the loss agree with finite differences", arguments: [Float(0), 0.1, 0.7])
  func loss(smoothing: Float) {
    var generator = SeededGenerator(seed: 3)
    let (labels, classes) = ([2, 0, 3], 4)
    let logits = generator.normals(labels.count * classes, deviation: 2)
    let loss = TrainingLoss(labelSmoothing: smoothing)
    var gradient = logits
    _ = loss(logits, width: classes, labels: labels, gradient: &gradient, factor: 0.5)
    let expected = logits.indices.map { index in
      slope(logits, index, 0.05) { moved in
        var unused = moved
        return 0.5 * loss(moved, width: classes, labels: labels, gradient: &unused).loss
      }
    }
    #expect(relativeError(gradient, expected) < 1e-4)
  }

  @Test(
    "of the loss with targets agree with finite differences, for examples with and without a class")
  func targetLoss() {
    var generator = SeededGenerator(seed: 31)
    let (labels, classes, size): ([Int?], Int, Int) = ([1, nil, 0, nil], 3, 4)
    let output = generator.normals(labels.count * (classes + size))
    var targets = generator.normals(labels.count * size)
    // The last one has no target.
    for index in (3 * size)..<(4 * size) { targets[index] = 0 }
    let loss = TrainingLoss(labelSmoothing: 0.1, targetWeight: 2.5)
    var gradient = output.map { _ in Float.nan }
    _ = loss(
      output, width: classes + size, targets: targets, targetSize: size, labels: labels,
      gradient: &gradient, factor: 0.5)
    let expected = output.indices.map { index in
      slope(output, index, 0.02) { moved in
        var unused = moved
        return 0.5
          * loss(
            moved, width: classes + size, targets: targets, targetSize: size, labels: labels,
            gradient: &unused
          ).loss
      }
    }
    #expect(relativeError(gradient, expected) < 1e-4)
    #expect(gradient[(3 * 7)...].allSatisfy { $0 == 0 }, "nothing is known of the last")
  }

  @Test("gather: a second backward pass adds to the first")
  func gather() throws {
    var generator = SeededGenerator(seed: 4)
    let network = try Network(
      .init(inputShape: [4, 4, 1], layers: [.convolution(channels: 2), .dense(features: 3)]),
      using: &generator)
    let (input, weights) = (generator.normals(32), generator.normals(6))
    var probe = try Probe(network, count: 2)
    _ = probe.forward(input)
    let once = probe.backward(input, weights).parameters
    var gradient = weights + [Float](repeating: 0, count: probe.pass.spare.count - weights.count)
    network.architecture.layers.backward(input, &gradient, &probe.states, &probe.pass)
    #expect(relativeError(probe.pass.gradient, once.map { 2 * $0 }) < 1e-6)
  }
}
