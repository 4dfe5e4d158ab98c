import Numbers
import Testing

@testable import NeuralNetwork

/// Layers whose training in wide vectors must give what BLAS gives.
struct WideCase: CustomTestStringConvertible, Sendable {
  let name: String
  let inputShape: [Int]
  let layers: [Layer]
  var isTraining = true
  var needsInputGradient = true
  /// The lengths of the groups that form, by where they begin.
  var groups: [Int: Int] = [:]

  var testDescription: String { name }

  static let all: [WideCase] =
    convolutions + pooled
    + [1, 7, 8, 15, 16, 24, 35, 64, 100].flatMap { channels in
      [true, false].map { isTraining in
        .init(
          name: "normalization of \(channels) channels\(isTraining ? "" : " in use")",
          inputShape: [6, 5, channels], layers: [.batchNormalization(), .maxPool()],
          isTraining: isTraining)
      }
    }
    + [3, 16, 40].map { channels in
      .init(
        name: "normalization and rectifier of \(channels) channels",
        inputShape: [6, 5, channels], layers: [.batchNormalization(), .relu, .dense(features: 3)],
        groups: [0: 2])
    }
    + [[2, 2, 3], [5, 7, 8], [1, 9, 19], [2, 3, 35], [1, 8, 64]].map { shape in
      .init(
        name: "rectifier and maximum of \(shape)", inputShape: shape,
        layers: [.relu, .maxPool(rows: shape[0] == 1 ? 1 : nil)])
    }
    + [
      .init(
        name: "residual", inputShape: [7, 6, 5],
        layers: [
          .residual(
            body: [
              .convolution(channels: 24, bias: false), .batchNormalization(), .relu,
              .convolution(channels: 33, bias: false), .batchNormalization(),
            ],
            shortcut: [.convolution(channels: 33, kernel: 1, bias: false), .batchNormalization()]),
          .relu, .maxPool(), .dense(features: 9),
        ])
    ]

  /// Widths above and below what a tile takes, channels above and below what a vector takes.
  private static let convolutions: [WideCase] = [
    ([1, 1, 1], 2, 3, nil), ([4, 5, 2], 3, 3, nil), ([5, 28, 1], 16, 3, nil),
    ([3, 31, 4], 24, 3, nil), ([7, 7, 17], 40, 3, nil), ([9, 3, 13], 65, 3, nil),
    ([3, 4, 2], 2, 5, nil), ([5, 3, 33], 32, 1, nil), ([1, 96, 6], 48, 5, 1),
    ([4, 4, 16], 16, 3, nil), ([7, 9, 24], 40, 3, nil), ([14, 5, 17], 33, 3, nil),
    ([1, 13, 24], 31, 3, 1), ([1, 4, 16], 17, 5, 1), ([1, 15, 40], 20, 5, 1), ([4, 3, 2], 3, 1, 3),
    ([6, 15, 3], 7, 3, 1), ([1, 9, 5], 7, 3, nil), ([1, 7, 17], 40, 5, nil),
  ].map { (shape: [Int], channels: Int, kernel: Int, rows: Int?) in
    WideCase(
      name: "convolution of \(shape) to \(channels), \(rows ?? kernel) × \(kernel)",
      inputShape: shape,
      layers: [.convolution(channels: channels, kernel: kernel, rows: rows), .l2Normalize()])
  }

  private static let pooled: [WideCase] = [
    ([8, 30, 1], 16, false), ([7, 5, 1], 48, false), ([6, 14, 16], 32, true),
    ([5, 7, 32], 64, true), ([4, 2, 48], 16, true), ([3, 16, 64], 80, true),
    ([6, 6, 16], 16, false),
  ].map { (shape: [Int], channels: Int, needsInputGradient: Bool) in
    WideCase(
      name: "convolution, rectifier and maximum of \(shape) to \(channels)", inputShape: shape,
      layers: [.convolution(channels: channels), .relu, .maxPool(), .dense(features: 5)],
      needsInputGradient: needsInputGradient, groups: [0: 3])
  }
}

@Suite("Training in wide vectors")
struct WideTrainingTests {
  @Test("gives what BLAS gives, forward and back", arguments: WideCase.all)
  func layers(_ test: WideCase) throws {
    var generator = SeededGenerator(seed: 31)
    var network = try Network(
      .init(inputShape: test.inputShape, layers: test.layers), using: &generator)
    network.move(parameters: 0.3, statistics: 0.3, using: &generator)
    let count = 5
    let input = generator.normals(count * network.inputSize)
    let weights = generator.normals(count * network.outputSize)

    func run(
      _ backend: Backend
    ) throws -> (output: [Float], input: [Float], parameters: [Float], statistics: [Float]) {
      var probe = try Probe(
        network, count: count, isTraining: test.isTraining, backend: backend,
        needsInputGradient: test.needsInputGradient)
      if backend != .blas {
        for (index, length) in test.groups {
          #expect(probe.states[index].group?.length == length)
        }
      }
      // Twice, so that what a pass leaves behind would show in the next.
      _ = probe.forward(input.reversed())
      _ = probe.backward(input.reversed(), weights)
      let output = probe.forward(input)
      let gradient = probe.backward(input, weights)
      return (output, gradient.input, gradient.parameters, probe.pass.statistics)
    }

    let plain = try run(.blas)
    for backend in Backend.vectors {
      let wide = try run(backend)
      #expect(relativeError(wide.output, plain.output) < 1e-5, "\(backend)")
      #expect(relativeError(wide.statistics, plain.statistics) < 1e-5, "\(backend)")
      #expect(relativeError(wide.parameters, plain.parameters) < 1e-5, "\(backend)")
      #expect(wide.output.contains { $0 != 0 })
      #expect(plain.parameters.isEmpty || plain.parameters.contains { $0 != 0 })
      #expect(plain.parameters.allSatisfy { $0.isFinite })
      if test.needsInputGradient {
        #expect(relativeError(wide.input, plain.input) < 1e-5, "\(backend)")
      }
      // And the same bytes every time.
      #expect(try run(backend).parameters == wide.parameters, "\(backend)")
    }
  }

  @Test("marks the first of equal pixels, and none where all are 0 or below")
  func equalPixels() throws {
    // A convolution that copies its one input, and pictures of the values 0, 1 and -1 alone.
    var generator = SeededGenerator(seed: 32)
    var network = try Network(
      .init(
        inputShape: [6, 6, 1],
        layers: [.convolution(channels: 16), .relu, .maxPool(), .dense(features: 4)]),
      using: &generator)
    for index in 0..<(9 * 16 + 16) { network.parameters[index] = 0 }
    for channel in 0..<16 { network.parameters[4 * 16 + channel] = 1 }
    let input = (0..<(8 * 36)).map { _ in Float(generator.integer(below: 3) - 1) }
    let weights = generator.normals(8 * 4)
    var plain = try Probe(network, count: 8, backend: .blas, needsInputGradient: false)
    let output = plain.forward(input)
    let gradient = plain.backward(input, weights).parameters
    for backend in Backend.vectors {
      var wide = try Probe(network, count: 8, backend: backend, needsInputGradient: false)
      #expect(relativeError(wide.forward(input), output) < 1e-6, "\(backend)")
      let found = wide.backward(input, weights).parameters
      #expect(relativeError(found, gradient) < 1e-6, "\(backend)")
    }
  }

  @Test("NaN propagates", arguments: [0, 7, 20])
  func notFinite(pixel: Int) throws {
    var generator = SeededGenerator(seed: 33)
    let layers: [Layer] = [.batchNormalization(), .relu, .dense(features: 2)]
    let network = try Network(
      .init(inputShape: [3, 7, 4], layers: layers), using: &generator)
    var input = generator.normals(2 * network.inputSize)
    input[pixel * 4] = .nan
    for backend in Backend.vectors {
      var probe = try Probe(network, count: 2, backend: backend)
      #expect(probe.forward(input).contains { $0.isNaN }, "\(backend)")
    }
  }

  @Test("steps and averages as the plain loops do", arguments: [1, 7, 16, 33, 1000])
  func optimizers(count: Int) {
    var generator = SeededGenerator(seed: 34)
    let start = generator.normals(count)
    let gradients = (0..<3).map { _ in generator.normals(count) }
    let slots = [
      ParameterSlot(name: "weight", shape: [count], initial: .constant(0), decays: true)
    ]
    for optimizer in [
      Optimizer.sgd(momentum: 0.9, weightDecay: 0.1),
      .sgd(momentum: 0.9, nesterov: true, weightDecay: 0.1), .adamW(weightDecay: 0.1),
    ] {
      func run(_ level: VectorLevel) -> (values: [Float], norm: Double) {
        var parameters = start
        var average = start
        var state = OptimizerState(optimizer, parameterCount: count)
        for gradient in gradients {
          var gradient = gradient
          Kernels.scale(level, &gradient, by: 0.7)
          optimizer.step(
            &parameters, gradient: gradient, slots: slots, learningRate: 0.01, &state,
            level: level)
          Kernels.average(level, &average, with: parameters, share: 0.3)
        }
        return (parameters + average, Kernels.squaredNorm(level, start))
      }
      let plain = run(.plain)
      #expect(relativeError(plain.values, start + start) > 1e-3)
      for level in VectorLevel.allCases where level > .plain && level <= .here {
        let wide = run(level)
        #expect(relativeError(wide.values, plain.values) < 1e-6, "\(level)")
        #expect(abs(wide.norm - plain.norm) < 1e-12 * plain.norm, "\(level)")
      }
    }
  }
}
